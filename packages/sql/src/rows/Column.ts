/**
 * The columns of a table as data, and the loops that write a row from them.
 *
 * One function returns the parts of a value. A loop over the names of its fields would look up each of them, which takes
 * half as long again, and a Schema would cost more than the statement that it serves.
 */
import { toStorable } from "./storableText.ts"

export type SqlValue = string | number | null

/**
 * How a column is stored. SQLite has no booleans, PostgreSQL has them. `exact` is text that SQLite must store exactly, lone
 * surrogates included: read it with `fromStorable`. `json` is JSON text in both databases, `string[]` JSON text of strings.
 */
export type ColumnKind = "text" | "exact" | "number" | "flag" | "json" | "string[]"

export interface Column {
  readonly name: string
  readonly kind: ColumnKind
}

export interface Columns<A> {
  readonly all: ReadonlyArray<Column>
  /** The list of the column names, for a statement. */
  readonly names: string
  /**
   * The parts of a value that the columns store, in the order of the columns. Compared by identity, the parts show which columns
   * have changed.
   */
  readonly parts: (value: A) => ReadonlyArray<unknown>
}

interface Parts {
  readonly text: string | null
  readonly exact: string | null
  readonly number: number | null
  readonly flag: boolean | null
  readonly json: object | null
  readonly "string[]": object | null
}

/** A name alone declares a column of text. */
type Declared = string | readonly [name: string, kind: ColumnKind]

type PartOf<D> = D extends readonly [string, infer K extends ColumnKind] ? Parts[K] : Parts["text"]

/** Declares the columns of a table: their names and kinds, and the parts of a value in the same order. */
export const columnsOf =
  <A>() =>
  <const D extends ReadonlyArray<Declared>>(
    declared: D,
    parts: (value: A) => { readonly [place in keyof D]: PartOf<D[place]> }
  ): Columns<A> => {
    const all = declared.map((column): Column => {
      const [name, kind] = typeof column === "string" ? [column, "text" as const] : column
      return { name, kind }
    })
    return { all, names: all.map(({ name }) => name).join(", "), parts }
  }

/** The values of a row, in the order of the columns, as SQLite has them. */
export const valuesOf = <A>({ all, parts }: Columns<A>, value: A): Array<SqlValue> => {
  const given = parts(value)
  const values: Array<SqlValue> = []
  let place = 0
  for (const { kind } of all) values.push(sqlValue(kind, given[place++]))
  return values
}

/** A part of a value as SQLite has it. */
export const sqlValue = (kind: ColumnKind, part: unknown): SqlValue => {
  if (typeof part === "string") return kind === "exact" ? toStorable(part) : part
  if (typeof part === "number" || part === null) return part
  if (typeof part === "boolean") return part ? 1 : 0
  return JSON.stringify(part)
}

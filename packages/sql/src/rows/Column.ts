/**
 * Describes the columns of a table as data, and writes rows from this description.
 *
 * For each table, one function returns all values of a row. A loop over the field names would look up each field, which
 * takes half as long again, and a Schema would cost more than the statement that it serves.
 */
import { toStorable } from "./storableText.ts"

export type SqlValue = string | number | null

/**
 * The type of a column. SQLite has no booleans, PostgreSQL has them. `exact` is text that SQLite must store exactly,
 * including lone surrogates: read it with `fromStorable`. `json` is JSON text in both databases, `string[]` JSON text
 * of strings.
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
   * Returns the values of a row, in the order of the columns. A column counts as changed if its value is not identical
   * to the former value; objects are compared by identity.
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

/** The declaration of a column: its name, or its name and kind. A name alone declares a column of text. */
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

/** The values of a row for SQLite, in the order of the columns. */
export const valuesOf = <A>({ all, parts }: Columns<A>, value: A): Array<SqlValue> => {
  const given = parts(value)
  const values: Array<SqlValue> = []
  let place = 0
  for (const { kind } of all) values.push(sqlValue(kind, given[place++]))
  return values
}

/** Converts a column's value for SQLite. */
export const sqlValue = (kind: ColumnKind, part: unknown): SqlValue => {
  if (typeof part === "string") return kind === "exact" ? toStorable(part) : part
  if (typeof part === "number" || part === null) return part
  if (typeof part === "boolean") return part ? 1 : 0
  return JSON.stringify(part)
}

/** An SQL text for SQLite, with the values of its parameters. */
export interface BoundText {
  readonly sql: string
  readonly values: ReadonlyArray<SqlValue>
}

/**
 * Makes updates of the columns that changed between two rows, so that only the indexes of these columns are touched. A commit
 * changes few combinations of columns: the SQL text of each combination is made once. `where`: the parameters after those of the
 * columns. `null`: no column changed.
 */
export const updateOf = <A>({ all, parts }: Columns<A>, textOf: (assignments: string) => string) => {
  // The number of columns is limited, because each column has a bit of an integer, which has 32 bits.
  if (all.length > 32) throw new Error(`An update of ${all.length} columns cannot be named`)
  const texts = new Map<number, string>()
  return (before: A, after: A, ...where: ReadonlyArray<SqlValue>): BoundText | null => {
    const [former, given] = [parts(before), parts(after)]
    const values: Array<SqlValue> = []
    let changed = 0
    let place = 0
    for (const { kind } of all) {
      if (given[place] !== former[place]) {
        changed |= 1 << place
        values.push(sqlValue(kind, given[place]))
      }
      place++
    }
    if (changed === 0) return null
    let sql = texts.get(changed)
    if (sql === undefined) {
      const assignments = all.filter((_, bit) => changed & (1 << bit)).map(({ name }) => `${name} = ?`)
      sql = textOf(assignments.join(", "))
      texts.set(changed, sql)
    }
    values.push(...where)
    return { sql, values }
  }
}

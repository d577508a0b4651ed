/** Puts one statement together: its parameters are numbered as they come, and nothing of a caller gets into the text. */
import type { Column } from "../columns.ts"
import { toStorable } from "../storableText.ts"

export interface PgStatement {
  readonly sql: string
  readonly params: ReadonlyArray<unknown>
}

export interface Fragments {
  readonly params: ReadonlyArray<unknown>
  /** The placeholder of a parameter. */
  readonly bind: (value: unknown, type: PgType) => string
  /** The placeholders of a row, in the order of its columns. */
  readonly row: <A>(columns: ReadonlyArray<Column<A>>, value: A) => string
  /** `column = placeholder` of what differs; empty: nothing does. */
  readonly changes: <A>(columns: ReadonlyArray<Column<A>>, before: A, after: A) => ReadonlyArray<string>
}

type PgType = "text" | "bigint" | "boolean" | "text[]"

/** A statement whose text asks for the parameters it needs. */
export const statementOf = (text: (statement: Fragments) => string): PgStatement => {
  const statement = fragments()
  const sql = text(statement)
  return { sql, params: statement.params }
}

/**
 * Every scalar goes as text and is cast in the statement: the driver would give a small number another type than a
 * large one, and prepare the statement anew for each.
 */
export const fragments = (): Fragments => {
  const params: Array<unknown> = []
  const bind: Fragments["bind"] = (value, type) => {
    params.push(typeof value === "number" || typeof value === "boolean" ? String(value) : value)
    return `$${params.length}::${type}`
  }
  const written = <A>(column: Column<A>, value: A): string => {
    switch (column.kind) {
      case "text":
        // As it is: what PostgreSQL cannot hold is made storable where the statement is sent.
        return bind(column.part(value), "text")
      case "json":
        return bind(column.write(value), "text")
      case "words":
        return bind(JSON.stringify(storableWords(column.part(value))), "text")
      case "number":
        return bind(column.write(value), "bigint")
      case "flag":
        return bind(column.part(value), "boolean")
    }
  }
  return {
    params,
    bind,
    row: (columns, value) => columns.map((column) => written(column, value)).join(", "),
    changes: (columns, before, after) =>
      columns
        .filter((column) => column.part(before) !== column.part(after))
        .map((column) => `${column.name} = ${written(column, after)}`)
  }
}

/** Words that PostgreSQL can take apart: its own JSON knows no NUL, not even an escaped one. */
export const storableWords = (words: unknown): unknown => {
  if (typeof words !== "object" || words === null) return words
  const entries = Object.entries(words)
  const storable = entries.map(([word, value]) => [toStorable(word), toStorable(String(value))] as const)
  const isStored = storable.every(([word, value], index) => word === entries[index]?.[0] && value === entries[index][1])
  return isStored ? words : Object.fromEntries(storable)
}

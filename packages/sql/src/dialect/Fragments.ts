/** Builds an SQL statement: its parameters are numbered in their order, and no caller's value gets into the SQL text. */
import type { Tenant } from "@paymux/core"
import type { StoreUnavailable } from "@paymux/core/store"
import type { Effect } from "effect"
import type { Column, Columns } from "../rows/Column.ts"
import type { Row } from "../rows/ReadRow.ts"
import type { Dialect, ParameterType } from "./Dialect.ts"

export interface Statement {
  readonly sql: string
  readonly params: ReadonlyArray<unknown>
}

/**
 * Adds a parameter and returns its placeholder. PostgreSQL needs the type of each parameter. The type follows from the
 * value; the caller gives it only for a number or boolean that may be `null`.
 */
interface Bind {
  (value: string | null): string
  (value: number | boolean | ReadonlyArray<string>): string
  (value: unknown, type: ParameterType): string
}

export interface Fragments {
  readonly sql: Dialect
  readonly params: ReadonlyArray<unknown>
  /** Adds a parameter and returns its placeholder, which may be used repeatedly. */
  readonly bind: Bind
  /** The condition for rows of the account and mode. */
  readonly isOf: (tenant: Tenant) => string
  /** Adds the values of a row, and returns their placeholders in the order of the columns. */
  readonly row: <A>(columns: Columns<A>, value: A) => string
  /** The assignments `column = placeholder` for each column whose value differs; empty: no column differs. */
  readonly changes: <A>(columns: Columns<A>, before: A, after: A) => ReadonlyArray<string>
}

/** The text of an SQL statement, as a function that adds the parameters of the text. */
export type StatementText = (statement: Fragments) => string

/** Runs statements that both databases accept. */
export interface StatementRunner {
  readonly sql: Dialect
  readonly read: (text: StatementText) => Effect.Effect<ReadonlyArray<Row>, StoreUnavailable>
  readonly write: (text: StatementText) => Effect.Effect<ReadonlyArray<Row>, StoreUnavailable>
  /**
   * Runs the texts in one transaction: the others only if the first returns a row. Returns whether the first text returned a row.
   * On PostgreSQL the texts are parts of one statement, so that no part sees the writes of another.
   */
  readonly together: (
    first: StatementText,
    ...others: ReadonlyArray<StatementText>
  ) => Effect.Effect<boolean, StoreUnavailable>
}

const fragments = (sql: Dialect): Fragments => {
  const params: Array<unknown> = []
  const bind: Bind = (value: unknown, type: ParameterType = typeOf(value)) =>
    sql.placeholder(params.push(sql.encode(value)), type)
  const written = ({ kind }: Column, part: unknown): string => {
    const { type, value } = sql.written(kind, part)
    return bind(value, type)
  }
  return {
    sql,
    params,
    bind,
    isOf: ({ account, livemode }) => `account = ${bind(account)} AND livemode = ${bind(livemode)}`,
    row: ({ all, parts }, value) => {
      const given = parts(value)
      return all.map((column, place) => written(column, given[place])).join(", ")
    },
    changes: ({ all, parts }, before, after) => {
      const [former, given] = [parts(before), parts(after)]
      return all.flatMap((column, place) =>
        given[place] === former[place] ? [] : [`${column.name} = ${written(column, given[place])}`]
      )
    }
  }
}

const typeOf = (value: unknown): ParameterType => {
  if (Array.isArray(value)) return "text[]"
  if (typeof value === "number") return "bigint"
  return typeof value === "boolean" ? "boolean" : "text"
}

export const statementOn = (dialect: Dialect, text: StatementText): Statement => {
  const statement = fragments(dialect)
  return { sql: text(statement), params: statement.params }
}

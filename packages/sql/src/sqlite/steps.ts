/**
 * A commit as data: its statements in order, and what some of them need. Any connection can run it, also one in another
 * thread.
 */
import type { StatementSync } from "node:sqlite"
import type { SqlValue } from "../columns.ts"
import type { Row } from "../ReadRow.ts"

export interface Statement {
  readonly sql: string
  /** By position. */
  readonly values: ReadonlyArray<SqlValue>
}

/** What a statement must come to: that it changes a row, or finds none. */
export type NeedOf = "change" | "no_row"

/**
 * If it is not met, the commit ends there. A step with a need stands before all that write, or is the last: a commit that
 * ends early has written nothing, or everything.
 */
export interface Need<A> {
  readonly of: NeedOf
  /** Read if it is not met. `null`: nothing is; of `no_row`, the row that was found counts. */
  readonly otherwise: Statement | null
  /** What the commit comes to then. */
  readonly result: (row: Row | null) => A
}

export interface Step<A> extends Statement {
  readonly need: Need<A> | null
}

export interface Commit<A> {
  readonly steps: ReadonlyArray<Step<A>>
  /** What it comes to if every need is met. */
  readonly done: A
}

/** Where a commit ended early. */
export interface Stop {
  readonly step: number
  readonly row: Row | null
}

/** What is run of a step; its result stays where the commit was made. */
export interface RunnableStep extends Statement {
  readonly need: { readonly of: NeedOf; readonly otherwise: Statement | null } | null
}

type Prepare = (sql: string) => StatementSync

/** `null`: every need was met. */
export const runSteps = (prepare: Prepare, steps: ReadonlyArray<RunnableStep>): Stop | null => {
  let at = 0
  for (const { need, sql, values } of steps) {
    const statement = prepare(sql)
    if (need === null) statement.run(...values)
    else if (need.of === "no_row") {
      const row = statement.get(...values)
      if (row !== undefined) return { step: at, row }
    } else if (statement.run(...values).changes === 0) {
      const { otherwise } = need
      const row = otherwise === null ? null : prepare(otherwise.sql).get(...otherwise.values)
      return { step: at, row: row ?? null }
    }
    at++
  }
  return null
}

export const resultOf = <A>({ done, steps }: Commit<A>, stop: Stop | null): A => {
  const need = stop === null ? null : steps[stop.step]?.need
  return stop === null || need === null || need === undefined ? done : need.result(stop.row)
}

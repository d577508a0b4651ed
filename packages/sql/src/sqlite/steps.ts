/**
 * A commit as data: its statements in order, and the results that some of them must have. Any connection can run it,
 * also one in another thread. The SQL texts are few: connections keep each of them prepared, and the thread that writes
 * keeps them permanently.
 */
import type { StatementSync } from "node:sqlite"
import type { BoundText } from "../rows/Column.ts"
import type { Row } from "../rows/ReadRow.ts"

/** The required result of a statement: it changes a row, or finds none. */
type NeedOf = "change" | "no_row"

/**
 * The requirement for the result of a step: if it is not met, the commit ends at this step. A step with a need comes
 * before all steps that write, or is the last step: a commit that ends early has written nothing, or everything.
 */
interface Need<A> {
  readonly of: NeedOf
  /**
   * A query that runs if the need is not met; its row is passed to `result`. `null`: no query. If the need is `no_row`,
   * the row that the statement found is passed instead.
   */
  readonly otherwise: BoundText | null
  /** The result of the commit if the need is not met. */
  readonly result: (row: Row | null) => A
}

export interface Step<A> extends BoundText {
  readonly need: Need<A> | null
}

export interface Commit<A> {
  readonly steps: ReadonlyArray<Step<A>>
  /** The result of the commit if every need is met. */
  readonly done: A
}

/** The step at which a commit ended early, and the row that it found. */
export interface Stop {
  readonly step: number
  readonly row: Row | null
}

/** The part of a step that a connection runs; the function for the result stays in the calling thread. */
export interface RunnableStep extends BoundText {
  readonly need: { readonly of: NeedOf; readonly otherwise: BoundText | null } | null
}

type Prepare = (sql: string) => StatementSync

/** Runs the steps. Returns the step at which the commit ended early; `null`: every need was met. */
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
  if (stop === null) return done
  const need = steps[stop.step]?.need ?? null
  if (need === null) throw new Error(`A commit ended at step ${stop.step}, which needs nothing`)
  return need.result(stop.row)
}

/** Runs statements on PostgreSQL: each is a transaction of its own. */
import type { StoreUnavailable } from "@paymux/core/store"
import { Effect } from "effect"
import type { Statement, StatementRunner } from "../dialect/Fragments.ts"
import type { Row } from "../rows/ReadRow.ts"
import { postgresDialect, statementOf } from "./postgresDialect.ts"

export type Run = (statement: Statement) => Effect.Effect<ReadonlyArray<Row>, StoreUnavailable>

export const statementRunner = (run: Run): StatementRunner => ({
  sql: postgresDialect,
  read: (text) => run(statementOf(text)),
  write: (text) => run(statementOf(text)),
  together: (first, ...others) =>
    Effect.map(
      run(
        statementOf((statement) => {
          const parts = others.map((text, index) => `, part_${index} AS (${text(statement)})`)
          return `WITH first_part AS (${first(statement)})${parts.join("")} SELECT count(*) AS done FROM first_part`
        })
      ),
      isDone
    )
})

/** Whether a statement that counts its writes has written a row. */
export const isDone = ([row]: ReadonlyArray<Row | undefined>): boolean => row?.["done"] === 1

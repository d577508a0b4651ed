/** Runs statements on PostgreSQL: each is a transaction of its own. */
import { Effect } from "effect"
import type { StatementRunner } from "../dialect/Fragments.ts"
import type { Row } from "../rows/ReadRow.ts"
import { postgresDialect } from "./postgresDialect.ts"

export type Run = StatementRunner["read"]

export const statementRunner = (run: Run): StatementRunner => ({
  sql: postgresDialect,
  read: run,
  write: run,
  together: (first, ...others) =>
    Effect.map(
      run((statement) => {
        const parts = others.map((text, index) => `, part_${index} AS (${text(statement)})`)
        return `WITH first_part AS (${first(statement)})${parts.join("")} SELECT count(*) AS done FROM first_part`
      }),
      isDone
    )
})

/** Whether a statement that counts its writes has written a row. */
export const isDone = ([row]: ReadonlyArray<Row | undefined>): boolean => row?.["done"] === 1

/** Reads the JSON of a payment and its refunds as it was before a run of events. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { numeral, textOrNull } from "../rows/ReadRow.ts"
import type { Row } from "../rows/ReadRow.ts"
import type { EventRun, Former } from "./eventRuns.ts"

/** Leaves out the runs that begin with the first event of their payment, since no JSON precedes them. */
export const readFormer = Effect.fnUntraced(function* (
  runs: ReadonlyArray<EventRun>
): Effect.fn.Return<ReadonlyMap<EventRun, Former>, SqlError, SqlClient.SqlClient> {
  const later = runs.filter(({ first }) => first.sequence > 1)
  if (later.length === 0) return new Map()
  const sql = yield* SqlClient.SqlClient
  const wanted = later.flatMap(({ first, refunds }, run) => [
    [run, first.paymentId, first.sequence, null],
    ...refunds.map(({ beginning, sequence }) => [run, first.paymentId, sequence, beginning])
  ])
  const rows = yield* sql<Row>`
    SELECT run, beginning, CASE WHEN beginning IS NULL THEN (
      SELECT event.payment FROM payment_events event
      WHERE event.payment_id = wanted.id AND event.sequence = wanted.number - 1)
    ELSE (
      SELECT event.refund FROM payment_events event
      WHERE event.payment_id = wanted.id AND event.sequence < wanted.number
        AND substr(event.refund, 1, length(wanted.beginning)) = wanted.beginning
      ORDER BY event.sequence DESC LIMIT 1) END AS json
    FROM ${wantedRows(sql, JSON.stringify(wanted))}`
  const former = later.map(() => new Map<string | null, string | null>())
  for (const row of rows) former[numeral(row, "run")]?.set(textOrNull(row, "beginning"), textOrNull(row, "json"))
  return new Map(later.map((run, index) => [run, former[index] ?? new Map()]))
})

const wantedRows = (sql: SqlClient.SqlClient, wanted: string) =>
  sql.onDialectOrElse({
    pg: () => sql`(SELECT (item ->> 0)::bigint AS run, (item ->> 1) COLLATE "C" AS id, (item ->> 2)::bigint AS number,
        item ->> 3 AS beginning FROM json_array_elements(${wanted}::json) AS item) AS wanted`,
    orElse: () => sql`(SELECT value ->> 0 AS run, value ->> 1 AS id, value ->> 2 AS number, value ->> 3 AS beginning
        FROM json_each(${wanted})) AS wanted`
  })

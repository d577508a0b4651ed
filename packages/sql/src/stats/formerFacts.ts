/** What the events before these said: of the same payment, and of the same refund. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import type { FeedEvent } from "./EventFeed.ts"

export interface Former {
  /** JSON of the payment at the event before; `null`: there is no such event. */
  readonly payment: string | null
  /** JSON of the same refund at its event before. */
  readonly refund: string | null
}

/** By the position of the event. First events of payments have no former ones and are left out. */
export const readFormer = Effect.fnUntraced(function* (
  events: ReadonlyArray<FeedEvent>
): Effect.fn.Return<ReadonlyMap<number, Former>, SqlError, SqlClient.SqlClient> {
  const later = events.filter(({ sequence }) => sequence > 1)
  if (later.length === 0) return new Map()
  const sql = yield* SqlClient.SqlClient
  const wanted = JSON.stringify(
    later.map(({ paymentId, position, refund, sequence }) => [position, paymentId, sequence, beginningOf(refund)])
  )
  const rows = yield* sql<Row>`
    SELECT place, payment.payment AS payment, CASE WHEN beginning IS NULL THEN NULL ELSE (
      SELECT refund.refund FROM payment_events refund
      WHERE refund.payment_id = wanted.id AND refund.sequence < wanted.number
        AND substr(refund.refund, 1, length(wanted.beginning)) = wanted.beginning
      ORDER BY refund.sequence DESC LIMIT 1) END AS refund
    FROM ${wantedRows(sql, wanted)} LEFT JOIN payment_events payment
      ON payment.payment_id = wanted.id AND payment.sequence = wanted.number - 1`
  return new Map(rows.map(({ payment, place, refund }) => [Number(place), { payment, refund }]))
})

/** `{"id":"re_…"`: the JSON of a refund begins with its id. */
const beginningOf = (refund: string | null): string | null =>
  refund === null ? null : refund.slice(0, Math.max(0, refund.indexOf(",")))

const wantedRows = (sql: SqlClient.SqlClient, wanted: string) =>
  sql.onDialectOrElse({
    pg: () => sql`(SELECT (item ->> 0)::bigint AS place, (item ->> 1) COLLATE "C" AS id, (item ->> 2)::bigint AS number,
        item ->> 3 AS beginning FROM json_array_elements(${wanted}::json) AS item) AS wanted`,
    orElse: () => sql`(SELECT value ->> 0 AS place, value ->> 1 AS id, value ->> 2 AS number, value ->> 3 AS beginning
        FROM json_each(${wanted})) AS wanted`
  })

interface Row {
  readonly place: number | string
  readonly payment: string | null
  readonly refund: string | null
}

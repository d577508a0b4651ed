/** Stored events, apart from their sequence. */
import type { PaymentStore } from "@paymux/core/store"
import { Effect } from "effect"
import { eventColumns } from "../rows/columns.ts"
import type { StatementRunner, StatementText } from "../dialect/Fragments.ts"
import { readEvent } from "../rows/rows.ts"

type Events = Pick<PaymentStore["Service"], "undispatchedEvents" | "findEvent" | "findEvents" | "markDispatched">

export const events = ({ read, write }: StatementRunner): Events => {
  const select = (rest: StatementText) =>
    Effect.map(
      read((statement) => `SELECT ${eventColumns.names} FROM payment_events WHERE ${rest(statement)}`),
      (rows) => rows.map(readEvent)
    )
  return {
    undispatchedEvents: (limit) =>
      select(({ bind }) => `dispatched_at IS NULL ORDER BY position LIMIT ${bind(limit, "bigint")}`),
    findEvent: (id) =>
      Effect.map(
        select(({ bind }) => `id = ${bind(id, "text")}`),
        ([event = null]) => event
      ),
    findEvents: (ids) => select(({ bind, sql }) => sql.isOneOf("id", bind(ids, "text[]"))),
    markDispatched: (ids, now) =>
      ids.length === 0
        ? Effect.void
        : Effect.asVoid(
            write(
              ({ bind, sql }) => `UPDATE payment_events SET dispatched_at = ${bind(now, "bigint")}
                WHERE ${sql.isOneOf("id", bind(ids, "text[]"))} AND dispatched_at IS NULL`
            )
          )
  }
}

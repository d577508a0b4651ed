/** The SQL for stored events, except their sequence. */
import type { EventId, PaymentStore } from "@paymux/core/store"
import { Effect } from "effect"
import { eventColumns } from "../rows/columns.ts"
import type { StatementRunner, StatementText } from "../dialect/Fragments.ts"
import { readEvent } from "../rows/rows.ts"
import { eachOf } from "../rows/ReadRow.ts"

export const events = ({ read, write }: StatementRunner) => {
  const select = (rest: StatementText) =>
    Effect.map(
      read((statement) => `SELECT ${eventColumns.names} FROM payment_events WHERE ${rest(statement)}`),
      eachOf(readEvent)
    )
  return {
    undispatchedEvents: (limit) => select(({ bind }) => `dispatched_at IS NULL ORDER BY position LIMIT ${bind(limit)}`),
    findEvent: (id) =>
      Effect.map(
        select(({ bind }) => `id = ${bind(id)}`),
        ([event = null]) => event
      ),
    findEvents: (ids) => select(({ bind, sql }) => sql.isOneOf("id", bind(ids))),
    markDispatched: (ids, now) => (ids.length === 0 ? Effect.void : Effect.asVoid(write(markDispatched(ids, now))))
  } satisfies Partial<PaymentStore["Service"]>
}

/**
 * Finds the events by their ids: otherwise, the index of undispatched events would be scanned from its start.
 *
 * @internal Exported for the test of its query plan.
 */
export const markDispatched =
  (ids: ReadonlyArray<EventId>, now: number): StatementText =>
  ({ bind, sql }) =>
    `UPDATE payment_events SET dispatched_at = ${bind(now)}
    WHERE ${sql.isOneOf("id", bind(ids))} AND ${sql.tested("dispatched_at")} IS NULL`

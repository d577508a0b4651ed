/**
 * Writes a payment that the database had lost, and whose order another payment has taken since. Its provider may have money of
 * it, so it is kept as canceled: what was taken is in excess, and is returned like any late success.
 */
import { Effect } from "effect"
import type { PaymentRecord } from "../domain/Payment.ts"
import { changed, ended } from "../domain/transition/change.ts"
import type { BeginCommit, BeginResult, PaymentStore, StoreUnavailable } from "../store/PaymentStore.ts"
import { eventRows } from "./eventRows.ts"
import type { EventServices } from "./eventRows.ts"

interface Services extends EventServices {
  readonly store: PaymentStore["Service"]
}

export const beginWithoutOrder = Effect.fnUntraced(function* (
  services: Services,
  { record: lost, ...commit }: BeginCommit
): Effect.fn.Return<BeginResult, StoreUnavailable> {
  const { store } = services
  const before = withoutOrder(lost, yield* store.now)
  const result = yield* store.begin({ ...commit, record: before })
  if (result._tag !== "Begun") return result
  const change = changed(before, before.payment.updatedAt, {}, "payment.canceled")
  const { events, record } = eventRows(services, before, change)
  yield* store.advance({ before, after: record, events, evidence: null, binding: null, answer: null })
  return result
})

/** Its provider is asked at once, unless the report that is at hand says more. */
const withoutOrder = (record: PaymentRecord, now: number): PaymentRecord => ({
  ...record,
  payment: { ...record.payment, state: { status: "canceled" }, updatedAt: now },
  attempts: record.attempts.map((attempt) => ({ ...attempt, status: "not_executed", endedAt: now })),
  operations: record.operations.map((operation) => ({ ...ended(operation, "not_executed", now), nextCheckAt: now }))
})

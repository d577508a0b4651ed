/**
 * Inserts a lost payment again although another payment has taken its order since. The provider may have taken the
 * money of the lost payment, so it is written as canceled: its money is an overpayment, and is returned like any late
 * success.
 */
import { Effect } from "effect"
import { isInFlight } from "../../domain/Attempt.ts"
import { heldOrder } from "../../domain/Payment.ts"
import { isOpen } from "../../domain/Operation.ts"
import type { Payment, PaymentRecord } from "../../domain/Payment.ts"
import { changed, ended } from "../../domain/transition/change.ts"
import type { BeginCommit, BeginResult, PaymentStore, StoreUnavailable } from "../../store/PaymentStore.ts"
import { eventRows } from "../conclude/PaymentWriter.ts"
import type { EventServices } from "../conclude/PaymentWriter.ts"
import { timings } from "../timings.ts"

interface Services extends EventServices {
  readonly store: PaymentStore["Service"]
}

/**
 * Begins the lost payment as canceled. The result is `OrderTaken` (nothing was written) if an earlier unpaid payment
 * occupies the order. That earlier payment must have ended before the lost payment began, but the restored database has
 * lost its end, too, so the lost payment may be the one that was paid.
 */
export const beginWithoutOrder = Effect.fnUntraced(function* (
  services: Services,
  { record: lost, ...commit }: BeginCommit,
  isEarlier: (holder: Payment) => boolean
): Effect.fn.Return<BeginResult, StoreUnavailable> {
  const { store } = services
  if (yield* isHeldByEarlier(store, lost, isEarlier)) return { _tag: "OrderTaken" }
  const begun = withoutOrder(lost, yield* store.now)
  const result = yield* store.begin({ ...commit, record: begun })
  if (result._tag === "Begun") yield* announceCanceled(services, begun)
  return result
})

const isHeldByEarlier = Effect.fnUntraced(function* (
  store: PaymentStore["Service"],
  { payment }: PaymentRecord,
  isEarlier: (holder: Payment) => boolean
): Effect.fn.Return<boolean, StoreUnavailable> {
  const order = heldOrder(payment)
  const id = order === null ? null : yield* store.orders.holder(payment, order)
  const holder = id === null ? null : yield* store.get(id)
  // If no payment occupies the order any more, the next try begins the lost payment with its order.
  if (holder === null) return true
  return holder.payment.state.status !== "succeeded" && isEarlier(holder.payment)
})

/**
 * Changes the payment to canceled, without its order. An inquiry is due after a minute, unless a report is applied
 * before.
 */
const withoutOrder = (record: PaymentRecord, now: number): PaymentRecord => ({
  ...record,
  payment: { ...record.payment, state: { status: "canceled" }, updatedAt: now },
  attempts: record.attempts.map((attempt) => {
    if (isInFlight(attempt.status)) return { ...attempt, status: "not_executed", endedAt: now }
    return attempt.status === "succeeded" || attempt.status === "authorized"
      ? { ...attempt, isOverpayment: true }
      : attempt
  }),
  operations: record.operations.map((operation) =>
    operation.kind === "create" && isOpen(operation)
      ? { ...ended(operation, "not_executed", now), nextCheckAt: now + timings.absentProvider }
      : operation
  )
})

const announceCanceled = Effect.fnUntraced(function* (services: Services, begun: PaymentRecord) {
  const { store } = services
  for (
    let before: PaymentRecord | null = begun;
    before !== null && before.payment.state.status === "canceled";
    before = yield* store.get(begun.payment.id)
  ) {
    const change = changed(before, yield* store.now, {}, "payment.canceled")
    const { events, record } = eventRows(services, before, change)
    const commit = { before, after: record, events, evidence: null, binding: null, answer: null }
    if ((yield* store.advance(commit))._tag === "Advanced") return
  }
})

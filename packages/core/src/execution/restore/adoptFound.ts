/** Adopts a charge that a provider already has: begins a payment for it, and sends nothing. */
import { Effect } from "effect"
import { paymentError, Restoring } from "../../domain/PaymentError.ts"
import type { PaymentError } from "../../domain/PaymentError.ts"
import type { Payment } from "../../domain/Payment.ts"
import { fromAnswer } from "../../domain/Evidence.ts"
import { beginPayment } from "../begin/beginPayment.ts"
import type { BeginRequest, BeginServices, Begun, NotBegun } from "../begin/beginPayment.ts"
import { beginWithoutOrder } from "./beginWithoutOrder.ts"
import { keepUnmatched } from "../recover/inbox/keepUnmatched.ts"
import { mapStoreError } from "../begin/requests.ts"
import { timings } from "../timings.ts"
import { isPaid } from "./lookUp.ts"
import type { Found } from "./lookUp.ts"

/**
 * Begins the payment with its first attempt at the provider that has the charge, under the operation id and idempotency
 * key that the charge has there. If the database fails before the charge is applied, the reconciler finds the orphaned
 * operation and inquires. A second charge at another provider is stored as an unmatched report, for an operator.
 *
 * If another payment has taken the order since, the adopted payment is written as canceled, and its money is returned.
 * If a payment from before the restore has the order, the request is refused, because that payment may have ended in
 * the time whose changes the restore lost. The charge is then stored as an unmatched report, because the request may
 * never be repeated.
 *
 * Afterwards the idempotency key is bound, as if an earlier request had bound it.
 */
export const adoptFound = Effect.fnUntraced(function* (
  services: BeginServices,
  request: BeginRequest,
  { names, outcome, provider }: Found,
  doubles: ReadonlyArray<Found>
): Effect.fn.Return<NotBegun, PaymentError> {
  const begun = yield* beginInAnyCase(services, request, { names, outcome, provider }, doubles)
  if (begun._tag !== "Begun") return begun
  const evidence = fromAnswer("inquiry", begun.operation.id, outcome)
  yield* mapStoreError(services.executor.advance(evidence, { provider, document: null }))
  yield* keepReports(services, request, doubles)
  return begun.binding === null ? { _tag: "Restored" } : { _tag: "KeyTaken", kept: { ...begun.binding, answer: null } }
})

const keepReports = Effect.fnUntraced(function* (
  { store }: BeginServices,
  { tenant: { livemode } }: BeginRequest,
  found: ReadonlyArray<Found>
): Effect.fn.Return<void, PaymentError> {
  for (const { names, outcome, provider } of found.filter(isPaid)) {
    const report = fromAnswer("inquiry", names.id, outcome)
    yield* mapStoreError(keepUnmatched(store, report, { provider, document: null, livemode }))
  }
})

const beginInAnyCase = Effect.fnUntraced(function* (
  services: BeginServices,
  request: BeginRequest,
  found: Found,
  doubles: ReadonlyArray<Found>
): Effect.fn.Return<Begun | NotBegun, PaymentError> {
  const { plan, restoration } = request
  const candidate = { provider: found.provider, reason: "found after a restore" }
  const choice = { candidate, decision: plan.decision }
  const begun = yield* beginPayment(services, request, choice, { operation: () => found.names })
  if (begun._tag !== "OrderTaken") return begun
  const { binding, record } = begun
  const { mark } = yield* mapStoreError(services.store.restoration.read)
  // Whether a payment is from the restored copy. It is then older than the restore marker; the adopted payment has a
  // new id.
  const isEarlier = ({ createdAt }: Payment) => mark === null || createdAt < mark.markedAt
  const written = yield* mapStoreError(beginWithoutOrder(services, { binding, record, restoration }, isEarlier))
  switch (written._tag) {
    case "Begun":
      return { ...begun, _tag: "Begun" }
    case "OrderTaken":
      yield* keepReports(services, request, [found, ...doubles])
      return yield* paymentError(new Restoring({ retryAfterMs: timings.absentProvider }))
    default:
      return written
  }
})

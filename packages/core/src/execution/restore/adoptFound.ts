/** Begins a payment as what a provider has of it already, and sends nothing. */
import type { Effect } from "effect"
import type { Plan } from "../../routing/Plan.ts"
import { paymentError, Restoring } from "../../domain/PaymentError.ts"
import type { PaymentError } from "../../domain/PaymentError.ts"
import type { Payment } from "../../domain/Payment.ts"
import { fromAnswer } from "../../domain/Evidence.ts"
import { beginPayment } from "../begin/beginPayment.ts"
import type { Asked, BeginServices, Begun, NotBegun, Place } from "../begin/beginPayment.ts"
import { beginWithoutOrder } from "./beginWithoutOrder.ts"
import { keepUnmatched } from "../recover/inbox/keepUnmatched.ts"
import { orUnavailable } from "../begin/requests.ts"
import { timings } from "../timings.ts"
import { isPaid } from "./lookUp.ts"
import type { Found } from "./lookUp.ts"

/**
 * The first attempt is at the provider that has it, under the names that it has there. If the database fails in between, the
 * reconciler finds the operation as one that lost its owner, and inquires. What was paid at another provider as well is kept as
 * an unmatched report, for an operator. If another payment has the order by now, it is written as canceled, and its money is
 * returned. While a payment from before the restore has the order, the request is refused, because that one may have ended before.
 * The charge is kept as an unmatched report then: the request may never be repeated.
 *
 * Delegate to it with `yield*`. The key is bound then, as if an earlier request had bound it.
 */
export const adoptFound = function* (
  services: BeginServices,
  asked: Asked,
  { names, outcome, provider }: Found,
  doubles: ReadonlyArray<Found>,
  { decision }: Plan
): Effect.fn.Return<NotBegun, PaymentError> {
  const begun = yield* beginInAnyCase(services, asked, [{ names, outcome, provider }, ...doubles], {
    candidate: { provider, reason: "found after a restore" },
    decision,
    names: { operation: () => names },
    release: () => undefined
  })
  if (begun._tag !== "Begun") return begun
  const evidence = fromAnswer("inquiry", begun.operation.id, outcome)
  yield* orUnavailable(services.executor.advance(evidence, { provider, document: null }))
  yield* keepReports(services, asked, doubles)
  return begun.binding === null ? { _tag: "Restored" } : { _tag: "KeyTaken", kept: { ...begun.binding, answer: null } }
}

const keepReports = function* (
  { store }: BeginServices,
  { tenant: { livemode } }: Asked,
  found: ReadonlyArray<Found>
): Effect.fn.Return<void, PaymentError> {
  for (const { names, outcome, provider } of found.filter(isPaid)) {
    const report = fromAnswer("inquiry", names.id, outcome)
    yield* orUnavailable(keepUnmatched(store, report, { provider, document: null, livemode }))
  }
}

const beginInAnyCase = function* (
  services: BeginServices,
  asked: Asked,
  found: ReadonlyArray<Found>,
  place: Place
): Effect.fn.Return<Begun | NotBegun, PaymentError> {
  const begun = yield* beginPayment(services, asked, place)
  if (begun._tag !== "OrderTaken") return begun
  const { binding, record } = begun
  const { restoration } = asked
  const { mark } = yield* orUnavailable(services.store.restoration.read)
  // Its own id is new. The payments of the copy are those from before the mark.
  const isEarlier = ({ createdAt }: Payment) => mark === null || createdAt < mark.markedAt
  const written = yield* orUnavailable(beginWithoutOrder(services, { binding, record, restoration }, isEarlier))
  switch (written._tag) {
    case "Begun":
      return { ...begun, _tag: "Begun" }
    case "OrderTaken":
      yield* keepReports(services, asked, found)
      return yield* paymentError(new Restoring({ retryAfterMs: timings.absentProvider }))
    default:
      return written
  }
}

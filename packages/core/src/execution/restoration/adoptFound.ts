/** Begins a payment as what a provider has of it already, and sends nothing. */
import type { Effect } from "effect"
import type { Plan } from "../../routing/Plan.ts"
import { paymentError, Restoring } from "../../domain/PaymentError.ts"
import type { PaymentError } from "../../domain/PaymentError.ts"
import { fromAnswer } from "../../provider/Evidence.ts"
import { beginPayment } from "../beginPayment.ts"
import type { Asked, BeginServices, Begun, NotBegun, Place } from "../beginPayment.ts"
import { beginWithoutOrder } from "../beginWithoutOrder.ts"
import { keepUnmatched } from "../inbox/keepUnmatched.ts"
import { orUnavailable } from "../requests.ts"
import { timings } from "../timings.ts"
import type { Found } from "./lookUp.ts"

/**
 * The first attempt is at the provider that has it, under the names that it has there. If the database fails in between, the
 * reconciler finds the operation as one that lost its owner, and inquires. What was paid at another provider as well is kept as
 * an unmatched report, for an operator. If another payment has the order by now, it is written as canceled, and what was paid is
 * returned; while an earlier one has it, the request is refused, because that may have ended before.
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
  const begun = yield* beginInAnyCase(services, asked, {
    candidate: { provider, reason: "found after a restore" },
    decision,
    names: { operation: () => names },
    release: () => undefined
  })
  if (begun._tag !== "Begun") return begun
  const evidence = fromAnswer("inquiry", begun.operation.id, outcome)
  yield* orUnavailable(services.executor.advance(evidence, { provider, document: null }))
  for (const double of doubles) {
    const report = fromAnswer("inquiry", double.names.id, double.outcome)
    const { livemode } = asked.tenant
    yield* orUnavailable(keepUnmatched(services.store, report, { provider: double.provider, document: null, livemode }))
  }
  return begun.binding === null ? { _tag: "Restored" } : { _tag: "KeyTaken", kept: { ...begun.binding, answer: null } }
}

const beginInAnyCase = function* (
  services: BeginServices,
  asked: Asked,
  place: Place
): Effect.fn.Return<Begun | NotBegun, PaymentError> {
  const begun = yield* beginPayment(services, asked, place)
  if (begun._tag !== "OrderTaken") return begun
  const { binding, record } = begun
  const { restoration } = asked
  const written = yield* orUnavailable(beginWithoutOrder(services, { binding, record, restoration }))
  switch (written._tag) {
    case "Begun":
      return { ...begun, _tag: "Begun" }
    case "OrderTaken":
      return yield* paymentError(new Restoring({ retryAfterMs: timings.absentProvider }))
    default:
      return written
  }
}

/**
 * Checks the order of new payments: a payment with a taken order is refused, or the order's open payment is closed
 * first.
 */
import { Effect, Option, Result } from "effect"
import type { PaymentId } from "../../domain/Ids.ts"
import { freedOrder } from "../../domain/Payment.ts"
import type { PaymentRecord, Tenant } from "../../domain/Payment.ts"
import { OrderTaken, paymentError } from "../../domain/PaymentError.ts"
import type { PaymentError } from "../../domain/PaymentError.ts"
import type { KeptKey, PaymentStore } from "../../store/PaymentStore.ts"
import type { Routed } from "./routePayment.ts"
import { performOperation } from "./followUpOperations.ts"
import type { RequestServices } from "./requestServices.ts"
import { mapStoreError } from "./requests.ts"
import { timings } from "../timings.ts"

/**
 * Fails with `OrderTaken` if the order has another open or paid payment. Returns the stored idempotency key if a
 * concurrent copy of this request created that payment.
 */
export const checkOrder = Effect.fnUntraced(function* (
  store: PaymentStore["Service"],
  { key, tenant }: Pick<Routed, "key" | "tenant">,
  order: string
): Effect.fn.Return<KeptKey | null, PaymentError> {
  const holder = yield* mapStoreError(store.orders.holder(tenant, order))
  const record = holder === null ? null : yield* mapStoreError(store.get(holder))
  if (record === null) return null
  // Looks up the key again: the same request may have begun that payment since the first look-up.
  const kept = key === null ? null : yield* mapStoreError(store.findKey(tenant, key.endpoint, key.key))
  if (kept === null) yield* refuseTaken(record, null)
  return kept
})

/**
 * Begins a payment that replaces another payment of its order: runs `begin`, closes the other payment if necessary, and
 * runs `begin` again.
 */
export const replacing = <A>(
  services: RequestServices,
  tenant: Tenant,
  begin: Effect.Effect<A, PaymentError>
): Effect.Effect<A, PaymentError> =>
  Effect.catch(begin, (error) =>
    // A new payment may replace the open payment of its order, but never a paid one.
    error.reason._tag === "OrderTaken" && error.reason.status !== "succeeded"
      ? Effect.andThen(closeFirst(services, tenant, error.reason), begin)
      : Effect.fail(error)
  )

/**
 * Cancels the order's open payment. The provider must confirm the cancel before another payment of the order begins.
 */
const closeFirst = Effect.fnUntraced(function* (
  services: RequestServices,
  tenant: Tenant,
  { paymentId }: OrderTaken
): Effect.fn.Return<void, PaymentError> {
  const { store } = services
  // Cast at a type boundary: it is the id of a stored payment.
  const id = paymentId as PaymentId
  const cancel = performOperation(services, id, { kind: "cancel" }, { tenant, idempotency: null })
  const answer = yield* Effect.result(Effect.timeoutOption(cancel, timings.closeFirst))
  const record = yield* mapStoreError(store.get(id))
  if (record === null || freedOrder(record.payment) !== null) return
  if (Result.isFailure(answer) && isOfServer(answer.failure)) return yield* answer.failure
  yield* refuseTaken(record, Result.isFailure(answer) ? answer.failure.message : whyOpen(answer.success))
})

/** Whether a failure is caused by this server and not by the payment. */
const isOfServer = ({ reason }: PaymentError): boolean => reason._tag === "Unavailable" || reason._tag === "Overloaded"

const whyOpen = (answer: Option.Option<unknown>): string =>
  Option.isNone(answer) ? "Its provider has not answered yet." : "Its provider did not confirm it."

const refuseTaken = ({ payment }: PaymentRecord, unclosed: string | null): Effect.Effect<void, PaymentError> => {
  const { status } = payment.state
  return status === "failed" || status === "canceled"
    ? Effect.void
    : Effect.fail(paymentError(new OrderTaken({ paymentId: payment.id, status, unclosed })))
}

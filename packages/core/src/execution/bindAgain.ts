/**
 * Binds a request's key to the payment that the request has made already. A process that writes a lost payment again
 * (`restoreLost`) may not know its key by then, and the repeated request makes the same operation id: no second row can have it.
 */
import { Effect } from "effect"
import type { Payment, PaymentRecord } from "../domain/Payment.ts"
import { IdempotencyKeyReused, paymentError } from "../domain/PaymentError.ts"
import type { PaymentError } from "../domain/PaymentError.ts"
import { changed } from "../domain/transition/change.ts"
import type { KeptKey, KeyBinding, PaymentStore } from "../store/PaymentStore.ts"
import { eventRows } from "./eventRows.ts"
import type { EventServices } from "./eventRows.ts"
import { orUnavailable } from "./requests.ts"

interface BindServices extends EventServices {
  readonly store: PaymentStore["Service"]
}

/**
 * What is bound now; `null`: no payment has the operation. Fails if the payment is another one than the request asks for.
 *
 * @param asked the payment that the request would have begun, with its one operation
 * @param binding as it would have been written with it
 */
export const bindAgain = Effect.fnUntraced(function* (
  services: BindServices,
  asked: PaymentRecord,
  binding: KeyBinding
): Effect.fn.Return<KeptKey | null, PaymentError> {
  const { store } = services
  const [operation] = asked.operations
  if (operation === undefined) return null
  while (true) {
    const found = yield* orUnavailable(store.findByOperation(operation.id))
    if (found === null || !isOfTenant(found.payment, binding)) return null
    if (!isSame(found.payment, asked.payment)) return yield* paymentError(new IdempotencyKeyReused({}))
    const now = yield* orUnavailable(store.now)
    const { events, record } = eventRows(services, found, changed(found, now, {}, null))
    const again = { ...binding, paymentId: found.payment.id }
    const commit = { before: found, after: record, events, evidence: null, binding: again, answer: null }
    const written = yield* orUnavailable(store.advance(commit))
    if (written._tag === "KeyTaken") return written.kept
    if (written._tag === "Advanced") return { ...again, answer: null }
  }
})

const isOfTenant = ({ account, livemode }: Payment, binding: KeyBinding): boolean =>
  account === binding.account && livemode === binding.livemode

/** The digest of the first request is lost with its key, so what moves the money is compared. */
const isSame = (one: Payment, other: Payment): boolean =>
  one.amount.minorUnits === other.amount.minorUnits &&
  one.amount.currency === other.amount.currency &&
  one.captureMethod === other.captureMethod &&
  one.method.rail === other.method.rail

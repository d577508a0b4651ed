/** Answers a create whose payment is still open when the caller's waiting time is over, and a repeated create. */
import { Effect } from "effect"
import { announcePending } from "../../domain/transition/change.ts"
import type { Ids } from "../../domain/Ids.ts"
import type { NewPayment, PaymentRecord } from "../../domain/Payment.ts"
import { paymentError, Unavailable } from "../../domain/PaymentError.ts"
import type { PaymentError } from "../../domain/PaymentError.ts"
import { paymentDifference } from "../../domain/requestDifference.ts"
import type { KeptKey, KeyBinding, PaymentStore, StoreUnavailable } from "../../store/PaymentStore.ts"
import type { HostedUrl } from "../../wire/HostedPage.ts"
import { paymentBody } from "../../wire/PaymentJson.ts"
import type { LivePayment } from "./LivePayments.ts"
import { isCommitted } from "../conclude/PaymentWriter.ts"
import type { PaymentWriter } from "../conclude/PaymentWriter.ts"
import type { Created, PaymentResult } from "../PaymentResult.ts"
import type { RequestDeadline } from "./RequestDeadlines.ts"
import { firstAnswer, keepAnswer, unlessLost } from "./requests.ts"
import type { RequestKey } from "./requests.ts"
import type { RequestServices } from "./requestServices.ts"
import { restoreLost } from "../restore/restoreLost.ts"

interface OpenAnswerServices {
  readonly store: PaymentStore["Service"]
  readonly ids: Ids["Service"]
  readonly writer: PaymentWriter["Service"]
  readonly hostedUrl: HostedUrl
}

/**
 * Answers a create request with the payment as `pending`, because the caller's waiting time is over or no commit has
 * produced the response.
 */
export const answerOpen = Effect.fnUntraced(function* (
  services: OpenAnswerServices,
  begun: PaymentRecord,
  { binding }: LivePayment,
  deadline: RequestDeadline
) {
  const pending = yield* Effect.catch(
    deadline.untilAnswered(answerPending(services, begun, binding)),
    unlessLost(services.store, { record: begun, body: null })
  )
  if (pending === null) {
    // The request fails: the restored database has lost the payment, and its idempotency key belongs to another payment
    // now. A lost payment must not be acknowledged.
    const cause = new Error(`Payment ${begun.payment.id} is gone from the database`)
    yield* Effect.logError(cause.message)
    return yield* paymentError(new Unavailable({ cause }))
  }
  return { record: pending.record, body: pending.body ?? paymentBody(pending.record, services.hostedUrl) }
})

/**
 * Commits `payment.pending` and the bytes of the response. If another change is committed first, reads the payment
 * again.
 */
const answerPending = Effect.fnUntraced(function* (
  services: OpenAnswerServices,
  begun: PaymentRecord,
  binding: KeyBinding | null
): Effect.fn.Return<PaymentResult | null, StoreUnavailable> {
  const { store, writer } = services
  while (true) {
    const current = yield* restoreLost(services, begun, begun.operations[0]?.id, binding)
    if (current === null) return null
    const now = yield* store.now
    const change = announcePending(current, now)
    if (change === null) {
      return binding === null
        ? { record: current, body: null }
        : yield* keepAnswer(store, binding, current, (record) => paymentBody(record, services.hostedUrl))
    }
    const written = yield* writer.write(current, change, { cause: null, binding })
    if (isCommitted(written)) return written
  }
})

/** Returns the response to an earlier create with the same idempotency key. */
export const replayPayment = (
  services: RequestServices,
  kept: KeptKey,
  key: RequestKey | null,
  requested: NewPayment
): Effect.Effect<Created, PaymentError> =>
  Effect.map(
    firstAnswer(
      services,
      kept,
      key,
      (record) => paymentBody(record, services.hostedUrl),
      (first) => paymentDifference(requested, first.payment)
    ),
    (answer) => ({ ...answer, replayed: true })
  )

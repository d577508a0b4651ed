/** The answer to a create whose payment is still open when its caller has waited long enough. */
import { Effect } from "effect"
import { announcePending } from "../../domain/transition/change.ts"
import type { Ids } from "../../domain/Ids.ts"
import type { PaymentRecord } from "../../domain/Payment.ts"
import { paymentError, Unavailable } from "../../domain/PaymentError.ts"
import type { KeyBinding, PaymentStore, StoreUnavailable } from "../../store/PaymentStore.ts"
import type { HostedUrl } from "../../wire/HostedPage.ts"
import { paymentBody } from "../../wire/PaymentJson.ts"
import type { LivePayment, Settled } from "./LivePayments.ts"
import { isCommitted } from "../conclude/PaymentWriter.ts"
import type { PaymentWriter } from "../conclude/PaymentWriter.ts"
import type { RequestDeadline } from "./RequestDeadlines.ts"
import { keepAnswer, unlessLost } from "./requests.ts"
import { restoreLost } from "../restore/restoreLost.ts"

interface OpenAnswerServices {
  readonly store: PaymentStore["Service"]
  readonly ids: Ids["Service"]
  readonly writer: PaymentWriter["Service"]
  readonly hostedUrl: HostedUrl
}

/** As `pending`: the time is up, or no commit has made the answer. */
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
    // A database that was restored has lost it, and its key is another payment's. What is not there is not acknowledged.
    const cause = new Error(`Payment ${begun.payment.id} is gone from the database`)
    yield* Effect.logError(cause.message)
    return yield* paymentError(new Unavailable({ cause }))
  }
  return { record: pending.record, body: pending.body ?? paymentBody(pending.record, services.hostedUrl) }
})

/** `payment.pending` and the bytes of the answer, in a commit of their own; after a lost race it is read again. */
const answerPending = Effect.fnUntraced(function* (
  services: OpenAnswerServices,
  begun: PaymentRecord,
  binding: KeyBinding | null
): Effect.fn.Return<Settled | null, StoreUnavailable> {
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

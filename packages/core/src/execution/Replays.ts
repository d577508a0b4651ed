/** The answer to a request whose idempotency key is bound already. */
import { Effect } from "effect"
import { isErased } from "../domain/erasure.ts"
import type { PaymentRecord } from "../domain/Payment.ts"
import { IdempotencyInFlight, IdempotencyKeyReused, paymentError, PaymentNotFound } from "../domain/PaymentError.ts"
import type { PaymentError } from "../domain/PaymentError.ts"
import type { KeptKey, KeyBinding, PaymentStore, StoreUnavailable } from "../store/PaymentStore.ts"
import type { LivePayments } from "./LivePayments.ts"
import { orUnavailable } from "./orUnavailable.ts"
import { timings } from "./timings.ts"

export interface Replays {
  /**
   * The bytes that are kept: those of the payment as it was read, unless an answer was kept before. Where it was erased in
   * between, they are made of it as it stands.
   */
  readonly keep: (
    binding: KeyBinding,
    record: PaymentRecord,
    bodyOf: (record: PaymentRecord) => string
  ) => Effect.Effect<Kept, StoreUnavailable>
  /** The first answer again; or what `bodyOf` makes of things as they stand, if the engine died before it answered. */
  readonly answer: (
    kept: KeptKey,
    fingerprint: string,
    bodyOf: (record: PaymentRecord) => string
  ) => Effect.Effect<Kept, PaymentError>
}

interface Kept {
  readonly record: PaymentRecord
  readonly body: string
}

export const makeReplays = (store: PaymentStore["Service"], live: LivePayments["Service"], owner: string): Replays => {
  const keep: Replays["keep"] = Effect.fnUntraced(function* (binding, record, bodyOf) {
    const body = yield* store.keepAnswer({ ...binding, body: bodyOf(record) })
    // Erased in between: the bytes are of the payment as it was.
    const now = yield* store.get(binding.paymentId)
    if (now === null || isErased(record.payment) || !isErased(now.payment)) return { record, body }
    yield* store.erasure.forgetAnswers(binding.paymentId)
    return { record: now, body: yield* store.keepAnswer({ ...binding, body: bodyOf(now) }) }
  })

  const isBeingSent = ({ operations }: PaymentRecord, { operationId, paymentId }: KeptKey, now: number): boolean =>
    live.get(operationId ?? paymentId) !== null ||
    operations.some(
      (operation) =>
        (operationId === null ? operation.kind === "create" : operation.id === operationId) &&
        operation.status === "sending" &&
        operation.owner !== owner &&
        !store.singleEngine &&
        now < operation.deadlineAt + timings.orphanGrace
    )

  return {
    keep,
    answer: Effect.fnUntraced(function* (kept, fingerprint, bodyOf) {
      if (kept.fingerprint !== fingerprint) return yield* paymentError(new IdempotencyKeyReused({}))
      const record = yield* orUnavailable(store.get(kept.paymentId))
      if (record === null) return yield* paymentError(new PaymentNotFound())
      if (kept.answer !== null) return { record, body: kept.answer }
      if (isBeingSent(record, kept, yield* store.now)) {
        return yield* paymentError(new IdempotencyInFlight({ retryAfterMs: 1000 }))
      }
      return yield* orUnavailable(keep(kept, record, bodyOf))
    })
  }
}

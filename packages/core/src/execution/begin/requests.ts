/**
 * The parts that all requests for payments and operations share: tenant, idempotency key, and the mapping of store
 * errors.
 */
import { Effect } from "effect"
import { isErased } from "../../domain/erasure.ts"
import type { OperationId, PaymentId } from "../../domain/Ids.ts"
import type { Client, NewPayment, PaymentRecord, Tenant } from "../../domain/Payment.ts"
import {
  IdempotencyInFlight,
  IdempotencyKeyReused,
  paymentError,
  PaymentNotFound,
  Unavailable
} from "../../domain/PaymentError.ts"
import type { PaymentError } from "../../domain/PaymentError.ts"
import { canonicalJson, sha256 } from "../../domain/sha256.ts"
import type { PaymentStore, KeptKey, KeyBinding, StoreUnavailable } from "../../store/PaymentStore.ts"
import type { LivePayments } from "./LivePayments.ts"
import type { PaymentResult } from "../PaymentResult.ts"
import { timings } from "../timings.ts"

export interface RequestOptions {
  readonly tenant: Tenant
  /**
   * The idempotency key with its endpoint; `null` without one. A repeated request with the same key returns the same
   * payment or operation, and the same bytes.
   */
  readonly idempotency: { readonly endpoint: string; readonly key: string } | null
}

/** Options of a request about an existing payment. */
export interface OperationOptions extends RequestOptions {
  /**
   * The version of the payment that the request is based on. If the payment has another version, the request is
   * refused, unless its idempotency key shows that it repeats an accepted request.
   */
  readonly version?: number
}

/** An idempotency key with the digest of its decoded request, to detect reuse for another request. */
export type RequestKey = Pick<KeyBinding, "endpoint" | "key" | "fingerprint">

/** Maps an unavailable store to the service error `Unavailable`. */
export const mapStoreError = <A>(effect: Effect.Effect<A, StoreUnavailable>): Effect.Effect<A, PaymentError> =>
  Effect.mapError(effect, ({ cause }) => paymentError(new Unavailable({ cause })))

/**
 * The fallback response if the database cannot store the response after a send: the payment as it was begun. If the
 * request has an idempotency key, a repeated request may then return different bytes. If the database was restored and
 * has lost the payment, the request fails with `Unavailable`, so that no lost payment is acknowledged.
 */
export const unlessLost =
  <A>(store: PaymentStore["Service"], answer: A) =>
  ({ cause }: StoreUnavailable): Effect.Effect<A, PaymentError> =>
    Effect.flatMap(store.lost, (lost) =>
      lost === null ? Effect.succeed(answer) : Effect.fail(paymentError(new Unavailable({ cause })))
    )

/** Looks up the idempotency key of a request. The binding of the key is `null` if the key is not used yet. */
export const findKey = (
  store: PaymentStore["Service"],
  { idempotency, tenant }: RequestOptions,
  content: unknown
): Effect.Effect<{ readonly key: RequestKey | null; readonly kept: KeptKey | null }, PaymentError> =>
  idempotency === null
    ? withoutKey
    : Effect.flatMap(sha256(canonicalJson(content)), (fingerprint) => {
        const key = { ...idempotency, fingerprint }
        return Effect.map(mapStoreError(store.findKey(tenant, key.endpoint, key.key)), (kept) => ({ key, kept }))
      })

/**
 * Selects the fields of a payment request that its digest covers. Fields that a later version of the software added are
 * left out unless they are set, so that a request that is repeated after an upgrade keeps its digest. `replacesOrder`
 * is left out, because it does not describe the payment.
 */
export const fingerprintContent = ({ client, customer, order, replacesOrder: _, ...rest }: NewPayment): unknown => {
  const { address, ...person } = customer
  return {
    ...rest,
    ...(order !== null && { order }),
    customer: address === null ? person : customer,
    client: client === null ? null : fingerprintOfClient(client)
  }
}

const fingerprintOfClient = ({ ip, referer, userAgent, ...later }: Client): unknown => ({
  ip,
  referer,
  userAgent,
  ...Object.fromEntries(Object.entries(later).filter(([, value]) => value !== null))
})

const withoutKey = Effect.succeed({ key: null, kept: null })

/**
 * Creates the row that binds an idempotency key to its payment or operation. `operationId` is `null` for the payment
 * itself.
 */
export const bindingOf = (
  key: RequestKey | null,
  { account, livemode }: Tenant,
  paymentId: PaymentId,
  operationId: OperationId | null,
  createdAt: number
): KeyBinding | null => (key === null ? null : { ...key, account, livemode, paymentId, operationId, createdAt })

interface AnswerServices {
  readonly store: PaymentStore["Service"]
  readonly live: LivePayments["Service"]
  /** The id of this engine process. */
  readonly owner: string
}

/**
 * Stores the response to a request and returns it, or returns the response that was stored before. If the payment was
 * erased between read and write, the response is produced again from the erased payment.
 */
export const keepAnswer = Effect.fnUntraced(function* (
  store: PaymentStore["Service"],
  binding: KeyBinding,
  record: PaymentRecord,
  bodyOf: (record: PaymentRecord) => string
): Effect.fn.Return<PaymentResult<string>, StoreUnavailable> {
  const body = yield* store.keepAnswer({ ...binding, body: bodyOf(record) })
  const now = yield* store.get(binding.paymentId)
  if (now === null || isErased(record.payment) || !isErased(now.payment)) return { record, body }
  yield* store.erasure.forgetAnswers(binding.paymentId)
  return { record: now, body: yield* store.keepAnswer({ ...binding, body: bodyOf(now) }) }
})

/**
 * Returns the first response to a repeated request. If the engine stopped before it answered, `bodyOf` produces the
 * response from the current state. A different request with the same idempotency key is refused; `differenceOf` finds
 * the field that differs.
 */
export const firstAnswer = Effect.fnUntraced(function* (
  services: AnswerServices,
  kept: KeptKey,
  key: RequestKey | null,
  bodyOf: (record: PaymentRecord) => string,
  differenceOf: (record: PaymentRecord) => string | null
): Effect.fn.Return<PaymentResult<string>, PaymentError> {
  const { store } = services
  const record = yield* mapStoreError(store.get(kept.paymentId))
  if (kept.fingerprint !== key?.fingerprint) {
    const pointer = record === null ? null : differenceOf(record)
    return yield* paymentError(new IdempotencyKeyReused({ paymentId: kept.paymentId, pointer }))
  }
  if (record === null) return yield* paymentError(new PaymentNotFound())
  if (kept.answer !== null) return { record, body: kept.answer }
  if (isBeingSent(services, record, kept, yield* store.now)) {
    return yield* paymentError(new IdempotencyInFlight({ retryAfterMs: 1000 }))
  }
  return yield* mapStoreError(keepAnswer(store, kept, record, bodyOf))
})

const isBeingSent = (
  { live, owner, store }: AnswerServices,
  { operations }: PaymentRecord,
  { operationId, paymentId }: KeptKey,
  now: number
): boolean =>
  live.get(operationId ?? paymentId) !== null ||
  operations.some(
    (operation) =>
      (operationId === null ? operation.kind === "create" : operation.id === operationId) &&
      operation.status === "sending" &&
      operation.owner !== owner &&
      !store.singleEngine &&
      now < operation.deadlineAt + timings.orphanGrace
  )

/** What requests to the service have in common: a tenant, an idempotency key, and a store that may be unavailable. */
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
import { timings } from "../timings.ts"

export interface RequestOptions {
  readonly tenant: Tenant
  /** The same key and request answer the same payment or operation, and the same bytes. */
  readonly idempotency: { readonly endpoint: string; readonly key: string } | null
}

/** Of a request about a payment that exists. */
export interface OperationOptions extends RequestOptions {
  /**
   * The payment's version that the request is based on. At another one the request is refused, unless it repeats one that
   * was accepted (by its key).
   */
  readonly version?: number
}

/** An idempotency key with the digest of the decoded request that it came with. */
export type RequestKey = Pick<KeyBinding, "endpoint" | "key" | "fingerprint">

/** A store that is unavailable, as an error of the service. */
export const orUnavailable = <A>(effect: Effect.Effect<A, StoreUnavailable>): Effect.Effect<A, PaymentError> =>
  Effect.mapError(effect, ({ cause }) => paymentError(new Unavailable({ cause })))

/**
 * What is answered after a send if the database does not take the answer: the payment as it was begun. Under a key, the
 * bytes of a repeated request may then differ from the first. What a restart would not find is not acknowledged.
 */
export const unlessLost =
  <A>(store: PaymentStore["Service"], answer: A) =>
  ({ cause }: StoreUnavailable): Effect.Effect<A, PaymentError> =>
    Effect.flatMap(store.lost, (lost) =>
      lost === null ? Effect.succeed(answer) : Effect.fail(paymentError(new Unavailable({ cause })))
    )

/** The key of a request, and what is kept under it: `null`, if it is not bound yet. */
export const findKey = (
  store: PaymentStore["Service"],
  { idempotency, tenant }: RequestOptions,
  content: unknown
): Effect.Effect<{ readonly key: RequestKey | null; readonly kept: KeptKey | null }, PaymentError> =>
  idempotency === null
    ? withoutKey
    : Effect.flatMap(sha256(canonicalJson(content)), (fingerprint) => {
        const key = { ...idempotency, fingerprint }
        return Effect.map(orUnavailable(store.findKey(tenant, key.endpoint, key.key)), (kept) => ({ key, kept }))
      })

/**
 * What the digest of a request for a payment is made of. Fields that a later version added are left out unless they are set, so
 * that a request which is repeated after an upgrade has the digest of its first time. Whether an order is replaced says nothing
 * about the payment that is there.
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

/** The row that binds the key to what is made under it. `operationId` is `null` for the payment itself. */
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
  /** Names this engine. */
  readonly owner: string
}

interface Kept {
  readonly record: PaymentRecord
  readonly body: string
}

/**
 * The bytes that are kept: those of the payment as it was read, unless an answer was kept before. If the payment was
 * erased in between, they are made of it as it stands.
 */
export const keepAnswer = Effect.fnUntraced(function* (
  store: PaymentStore["Service"],
  binding: KeyBinding,
  record: PaymentRecord,
  bodyOf: (record: PaymentRecord) => string
): Effect.fn.Return<Kept, StoreUnavailable> {
  const body = yield* store.keepAnswer({ ...binding, body: bodyOf(record) })
  const now = yield* store.get(binding.paymentId)
  if (now === null || isErased(record.payment) || !isErased(now.payment)) return { record, body }
  yield* store.erasure.forgetAnswers(binding.paymentId)
  return { record: now, body: yield* store.keepAnswer({ ...binding, body: bodyOf(now) }) }
})

/**
 * The first answer again; or what `bodyOf` makes of things as they stand, if the engine died before it answered. Another request
 * under the key is refused: `differenceOf` finds the field.
 */
export const firstAnswer = Effect.fnUntraced(function* (
  services: AnswerServices,
  kept: KeptKey,
  key: RequestKey | null,
  bodyOf: (record: PaymentRecord) => string,
  differenceOf: (record: PaymentRecord) => string | null
): Effect.fn.Return<Kept, PaymentError> {
  const { store } = services
  const record = yield* orUnavailable(store.get(kept.paymentId))
  if (kept.fingerprint !== key?.fingerprint) {
    const pointer = record === null ? null : differenceOf(record)
    return yield* paymentError(new IdempotencyKeyReused({ paymentId: kept.paymentId, pointer }))
  }
  if (record === null) return yield* paymentError(new PaymentNotFound())
  if (kept.answer !== null) return { record, body: kept.answer }
  if (isBeingSent(services, record, kept, yield* store.now)) {
    return yield* paymentError(new IdempotencyInFlight({ retryAfterMs: 1000 }))
  }
  return yield* orUnavailable(keepAnswer(store, kept, record, bodyOf))
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

/**
 * Binds a request's idempotency key again to the payment or operation that the request made before a restore lost the
 * binding. A process that writes a lost payment again (`restoreLost`) knows only the key of the operation that it
 * sends. For the other operations, a repeated request generates the same operation id as before, which identifies the
 * operation.
 */
import { Effect } from "effect"
import type { Ids } from "../../domain/Ids.ts"
import type { Operation } from "../../domain/Operation.ts"
import { requestedOrigin } from "../../domain/origins.ts"
import type { Payment, PaymentRecord } from "../../domain/Payment.ts"
import { IdempotencyKeyReused, paymentError } from "../../domain/PaymentError.ts"
import type { PaymentError } from "../../domain/PaymentError.ts"
import { operationDifference, paymentDifference } from "../../domain/requestDifference.ts"
import { canonicalJson } from "../../domain/sha256.ts"
import { changed } from "../../domain/transition/change.ts"
import type { OperationRequest } from "../../domain/transition/requestOperation.ts"
import type { KeptKey, KeyBinding, PaymentStore, StoreUnavailable } from "../../store/PaymentStore.ts"
import type { HostedUrl } from "../../wire/HostedPage.ts"
import { eventRows } from "../conclude/PaymentWriter.ts"
import { mapStoreError } from "../begin/requests.ts"
import type { RequestKey } from "../begin/requests.ts"

interface BindServices {
  readonly ids: Ids["Service"]
  readonly hostedUrl: HostedUrl
  readonly store: PaymentStore["Service"]
}

/**
 * Binds the idempotency key to the payment that the request made before the restore; `null` if no payment has the
 * operation. Fails if that payment differs from the request.
 *
 * @param asked the payment that the request would have begun, with its one operation
 * @param binding the key binding that would have been written with the payment
 */
export const bindPaymentAgain = Effect.fnUntraced(function* (
  services: BindServices,
  { operations: [operation], payment }: PaymentRecord,
  binding: KeyBinding
): Effect.fn.Return<KeptKey | null, PaymentError> {
  if (operation === undefined) return null
  while (true) {
    const found = yield* mapStoreError(services.store.findByOperation(operation.id))
    if (found === null || !isOfTenant(found.payment, binding)) return null
    if (contentOf(found.payment) !== contentOf(payment)) {
      const pointer = paymentDifference(payment, found.payment)
      return yield* paymentError(new IdempotencyKeyReused({ paymentId: found.payment.id, pointer }))
    }
    const kept = yield* mapStoreError(bound(services, found, { ...binding, paymentId: found.payment.id }))
    if (kept !== null) return kept
  }
})

/** Binds the idempotency key to the capture, cancel or refund that the request made before the restore. */
export const bindOperationAgain = Effect.fnUntraced(function* (
  services: BindServices,
  record: PaymentRecord,
  asked: OperationRequest,
  key: RequestKey
): Effect.fn.Return<KeptKey | null, PaymentError> {
  const { store } = services
  let latest: PaymentRecord | null = record
  while (latest !== null) {
    const made = madeBefore(services, latest, asked, key)
    if (made === undefined) return null
    const { account, id, livemode }: Payment = latest.payment
    if (!isAskedFor(made, asked)) {
      const pointer = operationDifference(asked, id, latest.payment, made)
      return yield* paymentError(new IdempotencyKeyReused({ paymentId: id, pointer }))
    }
    const createdAt = yield* mapStoreError(store.now)
    const binding = { ...key, account, livemode, paymentId: id, operationId: made.id, createdAt }
    const kept = yield* mapStoreError(bound(services, latest, binding))
    if (kept !== null) return kept
    latest = yield* mapStoreError(store.get(id))
  }
  return null
})

const madeBefore = (
  { ids }: BindServices,
  record: PaymentRecord,
  { kind }: OperationRequest,
  key: RequestKey
): Operation | undefined => {
  const names = new Set<string>(
    record.attempts.map(({ seq }) => ids.operation(requestedOrigin(record, key, { attemptSeq: seq, kind })).id)
  )
  return record.operations.find(({ id }) => names.has(id))
}

const isOfTenant = ({ account, livemode }: Payment, binding: KeyBinding): boolean =>
  account === binding.account && livemode === binding.livemode

/**
 * Selects the fields of a payment to compare with the request, since the digest of the first request was lost with its
 * idempotency key.
 */
const contentOf = ({ amount, captureMethod, customer, description, metadata, method, order }: Payment): string =>
  canonicalJson({ amount, captureMethod, customer, description, metadata, order, rail: method.rail })

/** Whether a stored operation matches the request. A request without an amount matches any amount. */
const isAskedFor = (made: Operation, asked: OperationRequest): boolean =>
  asked.kind === "cancel" ||
  ((asked.minorUnits === null || asked.minorUnits === made.minorUnits) &&
    (asked.kind === "capture" || asked.reason === made.reason))

/** Writes the key binding without changing the payment; `null` if the payment was changed concurrently. */
const bound = Effect.fnUntraced(function* (
  services: BindServices,
  found: PaymentRecord,
  binding: KeyBinding
): Effect.fn.Return<KeptKey | null, StoreUnavailable> {
  const { store } = services
  const { events, record } = eventRows(services, found, changed(found, yield* store.now, {}, null))
  const commit = { before: found, after: record, events, evidence: null, binding, answer: null }
  const written = yield* store.advance(commit)
  if (written._tag === "KeyTaken") return written.kept
  return written._tag === "Advanced" ? { ...binding, answer: null } : null
})

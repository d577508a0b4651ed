/**
 * Performs captures, cancels and refunds. Each is an operation with its own idempotency key, sent to the payment's
 * provider.
 */
import { Effect, Result } from "effect"
import { changed } from "../../domain/transition/change.ts"
import type { PaymentId } from "../../domain/Ids.ts"
import { requestedOrigin } from "../../domain/origins.ts"
import { holds } from "../../domain/Operation.ts"
import type { Operation } from "../../domain/Operation.ts"
import type { PaymentRecord } from "../../domain/Payment.ts"
import { NoProviderAvailable, paymentError, PaymentNotFound, VersionConflict } from "../../domain/PaymentError.ts"
import { requestOperation } from "../../domain/transition/requestOperation.ts"
import type { OperationVerdict, OperationRequest } from "../../domain/transition/requestOperation.ts"
import type { EvidenceRow, KeptKey } from "../../store/PaymentStore.ts"
import { bindOperationAgain } from "../restore/bindAgain.ts"
import { eventRows } from "../conclude/PaymentWriter.ts"
import { newOperation } from "./newRecords.ts"
import { leaveUnsent } from "./leaveUnsent.ts"
import { refuseUnknown } from "../restore/refuseUnknown.ts"
import type { RequestDeadline } from "./RequestDeadlines.ts"
import { bindingOf, findKey, mapStoreError } from "./requests.ts"
import type { OperationOptions, RequestKey } from "./requests.ts"
import { answerOperation, replayOperation } from "./operationAnswers.ts"
import type { BegunOperation } from "./operationAnswers.ts"
import { abilitiesFor, allow } from "./operationOffers.ts"
import type { RequestServices } from "./requestServices.ts"

type Allowed = Extract<OperationVerdict, { readonly _tag: "Allowed" }>

interface Prepared {
  readonly record: PaymentRecord
  readonly allowed: Allowed
  readonly key: RequestKey | null
}

export const performOperation = Effect.fnUntraced(function* (
  services: RequestServices,
  id: PaymentId,
  asked: OperationRequest,
  options: OperationOptions
) {
  const deadline = yield* services.deadlines.begin
  const begun = yield* deadline.untilBegun(prepareAndBegin(services, id, asked, options, deadline))
  return "replayed" in begun ? begun : yield* answerOperation(services, begun, deadline)
})

/** Runs the steps of an operation up to its first send. */
const prepareAndBegin = Effect.fnUntraced(function* (
  services: RequestServices,
  id: PaymentId,
  asked: OperationRequest,
  options: OperationOptions,
  deadline: RequestDeadline
) {
  while (true) {
    const prepared = yield* services.shedder.admit(prepare(services, id, asked, options))
    if ("replayed" in prepared) return prepared
    const begun = yield* begin(services, prepared, asked, deadline)
    // Tries again if `begin` returned `null`: another change of the payment, or another request with the idempotency
    // key, was committed first.
    if (begun !== null) return begun
  }
})

/**
 * Reads the payment and validates the request, before a concurrency slot of the provider is taken. A repeated request
 * is answered here.
 */
const prepare = Effect.fnUntraced(function* (
  services: RequestServices,
  id: PaymentId,
  asked: OperationRequest,
  options: OperationOptions
) {
  const { registry, store } = services
  const lookUpKey = findKey(store, options, { id, ...asked })
  const { kept, key } = yield* lookUpKey
  const again = (first: KeptKey) => replayOperation(services, first, key, { id, ...asked })
  if (kept !== null) return yield* again(kept)
  const record = yield* mapStoreError(store.find(options.tenant, id))
  if (record === null) return yield* paymentError(new PaymentNotFound())
  const made = key === null ? null : yield* bindOperationAgain(services, record, asked, key)
  if (made !== null) return yield* again(made)
  const decided = Effect.andThen(
    unchangedSince(record, options),
    allow(requestOperation(record, asked, abilitiesFor(registry, record)))
  )
  return yield* Effect.matchEffect(decided, {
    onSuccess: (allowed) =>
      Effect.as(
        key === null ? Effect.void : refuseUnknown(services, record.payment, allowed.attempt.provider, asked.kind),
        { record, allowed, key }
      ),
    // On a refusal, looks up the idempotency key again. The same request may have been accepted after the key was read
    // and before the payment was read; its own operation then causes the refusal.
    onFailure: (refusal) =>
      Effect.flatMap(lookUpKey, ({ kept }) => (kept === null ? Effect.fail(refusal) : again(kept)))
  })
})

/**
 * Fails if the payment has another version than the one in the request. `begin` then writes only if the version is
 * still the same.
 */
const unchangedSince = ({ payment }: PaymentRecord, { version }: OperationOptions) =>
  version === undefined || version === payment.version
    ? Effect.void
    : Effect.fail(paymentError(new VersionConflict({ version: payment.version })))

/**
 * Takes a concurrency slot of the provider, then writes the operation. Uninterruptible, so that a client that
 * disconnects leaves no partial state. `null` if another change of the payment was committed first; nothing was written
 * then.
 */
const begin = Effect.fnUntraced(function* (
  services: RequestServices,
  { allowed: { attempt, minorUnits }, key, record }: Prepared,
  asked: OperationRequest,
  deadline: RequestDeadline
) {
  const { executor, guard, ids, live, registry, shedder, store } = services
  const { payment } = record
  const admitted = yield* guard.admit(registry.currentId(attempt.provider), asked.kind)
  if (Result.isFailure(admitted)) {
    const { retryAfterMs } = admitted.failure
    return yield* paymentError(new NoProviderAvailable({ retryAfterMs, kind: asked.kind }))
  }
  const admission = admitted.success
  const now = yield* store.now
  const operation = newOperation(ids, {
    origin: requestedOrigin(record, key, { attemptSeq: attempt.seq, kind: asked.kind }),
    paymentId: payment.id,
    attemptSeq: attempt.seq,
    provider: attempt.provider,
    kind: asked.kind,
    purpose: "requested",
    minorUnits,
    reason: asked.kind === "refund" ? asked.reason : null,
    owner: executor.owner,
    now
  })
  const binding = bindingOf(key, payment, payment.id, operation.id, now)
  const change = changed({ ...record, operations: [...record.operations, operation] }, now, {}, null)
  const { events, record: after } = eventRows(services, record, change)
  const evidence = overrideOf(asked, operation, now)
  const commit = { before: record, after, events, evidence, binding, answer: null }
  const written = store.advance(commit).pipe(
    Effect.map(({ _tag }) => _tag === "Advanced"),
    // Looks up the operation by its id: the commit may be durable although the store's reply was lost.
    Effect.catch((unavailable) =>
      Effect.flatMap(store.getConfirmed(payment.id), (found) =>
        holds(found, operation) ? Effect.succeed(true) : Effect.fail(unavailable)
      )
    ),
    mapStoreError
  )
  const isOurs = yield* Effect.onError(shedder.counted(written, Boolean), () => Effect.sync(admission.release))
  if (!isOurs) {
    admission.release()
    return null
  }
  if (!deadline.mayBegin()) return yield* leaveUnsent(executor, admission, after, operation)
  const waiting = live.start(operation.id, binding, deadline.spent())
  yield* executor.start({ record: after, operation, admission })
  return { record: after, operation, waiting } satisfies BegunOperation
}, Effect.uninterruptible)

/** The operator's evidence for a refund that exceeds the available amount. */
const overrideOf = (asked: OperationRequest, { id, paymentId }: Operation, now: number): EvidenceRow | null =>
  asked.kind === "refund" && asked.override !== undefined
    ? {
        paymentId,
        operationId: id,
        source: "operator",
        kind: "refund_override",
        vendorCode: null,
        eventId: null,
        document: asked.override,
        occurredAt: null,
        recordedAt: now
      }
    : null

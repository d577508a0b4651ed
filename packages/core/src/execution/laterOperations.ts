/** Captures, cancels and refunds: each an operation with a key of its own, asked of the provider that has the payment. */
import { Deferred, Effect } from "effect"
import { changed } from "../domain/change.ts"
import type { Ids, PaymentId, RefundId } from "../domain/Ids.ts"
import type { Operation } from "../domain/Operation.ts"
import type { PaymentRecord, Tenant } from "../domain/Payment.ts"
import {
  InvalidPayment,
  NoProviderAvailable,
  OperationRefused,
  paymentError,
  PaymentNotFound,
  RefundNotFound
} from "../domain/PaymentError.ts"
import { isRefund, refundOperationId } from "../domain/Refund.ts"
import { requestOperation } from "../domain/requestOperation.ts"
import type { OperationRequest } from "../domain/requestOperation.ts"
import { canonicalJson, sha256 } from "../domain/sha256.ts"
import type { ProviderRegistry } from "../provider/ProviderRegistry.ts"
import type { LoadShedder } from "../resilience/LoadShedder.ts"
import type { ProviderGuard } from "../resilience/ProviderGuard.ts"
import type { KeyBinding, KeptKey, PaymentStore } from "../store/PaymentStore.ts"
import { paymentBody } from "../wire/PaymentJson.ts"
import { refundBody } from "../wire/RefundJson.ts"
import type { Executor } from "./Executor.ts"
import type { LivePayments } from "./LivePayments.ts"
import { newOperation } from "./newOperation.ts"
import { orUnavailable } from "./orUnavailable.ts"
import type { Replays } from "./Replays.ts"

export interface RequestOptions {
  readonly tenant: Tenant
  /** The same key and request answer the same operation and the same bytes. */
  readonly idempotency: { readonly endpoint: string; readonly key: string } | null
}

/** What was asked for, as it stands when it is decided or after ten seconds. */
export interface OperationAnswer {
  readonly record: PaymentRecord
  readonly operation: Operation
  /** The public JSON: of a refund the refund, otherwise the payment. Under a key, the very bytes of the first answer. */
  readonly body: string
  readonly replayed: boolean
}

interface Needs {
  readonly store: PaymentStore["Service"]
  readonly registry: ProviderRegistry["Service"]
  readonly shedder: LoadShedder["Service"]
  readonly guard: ProviderGuard["Service"]
  readonly executor: Executor["Service"]
  readonly live: LivePayments["Service"]
  readonly ids: Ids["Service"]
  readonly replays: Replays
}

export const laterOperations = ({ executor, guard, ids, live, registry, replays, shedder, store }: Needs) => {
  const request = Effect.fnUntraced(function* (id: PaymentId, asked: OperationRequest, options: RequestOptions) {
    while (true) {
      const prepared = yield* shedder.admit(prepare(id, asked, options))
      if ("replayed" in prepared) return prepared
      const begun = yield* begin(prepared.record, asked, prepared.allowed, prepared.requested)
      // `null`: somebody changed the payment, or took the key, in between.
      if (begun !== null) return yield* answer(begun)
    }
  })

  /** Reads what decides about it; nothing is written and no place is taken. */
  const prepare = Effect.fnUntraced(function* (
    id: PaymentId,
    asked: OperationRequest,
    { idempotency, tenant }: RequestOptions
  ) {
    const requested =
      idempotency === null ? null : { ...idempotency, fingerprint: yield* sha256(canonicalJson({ id, ...asked })) }
    if (requested !== null) {
      const kept = yield* orUnavailable(store.findKey(tenant, requested.endpoint, requested.key))
      if (kept !== null) return yield* replay(kept, requested.fingerprint)
    }
    const record = yield* orUnavailable(store.find(tenant, id))
    if (record === null) return yield* paymentError(new PaymentNotFound())
    return { record, allowed: yield* allow(record, asked), requested }
  })

  const allow = Effect.fnUntraced(function* (record: PaymentRecord, asked: OperationRequest) {
    const { livemode } = record.payment
    const verdict = requestOperation(record, asked, (provider, kind) => ({
      supported: registry.serving(provider, livemode)?.supports(kind) ?? false,
      partial: registry.declared(provider, kind).partial
    }))
    switch (verdict._tag) {
      case "Allowed":
        return verdict
      case "Refused": {
        const { reason, sentence } = verdict
        return yield* paymentError(new OperationRefused({ reason, sentence }))
      }
      case "NotAnAmount": {
        const message = "must be a positive integer of the smallest unit"
        return yield* paymentError(new InvalidPayment({ errors: [{ pointer: "/amount", message }] }))
      }
      case "TooMuch": {
        const message = `must be at most ${verdict.available}, which is what is left`
        return yield* paymentError(new InvalidPayment({ errors: [{ pointer: "/amount", message }] }))
      }
    }
  })

  /** The place is taken before the row is written, and a caller that goes away leaves neither half done. */
  const begin = (
    record: PaymentRecord,
    asked: OperationRequest,
    { attempt, minorUnits }: Effect.Success<ReturnType<typeof allow>>,
    requested: (NonNullable<RequestOptions["idempotency"]> & { readonly fingerprint: string }) | null
  ) =>
    Effect.uninterruptible(
      Effect.gen(function* () {
        const { account, id, livemode } = record.payment
        const admission = yield* Effect.mapError(guard.admit(attempt.provider, asked.kind), ({ retryAfterMs }) =>
          paymentError(new NoProviderAvailable({ retryAfterMs }))
        )
        const now = yield* store.now
        const operation = yield* newOperation(ids, {
          paymentId: id,
          attemptSeq: attempt.seq,
          provider: attempt.provider,
          kind: asked.kind,
          purpose: "requested",
          minorUnits,
          reason: asked.kind === "refund" ? asked.reason : null,
          owner: executor.owner,
          now
        })
        const binding: KeyBinding | null =
          requested === null
            ? null
            : { ...requested, account, livemode, paymentId: id, operationId: operation.id, createdAt: now }
        const { record: after } = changed({ ...record, operations: [...record.operations, operation] }, now, {}, null)
        const commit = { before: record, after, event: null, evidence: null, binding, answer: null }
        const written = store.advance(commit).pipe(
          Effect.map(({ _tag }) => _tag === "Advanced"),
          // A commit whose reply was lost may stand: it is looked for by the id made beforehand.
          Effect.catch((unavailable) =>
            Effect.flatMap(store.findByOperation(operation.id), (found) =>
              found === null ? Effect.fail(unavailable) : Effect.succeed(true)
            )
          ),
          orUnavailable
        )
        const isOurs = yield* Effect.onError(shedder.counted(written), () => admission.release)
        if (!isOurs) {
          yield* admission.release
          return null
        }
        const waiting = live.start(operation.id, binding)
        yield* executor.start(after, operation, admission)
        return { record: after, operation, waiting }
      })
    )

  const answer = Effect.fnUntraced(function* ({
    operation,
    record,
    waiting
  }: NonNullable<Effect.Success<ReturnType<typeof begin>>>) {
    const settled = yield* Deferred.await(waiting.answer)
    // Without a key nobody could ask again: what was begun is told, also where the database is away by now.
    const reread = Effect.catch(store.get(record.payment.id), (away) =>
      waiting.binding === null ? Effect.succeed(record) : Effect.fail(away)
    )
    const latest = settled?.record ?? (yield* orUnavailable(reread)) ?? record
    // Bytes that came with the commit are the answer only where it kept them with the key.
    const written = settled?.body ?? null
    const kept =
      waiting.binding === null
        ? { record: latest, body: bodyOf(latest, operation) }
        : written !== null
          ? { record: latest, body: written }
          : yield* orUnavailable(replays.keep(waiting.binding, latest, (record) => bodyOf(record, operation)))
    return { ...kept, operation: standing(kept.record, operation), replayed: false } satisfies OperationAnswer
  })

  const replay = Effect.fnUntraced(function* (kept: KeptKey, fingerprint: string) {
    const { body, record } = yield* replays.answer(kept, fingerprint, (record) => {
      const operation = record.operations.find(({ id }) => id === kept.operationId)
      return operation === undefined ? paymentBody(record) : bodyOf(record, operation)
    })
    const operation = record.operations.find(({ id }) => id === kept.operationId)
    if (operation === undefined) return yield* Effect.die(new Error(`Operation ${String(kept.operationId)} is gone`))
    return { record, operation, body, replayed: true } satisfies OperationAnswer
  })

  const findRefund = Effect.fnUntraced(function* (tenant: Tenant, id: RefundId) {
    const operationId = refundOperationId(id)
    const record = yield* orUnavailable(store.findByOperation(operationId))
    const operation = record?.operations.find((each) => each.id === operationId && isRefund(each))
    const isOurs = record?.payment.account === tenant.account && record.payment.livemode === tenant.livemode
    if (record === null || operation === undefined || !isOurs) return yield* paymentError(new RefundNotFound())
    return { record, operation }
  })

  return { request, findRefund }
}

/** As it stands in `record`. */
const standing = (record: PaymentRecord, operation: Operation): Operation =>
  record.operations.find(({ id }) => id === operation.id) ?? operation

const bodyOf = (record: PaymentRecord, operation: Operation): string => {
  const latest = standing(record, operation)
  return isRefund(latest) ? refundBody(record, latest) : paymentBody(record)
}

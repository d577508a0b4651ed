/**
 * The payments service: what an application, the HTTP interface and the reconciler call.
 *
 * `create` answers when the payment is decided or held open, and after ten seconds at the latest; the engine goes on
 * without the caller.
 */
import { Context, Deferred, Effect, Layer } from "effect"
import type { PaymentId, RefundId } from "./domain/Ids.ts"
import { Ids } from "./domain/Ids.ts"
import type { Operation } from "./domain/Operation.ts"
import type { NewPayment, PaymentRecord, RoutingDecision, Tenant } from "./domain/Payment.ts"
import {
  CardNotRetried,
  NoProviderAvailable,
  NoRoute,
  paymentError,
  PaymentNotFound,
  Unavailable
} from "./domain/PaymentError.ts"
import type { PaymentError } from "./domain/PaymentError.ts"
import { announcePending } from "./domain/change.ts"
import { CardRetries, refusalOfCard } from "./execution/CardRetries.ts"
import { Executor } from "./execution/Executor.ts"
import { fingerprint } from "./execution/fingerprint.ts"
import { LivePayments } from "./execution/LivePayments.ts"
import type { LivePayment, Settled } from "./execution/LivePayments.ts"
import { laterOperations } from "./execution/laterOperations.ts"
import type { OperationAnswer, RequestOptions } from "./execution/laterOperations.ts"
import { newAttempt } from "./execution/newOperation.ts"
import { orUnavailable } from "./execution/orUnavailable.ts"
import { PaymentWriter } from "./execution/PaymentWriter.ts"
import { makeReplays } from "./execution/Replays.ts"
import { shopperReturn } from "./execution/shopperReturn.ts"
import { ProviderRegistry } from "./provider/ProviderRegistry.ts"
import { ReturnAddress } from "./provider/ReturnAddress.ts"
import { LoadShedder } from "./resilience/LoadShedder.ts"
import { ProviderGuard } from "./resilience/ProviderGuard.ts"
import type { Admission } from "./resilience/ProviderGuard.ts"
import type { Candidate, Plan } from "./routing/Plan.ts"
import { Routing } from "./routing/Routing.ts"
import { PaymentStore } from "./store/PaymentStore.ts"
import type { KeptKey, KeyBinding, ListQuery, Page, StoreUnavailable } from "./store/PaymentStore.ts"
import { engineMetrics } from "./telemetry/EngineMetrics.ts"
import { annotated, spanned } from "./telemetry/spans.ts"
import { paymentBody } from "./wire/PaymentJson.ts"

export interface Created {
  readonly record: PaymentRecord
  /** The public JSON: under an idempotency key, the very bytes of the first answer. */
  readonly body: string
  /** An earlier request under the same key made this payment. */
  readonly replayed: boolean
}

export class Payments extends Context.Service<
  Payments,
  {
    /**
     * Errors: `NoRoute`, `CardNotRetried`, `NoProviderAvailable`, `Overloaded` (nothing written, no key used),
     * `IdempotencyKeyReused`, `IdempotencyInFlight`, `Unavailable`.
     */
    readonly create: (payment: NewPayment, options: RequestOptions) => Effect.Effect<Created, PaymentError>
    /** Errors: `PaymentNotFound`, also for another tenant's payment; `Unavailable`. */
    readonly get: (tenant: Tenant, id: PaymentId) => Effect.Effect<PaymentRecord, PaymentError>
    /** Errors: `ListTimedOut`, where no index leaves few enough to look at; `Unavailable`. */
    readonly list: (tenant: Tenant, query: ListQuery) => Effect.Effect<Page, PaymentError>
    /**
     * Takes the money of a hold; of a part of it, the rest is let go. Errors of the three: `PaymentNotFound`,
     * `OperationRefused`, `InvalidPayment` (more than there is), `NoProviderAvailable`, `Overloaded`, and those of
     * idempotency keys.
     */
    readonly capture: (
      id: PaymentId,
      request: { readonly minorUnits: number | null },
      options: RequestOptions
    ) => Effect.Effect<OperationAnswer, PaymentError>
    /** Lets go of a hold, or closes what the payer has not done yet. */
    readonly cancel: (id: PaymentId, options: RequestOptions) => Effect.Effect<OperationAnswer, PaymentError>
    /** Gives back money that was taken: all that is left, or a part. Two equal refunds are two. */
    readonly refund: (
      id: PaymentId,
      request: { readonly minorUnits: number | null; readonly reason: string | null },
      options: RequestOptions
    ) => Effect.Effect<OperationAnswer, PaymentError>
    /** Errors: `RefundNotFound`, also for another tenant's. */
    readonly findRefund: (
      tenant: Tenant,
      id: RefundId
    ) => Effect.Effect<{ readonly record: PaymentRecord; readonly operation: Operation }, PaymentError>
    /** The shopper came back with what the provider appended to the address; the payment as it stands then. */
    readonly complete: (
      id: PaymentId,
      query: { readonly [key: string]: string }
    ) => Effect.Effect<PaymentRecord, PaymentError>
  }
>()("@paymux/core/Payments") {
  static readonly layer = Layer.effect(
    Payments,
    Effect.suspend(() => make)
  )
}

const make = Effect.gen(function* () {
  const store = yield* PaymentStore
  const routing = yield* Routing
  const shedder = yield* LoadShedder
  const guard = yield* ProviderGuard
  const executor = yield* Executor
  const writer = yield* PaymentWriter
  const live = yield* LivePayments
  const ids = yield* Ids
  const registry = yield* ProviderRegistry
  const cardRetries = yield* CardRetries
  const metrics = yield* engineMetrics
  const replays = makeReplays(store, live, executor.owner)
  const later = laterOperations({ store, registry, shedder, guard, executor, live, ids, replays })
  const complete = shopperReturn({ store, registry, guard, executor, returnAddress: yield* ReturnAddress })

  /** Reads what decides about it; nothing is written and no place is taken. */
  const prepare = Effect.fnUntraced(function* (payment: NewPayment, { idempotency, tenant }: RequestOptions) {
    const requested = idempotency === null ? null : { ...idempotency, fingerprint: yield* fingerprint(payment) }
    if (requested !== null) {
      const kept = yield* orUnavailable(store.findKey(tenant, requested.endpoint, requested.key))
      if (kept !== null) return yield* replay(kept, requested.fingerprint)
    }
    const refusal = yield* orUnavailable(refusalOfCard(store, cardRetries, payment, tenant))
    if (refusal !== null) return yield* paymentError(new CardNotRetried(refusal))
    const id = yield* ids.payment
    const planned = yield* routing.plan(payment, tenant, id)
    if (planned._tag === "NoRoute") return yield* paymentError(new NoRoute({ candidates: planned.candidates }))
    return { id, planned, requested }
  })

  const create = Effect.fnUntraced(function* (payment: NewPayment, options: RequestOptions) {
    const prepared = yield* shedder.admit(prepare(payment, options))
    if ("replayed" in prepared) return prepared
    const { id, planned, requested } = prepared
    // From the admission on, a caller that goes away must not leave a place taken or a payment half begun.
    return yield* Effect.uninterruptibleMask((restore) =>
      Effect.gen(function* () {
        const admitted = yield* admitFirst(planned)
        const begun = yield* shedder.counted(begin(id, payment, options.tenant, admitted, requested))
        if (begun._tag === "KeyTaken") {
          yield* admitted.admission.release
          return yield* restore(replay(begun.kept, begun.fingerprint))
        }
        metrics.begun(begun.record)
        yield* annotated(() => ({ "paymux.payment.id": id }))
        const waiting = live.start(id, begun.binding)
        yield* executor.start(begun.record, begun.operation, admitted.admission)
        return yield* restore(answer(begun.record, waiting))
      })
    )
  })

  /** The first candidate that admits. None: nothing is written, and no key is used. */
  const admitFirst = Effect.fnUntraced(function* (planned: Plan) {
    const refused: Array<RoutingDecision["dropped"][number]> = []
    let retryAfterMs = Number.POSITIVE_INFINITY
    for (const candidate of planned.candidates) {
      const admission = yield* Effect.catch(guard.admit(candidate.provider, "create"), (refusal) => {
        refused.push({ provider: candidate.provider, reason: refusal.cause })
        retryAfterMs = Math.min(retryAfterMs, refusal.retryAfterMs)
        return Effect.succeed(null)
      })
      if (admission !== null) {
        const decision = { ...planned.decision, dropped: [...planned.decision.dropped, ...refused] }
        return { admission, candidate, decision } satisfies Admitted
      }
    }
    return yield* paymentError(new NoProviderAvailable({ retryAfterMs }))
  })

  /** Commit 1. */
  const begin = Effect.fnUntraced(function* (
    id: PaymentId,
    payment: NewPayment,
    tenant: Tenant,
    { admission, candidate, decision }: Admitted,
    requested: Requested | null
  ) {
    const now = yield* store.now
    const { attempt, operation } = yield* newAttempt(ids, {
      paymentId: id,
      seq: 1,
      provider: candidate.provider,
      reason: candidate.reason,
      minorUnits: payment.amount.minorUnits,
      owner: executor.owner,
      now
    })
    const record: PaymentRecord = {
      payment: {
        ...payment,
        account: tenant.account,
        livemode: tenant.livemode,
        id,
        state: { status: "pending", reason: "processing", nextAction: null },
        amountCaptured: 0,
        amountRefunded: 0,
        amountReceived: null,
        reviews: [],
        resolutions: [],
        disputedAt: null,
        provider: candidate.provider,
        routing: decision,
        pendingAnnounced: false,
        eventSequence: 0,
        deadlineAt: now + routing.policyOf(decision.ruleset).deadlineMs,
        version: 1,
        createdAt: now,
        updatedAt: now
      },
      attempts: [attempt],
      operations: [operation],
      entries: []
    }
    const binding: KeyBinding | null =
      requested === null
        ? null
        : {
            ...requested,
            account: tenant.account,
            livemode: tenant.livemode,
            paymentId: id,
            operationId: null,
            createdAt: now
          }
    // A commit whose reply was lost may stand: it is read again by the id made beforehand.
    const result = yield* store.begin({ record, binding }).pipe(
      Effect.catch((unavailable) =>
        Effect.flatMap(store.get(id), (found) =>
          found === null ? Effect.fail(unavailable) : Effect.succeed({ _tag: "Begun" } as const)
        )
      ),
      orUnavailable,
      Effect.onError(() => admission.release)
    )
    return result._tag === "KeyTaken"
      ? { ...result, fingerprint: requested?.fingerprint ?? "" }
      : { ...result, record, operation, binding }
  })

  /** When it is decided, or as `pending` when the time is up. */
  const answer = Effect.fnUntraced(function* (begun: PaymentRecord, { answer, binding }: LivePayment) {
    const settled = yield* Deferred.await(answer)
    if (settled !== null && settled.body !== null) return created(settled.record, settled.body, false)
    const told = yield* Effect.catch(tellPending(begun, binding), ({ cause }) =>
      // The database is away. Bytes that were not kept must not be given for a key: its client asks again.
      binding === null
        ? Effect.succeed({ record: begun, body: null })
        : Effect.fail(paymentError(new Unavailable({ cause })))
    )
    if (told === null) {
      // A database that was restored has lost it. What a later read would not find is not acknowledged.
      const cause = new Error(`Payment ${begun.payment.id} is gone from the database`)
      yield* Effect.logError(cause.message)
      return yield* paymentError(new Unavailable({ cause }))
    }
    return created(told.record, told.body ?? paymentBody(told.record), false)
  })

  /** `payment.pending` and the bytes of the answer, in a commit of their own; a lost race is read again. */
  const tellPending = Effect.fnUntraced(function* (begun: PaymentRecord, binding: KeyBinding | null) {
    while (true) {
      const current = yield* store.get(begun.payment.id)
      if (current === null) return null
      const now = yield* store.now
      const change = announcePending(current, now)
      if (change === null) return yield* keep(current, binding)
      const written = yield* writer.write(current, change, { cause: null, binding })
      if (written !== null && written !== "reference_taken") return written
    }
  })

  /** The bytes that are kept: these, unless an answer was kept before. */
  const keep = (record: PaymentRecord, binding: KeyBinding | null): Effect.Effect<Settled, StoreUnavailable> =>
    binding === null ? Effect.succeed({ record, body: null }) : replays.keep(binding, record, paymentBody)

  const replay = (kept: KeptKey, fingerprint: string) =>
    Effect.map(replays.answer(kept, fingerprint, paymentBody), ({ body, record }) => created(record, body, true))

  const get = Effect.fnUntraced(function* (tenant: Tenant, id: PaymentId) {
    const record = yield* orUnavailable(store.find(tenant, id))
    return record ?? (yield* paymentError(new PaymentNotFound()))
  })

  return Payments.of({
    create: (payment, options) => asSpan("create", options)(create(payment, options)),
    get,
    capture: (id, { minorUnits }, options) =>
      asSpan("capture", options, id)(later.request(id, { kind: "capture", minorUnits }, options)),
    cancel: (id, options) => asSpan("cancel", options, id)(later.request(id, { kind: "cancel" }, options)),
    refund: (id, { minorUnits, reason }, options) =>
      asSpan("refund", options, id)(later.request(id, { kind: "refund", minorUnits, reason }, options)),
    findRefund: later.findRefund,
    complete: (id, query) =>
      spanned("paymux.payment.complete", () => ({ "paymux.payment.id": id }))(complete(id, query)),
    list: (tenant, query) =>
      Effect.mapError(store.list(tenant, query), (fault) =>
        paymentError(fault._tag === "ListTimedOut" ? fault : new Unavailable({ cause: fault.cause }))
      )
  })
})

/** Of a new payment the id is added once it is there. */
const asSpan = (asked: string, { tenant }: RequestOptions, id?: PaymentId) =>
  spanned(`paymux.payment.${asked}`, () => ({
    "paymux.account": tenant.account,
    "paymux.livemode": tenant.livemode,
    ...(id === undefined ? {} : { "paymux.payment.id": id })
  }))

const created = (record: PaymentRecord, body: string, replayed: boolean): Created => ({ record, body, replayed })

interface Requested {
  readonly endpoint: string
  readonly key: string
  readonly fingerprint: string
}

interface Admitted {
  readonly admission: Admission
  readonly candidate: Candidate
  readonly decision: RoutingDecision
}

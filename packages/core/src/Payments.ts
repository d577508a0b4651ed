/**
 * The payments service: what an application, the HTTP interface and the reconciler call.
 *
 * `create` answers when the payment is decided or held open, and after ten seconds at the latest; the engine goes on
 * without the caller.
 */
import { Context, Deferred, Effect, Layer, Scope } from "effect"
import { Cell } from "./domain/Cell.ts"
import type { CardRetrySettings } from "./domain/cardRetries.ts"
import type { OperationRequest } from "./domain/transition/requestOperation.ts"
import type { PaymentId, RefundId } from "./domain/Ids.ts"
import { Ids } from "./domain/Ids.ts"
import { paymentOrigin } from "./domain/origins.ts"
import { paymentDifference } from "./domain/requestDifference.ts"
import { isHolding } from "./domain/restoredMark.ts"
import type { Operation } from "./domain/Operation.ts"
import type { NewPayment, PaymentRecord, Tenant } from "./domain/Payment.ts"
import { CardNotRetried, NoRoute, paymentError, PaymentNotFound } from "./domain/PaymentError.ts"
import type { PaymentError } from "./domain/PaymentError.ts"
import { answerOpen } from "./execution/begin/answerOpen.ts"
import { onlyAllowedReturn, ReturnSchemes } from "./execution/begin/ReturnSchemes.ts"
import type { ReturnSchemesOf } from "./execution/begin/ReturnSchemes.ts"
import { CardRetries, refusalOfCard } from "./execution/begin/CardRetries.ts"
import { CreationOrder, type Creation } from "./execution/begin/CreationOrder.ts"
import { Executor } from "./execution/Executor.ts"
import { findRefund, offersOf, performOperation } from "./execution/begin/followUpOperations.ts"
import type { OperationAnswer, OperationOffer, OperationServices } from "./execution/begin/followUpOperations.ts"
import { LivePayments } from "./execution/begin/LivePayments.ts"
import type { LivePayment } from "./execution/begin/LivePayments.ts"
import { adoptFound } from "./execution/restore/adoptFound.ts"
import { clearRequest } from "./execution/restore/clearRequest.ts"
import type { Cleared } from "./execution/restore/clearRequest.ts"
import { Restorations } from "./execution/restore/Restorations.ts"
import { namingOtherCell } from "./execution/begin/otherCell.ts"
import { listPayments } from "./execution/records/paymentList.ts"
import { PaymentWriter } from "./execution/conclude/PaymentWriter.ts"
import { admitFirst, beginPayment } from "./execution/begin/beginPayment.ts"
import type { Asked, NotBegun, OrderTaken } from "./execution/begin/beginPayment.ts"
import { findKey, fingerprintContent, firstAnswer, orUnavailable } from "./execution/begin/requests.ts"
import type { OperationOptions, RequestKey, RequestOptions } from "./execution/begin/requests.ts"
import { leaveUnsent } from "./execution/begin/leaveUnsent.ts"
import { checkOrder, replacing } from "./execution/begin/replacedOrder.ts"
import * as RequestDeadlines from "./execution/begin/RequestDeadlines.ts"
import type { RequestDeadline } from "./execution/begin/RequestDeadlines.ts"
import * as SharedRuns from "./execution/recover/sharedRuns.ts"
import { completeReturn, mostReturns } from "./execution/recover/shopperReturn.ts"
import { ProviderRegistry } from "./provider/ProviderRegistry.ts"
import { ReturnAddress, type ReturnAddressOf } from "./provider/ReturnAddress.ts"
import { AccountRestrictions } from "./resilience/AccountRestrictions.ts"
import { Breakers } from "./resilience/Breaker.ts"
import { LoadShedder } from "./resilience/LoadShedder.ts"
import { ProviderGuard } from "./resilience/ProviderGuard.ts"
import type { Plan } from "./routing/Plan.ts"
import { paymentKind } from "./routing/servedFlow.ts"
import type { PaymentKind } from "./routing/servedFlow.ts"
import { Router } from "./routing/Router.ts"
import type { DemotionOf } from "./routing/Router.ts"
import { PaymentStore } from "./store/PaymentStore.ts"
import type { KeptKey, ListQuery, Page } from "./store/PaymentStore.ts"
import type { Restoration } from "./store/RestorationStore.ts"
import { engineMetrics } from "./telemetry/EngineMetrics.ts"
import type { EngineMetrics } from "./telemetry/EngineMetrics.ts"
import { annotatedSteps, spanned } from "./telemetry/spans.ts"
import { HostedPage } from "./wire/HostedPage.ts"
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
     * Errors: `InvalidPayment` (a `return_url` that the tenant may not have), `NoRoute`, `CardNotRetried`, `NoProviderAvailable`, `Overloaded` (nothing written, no key used),
     * `OrderTaken`, `IdempotencyKeyReused`, `IdempotencyInFlight`, `Unavailable`.
     */
    readonly create: (payment: NewPayment, options: RequestOptions) => Effect.Effect<Created, PaymentError>
    /** Errors: `PaymentNotFound`, also for another tenant's payment; `Unavailable`. */
    readonly get: (tenant: Tenant, id: PaymentId) => Effect.Effect<PaymentRecord, PaymentError>
    /** Errors: `ListTimedOut`, where no index leaves few enough to look at; `Unavailable`. */
    readonly list: (tenant: Tenant, query: ListQuery) => Effect.Effect<Page, PaymentError>
    /**
     * Captures a hold, or a part of it; the rest is released. Errors of the three: `PaymentNotFound`,
     * `VersionConflict`, `OperationRefused`, `InvalidPayment` (more than there is), `NoProviderAvailable`, `Overloaded`,
     * and those of idempotency keys.
     */
    readonly capture: (
      id: PaymentId,
      request: { readonly minorUnits: number | null },
      options: OperationOptions
    ) => Effect.Effect<OperationAnswer, PaymentError>
    /** Releases a hold, or closes a payment that the payer has not completed. */
    readonly cancel: (id: PaymentId, options: OperationOptions) => Effect.Effect<OperationAnswer, PaymentError>
    /**
     * Refunds captured money: the remaining amount, or a part. Two equal refunds are two. `RefundExceedsAvailable`: disputes and
     * refunds made elsewhere leave less, and there is no `override`, the evidence of an operator.
     */
    readonly refund: (
      id: PaymentId,
      request: { readonly minorUnits: number | null; readonly reason: string | null; readonly override?: string },
      options: OperationOptions
    ) => Effect.Effect<OperationAnswer, PaymentError>
    /** Whether `capture`, `cancel` and `refund` would be accepted now, by the payment's status and its provider. */
    readonly offers: (record: PaymentRecord) => ReadonlyArray<OperationOffer>
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

interface Services extends OperationServices {
  readonly router: Router["Service"]
  readonly demotionOf: (payment: NewPayment) => DemotionOf
  readonly restrictions: AccountRestrictions["Service"]
  readonly order: CreationOrder["Service"]
  readonly writer: PaymentWriter["Service"]
  readonly cardRetries: CardRetrySettings
  readonly metrics: EngineMetrics
  readonly returnAddress: ReturnAddressOf
  readonly returnSchemes: ReturnSchemesOf
  readonly returns: SharedRuns.SharedRuns<PaymentRecord, PaymentError>
}

const make = Effect.gen(function* () {
  const executor = yield* Executor
  const breakers = yield* Breakers
  const restrictions = yield* AccountRestrictions
  const registry = yield* ProviderRegistry
  const services: Services = {
    store: yield* PaymentStore,
    router: yield* Router,
    demotionOf: (payment) => (provider) => {
      if (breakers.stateOf({ provider, operation: "create" }) === "open") return "breaker_open"
      const kind = refusedKind({ registry, restrictions }, provider, payment)
      return kind !== null && restrictions.isRestricted(kind) ? "account_not_enabled" : null
    },
    restrictions,
    order: yield* CreationOrder,
    shedder: yield* LoadShedder,
    guard: yield* ProviderGuard,
    executor,
    owner: executor.owner,
    writer: yield* PaymentWriter,
    live: yield* LivePayments,
    deadlines: yield* RequestDeadlines.make,
    ids: yield* Ids,
    registry,
    cardRetries: yield* CardRetries,
    metrics: yield* engineMetrics,
    returnAddress: yield* ReturnAddress,
    returnSchemes: yield* ReturnSchemes,
    restorations: yield* Restorations,
    hostedUrl: yield* HostedPage,
    returns: SharedRuns.make(yield* Scope.Scope, mostReturns)
  }
  const namingCell = namingOtherCell(yield* Cell)
  const perform = (id: PaymentId, asked: OperationRequest, options: OperationOptions) =>
    asSpan(asked.kind, options, id)(namingCell(id, performOperation(services, id, asked, options)))
  return Payments.of({
    create: (payment, options) => asSpan("create", options)(create(services, payment, options)),
    get: (tenant, id) => namingCell(id, get(services, tenant, id)),
    capture: (id, { minorUnits }, options) => perform(id, { kind: "capture", minorUnits }, options),
    cancel: (id, options) => perform(id, { kind: "cancel" }, options),
    refund: (id, request, options) => perform(id, { ...request, kind: "refund" }, options),
    offers: (record) => offersOf(services.registry, record),
    findRefund: (tenant, id) => namingCell(id, findRefund(services, tenant, id)),
    complete: (id, query) =>
      spanned("paymux.payment.complete", () => ({ "paymux.payment.id": id }))(completeReturn(services, id, query)),
    list: (tenant, query) => listPayments(services.order, services.store, registry.providers.length, tenant, query)
  })
})

/** The kind of the payment at a provider whose account restricts some kind; `null` at the others, which is nearly always. */
const refusedKind = (
  { registry, restrictions }: Pick<Services, "registry" | "restrictions">,
  provider: string,
  payment: NewPayment
): PaymentKind | null => {
  const running = restrictions.restricts(provider) ? registry.get(provider) : null
  return running === null ? null : paymentKind(running.provider, payment)
}

/** The id of a new payment is added once it is made. */
const asSpan = (request: string, { tenant }: RequestOptions, id?: PaymentId) =>
  spanned(`paymux.payment.${request}`, () => ({
    "paymux.account": tenant.account,
    "paymux.livemode": tenant.livemode,
    ...(id === undefined ? {} : { "paymux.payment.id": id })
  }))

const get = Effect.fnUntraced(function* ({ store }: Services, tenant: Tenant, id: PaymentId) {
  const record = yield* orUnavailable(store.find(tenant, id))
  return record ?? (yield* paymentError(new PaymentNotFound()))
})

const create = Effect.fnUntraced(function* (services: Services, payment: NewPayment, options: RequestOptions) {
  yield* onlyAllowedReturn(services.returnSchemes, payment, options.tenant)
  const deadline = yield* services.deadlines.begin
  const begin = services.order.creating((creation) =>
    Effect.gen(() => prepareAndStart(services, creation, payment, options, deadline))
  )
  const started = yield* deadline.untilBegun(replacing(services, payment, options.tenant, begin))
  if ("replayed" in started) return started
  const { record, waiting } = started
  const settled = yield* Deferred.await(waiting.answer)
  return settled !== null && settled.body !== null
    ? created(settled.record, settled.body, false)
    : yield* Effect.map(answerOpen(services, record, waiting, deadline), (answer) =>
        created(answer.record, answer.body, false)
      )
})

/** Up to the first send. */
const prepareAndStart = function* (
  services: Services,
  creation: Creation,
  payment: NewPayment,
  options: RequestOptions,
  deadline: RequestDeadline
): Effect.fn.Return<Created | Started, PaymentError> {
  const prepared = yield* services.shedder.admit(Effect.gen(() => prepare(services, creation, payment, options)))
  if ("replayed" in prepared) return prepared
  let restoration = yield* orUnavailable(services.restorations.known)
  while (true) {
    const cleared = yield* clearIfRestored(services, restoration, payment, options, prepared)
    if ("answer" in cleared) return yield* replay(services, cleared, prepared.key, payment)
    const asked = { ...prepared, payment, tenant: options.tenant, restoration: restoration.version }
    // From the admission on, a caller that goes away must not leave a place taken or a payment half begun.
    const started = yield* Effect.uninterruptible(Effect.gen(() => start(services, asked, cleared, deadline)))
    if (started._tag === "Started") return started
    if (started._tag === "KeyTaken") return yield* replay(services, started.kept, prepared.key, payment)
    // Its holder is refused, or has freed it since.
    if (started._tag === "OrderTaken") continue
    restoration = yield* orUnavailable(services.restorations.reread)
  }
}

/** The request may have been sent before, and the database may have lost that. */
const clearIfRestored = function* (
  services: Services,
  { formerNamesUntil, mark }: Restoration,
  payment: NewPayment,
  { tenant }: RequestOptions,
  { id, key, planned }: Prepared
): Effect.fn.Return<Cleared | KeptKey, PaymentError> {
  if (key === null || mark === null || !isHolding(mark, yield* services.store.now))
    return { found: null, doubles: [], plan: planned }
  return yield* clearRequest(services, mark, formerNamesUntil, { id, key, payment, planned, tenant })
}

const start = function* (
  services: Services,
  asked: Asked,
  { doubles, found, plan }: Cleared,
  deadline: RequestDeadline
): Effect.fn.Return<Started | OrderTaken | NotBegun, PaymentError> {
  const { executor, live, metrics } = services
  if (found !== null) return yield* adoptFound(services, asked, found, doubles, plan)
  const { order } = asked.payment
  const kept = order === null ? null : yield* checkOrder(services.store, asked, order)
  if (kept !== null) return { _tag: "KeyTaken", kept }
  const place = yield* admitFirst(services, plan)
  const begun = yield* beginPayment(services, asked, place)
  if (begun._tag !== "Begun") return begun
  metrics.begun(begun.record)
  yield* annotatedSteps(() => ({ "paymux.payment.id": asked.id }))
  const { binding, operation, record } = begun
  const { admission } = place
  if (!deadline.mayBegin()) return yield* leaveUnsent(executor, admission, record, operation)
  const waiting = live.start(asked.id, binding, deadline.spent())
  yield* executor.start({ record, operation, admission })
  return { _tag: "Started", record, waiting }
}

interface Started {
  readonly _tag: "Started"
  readonly record: PaymentRecord
  readonly waiting: LivePayment
}

/** Reads what decides about it; nothing is written and no place is taken. */
const prepare = function* (
  services: Services,
  creation: Creation,
  payment: NewPayment,
  options: RequestOptions
): Effect.fn.Return<Created | Prepared, PaymentError> {
  const { cardRetries, demotionOf, ids, router, store } = services
  const { tenant } = options
  const { kept, key } = yield* findKey(store, options, fingerprintContent(payment))
  if (kept !== null) return yield* replay(services, kept, key, payment)
  const refusal = yield* orUnavailable(refusalOfCard(store, cardRetries, payment, tenant))
  if (refusal !== null) return yield* paymentError(new CardNotRetried(refusal))
  const id = creation.open(yield* store.now, (time) => ids.payment(paymentOrigin(tenant, key), time))
  const planned = router.plan({ id, tenant, payment, demotionOf: demotionOf(payment) })
  if (planned._tag === "NoRoute") {
    const { candidates, rule } = planned
    const reasons = candidates.map(({ provider, reason }) => `${provider} ${reason}`).join(", ")
    yield* Effect.annotateLogs(Effect.logInfo(`No provider can take a payment: ${reasons}`), { rule })
    return yield* paymentError(new NoRoute({ candidates }))
  }
  // Synchronous after the plan: of several payments, exactly one is the probe of a restricted kind.
  const [first] = planned.candidates
  const kind = first === undefined ? null : refusedKind(services, first.provider, payment)
  if (kind !== null) services.restrictions.claimProbe(kind)
  return { id, key, planned }
}

interface Prepared {
  readonly id: PaymentId
  readonly key: RequestKey | null
  readonly planned: Plan
}

const replay = (services: Services, kept: KeptKey, key: RequestKey | null, requested: NewPayment) =>
  Effect.map(
    firstAnswer(
      services,
      kept,
      key,
      (record) => paymentBody(record, services.hostedUrl),
      (first) => paymentDifference(requested, first.payment)
    ),
    ({ body, record }) => created(record, body, true)
  )

const created = (record: PaymentRecord, body: string, replayed: boolean): Created => ({ record, body, replayed })

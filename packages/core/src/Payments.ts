/**
 * The payments service: the operations that an application, the HTTP interface and the reconciler call.
 *
 * The folders of `execution/` implement them: `begin` the requests that move money, `recover` the return of the
 * shopper, and `records` the lists.
 */
import { Context, Effect, Layer } from "effect"
import { Cell } from "./domain/Cell.ts"
import type { PaymentId, RefundId } from "./domain/Ids.ts"
import type { Operation } from "./domain/Operation.ts"
import type { NewPayment, PaymentRecord, Tenant } from "./domain/Payment.ts"
import { paymentError, PaymentNotFound } from "./domain/PaymentError.ts"
import type { PaymentError } from "./domain/PaymentError.ts"
import type { OperationRequest } from "./domain/transition/requestOperation.ts"
import { createPayment } from "./execution/begin/createPayment.ts"
import type { Created } from "./execution/PaymentResult.ts"
import { performOperation } from "./execution/begin/followUpOperations.ts"
import { findRefund } from "./execution/begin/operationAnswers.ts"
import type { OperationAnswer } from "./execution/begin/operationAnswers.ts"
import { offersOf } from "./execution/begin/operationOffers.ts"
import type { OperationOffer } from "./execution/begin/operationOffers.ts"
import { namingOtherCell } from "./execution/begin/otherCell.ts"
import { requestServices } from "./execution/begin/requestServices.ts"
import { mapStoreError } from "./execution/begin/requests.ts"
import type { OperationOptions, RequestOptions } from "./execution/begin/requests.ts"
import { listPayments } from "./execution/records/paymentList.ts"
import { completeReturn, sharedReturns } from "./execution/recover/shopperReturn.ts"
import type { ListQuery, Page } from "./store/PaymentStore.ts"
import { spanned } from "./telemetry/spans.ts"

export class Payments extends Context.Service<
  Payments,
  {
    /**
     * Creates a payment. Errors: `InvalidPayment` (the tenant does not allow this `return_url`), `NoRoute`,
     * `CardNotRetried`, `NoProviderAvailable`, `Overloaded` (nothing was written, and the idempotency key can be used
     * again), `OrderTaken`, `IdempotencyKeyReused`, `IdempotencyInFlight`, `Unavailable`.
     */
    readonly create: (payment: NewPayment, options: RequestOptions) => Effect.Effect<Created, PaymentError>
    /** Finds a payment. Errors: `PaymentNotFound`, also for another tenant's payment; `Unavailable`. */
    readonly get: (tenant: Tenant, id: PaymentId) => Effect.Effect<PaymentRecord, PaymentError>
    /** Lists payments. Errors: `ListTimedOut`, if no index narrows the query enough; `Unavailable`. */
    readonly list: (tenant: Tenant, query: ListQuery) => Effect.Effect<Page, PaymentError>
    /**
     * Captures an authorized amount, or a part of it; the rest is released. Errors of `capture`, `cancel` and `refund`:
     * `PaymentNotFound`, `VersionConflict`, `OperationRefused`, `InvalidPayment` (the amount exceeds the remaining
     * one), `NoProviderAvailable`, `Overloaded`, and those of idempotency keys.
     */
    readonly capture: (
      id: PaymentId,
      request: { readonly minorUnits: number | null },
      options: OperationOptions
    ) => Effect.Effect<OperationAnswer, PaymentError>
    /** Releases an authorized amount, or closes a payment that the payer has not completed. */
    readonly cancel: (id: PaymentId, options: OperationOptions) => Effect.Effect<OperationAnswer, PaymentError>
    /**
     * Refunds captured money: the remaining amount, or a part. Two equal requests are two refunds. Also fails with
     * `RefundExceedsAvailable` if disputes, or refunds outside of Paymux, leave too small an amount. `override`, the
     * evidence of an operator, permits the refund nevertheless.
     */
    readonly refund: (
      id: PaymentId,
      request: { readonly minorUnits: number | null; readonly reason: string | null; readonly override?: string },
      options: OperationOptions
    ) => Effect.Effect<OperationAnswer, PaymentError>
    /** Whether `capture`, `cancel` and `refund` would be accepted now, by the payment's status and its provider. */
    readonly offers: (record: PaymentRecord) => ReadonlyArray<OperationOffer>
    /** Finds a refund. Errors: `RefundNotFound`, also for another tenant's refund. */
    readonly findRefund: (
      tenant: Tenant,
      id: RefundId
    ) => Effect.Effect<{ readonly record: PaymentRecord; readonly operation: Operation }, PaymentError>
    /** Completes the shopper's return with the query that the provider appended. Returns the updated payment. */
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
  const services = { ...(yield* requestServices), returns: yield* sharedReturns }
  const { order, registry, store } = services
  const namingCell = namingOtherCell(yield* Cell)
  const perform = (id: PaymentId, asked: OperationRequest, options: OperationOptions) =>
    asSpan(asked.kind, options, id)(namingCell(id, performOperation(services, id, asked, options)))
  const find = (tenant: Tenant, id: PaymentId) =>
    Effect.flatMap(mapStoreError(store.find(tenant, id)), (record) =>
      record === null ? Effect.fail(paymentError(new PaymentNotFound())) : Effect.succeed(record)
    )
  return Payments.of({
    create: (payment, options) => asSpan("create", options)(createPayment(services, payment, options)),
    get: (tenant, id) => namingCell(id, find(tenant, id)),
    capture: (id, { minorUnits }, options) => perform(id, { kind: "capture", minorUnits }, options),
    cancel: (id, options) => perform(id, { kind: "cancel" }, options),
    refund: (id, request, options) => perform(id, { ...request, kind: "refund" }, options),
    offers: (record) => offersOf(registry, record),
    findRefund: (tenant, id) => namingCell(id, findRefund(services, tenant, id)),
    complete: (id, query) =>
      spanned("paymux.payment.complete", () => ({ "paymux.payment.id": id }))(completeReturn(services, id, query)),
    list: (tenant, query) => listPayments(order, store, registry.providers.length, tenant, query)
  })
})

/** Runs a request in a span. For a new payment, the span gets the payment's id when it is known. */
const asSpan = (request: string, { tenant }: RequestOptions, id?: PaymentId) =>
  spanned(`paymux.payment.${request}`, () => ({
    "paymux.account": tenant.account,
    "paymux.livemode": tenant.livemode,
    ...(id === undefined ? {} : { "paymux.payment.id": id })
  }))

/**
 * `@paymux/core`: payments, providers, routing and failover, without any input or output of its own.
 *
 * This entry has the exports for adapter authors and hosts, in the order in which a payment passes through them.
 * Everything else is in an entry for its role:
 *
 * - `@paymux/core/routing`: the port that decides which providers are tried, and routing by a fixed order.
 * - `@paymux/core/store`: the record of a payment, the store contract.
 * - `@paymux/core/wire`: the public JSON and the reasons for which a request is refused.
 * - `@paymux/core/statement`: the transactions that a provider has booked.
 * - `@paymux/core/telemetry`: metrics, spans, redaction.
 * - `@paymux/core/engine`: the parts of the engine. They may change in any version.
 *
 * @module
 */

// the domain: amounts, customers, payment methods and payments
export * as Currency from "./domain/Money.ts"
/**
 * The type `Currency` with an additional, distinct name. The compiler needs that name to emit declarations of types
 * that contain `Currency`.
 */
export type { Currency as CurrencyCode } from "./domain/Money.ts"
export * as Money from "./domain/Money.ts"
export { Ids } from "./domain/Ids.ts"
export type { IdempotencyKey, OperationId, PaymentId, RefundId } from "./domain/Ids.ts"
export { cardToken, flow, rails } from "./domain/PaymentMethod.ts"
export type {
  Card,
  CardToken,
  Flow,
  PaymentMethod,
  Rail,
  ServedMethod,
  ServedUpi,
  Stablecoin,
  Upi,
  UpiFlow
} from "./domain/PaymentMethod.ts"
export type { NextAction } from "./domain/NextAction.ts"
export { declineCodes } from "./domain/Decline.ts"
export type { DeclineCode, RetryClass } from "./domain/Decline.ts"
export type { OperationKind } from "./domain/Operation.ts"
export type {
  CaptureMethod,
  Client,
  Customer,
  NewPayment,
  Payment,
  PaymentRecord,
  PaymentState,
  PaymentStatus,
  Tenant
} from "./domain/Payment.ts"
export { PaymentError } from "./domain/PaymentError.ts"

// the engine, and the services that a host calls
export * as Engine from "./Engine.ts"
export type { EngineOptions } from "./Engine.ts"
export { decodeCreatePayment } from "./wire/CreatePaymentJson.ts"
export { Payments } from "./Payments.ts"
export type { Created } from "./execution/PaymentResult.ts"
export type { OperationAnswer } from "./execution/begin/operationAnswers.ts"
export type { RequestOptions } from "./execution/begin/requests.ts"
export { Inbox, WebhookNotTaken } from "./execution/recover/inbox/Inbox.ts"
export { ReviewRefused, Reviews } from "./Reviews.ts"
export type { FittingResolution, Reviewed, Statement } from "./Reviews.ts"
export type { Resolution } from "./domain/Review.ts"
export { Erasure, ErasureRefused } from "./execution/records/Erasure.ts"
export type { ErasureReport, ErasureSubject } from "./execution/records/Erasure.ts"
export { Retention } from "./execution/records/Retention.ts"
export type { RetentionSettings } from "./execution/records/Retention.ts"

// the provider contract: implemented by adapters
export { definePromiseProvider, defineProvider, ProviderOptionsInvalid } from "./provider/defineProvider.ts"
export type {
  PromiseProviderContext,
  PromiseProviderDefinition,
  PromiseProviderOperations,
  ProviderDefinition,
  ProviderFactory
} from "./provider/defineProvider.ts"
export { asOfReceipt } from "./provider/asOfReceipt.ts"
export { SPEC_VERSION, SPEC_VERSIONS } from "./provider/Provider.ts"
export type {
  Provider,
  ProviderContext,
  ProviderMode,
  ProviderOperation,
  ProviderOperations,
  ProviderState
} from "./provider/Provider.ts"
export type {
  Capabilities,
  CreateCapability,
  IdempotencyCapability,
  InquiryCapability,
  FlowCapability,
  MethodCapability,
  OperationCapability,
  RequiredFact
} from "./provider/Capabilities.ts"
export * as Outcome from "./domain/Outcome.ts"
export type { InquiryOutcome } from "./domain/Outcome.ts"
export * from "./provider/ProviderError.ts"
export { fromAnswer } from "./domain/Evidence.ts"
export type { Evidence, EvidenceSource, EvidenceSubject } from "./domain/Evidence.ts"

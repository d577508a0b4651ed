/**
 * `@paymux/core`: payments, providers, routing and failover, without any input or output of its own.
 *
 * The groups below stand in the order in which a payment flows through them, so this file doubles as the map.
 *
 * @module
 */

// domain: what a payment is, and what evidence makes of it
export * as Currency from "./domain/Currency.ts"
/** By a name of its own, so that types which hold it can be written by the compiler, too. */
export type { Currency as CurrencyCode } from "./domain/Currency.ts"
export * as Money from "./domain/Money.ts"
export { firstPaymentId, Ids, isPaymentId, isRefundId, make as makeIds } from "./domain/Ids.ts"
export type { EventId, IdempotencyKey, OperationId, PaymentId, RefundId } from "./domain/Ids.ts"
export { cardToken, flow, rails } from "./domain/PaymentMethod.ts"
export type { Card, CardToken, Flow, PaymentMethod, Rail, Stablecoin, Upi, UpiFlow } from "./domain/PaymentMethod.ts"
export type { NextAction } from "./domain/NextAction.ts"
export { declineCodes, failure, failureCodes } from "./domain/Decline.ts"
export type { DeclineCode, Failure, FailureCode, RetryClass } from "./domain/Decline.ts"
export { isClosedWithoutMoney, isInFlight } from "./domain/Attempt.ts"
export type { Attempt, OutcomeStatus } from "./domain/Attempt.ts"
export { isOpen, operationKinds, operationPurposes } from "./domain/Operation.ts"
export type { Operation, OperationKind, OperationPurpose, OperationStatus } from "./domain/Operation.ts"
export {
  isRefund,
  refundFailure,
  refundId,
  refundOperationId,
  refundsOf,
  refundStatus,
  refundStatuses
} from "./domain/Refund.ts"
export type { RefundStatus } from "./domain/Refund.ts"
export { paymentStatuses, pendingReasons } from "./domain/Payment.ts"
export { amountCaptured, amountRefunded } from "./domain/balance.ts"
export { entryBases, entryKinds } from "./domain/Entry.ts"
export type { Entry, EntryBasis, EntryKind } from "./domain/Entry.ts"
export { resolutions, reviewReasons } from "./domain/Review.ts"
export type { Resolution, Review, ReviewReason, ReviewResolution } from "./domain/Review.ts"
export type {
  CaptureMethod,
  Client,
  Customer,
  NewPayment,
  Payment,
  PaymentRecord,
  PaymentState,
  PaymentStatus,
  PendingReason,
  RoutingDecision,
  Tenant
} from "./domain/Payment.ts"
export { eventTypes } from "./domain/PaymentEvent.ts"
export type { EventType, PaymentEvent } from "./domain/PaymentEvent.ts"
export { cardRetryDefaults, cardRetryProblems } from "./domain/cardRetries.ts"
export type { CardRetrySettings, RetryLimit } from "./domain/cardRetries.ts"
export * from "./domain/PaymentError.ts"
export { findRawCardData } from "./domain/RawCardData.ts"
export { transition } from "./domain/transition.ts"
export { announcePending } from "./domain/change.ts"
export type { Transition } from "./domain/change.ts"
export type { Step } from "./domain/Step.ts"
export { acceptedAttempt } from "./domain/balance.ts"
export type { LateSuccess } from "./domain/surplus.ts"
export { nextInquiryDelay } from "./domain/InquirySchedule.ts"
export { erasedCustomer, erasedWords, isErased } from "./domain/erasure.ts"
export type { ErasureHindrance } from "./domain/erasure.ts"

// the service, and the engine behind it
export { Payments } from "./Payments.ts"
export type { Created } from "./Payments.ts"
export type { OperationAnswer, RequestOptions } from "./execution/laterOperations.ts"
export { Inbox, WebhookNotTaken } from "./execution/Inbox.ts"
export type { Received } from "./execution/Inbox.ts"
export { ReviewRefused, Reviews } from "./Reviews.ts"
export type { Reviewed, Statement } from "./Reviews.ts"
export { Erasure, ErasureRefused } from "./execution/Erasure.ts"
export type { ErasureReport, ErasureSubject, ForgetPayment } from "./execution/Erasure.ts"
export { Retention, retentionDefaults } from "./execution/Retention.ts"
export type { Pruned, RetentionSettings } from "./execution/Retention.ts"
export * as Engine from "./Engine.ts"
export type { EngineOptions } from "./Engine.ts"

// provider: the contract an adapter fulfils
export * as Outcome from "./provider/Outcome.ts"
export type { Inquiry } from "./provider/Outcome.ts"
export { isInquiry, readEvidence } from "./provider/validity.ts"
export { fromAnswer } from "./provider/Evidence.ts"
export type { Evidence, EvidenceClaim, EvidenceSource, EvidenceSubject } from "./provider/Evidence.ts"
export * from "./provider/ProviderError.ts"
export type {
  Capabilities,
  CreateCapability,
  IdempotencyCapability,
  InquiryCapability,
  MethodCapability,
  OperationCapability,
  RequiredFact
} from "./provider/Capabilities.ts"
export { onlyContractErrors } from "./provider/onlyContractErrors.ts"
export { SPEC_VERSION, SPEC_VERSIONS } from "./provider/Provider.ts"
export type {
  Provider,
  ProviderContext,
  ProviderMode,
  ProviderOperation,
  ProviderOperations,
  ProviderState
} from "./provider/Provider.ts"
export { definePromiseProvider, defineProvider, ProviderOptionsInvalid } from "./provider/defineProvider.ts"
export type {
  PromiseProviderContext,
  PromiseProviderDefinition,
  PromiseProviderOperations,
  ProviderDefinition,
  ProviderFactory
} from "./provider/defineProvider.ts"

export { providerProblems, ProviderRegistry, ProvidersInvalid } from "./provider/ProviderRegistry.ts"
export type { DeclaredOperation, RunningProvider } from "./provider/ProviderRegistry.ts"

// routing: which provider, and why
export { defineRouting, defaultRouting, RoutingConfig } from "./routing/RoutingConfig.ts"
export type { RoutingConfigInput } from "./routing/RoutingConfig.ts"
export { RoutingInvalid } from "./routing/check/RoutingInvalid.ts"
export { durationMs } from "./routing/language/words.ts"
export { Routing } from "./routing/Routing.ts"
export type { Ruleset } from "./routing/Routing.ts"
export { checkRouting } from "./routing/check/checkRouting.ts"
export { compile } from "./routing/CompiledRouting.ts"
export type { CompiledRouting } from "./routing/CompiledRouting.ts"
export type { RoutableProvider } from "./routing/capabilityFilter.ts"
export { facts } from "./routing/Facts.ts"
export type { Facts } from "./routing/Facts.ts"
export { plan } from "./routing/Router.ts"
export type { Candidate, Dropped, DropReason, Plan } from "./routing/Plan.ts"
export { explain, explainDecided } from "./routing/explain.ts"
export type { ExplainedCondition, ExplainedRule, Explanation } from "./routing/explain.ts"
export { unknownHealth } from "./routing/Health.ts"
export type { Health, Rate } from "./routing/Health.ts"
export * as SuccessRates from "./routing/learn/SuccessRates.ts"
export * as Backtest from "./routing/backtest/Backtest.ts"
export type * from "./routing/backtest/BacktestReport.ts"

// resilience: breakers, bulkheads, deadlines, load shedding
export * from "./resilience/Breaker.ts"
export * as OpossumBreaker from "./resilience/OpossumBreaker.ts"
export * as Bulkhead from "./resilience/Bulkhead.ts"
export { Bulkheads } from "./resilience/Bulkhead.ts"
export { LoadShedder, loadSheddingDefaults } from "./resilience/LoadShedder.ts"
export type { LoadSheddingSettings } from "./resilience/LoadShedder.ts"
export { ProviderGuard, ProviderRefused } from "./resilience/ProviderGuard.ts"
export type { Admission, CallResult, GuardedOperation } from "./resilience/ProviderGuard.ts"
export { RetryBudget } from "./resilience/RetryBudget.ts"

// execution: one payment, one attempt after the other
export { decide, situationOf } from "./execution/Failover.ts"
export type { Decision, FailoverFacts, Situation } from "./execution/Failover.ts"
export { Executor } from "./execution/Executor.ts"
export type { Advanced } from "./execution/Executor.ts"
export { timings } from "./execution/timings.ts"
export { LivePayments } from "./execution/LivePayments.ts"
export { PaymentWriter } from "./execution/PaymentWriter.ts"
export { ProviderInbox } from "./provider/ProviderInbox.ts"
export { Sender } from "./execution/Sender.ts"
export { Reconciler } from "./execution/Reconciler.ts"
export type { ReconcilerOptions } from "./execution/Reconciler.ts"

// store: where payments are kept
export * from "./store/PaymentStore.ts"
export type * from "./store/ErasureStore.ts"
export type * from "./store/RetentionStore.ts"
export * as MemoryStore from "./store/MemoryStore.ts"
export type * from "./store/Migration.ts"

// telemetry: what is counted, what is traced, and what is never written
export { engineMetricDescriptions } from "./telemetry/EngineMetrics.ts"
export * as MetricFamily from "./telemetry/MetricFamily.ts"
export type { MetricDescription } from "./telemetry/MetricFamily.ts"
export { annotated, isTraced, spanned } from "./telemetry/spans.ts"
export type { SpanAttributes } from "./telemetry/spans.ts"
export { redact, redactText } from "./telemetry/redact.ts"

// wire: the public JSON
export { CreatePaymentJson, decodeCreatePayment } from "./wire/CreatePaymentJson.ts"
export {
  CancelPaymentJson,
  CapturePaymentJson,
  CreateRefundJson,
  decodeCancelPayment,
  decodeCapturePayment,
  decodeCreateRefund
} from "./wire/OperationJson.ts"
export { isLocalReturnUrl, isReturnUrl } from "./wire/returnUrl.ts"
export { describeIssues } from "./wire/issues.ts"
export type { InputIssue } from "./wire/issues.ts"
export { iso, paymentBody, PaymentJson, paymentJson } from "./wire/PaymentJson.ts"
export { refundBody, RefundJson, refundJson } from "./wire/RefundJson.ts"
export { eventBody, EventJson } from "./wire/EventJson.ts"

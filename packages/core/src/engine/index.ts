/**
 * `@paymux/core/engine`: the parts that `Engine.layer` assembles. **It may change in any version, without notice.** It
 * is for the packages of this repository (the server, the test kit, benchmarks) that assemble, replace or observe
 * single parts.
 *
 * @module
 */

// the pure decisions
export { transition } from "../domain/transition/transition.ts"
export type { Transition } from "../domain/transition/change.ts"
export type { Step } from "../domain/Step.ts"
export type { LateSuccess } from "../domain/Step.ts"
export { decide } from "../execution/conclude/Failover.ts"
export type { Decision, FailoverFacts } from "../execution/conclude/Failover.ts"
export { make as makeIds } from "../domain/Ids.ts"
export { NameDigest } from "../domain/NameDigest.ts"
export { Sha256 } from "../domain/sha256.ts"

// providers
export {
  declaredBy,
  providerProblems,
  ProviderRegistry,
  ProvidersInvalid,
  stateId
} from "../provider/ProviderRegistry.ts"
export type { DeclaredOperation, RunningProvider } from "../provider/ProviderRegistry.ts"
export { instanceIdRule, isInstanceId, isRetiredInstance } from "../provider/instanceStanding.ts"
export type { RetiredInstance } from "../provider/instanceStanding.ts"
export { Restorations } from "../execution/restore/Restorations.ts"
export { restoredStanding } from "../execution/restore/sendSafety.ts"
export { restoredText } from "../execution/restore/restoredText.ts"
export { openElsewhere, openText, retiredText } from "../provider/notConfigured.ts"
export { InstanceIds, instanceIds } from "../provider/ProviderRegistry.ts"
export { capabilityProblems } from "../provider/capabilityProblems.ts"
export { ProviderInbox } from "../provider/ProviderInbox.ts"
export { readNextAction } from "../provider/readNextAction.ts"
export { isAnswer, onlyContractErrors, readEvidence } from "../provider/validity.ts"

// resilience: circuit breakers, bulkheads, deadlines, load shedding
export * from "../resilience/Breaker.ts"
export * as OpossumBreaker from "../resilience/OpossumBreaker.ts"
export * as Bulkhead from "../resilience/Bulkhead.ts"
export { Bulkheads } from "../resilience/Bulkhead.ts"
export { LoadShedder, loadSheddingDefaults } from "../resilience/LoadShedder.ts"
export type { LoadSheddingSettings } from "../resilience/LoadShedder.ts"
export { ProviderGuard, ProviderRefused } from "../resilience/ProviderGuard.ts"
export type { Ended, OutcomeOrRefusal } from "../resilience/Ended.ts"
export type { Admission, GuardedOperation } from "../resilience/ProviderGuard.ts"
export { AccountRestrictions } from "../resilience/AccountRestrictions.ts"
export { RetryBudget } from "../resilience/RetryBudget.ts"
export { cardRetryDefaults, cardRetryProblems } from "../domain/cardRetries.ts"
export type { CardRetrySettings, RetryLimit } from "../domain/cardRetries.ts"

// execution: processes a payment, one attempt after the other
export { Executor } from "../execution/Executor.ts"
export type { Advanced } from "../execution/conclude/advance.ts"
export { DoubleOrders } from "../execution/restore/DoubleOrders.ts"
export { PaymentWriter } from "../execution/conclude/PaymentWriter.ts"
export { LivePayments } from "../execution/begin/LivePayments.ts"
export { CreationOrder } from "../execution/begin/CreationOrder.ts"
export { Reconciler } from "../execution/recover/Reconciler.ts"
export type { ReconcilerOptions } from "../execution/recover/Reconciler.ts"
export { retentionDefaults } from "../execution/records/Retention.ts"
export type { Pruned } from "../execution/records/Retention.ts"
export { timings } from "../execution/timings.ts"
export { whenClockSetBack } from "../execution/recover/whenClockSetBack.ts"

// the books compared with providers' statements
export { movementTypes, readMovement, readStatementPage, StatementInvalid } from "../provider/readStatement.ts"
export { differenceKinds } from "../statement/Difference.ts"
export type { Difference, DifferenceKind } from "../statement/Difference.ts"
export { differenceEvidence, foundEvidence } from "../statement/differenceEvidence.ts"
export type { MatchedMovement, MovementResult } from "../statement/matchMovement.ts"
export { matchPage } from "../statement/matchPage.ts"
export type { MatchedPage } from "../statement/matchPage.ts"
export { indexed } from "../statement/OurOperations.ts"
export type {
  Booking,
  EnteredAmount,
  MatchRules,
  NamedOperations,
  NamedPayment,
  OurOperation,
  OurOperations,
  EnteredDispute
} from "../statement/OurOperations.ts"
export { enteredOf, isBooked } from "../statement/parts.ts"
export type { BookedParts } from "../statement/parts.ts"

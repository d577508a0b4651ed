/**
 * `@paymux/core/store`: the record of a payment, and the contract of its stores. For authors of a store, and for code that reads
 * stored payments. `paymentStoreSuite` of `@paymux/testkit` tests a store against this contract.
 *
 * @module
 */

// the record of a payment: its parts, and the stored words with their meanings
export { Cell, isCellName, notACell, otherCellOf, otherCellText, ownIds, OwnsIdsWithoutCell } from "../domain/Cell.ts"
export type { OwnIds } from "../domain/Cell.ts"
export { clockTolerance } from "../domain/clockTolerance.ts"
export { firstPaymentId, timeOfEventId, timeOfPaymentId } from "../domain/Ids.ts"
export type { EventId } from "../domain/Ids.ts"
export { paymentStatuses, pendingReasons } from "../domain/Payment.ts"
export type { ExperimentAssignment, PendingReason, RoutingDecision } from "../domain/Payment.ts"
export { issuer, upiHandle } from "../domain/PaymentMethod.ts"
export { failure, failureCodes } from "../domain/Decline.ts"
export type { Failure, FailureCode } from "../domain/Decline.ts"
export { isClosedWithoutMoney, isInFlight } from "../domain/Attempt.ts"
export type { Attempt, OutcomeStatus } from "../domain/Attempt.ts"
export { isOpen, operationKinds, operationPurposes } from "../domain/Operation.ts"
export type { Operation, OperationPurpose, OperationStatus } from "../domain/Operation.ts"
export { isRefund, refundId, refundsOf, refundStatus, refundStatuses } from "../domain/Refund.ts"
export type { RefundedPayment, RefundStatus } from "../domain/Refund.ts"
export { entryBases, entryKinds } from "../domain/Entry.ts"
export type { Entry, EntryBasis, EntryKind } from "../domain/Entry.ts"
export { amountCaptured, amountRefunded } from "../domain/books/balance.ts"
export { paymentBalance } from "../domain/books/paymentBalance.ts"
export type { PaymentBalance } from "../domain/books/paymentBalance.ts"
export { DisputeRefused } from "../execution/conclude/recordDispute.ts"
export type { DisputeStatement } from "../execution/conclude/recordDispute.ts"
export type { IntendedStatement } from "../Reviews.ts"
export { disputeStatuses } from "../domain/Dispute.ts"
export type { DisputeStatus } from "../domain/Dispute.ts"
export { resolutions, reviewReasons } from "../domain/Review.ts"
export type { Review, ReviewReason, ReviewResolution } from "../domain/Review.ts"
export type { Acceptance } from "../domain/books/acceptance.ts"
export type { Consequences } from "../domain/books/consequences.ts"
export { eventTypes } from "../domain/PaymentEvent.ts"
export type { EventType, PaymentEvent } from "../domain/PaymentEvent.ts"
export { heldOrder } from "../domain/Payment.ts"
export { repeatsWithin } from "./MemoryOrders.ts"
export { normalEmail } from "../domain/normalEmail.ts"
export { erasedWords, isErased } from "../domain/erasure.ts"
export type { ErasureHindrance } from "../domain/erasure.ts"

// the contract of a store
export * from "./PaymentStore.ts"
export { longestOpen } from "./AttemptCounts.ts"
export { mostCounted, openOperationsOf } from "./MemoryBacklog.ts"
export { eventIn } from "./eventKey.ts"
export { decodeEvidence, encodeEvidence, wordOf } from "./StoredEvidence.ts"
export { ListTimedOut } from "../domain/PaymentError.ts"
export type * from "./ErasureStore.ts"
export * from "./EventSequence.ts"
export * from "./KeptWebhookStore.ts"
export type * from "./OrderStore.ts"
export type * from "./RestorationStore.ts"
export { clientsRepeatFor, isHolding, markedAs } from "../domain/restoredMark.ts"
export type { Restoration, RestoredMark, RestoredReport } from "../domain/restoredMark.ts"
export type * from "./RetentionStore.ts"
export type * from "./Migration.ts"

// pages of logs
export { logCursor, readLogCursor } from "./LogCursor.ts"
export type { LogPlace } from "./LogCursor.ts"

// the in-memory store
export * as MemoryStore from "./MemoryStore.ts"
export type { CardDecline } from "../domain/cardRetries.ts"

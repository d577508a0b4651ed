/** Schedules the next check on an operation, or ends the operation's checks with a review. */
import { Effect } from "effect"
import { questioned } from "../../domain/books/reviews.ts"
import { isOpen } from "../../domain/Operation.ts"
import type { Operation } from "../../domain/Operation.ts"
import type { PaymentRecord } from "../../domain/Payment.ts"
import { changed, derived, replace } from "../../domain/transition/change.ts"
import type { ProviderRegistry } from "../../provider/ProviderRegistry.ts"
import type { DueOperation, PaymentStore } from "../../store/PaymentStore.ts"
import { afterCheck, delayAfterEnd, needsOperator } from "../conclude/checkSchedule.ts"
import type { CheckResult } from "../conclude/checkSchedule.ts"
import { writeAlone } from "../conclude/PaymentWriter.ts"
import type { PaymentWriter } from "../conclude/PaymentWriter.ts"

interface CheckServices {
  readonly registry: ProviderRegistry["Service"]
  readonly store: PaymentStore["Service"]
  readonly writer: PaymentWriter["Service"]
}

/**
 * Whether an operation has ended, so that no check is needed. An authorization (a hold of funds) has not ended while
 * its payment needs it.
 */
export const hasEnded = ({ operation, record }: DueOperation): boolean =>
  !isOpen(operation) &&
  (operation.status !== "authorized" || record.attempts[operation.attemptSeq - 1]?.isOverpayment === true)

/** Schedules the next check on an ended operation, or ends its checks. */
export const checkEndedAgain = Effect.fnUntraced(function* (
  services: CheckServices,
  operation: Operation,
  isAnswered: boolean
) {
  const { registry, store } = services
  const checks = operation.checks + 1
  const delay = delayAfterEnd(operation, registry.declared(operation.provider, operation.kind), isAnswered)
  if (delay === undefined) return yield* endChecks(services, { ...operation, checks }, reviewedByBooks)
  yield* store.reschedule(operation, checks, (yield* store.now) + delay)
})

/** Counts a check that failed, for example because of a database error, as a check without an answer. */
export const checkBroke = (services: CheckServices, due: DueOperation) =>
  hasEnded(due) ? checkEndedAgain(services, due.operation, false) : checkAgain(services, due, "inquired")

/** Schedules the next check on an open operation. If no check is left and the outcome is unknown, opens a review. */
export const checkAgain = Effect.fnUntraced(function* (
  services: CheckServices,
  { operation, record }: DueOperation,
  result: CheckResult
) {
  const { registry, store } = services
  const declared = registry.declared(operation.provider, operation.kind)
  const { checks, nextCheckAt } = afterCheck(record, operation, result, declared, yield* store.now)
  if (nextCheckAt === null && needsOperator(record, operation, result)) {
    return yield* endChecks(services, { ...operation, checks }, (over, latest, now) =>
      questioned(over, "inquiries_exhausted", latest, now)
    )
  }
  yield* store.reschedule(operation, checks, nextCheckAt)
})

/**
 * Ends the checks on an operation, in one commit with the review that this opens, so that every open operation has
 * either a next check or a review.
 */
export const endChecks = Effect.fnUntraced(function* (
  { store, writer }: CheckServices,
  operation: Operation,
  reviewed: (over: PaymentRecord, latest: Operation, now: number) => PaymentRecord
) {
  while (true) {
    const record = yield* store.get(operation.paymentId)
    const latest = record?.operations.find(({ id }) => id === operation.id)
    if (record === null || latest?.status !== operation.status) return
    const over = replace(record, { operations: [{ ...latest, checks: operation.checks, nextCheckAt: null }] })
    const now = yield* store.now
    const after = reviewed(over, latest, now)
    if (derived(after, now).payment.reviews === record.payment.reviews) {
      return yield* store.reschedule(operation, operation.checks, null)
    }
    if (yield* writeAlone(writer, record, changed(after, now, {}, null))) return
  }
})

/**
 * Returns the record unchanged, for use in `endChecks` without a question: `derived` adds the review about unconfirmed
 * money.
 */
export const reviewedByBooks = (over: PaymentRecord): PaymentRecord => over

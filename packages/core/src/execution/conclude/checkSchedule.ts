/**
 * Schedules the checks on an operation. Pure; delays are ms, times ms UTC.
 *
 * UPI: the network allows at most three status checks in two hours, which limits a provider whose inquiry causes such a
 * check (`costlyInquiry`). An aggregator's own order may be checked more often. Cards: issuers settle late
 * authorizations within days.
 */
import { expiryAhead } from "../../domain/abandonment.ts"
import type { Operation } from "../../domain/Operation.ts"
import type { PaymentRecord } from "../../domain/Payment.ts"
import type { Rail } from "../../domain/PaymentMethod.ts"
import type { Evidence } from "../../domain/Evidence.ts"
import type { DeclaredOperation } from "../../provider/ProviderRegistry.ts"
import { mayReplay } from "../recover/Inquiry.ts"
import { timings } from "../timings.ts"

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const times = (count: number, delay: number): ReadonlyArray<number> => Array.from({ length: count }, () => delay)

const schedules: { readonly [rail in Rail]: ReadonlyArray<number> } = {
  upi: [10 * SECOND, 20 * SECOND, 40 * SECOND, 90 * SECOND, 3 * MINUTE, 10 * MINUTE, 30 * MINUTE, ...times(71, HOUR)],
  card: [MINUTE, ...times(5, 5 * MINUTE), HOUR, ...times(5, DAY)],
  stablecoin: [...times(40, 15 * SECOND), ...times(60, MINUTE), ...times(71, HOUR)]
}

const costlySchedule: ReadonlyArray<number> = [90 * SECOND, 10 * MINUTE, 110 * MINUTE]

/**
 * The delay, ms, before inquiry number `checks + 1`; `null` when no inquiry is left in the schedule.
 *
 * @internal Exported for its own test.
 */
export const nextInquiryDelay = (rail: Rail, costly: boolean, checks: number): number | null =>
  (costly ? costlySchedule : schedules[rail])[checks] ?? null

/**
 * The time of the next check on an operation that stays open after evidence; `null` for none. It respects that a payer
 * may take longer than the schedule of inquiries.
 */
export const nextCheckAt = (
  record: PaymentRecord,
  operation: Operation,
  { outcome }: Evidence,
  { canInquire, costlyInquiry, idempotency }: DeclaredOperation,
  now: number
): number | null => {
  // A hold is checked regularly: it expires at some point, and the provider may not report the expiry.
  if (outcome._tag === "Authorized") return canInquire ? now + timings.holdCheck : null
  // If the provider has no inquiry, the same request is sent again with its idempotency key instead.
  const delay = nextInquiryDelay(record.payment.method.rail, costlyInquiry, operation.checks) ?? timings.longCheck
  const replays = outcome._tag === "Unknown" && mayReplay(idempotency, operation, record, now + delay)
  return now + (canInquire || replays ? delay : timings.holdBeforeReview)
}

/**
 * The time at which a failed operation of the engine itself is tried again: after 1, 2, 4 … minutes, for most of a day.
 * `null` when a review is opened instead.
 */
export const retryAt = ({ checks }: Operation, now: number): number | null =>
  checks < 10 ? now + timings.retryPlanned * 2 ** checks : null

/**
 * The result of a check on an operation.
 *
 * - `unmapped`: the provider answered with a status that its adapter does not know; a repeated inquiry would return the
 *   same.
 * - `unavailable`: the provider is not configured, or admits no calls now; the check is not counted.
 * - `unsupported`: the provider has no inquiry.
 */
export type CheckResult = "inquired" | "unmapped" | "unavailable" | "unsupported"

/**
 * The number of checks and the time of the next check, for an operation that is still open after a check. `nextCheckAt`
 * is `null` if no check is left.
 */
export const afterCheck = (
  record: PaymentRecord,
  operation: Operation,
  result: CheckResult,
  { costlyInquiry }: DeclaredOperation,
  now: number
): Pick<Operation, "checks" | "nextCheckAt"> => {
  const checks = operation.checks + (result === "unavailable" ? 0 : 1)
  const delay = delayAfter(result, operation, nextInquiryDelay(record.payment.method.rail, costlyInquiry, checks))
  const expiry = expiryAhead(record, now, timings.closeAfterExpiry)
  const latest = now + (delay ?? timings.longestCheck)
  return { checks, nextCheckAt: delay === null && expiry === null ? null : Math.min(latest, expiry ?? latest) }
}

const delayAfter = (result: CheckResult, operation: Operation, scheduled: number | null): number | null => {
  switch (result) {
    case "inquired":
      if (operation.status === "authorized") return timings.holdCheck
      return scheduled ?? (operation.status === "pending" ? timings.longCheck : null)
    case "unmapped":
      return operation.status === "authorized" ? timings.holdCheck : scheduled
    case "unavailable":
      return timings.absentProvider
    case "unsupported":
      // The provider has the payment, so its webhook is awaited for a week.
      return operation.status === "pending" && operation.checks < 7 ? timings.longCheck : null
  }
}

/**
 * Whether a review is opened after the last check. An attempt that the payer abandoned needs no review, because its
 * outcome is known.
 */
export const needsOperator = (
  { payment: { state } }: PaymentRecord,
  { kind, status }: Operation,
  result: CheckResult
): boolean => {
  if (status === "unknown" || (status === "pending" && result === "unmapped")) return true
  const isLeft = kind === "create" && state.status === "pending" && state.nextAction !== null
  return status === "pending" && !isLeft
}

/** The number of additional daily checks after the last declared one, for inquiries that fail. */
const unansweredChecks = 4

/** The delay until an ended operation is checked again, ms; `undefined` if this was the last check. */
export const delayAfterEnd = (
  { checks, status }: Operation,
  { lookBackMs }: DeclaredOperation,
  isAnswered: boolean
): number | undefined => {
  if (status !== "not_executed" && status !== "declined") return isAnswered ? undefined : timings.confirmAgain[checks]
  const next = lookBackMs[checks + 1]
  if (next !== undefined) return next - (lookBackMs[checks] ?? 0)
  // Further daily checks follow only failed inquiries, since a failed inquiry proves nothing.
  return isAnswered || lookBackMs.length === 0 || checks >= lookBackMs.length + unansweredChecks ? undefined : DAY
}

/** Determines the next step if a payer was shown an action and has not completed it in time. Pure. */
import { isAhead } from "./clockTolerance.ts"
import type { Operation } from "./Operation.ts"
import type { PaymentRecord } from "./Payment.ts"

/**
 * The next step for an attempt that the payer has not completed.
 *
 * - `wait`: the payer has time left, or no other step is possible.
 * - `close`: the engine requests the provider to accept no more money.
 * - `give_up`: the attempt cannot be closed, and its provider declares that no payer pays this late.
 * - `review`: the attempt could not be closed, and may still be paid.
 */
export type Abandonment = "wait" | "close" | "give_up" | "review"

export interface ClosingAbility {
  readonly canCancel: boolean
  /**
   * The age of an attempt, ms, from which on no payer pays, as declared by the provider; `null` if it declares none.
   */
  readonly abandonedAfterMs: number | null
}

/**
 * Determines the step after an inquiry at `now` (ms UTC) that found no money. `grace` is the time to wait after the
 * expiry of the payer's action, ms.
 */
export const abandonment = (
  record: PaymentRecord,
  operation: Operation,
  { abandonedAfterMs, canCancel }: ClosingAbility,
  now: number,
  grace: number
): Abandonment => {
  const { state } = record.payment
  const attempt = record.attempts[operation.attemptSeq - 1]
  if (state.status !== "pending" || state.nextAction === null || state.reason !== "awaiting_customer") return "wait"
  if (attempt?.status !== "pending") return "wait"
  const { expiresAt } = state.nextAction
  // If the clock was set back since the attempt began, the payer's remaining time is unknown. The attempt then counts
  // as over: it would otherwise stay open for as long as the clock had been ahead.
  const isOver = isAhead(attempt.startedAt, now)
  if (expiresAt !== null && now < expiresAt + grace && !isOver) return "wait"
  const closing = record.operations.find((each) => each.attemptSeq === attempt.seq && each.purpose === "expiry")
  if (canCancel && closing === undefined) return expiresAt === null ? "wait" : "close"
  if (closing !== undefined && closing.status !== "declined" && closing.status !== "not_executed") return "wait"
  if (abandonedAfterMs !== null) return isOver || now >= attempt.startedAt + abandonedAfterMs ? "give_up" : "wait"
  return closing === undefined ? "wait" : "review"
}

/** The end of the payer's time plus `grace`, ms UTC, if it is in the future; otherwise `null`. */
export const expiryAhead = ({ payment: { state } }: PaymentRecord, now: number, grace: number): number | null => {
  const expiresAt = state.status === "pending" ? (state.nextAction?.expiresAt ?? null) : null
  return expiresAt !== null && expiresAt + grace > now ? expiresAt + grace : null
}

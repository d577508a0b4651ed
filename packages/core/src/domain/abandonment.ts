/** What is done about a payer who was shown what to do, and has not done it in time. Pure. */
import { isAhead } from "./clockTolerance.ts"
import type { Operation } from "./Operation.ts"
import type { PaymentRecord } from "./Payment.ts"

/**
 * - `wait`: there is time left, or nothing that could be done.
 * - `close`: the provider is asked to take nothing any more.
 * - `give_up`: it cannot be closed, and its provider declares that no payer pays so late.
 * - `review`: it could not be closed, and it is not known whether it is over.
 */
export type Abandonment = "wait" | "close" | "give_up" | "review"

export interface ClosingAbility {
  readonly canCancel: boolean
  /** ms after the attempt began; `null`: the provider names no such time. */
  readonly abandonedAfterMs: number | null
}

/** Asked after an inquiry at `now` (ms UTC) has shown that nothing was paid. `grace`: ms after the expiry. */
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
  // The clock was set back since the attempt began: it is not known how much of the payer's time is left, and what was to
  // take minutes would stay open for as long as the clock had been ahead.
  const isOver = isAhead(attempt.startedAt, now)
  if (expiresAt !== null && now < expiresAt + grace && !isOver) return "wait"
  const closing = record.operations.find((each) => each.attemptSeq === attempt.seq && each.purpose === "expiry")
  if (canCancel && closing === undefined) return expiresAt === null ? "wait" : "close"
  if (closing !== undefined && closing.status !== "declined" && closing.status !== "not_executed") return "wait"
  if (abandonedAfterMs !== null) return isOver || now >= attempt.startedAt + abandonedAfterMs ? "give_up" : "wait"
  return closing === undefined ? "wait" : "review"
}

/** ms UTC; when the payer's time is over, and that has not been looked at yet. */
export const expiryAhead = ({ payment: { state } }: PaymentRecord, now: number, grace: number): number | null => {
  const expiresAt = state.status === "pending" ? (state.nextAction?.expiresAt ?? null) : null
  return expiresAt !== null && expiresAt + grace > now ? expiresAt + grace : null
}

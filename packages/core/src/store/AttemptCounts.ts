/**
 * Counts of first attempts, from which routing learns success rates.
 *
 * They are grouped by their start, not by their end: where successes are quick and failures are late, recently ended attempts
 * misrepresent a provider.
 */
import type { OutcomeStatus } from "../domain/Attempt.ts"
import type { FailureCode } from "../domain/Decline.ts"
import type { Flow, Rail } from "../domain/PaymentMethod.ts"

/** Additional columns to group attempts by. */
export interface AttemptCountBy {
  readonly account: boolean
  readonly rule: boolean
  readonly amount: boolean
  /** Keys of the payments' metadata. */
  readonly metadata: ReadonlyArray<string>
}

/**
 * Which attempts are counted. A day of a busy server is millions: split a long time into ranges, so that no statement takes
 * long.
 */
export interface AttemptCountQuery {
  /** ms UTC, inclusive */
  readonly since: number
  /** ms UTC, exclusive. Absent: up to now. */
  readonly before?: number
  /** ms: attempts are counted by the slot they were started in. */
  readonly slotMs: number
  readonly by: AttemptCountBy
}

/** How many first attempts are alike. A number may be split into several rows, to be summed. */
export interface AttemptCount {
  /** ms UTC; the start of the slot that the attempts were started in. */
  readonly slot: number
  /** From start to end, as `roundedDuration`. `null`: open. */
  readonly durationMs: number | null
  readonly provider: string
  readonly rail: Rail
  /**
   * Of a card: `token` if the payment has a token for any provider. An erased payment has the same flow as before. On SQLite a
   * method that is nested too deep to be read is a card's `hosted` or UPI's `intent`, and its other facts are `null`.
   */
  readonly flow: Flow
  readonly currency: string
  /** The network of a card, or the chain of a stablecoin. */
  readonly network: string | null
  /** Where a card was issued, if the payment has it. */
  readonly country: string | null
  /** Of a card, such as `debit`, if the payment has it. */
  readonly funding: string | null
  /** The BIN of a card or the handle of a UPI id, if the payment has it. The handle of an erased UPI id is `invalid`. */
  readonly issuer: string | null
  /** `null`: not counted by it. */
  readonly account: string | null
  /** The name of the rule that the payment was routed by; `null`: not counted by it. */
  readonly rule: string | null
  /** How many digits the amount in minor units has; `null`: not counted by it. */
  readonly amountDigits: number | null
  /** Of the keys asked for, those that the payment has. Erasure removes them. */
  readonly metadata: { readonly [key: string]: string }
  readonly status: OutcomeStatus
  readonly code: FailureCode | null
  readonly count: number
}

/** ms. The longest time after a moment in which an attempt may end that was open at it. */
export const longestOpen = 86_400_000

/**
 * ms, rounded down: below a minute to the second, below ten minutes to ten seconds, else to the minute. Clocks may differ: an
 * end before the start is 0.
 */
export const roundedDuration = (startedAt: number, endedAt: number): number => {
  const duration = Math.max(0, endedAt - startedAt)
  return duration - (duration % stepOf(duration))
}

const stepOf = (duration: number): number => {
  if (duration < 60_000) return 1_000
  return duration < 600_000 ? 10_000 : 60_000
}

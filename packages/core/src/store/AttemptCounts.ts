/**
 * Counts of first attempts, from which routing learns success rates.
 *
 * Attempts are grouped by their start, not by their end: if successes are fast and failures are late, the attempts that
 * ended recently misrepresent a provider.
 */
import type { OutcomeStatus } from "../domain/Attempt.ts"
import type { FailureCode } from "../domain/Decline.ts"
import type { Flow, Rail } from "../domain/PaymentMethod.ts"

/** The additional columns by which attempts are grouped. */
export interface AttemptCountBy {
  readonly account: boolean
  readonly rule: boolean
  readonly amount: boolean
  /** The metadata keys of payments by which attempts are grouped. */
  readonly metadata: ReadonlyArray<string>
}

/**
 * The attempts to count. A busy server has millions of attempts per day, so split a long period into several queries:
 * no SQL statement should take long.
 */
export interface AttemptCountQuery {
  /** The start of the period, ms UTC, inclusive. */
  readonly since: number
  /** The end of the period, ms UTC, exclusive. Absent: attempts up to now are counted. */
  readonly before?: number
  /** The width of a slot in ms. Attempts are counted by the slot of their start. */
  readonly slotMs: number
  readonly by: AttemptCountBy
}

/**
 * The number of first attempts with the same facts. The number may be split into several rows, whose counts must be
 * added.
 */
export interface AttemptCount {
  /** The beginning of the slot in which the attempts were started, ms UTC. */
  readonly slot: number
  /** The duration from start to end, rounded by `roundedDuration`. `null`: the attempts are open. */
  readonly durationMs: number | null
  readonly provider: string
  readonly rail: Rail
  /**
   * For a card, `token` if the payment has a token for any provider. An erased payment has the same flow as before the
   * erasure. On SQLite, a payment method that is nested too deep to be decoded counts as a card's `hosted` or UPI's
   * `intent`, and its other facts are `null`.
   */
  readonly flow: Flow
  readonly currency: string
  /** The network of a card, or the chain of a stablecoin. */
  readonly network: string | null
  /** The country of a card's issuer, if the payment has it. */
  readonly country: string | null
  /** The funding of a card, such as `debit`, if the payment has it. */
  readonly funding: string | null
  /**
   * The BIN of a card or the handle of a UPI id, if the payment has it. The handle of an erased UPI id is `invalid`.
   */
  readonly issuer: string | null
  /** The account; `null`: not grouped by account. */
  readonly account: string | null
  /** The name of the rule that routed the payment; `null`: not grouped by rule. */
  readonly rule: string | null
  /** The number of digits of the amount in minor units; `null`: not grouped by amount. */
  readonly amountDigits: number | null
  /** The payments' metadata for the keys in the query. Empty for payments whose personal data was erased. */
  readonly metadata: { readonly [key: string]: string }
  readonly status: OutcomeStatus
  readonly code: FailureCode | null
  readonly count: number
}

/** The longest period in ms for which an attempt counts as open. */
export const longestOpen = 86_400_000

/**
 * A duration in ms, rounded down: below a minute to the second, below ten minutes to ten seconds, otherwise to the
 * minute. If the end is before the start, the duration is 0, since clocks may differ.
 */
export const roundedDuration = (startedAt: number, endedAt: number): number => {
  const duration = Math.max(0, endedAt - startedAt)
  return duration - (duration % stepOf(duration))
}

const stepOf = (duration: number): number => {
  if (duration < 60_000) return 1_000
  return duration < 600_000 ? 10_000 : 60_000
}

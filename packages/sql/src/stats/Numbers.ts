/** Computes the statistics of one group from stored sums. Pure. */
import { addEncoded, countOf, percentiles } from "./Buckets.ts"
import type { Buckets } from "./Buckets.ts"
import { amountOf } from "./Deltas.ts"
import type { CountRow } from "./statisticsRows.ts"
import type { CountedObject } from "./StatisticsQuery.ts"

export interface Numbers {
  /** The value of `groupBy` for this group; `null`: the query has no `groupBy`, or the group has no failure code. */
  readonly group: string | null
  readonly count: number
  /** The counts by status. A status with a count of zero is left out. */
  readonly outcomes: { readonly [status: string]: number }
  /**
   * 0 to 1: the share that succeeded of the payments, attempts or refunds that are decided. Authorized payments and attempts
   * succeeded; those that are still open or were canceled are not counted. `null`: nothing is decided, or the query is by outcome
   * or failure code.
   */
  readonly successRate: number | null
  /** The amounts, one entry for each currency. */
  readonly amounts: ReadonlyArray<AmountSums>
  /** The durations of attempts that have ended. `null`: the query is by outcome or failure code, or no attempt has ended. */
  readonly duration: DurationPercentiles | null
}

/** The amounts in one currency, in minor units as decimal digits: a sum may be too large for an exact JSON number. */
export interface AmountSums {
  /** The ISO 4217 currency code. */
  readonly currency: string
  /** The total amount of all counted payments, attempts or refunds. */
  readonly amount: string
  /** The captured total of the payments; for attempts or refunds, the total of those that succeeded. */
  readonly succeeded: string
}

/**
 * The percentiles of the time from an attempt's start to its end, ms, including the payer's time. At most 4.9 % off.
 */
export interface DurationPercentiles {
  readonly count: number
  readonly p50: number
  readonly p95: number
  readonly p99: number
}

export interface GroupSums {
  readonly outcomes: Map<string, number>
  readonly amounts: Map<string, { amount: bigint; succeeded: bigint }>
  readonly buckets: Array<number>
}

export const makeGroup = (): GroupSums => ({ outcomes: new Map(), amounts: new Map(), buckets: [] })

export const addCount = ({ amounts, outcomes }: GroupSums, of: CountedObject, row: CountRow): void => {
  const [, , outcome, currency, count, amountHigh, amountLow, capturedHigh, capturedLow] = row
  outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + Number(count))
  const known = amounts.get(currency) ?? { amount: 0n, succeeded: 0n }
  const amount = amountOf(amountHigh, amountLow)
  known.amount += amount
  if (of === "payments") known.succeeded += amountOf(capturedHigh, capturedLow)
  else if (outcome === "succeeded") known.succeeded += amount
  amounts.set(currency, known)
}

export const addDurations = ({ buckets }: GroupSums, stored: string): void => addEncoded(buckets, stored)

/** Computes the statistics of a group. `isWhole`: the query is neither by outcome nor by failure code. */
export const numbersOf = (
  group: string | null,
  { amounts, buckets, outcomes }: GroupSums,
  isWhole: boolean
): Numbers => ({
  group,
  count: [...outcomes.values()].reduce((sum, count) => sum + count, 0),
  outcomes: Object.fromEntries([...outcomes].toSorted(byKey)),
  successRate: isWhole ? successRate(outcomes) : null,
  amounts: [...amounts].toSorted(byKey).map(([currency, { amount, succeeded }]) => ({
    currency,
    amount: String(amount),
    succeeded: String(succeeded)
  })),
  duration: durationOf(buckets)
})

const successes = ["succeeded", "authorized"]
const failures = ["failed", "declined", "not_executed", "expired"]

const successRate = (outcomes: ReadonlyMap<string, number>): number | null => {
  const countIn = (statuses: ReadonlyArray<string>) =>
    statuses.reduce((sum, status) => sum + (outcomes.get(status) ?? 0), 0)
  const succeeded = countIn(successes)
  const decided = succeeded + countIn(failures)
  return decided === 0 ? null : succeeded / decided
}

const durationOf = (buckets: Buckets): DurationPercentiles | null => {
  const count = countOf(buckets)
  if (count === 0) return null
  const [p50 = 0, p95 = 0, p99 = 0] = percentiles(buckets, [0.5, 0.95, 0.99])
  return { count, p50, p95, p99 }
}

const byKey = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => (a < b ? -1 : 1)

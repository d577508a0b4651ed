/** The period that a page shows, from the address: the last 7, 30 or 90 days of UTC, today included. */
import { useListSearch, valueOf } from "../lists/search.ts"
import type { Step } from "../charts/steps.ts"

export const periods = ["7", "30", "90"] as const
export type Days = (typeof periods)[number]

const hour = 3_600_000
const day = 24 * hour

export interface Period {
  readonly days: Days
  readonly step: Step
  /** ms UTC, inclusive. */
  readonly from: number
  /** ms UTC, exclusive: the end of the current hour. */
  readonly until: number
  /** As long, and ended that many days earlier. */
  readonly before: { readonly from: number; readonly until: number }
}

const periodAt = (days: Days, now: number): Period => {
  const length = Number(days) * day
  const until = Math.ceil((now + 1) / hour) * hour
  // Begins with a whole day, so that the days of a chart add up to the total.
  const from = Math.ceil(until / day) * day - length
  return {
    days,
    step: days === "7" ? "hour" : "day",
    from,
    until,
    before: { from: from - length, until: until - length }
  }
}

export const usePeriod = (standard: Days = "30"): Period => {
  const asked = valueOf(useListSearch(), "period")
  return periodAt(periods.find((days) => days === asked) ?? standard, Date.now())
}

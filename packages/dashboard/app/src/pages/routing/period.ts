/** The period of a backtest, as it is chosen. */

export const periods = { "7": "Last 7 days", "30": "Last 30 days", "90": "Last 90 days", dates: "Dates" } as const
export type Period = keyof typeof periods

export const isPeriod = (text: string): text is Period => Object.hasOwn(periods, text)

const day = 86_400_000

export interface ChosenPeriod {
  readonly period: Period
  /** Days of UTC, such as `2026-10-01`; both included. */
  readonly from: string
  readonly until: string
}

/** ms UTC, or, as a text, what is wrong. Without `until`: to now. */
export const rangeOf = (
  { from, period, until }: ChosenPeriod,
  now: number
): { readonly from: number; readonly until?: number } | string => {
  if (period !== "dates") return { from: now - Number(period) * day }
  const [first, last] = [Date.parse(from), Date.parse(until)]
  if (Number.isNaN(first) || Number.isNaN(last)) return "Choose both dates."
  return first > last ? "The first date must not be after the last." : { from: first, until: last + day }
}

/** Whether a backtest of a world was right, by what is true of it. */
import type { Reading } from "./reading.ts"

/** Rates, 0 to 1. */
export interface TrueRates {
  readonly old: number
  readonly draft: number
}

/**
 * - `close`: the draft changes less than a point, and the backtest expects less than two.
 * - `withheld`: the report gives no number.
 */
type Sign = "right" | "wrong" | "close" | "withheld"

export interface Verdict {
  readonly sign: Sign
  readonly inRange: boolean
  /** In points. Without a number it is the whole 100. */
  readonly width: number
}

/** Of a rate, 0 to 1. */
const POINT = 0.01

export const verdictOf = (truth: TrueRates, { rate, was }: Reading): Verdict => {
  if (rate === null) return { sign: "withheld", inRange: false, width: 100 }
  return {
    sign: signOf(truth.draft - truth.old, rate.estimate - was),
    inRange: rate.low <= truth.draft && truth.draft <= rate.high,
    width: (rate.high - rate.low) / POINT
  }
}

const signOf = (real: number, reported: number): Sign => {
  if (Math.abs(real) < POINT) return Math.abs(reported) < 2 * POINT ? "close" : "wrong"
  return Math.sign(real) === Math.sign(reported) ? "right" : "wrong"
}

export interface Summary {
  readonly rightSigns: number
  readonly inRange: number
  /** In points. */
  readonly medianWidth: number
}

export const summaryOf = (verdicts: ReadonlyArray<Verdict>): Summary => {
  const widths = verdicts.map(({ width }) => width).toSorted((a, b) => a - b)
  const middle = Math.floor(widths.length / 2)
  const upper = widths[middle] ?? 0
  return {
    rightSigns: verdicts.filter(({ sign }) => sign === "right" || sign === "close").length,
    inRange: verdicts.filter(({ inRange }) => inRange).length,
    medianWidth: widths.length % 2 === 1 ? upper : ((widths[middle - 1] ?? 0) + upper) / 2
  }
}

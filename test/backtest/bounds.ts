/** Which of the bounds a backtest has to meet it does not, over the planted worlds. */
import type { Measured } from "./measure.ts"
import { summaryOf } from "./verdicts.ts"

export interface Bounds {
  readonly rightSigns: number
  readonly inRange: number
  /** Points, at most. */
  readonly medianWidth: number
}

/** Of the twenty worlds. */
export const bounds: Bounds = { rightSigns: 19, inRange: 17, medianWidth: 12 }

/** Worlds in which each provider had every kind of payment. */
export const missedBounds = (
  measured: ReadonlyArray<Measured>,
  { inRange, medianWidth, rightSigns }: Bounds
): ReadonlyArray<string> => {
  const found = summaryOf(measured.map(({ verdict }) => verdict))
  const named = (isNamed: (one: Measured) => boolean) =>
    measured
      .filter(isNamed)
      .map(({ world }) => world.name)
      .join("; ")
  return [
    ...(found.rightSigns < rightSigns
      ? [
          `The sign is right in ${found.rightSigns}, not in: ${named(({ verdict }) => verdict.sign !== "right" && verdict.sign !== "close")}`
        ]
      : []),
    ...(found.inRange < inRange
      ? [`The truth is in the range in ${found.inRange}, not in: ${named(({ verdict }) => !verdict.inRange)}`]
      : []),
    ...(found.medianWidth > medianWidth
      ? [`The ranges are ${found.medianWidth.toFixed(1)} points wide in the median`]
      : [])
  ]
}

/** Worlds in which a provider never had some of the payments: the report has to say so in all. */
export const notSaid = (measured: ReadonlyArray<Measured>): ReadonlyArray<string> =>
  measured.filter(({ reading }) => !reading.neverHad).map(({ world }) => world.name)

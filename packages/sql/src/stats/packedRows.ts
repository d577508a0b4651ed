/**
 * Reads stored sums that PostgreSQL has packed: the numbers of many hours or days in one text. Pure.
 *
 * A time is packed as the number of its hour or day.
 */
import { stepMs } from "./Deltas.ts"
import type { Step } from "./Deltas.ts"
import type { CountRow, DurationRow } from "./statisticsRows.ts"

/**
 * A packed group of counts. `numbers`: the number of the hour or day and five sums, repeatedly, separated by commas.
 */
export type PackedCounts = readonly [grouped: string | null, outcome: string, currency: string, numbers: string]

/**
 * A packed group of durations. `steps`: the number of the hour or day and its buckets as JSON, `496712[3,1]`,
 * repeatedly.
 */
export type PackedDurations = readonly [grouped: string | null, steps: string]

export const unpackCounts = (packed: ReadonlyArray<PackedCounts>, step: Step): ReadonlyArray<CountRow> => {
  const rows: Array<CountRow> = []
  for (const [grouped, outcome, currency, text] of packed) {
    // Boundary: integers that PostgreSQL wrote. `JSON.parse` reads them in a third of the time of `split`.
    const numbers = JSON.parse(`[${text}]`) as ReadonlyArray<number>
    const at = (index: number): number => numbers[index] ?? 0
    for (let n = 0; n < numbers.length; n += 6) {
      const start = at(n) * stepMs[step]
      rows.push([start, grouped, outcome, currency, at(n + 1), at(n + 2), at(n + 3), at(n + 4), at(n + 5)])
    }
  }
  return rows
}

export const unpackDurations = (packed: ReadonlyArray<PackedDurations>, step: Step): ReadonlyArray<DurationRow> =>
  packed.flatMap(([grouped, steps]) =>
    Array.from(steps.matchAll(/(-?\d+)(\[[^\]]*\])/g), ([, at, buckets = ""]): DurationRow => [
      Number(at) * stepMs[step],
      grouped,
      buckets
    ])
  )

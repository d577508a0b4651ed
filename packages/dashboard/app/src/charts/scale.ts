/** The value axis of charts. */

/**
 * Round values from 0 to at least `highest`, in about three steps: 1, 2 or 5 times a power of ten apart, and never closer
 * than `closest`, such as 1 for what is counted.
 */
export const ticksTo = (highest: number, closest = 0): ReadonlyArray<number> => {
  if (!(highest > 0)) return [0, 1]
  const rough = highest / 3
  const power = 10 ** Math.floor(Math.log10(rough))
  const apart = Math.max(closest, ([1, 2, 5].find((factor) => factor * power >= rough) ?? 10) * power)
  return Array.from({ length: Math.ceil(highest / apart - 1e-9) + 1 }, (_, index) => index * apart)
}

/** Runs of neighboring values: a `null` ends one, so that a line has a gap there. */
export const runsOf = (values: ReadonlyArray<number | null>): ReadonlyArray<ReadonlyArray<Point>> => {
  const runs: Array<Array<Point>> = []
  let isOpen = false
  for (const [index, value] of values.entries()) {
    if (value === null) {
      isOpen = false
      continue
    }
    const run = isOpen ? runs.at(-1) : undefined
    if (run === undefined) runs.push([{ index, value }])
    else run.push({ index, value })
    isOpen = true
  }
  return runs
}

interface Point {
  readonly index: number
  readonly value: number
}

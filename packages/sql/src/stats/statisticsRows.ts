import type { IntegerSum } from "./Deltas.ts"

/** Rows of the statistics as arrays: node:sqlite returns arrays in half the time of objects. */
export type CountRow = readonly [
  start: number | string,
  grouped: string | null,
  outcome: string,
  currency: string,
  count: IntegerSum,
  amountHigh: IntegerSum,
  amountLow: IntegerSum,
  capturedHigh: IntegerSum,
  capturedLow: IntegerSum
]

export type DurationRow = readonly [start: number | string, grouped: string | null, buckets: string]

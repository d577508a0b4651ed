import type { IntegerSum } from "./Deltas.ts"

/** Rows are arrays: those of node:sqlite are made and read in half the time of its objects. */
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

/** The changes that a few events make to the sums: one entry for each row to be written, per hour and per UTC day. */
import { addBuckets, addToBucket, bucketOf } from "./Buckets.ts"
import type { Fact, FactKind } from "./facts.ts"

export const steps = ["hour", "day"] as const
export type Step = (typeof steps)[number]

export const stepMs: { readonly [step in Step]: number } = { hour: 3_600_000, day: 86_400_000 }

export const startOf = (time: number, step: Step): number => Math.floor(time / stepMs[step]) * stepMs[step]

interface Place {
  readonly account: string
  readonly livemode: boolean
  readonly step: Step
  /** ms UTC */
  readonly start: number
  readonly provider: string
  readonly method: string
  readonly currency: string
}

interface CountRow extends Place {
  readonly fact: FactKind
  readonly outcome: string
  readonly code: string
}

/** A row of counts, with the numbers to be added to it. */
export interface CountDelta extends CountRow {
  count: number
  amountHigh: number
  amountLow: number
  capturedHigh: number
  capturedLow: number
}

export interface DurationDelta extends Place {
  readonly buckets: Array<number>
}

export interface Deltas {
  readonly counts: ReadonlyArray<CountDelta>
  readonly durations: ReadonlyArray<DurationDelta>
}

/** A part of an amount: all sums of parts stay far below 2^53. */
export const part = 2 ** 32

export interface DeltaSums {
  /** `sign`: 1 adds the facts, -1 removes them. */
  readonly add: (account: string, livemode: boolean, facts: ReadonlyArray<Fact>, sign: 1 | -1) => void
  /** The most rows that the deltas can have, if each hour is of a day of its own. */
  readonly rows: () => number
  /** The deltas, without those that add up to zero. */
  readonly deltas: () => Deltas
}

/** `keptFrom` (ms UTC, the start of a day): facts from before it are not counted any more. */
export const makeDeltaSums = (keptFrom: number): DeltaSums => {
  const hours: Sums = { counts: new Map(), durations: new Map() }
  return {
    add: (account, livemode, facts, sign) => {
      for (const fact of facts) {
        if (fact.at >= keptFrom) addFact(hours, account, livemode, fact, sign)
      }
    },
    rows: () => 2 * (hours.counts.size + hours.durations.size),
    deltas: () => {
      const days = daysOf(hours)
      return {
        counts: [hours, days].flatMap(({ counts }) => [...counts.values()].filter(changesSomething)),
        durations: [hours, days].flatMap(({ durations }) => [...durations.values()].filter(changesBuckets))
      }
    }
  }
}

interface Sums {
  readonly counts: Map<string, CountDelta>
  readonly durations: Map<string, DurationDelta>
}

const addFact = (sums: Sums, account: string, livemode: boolean, fact: Fact, sign: 1 | -1): void => {
  const { currency, method, provider } = fact
  const place = {
    account,
    livemode,
    step: "hour",
    start: startOf(fact.at, "hour"),
    provider,
    method,
    currency
  } as const
  const key = keyOf(place)
  const count = countAt(sums, key, { ...place, fact: fact.kind, outcome: fact.outcome, code: fact.code })
  count.count += sign
  count.amountHigh += sign * Math.floor(fact.amount / part)
  count.amountLow += sign * (fact.amount % part)
  count.capturedHigh += sign * Math.floor(fact.captured / part)
  count.capturedLow += sign * (fact.captured % part)
  if (fact.duration === null) return
  const { buckets } = durationAt(sums, key, place)
  addToBucket(buckets, bucketOf(fact.duration), sign)
}

const daysOf = (hours: Sums): Sums => {
  const days: Sums = { counts: new Map(), durations: new Map() }
  for (const hour of hours.counts.values()) {
    const place = { ...hour, step: "day", start: startOf(hour.start, "day") } as const
    const day = countAt(days, keyOf(place), place)
    day.count += hour.count
    day.amountHigh += hour.amountHigh
    day.amountLow += hour.amountLow
    day.capturedHigh += hour.capturedHigh
    day.capturedLow += hour.capturedLow
  }
  for (const hour of hours.durations.values()) {
    const place = { ...hour, step: "day", start: startOf(hour.start, "day") } as const
    addBuckets(durationAt(days, keyOf(place), place).buckets, hour.buckets)
  }
  return days
}

const countAt = ({ counts }: Sums, place: string, row: CountRow): CountDelta => {
  const key = `${place}\n${row.fact}\n${row.outcome}\n${row.code}`
  const known = counts.get(key)
  if (known !== undefined) return known
  const empty = { ...row, count: 0, amountHigh: 0, amountLow: 0, capturedHigh: 0, capturedLow: 0 }
  counts.set(key, empty)
  return empty
}

const durationAt = ({ durations }: Sums, key: string, place: Place): DurationDelta => {
  const known = durations.get(key)
  if (known !== undefined) return known
  const empty = { ...place, buckets: [] }
  durations.set(key, empty)
  return empty
}

const keyOf = ({ account, currency, livemode, method, provider, start, step }: Place): string =>
  `${account}\n${livemode}\n${step}\n${start}\n${provider}\n${method}\n${currency}`

const changesBuckets = ({ buckets }: DurationDelta): boolean => buckets.some((count) => count !== 0)

const changesSomething = ({ amountHigh, amountLow, capturedHigh, capturedLow, count }: CountDelta): boolean =>
  count !== 0 || amountHigh !== 0 || amountLow !== 0 || capturedHigh !== 0 || capturedLow !== 0

/** The whole amount from its parts, each of which may be a sum of many parts. */
export const amountOf = (high: IntegerSum, low: IntegerSum): bigint =>
  Number(high) === 0 ? BigInt(low) : BigInt(high) * BigInt(part) + BigInt(low)

/** Digits, where the sum may not fit into a number. */
export type IntegerSum = number | string

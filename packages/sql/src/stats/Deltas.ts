/**
 * Collects the changes that a page of events makes to the stored sums. Each entry is the change of one row, which holds
 * the sums of an hour or a UTC day.
 */
import { addToBucket, bucketOf } from "./Buckets.ts"
import type { Fact, FactKind } from "./facts.ts"

export const steps = ["hour", "day"] as const
export type Step = (typeof steps)[number]

export const stepMs: { readonly [step in Step]: number } = { hour: 3_600_000, day: 86_400_000 }

export const startOf = (time: number, step: Step): number => Math.floor(time / stepMs[step]) * stepMs[step]

interface Place {
  readonly account: string
  readonly livemode: boolean
  readonly step: Step
  /** The start of the hour or day, ms UTC. */
  readonly start: number
  readonly provider: string
  readonly method: string
  readonly currency: string
}

/** The numbers to add to a row: the count, and the sums of the high and low parts of amounts and captured amounts. */
type Sums = [count: number, amountHigh: number, amountLow: number, capturedHigh: number, capturedLow: number]

/** The change of one row of counts. */
export interface CountDelta extends Place {
  readonly fact: FactKind
  readonly outcome: string
  readonly code: string
  readonly sums: Sums
}

export interface DurationDelta extends Place {
  readonly buckets: Array<number>
}

export interface Deltas {
  readonly counts: ReadonlyArray<CountDelta>
  readonly durations: ReadonlyArray<DurationDelta>
}

/** The divisor that splits an amount into a high and a low part, so that all sums of parts stay far below 2^53. */
export const part = 2 ** 32

export interface DeltaSums {
  /** Adds the facts to the sums if `sign` is 1, or removes them if it is -1. */
  readonly add: (account: string, livemode: boolean, facts: ReadonlyArray<Fact>, sign: 1 | -1) => void
  /** The number of changed rows so far. */
  readonly rows: () => number
  /** The changes, without those that add up to zero. */
  readonly deltas: () => Deltas
}

/** Creates an empty collector. Facts from before `keptFrom` (ms UTC, the start of a day) are not counted any more. */
export const makeDeltaSums = (keptFrom: number): DeltaSums => {
  const counts = new Map<string, CountDelta>()
  const durations = new Map<string, DurationDelta>()
  const addFact = (tenant: Pick<Place, "account" | "livemode">, fact: Fact, step: Step, sign: 1 | -1) => {
    const { amount, captured, code, currency, duration, kind, method, outcome, provider } = fact
    const place = { ...tenant, step, start: startOf(fact.at, step), provider, method, currency }
    const key = Object.values(place).join("\n")
    const { sums } = getOrMake(counts, [key, kind, outcome, code].join("\n"), () => ({
      ...place,
      fact: kind,
      outcome,
      code,
      sums: [0, 0, 0, 0, 0]
    }))
    const added = [1, Math.floor(amount / part), amount % part, Math.floor(captured / part), captured % part]
    for (const [place, number] of added.entries()) addToBucket(sums, place, sign * number)
    if (duration === null) return
    const { buckets } = getOrMake(durations, key, () => ({ ...place, buckets: [] }))
    addToBucket(buckets, bucketOf(duration), sign)
  }
  return {
    add: (account, livemode, facts, sign) => {
      for (const fact of facts) {
        if (fact.at >= keptFrom) for (const step of steps) addFact({ account, livemode }, fact, step, sign)
      }
    },
    rows: () => counts.size + durations.size,
    deltas: () => ({
      counts: [...counts.values()].filter(({ sums }) => sums.some(isChange)),
      durations: [...durations.values()].filter(({ buckets }) => buckets.some(isChange))
    })
  }
}

const isChange = (number: number): boolean => number !== 0

export const getOrMake = <K, V>(map: Map<K, V>, key: K, make: () => V): V => {
  const known = map.get(key)
  if (known !== undefined) return known
  const made = make()
  map.set(key, made)
  return made
}

/** Computes an amount from its high and low parts, each of which may be a sum of many parts. */
export const amountOf = (high: IntegerSum, low: IntegerSum): bigint =>
  Number(high) === 0 ? BigInt(low) : BigInt(high) * BigInt(part) + BigInt(low)

/** A sum: a number, or a text of decimal digits if it may not fit into a number. */
export type IntegerSum = number | string

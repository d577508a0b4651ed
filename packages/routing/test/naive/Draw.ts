/** Draws from a seeded source, so that a case is its seed: made by fast-check, repeated by fast-check. */
import { avalanche } from "../../src/choose/stickyHash.ts"

export interface Draw {
  /** Both ends included. */
  readonly int: (from: number, to: number) => number
  readonly chance: (probability: number) => boolean
  readonly one: <A>(from: ReadonlyArray<A>) => A
  /** Each with this probability, in an order of their own. */
  readonly some: <A>(from: ReadonlyArray<A>, probability: number) => ReadonlyArray<A>
  /** As `some`, and at least one. */
  readonly few: <A>(from: ReadonlyArray<A>, probability: number) => ReadonlyArray<A>
}

/** Of one seed of fast-check: its own draws are made to be shrunk, and take ten times as long. */
export const drawFrom = (seed: number): Draw => {
  let state = seed
  /** Weyl sequence, mixed: even enough for what is drawn here. */
  const next = (): number => {
    state = (state + 0x9e37_79b9) | 0
    return avalanche(state) / 0x1_0000_0000
  }
  const int = (from: number, to: number): number => from + Math.floor(next() * (to - from + 1))
  const chance = (probability: number): boolean => next() < probability
  const one = <A>(from: ReadonlyArray<A>): A => {
    const drawn = from[int(0, from.length - 1)]
    if (drawn === undefined) throw new Error("Nothing to draw from")
    return drawn
  }
  const shuffled = <A>(from: ReadonlyArray<A>): ReadonlyArray<A> => {
    const left = [...from]
    const drawn: Array<A> = []
    while (left.length > 0) drawn.push(...left.splice(int(0, left.length - 1), 1))
    return drawn
  }
  const some = <A>(from: ReadonlyArray<A>, probability: number): ReadonlyArray<A> =>
    shuffled(from.filter(() => chance(probability)))
  const few = <A>(from: ReadonlyArray<A>, probability: number): ReadonlyArray<A> => {
    const drawn = some(from, probability)
    return drawn.length > 0 ? drawn : [one(from)]
  }
  return { int, chance, one, some, few }
}

/**
 * All the chance of a simulation, from one seed. Every part draws from a stream with a name of its own, so that leaving
 * one payment out changes no other: that is what makes a failing run shrink.
 */
import { Ids } from "@paymux/core"
import { makeIds } from "@paymux/core/engine"
import { Clock, Effect, Layer } from "effect"
import type { Random } from "effect"

export interface SeededRandom {
  /** 0 ≤ x < 1 */
  readonly next: () => number
  /** A whole number from `least` to `most`, both included. */
  readonly between: (least: number, most: number) => number
  /** `true` in so many of a hundred cases. */
  readonly chance: (percent: number) => boolean
  readonly pick: <A>(from: readonly [A, ...ReadonlyArray<A>]) => A
  /** One of the values, by their weights. */
  readonly weighted: <A>(from: readonly [Weighted<A>, ...ReadonlyArray<Weighted<A>>]) => A
  /** One to `most` of them. */
  readonly several: <A>(most: number, draw: (index: number) => A) => ReadonlyArray<A>
}

export type Weighted<A> = readonly [weight: number, value: A]

export const stream = (seed: number, ...name: ReadonlyArray<string | number>): SeededRandom => {
  const next = generator(hash(`${seed}/${name.join("/")}`))
  const between = (least: number, most: number) => least + Math.floor(next() * (most - least + 1))
  return {
    next,
    between,
    chance: (percent) => next() * 100 < percent,
    pick: (from) => from[between(0, from.length - 1)] ?? from[0],
    weighted: (from) => {
      let left = next() * from.reduce((sum, [weight]) => sum + weight, 0)
      for (const [weight, value] of from) {
        left -= weight
        if (left < 0) return value
      }
      return from[0][1]
    },
    several: (most, draw) => Array.from({ length: between(1, most) }, (_, index) => draw(index))
  }
}

/** Effect's own `Random`, for what the engine draws. */
export const effectRandom = ({ next }: SeededRandom): Random.Random => ({
  nextIntUnsafe: () => Math.floor((next() - 0.5) * 2 * Number.MAX_SAFE_INTEGER),
  nextDoubleUnsafe: next
})

/** `now`: ms UTC */
export const ids = ({ between }: SeededRandom, now: () => number): Ids["Service"] =>
  makeIds((length) => Uint8Array.from({ length }, () => between(0, 255)), now)

/** On the clock of where the layer is built. */
export const idsLayer = (random: SeededRandom): Layer.Layer<Ids> =>
  Layer.effect(
    Ids,
    Effect.map(Clock.Clock, (clock) => ids(random, () => clock.currentTimeMillisUnsafe()))
  )

/** FNV-1a over UTF-16 units, then mixed: near names must not give near streams. */
const hash = (text: string): number => {
  let value = 0x811c9dc5
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193)
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35)
  return (value ^ (value >>> 16)) >>> 0
}

/** Mulberry32: small, fast, and good enough to choose faults by. */
const generator = (seed: number) => {
  let state = seed
  return (): number => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

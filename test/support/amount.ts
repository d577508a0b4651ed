/**
 * How much of its input a test tries. `pnpm test` tries a part. CI tries a slice of the whole in addition, which rotates with the
 * commits, and at each commit half of the files in `test/long`. `pnpm test:full` tries the whole.
 */
import { expect, inject } from "vitest"
import { isTurn } from "./turns.ts"
import type { Slice } from "./turns.ts"

declare module "vitest" {
  export interface ProvidedContext {
    /** Set by the configurations of Vitest. */
    readonly input: "part" | "all" | Slice
  }
}

/** The part or the whole, whichever this run tries. Called while the file is loaded, or in a test. */
export const amount = <A>(tried: { readonly part: A; readonly all: A }): A => {
  const input = inject("input")
  const isWhole = typeof input === "object" ? input.whole.includes(expect.getState().testPath ?? "") : input === "all"
  return isWhole ? tried.all : tried.part
}

/** Of stretches of the same size, such as seeds: the first one. In CI the one whose turn it is, and in `pnpm test:full` all. */
export const inTurn = <A>(all: ReadonlyArray<A>): ReadonlyArray<A> => {
  const input = inject("input")
  if (input === "all") return all
  const place = typeof input === "object" ? input.turn % all.length : 0
  return all.slice(place, place + 1)
}

/** For tests that take minutes: the items of the whole whose turn it is, one of `count`. In `pnpm test:full`, all of them. */
export const slice = <A>(whole: ReadonlyArray<A>, count: number): ReadonlyArray<A> => {
  const input = inject("input")
  return typeof input === "object" ? whole.filter((_, index) => isTurn(index, count, input.longTurn)) : whole
}

/** For `skipIf`: whether a test that cannot be divided waits for another commit. It runs at the `place`th of `count` turns of its file. */
export const isLater = (place: number, count: number): boolean => {
  const input = inject("input")
  return typeof input === "object" && !isTurn(place, count, input.longTurn)
}

/** Whether all slices are tried: what holds of the whole alone is checked then. */
export const isWhole = (): boolean => inject("input") === "all"

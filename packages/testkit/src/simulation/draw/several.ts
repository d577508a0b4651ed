import type { SeededRandom } from "../SeededRandom.ts"

/** One to `most` of them. */
export const several = <A>(random: SeededRandom, most: number, draw: (index: number) => A): ReadonlyArray<A> =>
  Array.from({ length: random.between(1, most) }, (_, index) => draw(index))

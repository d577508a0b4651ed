/** Draws places to mutate. */
import { createHash } from "node:crypto"
import type { Place } from "./places.ts"

/**
 * Twice as many places as mutants are asked for, or all: some have no mutant that can be run. Their order is the order of
 * the draw, so a smaller draw is the beginning of a larger one.
 *
 * A place ranks by its package, the name of its function, and its number there. Neither its file nor its line counts, so
 * code that moves within its package stays drawn, and a change in one function leaves the draw of the others as it was.
 * Functions of one name rank alike, and by their text among each other.
 */
export const drawnPlaces = (
  packageName: string,
  places: ReadonlyArray<Place>,
  seed: number,
  mutants: number
): ReadonlyArray<Place> =>
  places
    .map((place) => ({ place, rank: digest(`${seed} ${packageName} ${place.name} ${place.index}`) }))
    .toSorted((a, b) => compare(a.rank, b.rank) || compare(a.place.text, b.place.text))
    .slice(0, 2 * mutants)
    .map(({ place }) => place)

/** The places of mutants whose ids begin so (see `mutantId`). */
export const placesOfIds = (places: ReadonlyArray<Place>, only: ReadonlyArray<string>): ReadonlyArray<Place> =>
  places.filter(({ location: { start }, path }) => {
    const id = `${path}:${start.line}:${start.column} `
    return only.some((begin) => id.startsWith(begin) || begin.startsWith(id))
  })

/** Of several mutants of one place, the drawn one. */
export const oneOf = <A>(
  mutants: ReadonlyArray<A>,
  { index, name }: Pick<Place, "name" | "index">,
  seed: number,
  keyOf: (mutant: A) => string
): A | undefined =>
  mutants
    .map((mutant) => ({ mutant, rank: digest(`${seed} ${name} ${index} ${keyOf(mutant)}`) }))
    .toSorted((a, b) => compare(a.rank, b.rank))[0]?.mutant

const digest = (text: string): string => createHash("sha256").update(text).digest("hex")

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

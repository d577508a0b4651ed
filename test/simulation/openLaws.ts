/** Laws that the engine as it stands breaks, by fault profile. Each is an expected failure. */
import type { LawName } from "@paymux/testkit/simulation"

/** Where vendors keep their promises. */
export const openInHonest: ReadonlyArray<LawName> = []

export const openInEverything: ReadonlyArray<LawName> = [...openInHonest]

/** Too rare for the few seeds of every change. */
export const openInManySeeds: ReadonlyArray<LawName> = [...openInEverything]

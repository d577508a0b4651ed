/** Expectations that the engine as it stands breaks, by fault profile. Each is an expected failure. */
import type { ExpectationName } from "@paymux/test-suites/simulation"

/** Where vendors keep their promises. */
export const openInHonest: ReadonlyArray<ExpectationName> = []

export const openInEverything: ReadonlyArray<ExpectationName> = [...openInHonest]

/** Too rare for the few seeds of every change. */
export const openInManySeeds: ReadonlyArray<ExpectationName> = [...openInEverything]

/** Laws that the engine as it stands breaks, by fault profile. Each is an expected failure. */
import type { LawName } from "@paymux/testkit/simulation"

/** Where vendors keep their promises. */
export const openInHonest: ReadonlyArray<LawName> = []

export const openInEverything: ReadonlyArray<LawName> = [...openInHonest]

/**
 * Too rare for the few seeds of every change. Seed 13: a vendor ignores the key and holds twice; the reply that names the
 * second hold comes from a server that had stalled, after another server has concluded, and the vendor reports that hold
 * by its own reference alone.
 */
export const openInManySeeds: ReadonlyArray<LawName> = [...openInEverything, "holdsAreReleased"]

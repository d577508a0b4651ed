/**
 * Laws that the engine as it stands breaks, by fault profile: the ends that `docs/reliability.md` lists. Each is an expected
 * failure until the change that mends it.
 */
import type { LawName } from "@paymux/testkit/simulation"

/** Where vendors keep their promises. */
export const openInHonest: ReadonlyArray<LawName> = ["reviewsNameTheCharge"]

export const openInEverything: ReadonlyArray<LawName> = [
  ...openInHonest,
  "capturesAreShown",
  "capturesAreAsAsked",
  "shownAmountsAreReal",
  "failuresAreReal",
  "holdsAreReleased"
]

/** Too rare for the few seeds of every change. */
export const openInManySeeds: ReadonlyArray<LawName> = [...openInEverything, "everythingEnds", "statusesAreBacked"]

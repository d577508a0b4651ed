import type { Candidate, FilteredProvider } from "@paymux/core/routing"
import type { Facts } from "../Facts.ts"

/**
 * A provider of a rule, with the data that decisions need: its capability filter, its plan entry and a hash of its
 * name.
 */
export interface Contender extends FilteredProvider<Facts> {
  /** The provider's entry in a routing plan that keeps the order of the rule's list, prepared once. */
  readonly inOrder: Candidate
  /** A hash of the provider's name. It makes the random draws of the providers independent of each other. */
  readonly salt: number
}

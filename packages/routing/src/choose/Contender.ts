import type { Candidate, FilteredProvider } from "@paymux/core/routing"
import type { Facts } from "../Facts.ts"

/** A provider in a rule. */
export interface Contender extends FilteredProvider<Facts> {
  /** The provider's candidate in a plan that has the order of the rule's list. */
  readonly inOrder: Candidate
  /** A hash of the provider's name, for the draws of the provider. */
  readonly salt: number
}

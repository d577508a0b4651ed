import type { Candidate, FilteredProvider } from "@paymux/core/routing"
import type { Facts } from "../Facts.ts"

/** A provider in a rule. */
export interface Contender extends FilteredProvider<Facts> {
  /** Its candidate in a plan that has the order of the list. */
  readonly inOrder: Candidate
  /** A hash of its name, for its draws. */
  readonly salt: number
}

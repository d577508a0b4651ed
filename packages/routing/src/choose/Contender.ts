import type { Candidate, FilteredProvider } from "@paymux/core/routing"

/** A provider in a rule. */
export interface Contender extends FilteredProvider {
  /** What it is in a plan where its place is the listed one. */
  readonly inOrder: Candidate
}

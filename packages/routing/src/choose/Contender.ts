import type { Candidate, FilteredProvider } from "@paymux/core/routing"
import type { Facts } from "../Facts.ts"

/** A provider in a rule. */
export interface Contender extends FilteredProvider<Facts> {
  /** What it is in a plan where its place is the listed one. */
  readonly inOrder: Candidate
  /** A hash of its name: what is drawn for it. */
  readonly salt: number
}

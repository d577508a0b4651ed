import type { CapabilityFilter } from "../capabilityFilter.ts"
import type { Candidate } from "../Plan.ts"

/** A provider in a rule. */
export interface Contender {
  readonly provider: string
  readonly filter: CapabilityFilter
  /** What it is in a plan where its place is the listed one. */
  readonly inOrder: Candidate
}

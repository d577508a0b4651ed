/** What an experiment reports. Shares and differences are fractions: 0.021 is 2.1 points. Times are ms UTC. */
import type { Counted, Difference } from "./confidenceSequence.ts"

export interface ExperimentReport {
  readonly experiment: string
  /** Of the first and the last payment that is counted; `null`: no payment is. */
  readonly period: { readonly from: number; readonly to: number } | null
  /** Assigned by the shares that are the latest. */
  readonly payments: number
  /** Assigned by other shares, or among other providers: to count them too would mix two experiments. */
  readonly underOtherShares: number
  /** `null`: the one that was asked for is no arm. */
  readonly control: string | null
  /** The largest share first. */
  readonly arms: ReadonlyArray<ExperimentArm>
  /** Of every other arm with a share, against the control. */
  readonly effects: ReadonlyArray<ExperimentEffect>
}

/** Of the payments assigned to an arm, whichever provider took them. `ended`: paid or failed. */
export interface ExperimentArm extends Counted {
  /** The provider. */
  readonly arm: string
  /** As the rules have it, 0 to 1. */
  readonly share: number
  readonly payments: number
  /** Their outcome is not known yet. */
  readonly open: number
  /** Canceled before they were paid: they say nothing about a provider. */
  readonly canceled: number
  /** Of their first attempts, without what failover saved. */
  readonly first: Counted
}

/**
 * `better` and `worse` are wrong for any arm in at most 5 of 100 experiments, however often one looks. `undecided`: not known yet.
 * `too_few`: an arm has fewer payments that ended than are `needed`.
 */
export type ExperimentEffect =
  | ({ readonly arm: string; readonly verdict: "better" | "worse" | "undecided" } & Difference)
  | { readonly arm: string; readonly verdict: "too_few"; readonly needed: number }

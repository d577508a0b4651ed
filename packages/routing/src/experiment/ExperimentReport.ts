/** What an experiment reports. Shares and differences are fractions: 0.021 is 2.1 points. Times are ms UTC. */
import type { Counted, Difference } from "./confidenceSequence.ts"

export interface ExperimentReport {
  readonly experiment: string
  /** Of the first and the last payment under the latest shares; `null`: no payment is part of the experiment. */
  readonly period: { readonly from: number; readonly to: number } | null
  /** `null`: the one that was asked for is no arm. */
  readonly control: string | null
  /** The largest share first. */
  readonly arms: ReadonlyArray<ExperimentArm>
  /** Of every other arm with a share, against the control. */
  readonly effects: ReadonlyArray<ExperimentEffect>
  /** Payments that were assigned under other shares, or among other providers: they are not compared. */
  readonly otherSplits: ReadonlyArray<{
    /** Percent by provider. */
    readonly split: { readonly [provider: string]: number }
    readonly payments: number
  }>
}

/** Of the payments assigned to an arm, whichever provider took them. `paid`: of those compared, succeeded or authorized now. */
export interface ExperimentArm extends Counted {
  /** The provider. */
  readonly arm: string
  /** As the rules have it, 0 to 1. */
  readonly share: number
  /** Those compared, recent and repeated. */
  readonly payments: number
  /** Paid by their first attempt, without what failover saved. */
  readonly firstPaid: number
  /** Too young to be compared. */
  readonly recent: number
  /** After the first payment of the same payer. */
  readonly repeated: number
}

/**
 * At most 5 of 100 experiments report `better` or `worse` where no difference exists, however often one looks. `undecided`: not
 * known yet. `too_few`: an arm has too few payments, too few that were paid, or too few that were not.
 */
export type ExperimentEffect =
  | ({ readonly arm: string; readonly result: "better" | "worse" | "undecided" } & Difference)
  | { readonly arm: string; readonly result: "too_few" }

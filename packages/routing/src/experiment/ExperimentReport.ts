/** The report of an experiment. Shares and differences are fractions: 0.021 is 2.1 points. Times are ms UTC. */
import type { Counted, Difference } from "./confidenceSequence.ts"

export interface ExperimentReport {
  readonly experiment: string
  /** The times of the first and the last payment with the latest shares; `null`: the experiment has no payments. */
  readonly period: { readonly from: number; readonly to: number } | null
  /** The arm that the others are compared with; `null`: the requested control is no arm. */
  readonly control: string | null
  /** The largest share first. */
  readonly arms: ReadonlyArray<ExperimentArm>
  /** The difference of every other arm with a share from the control. */
  readonly effects: ReadonlyArray<ExperimentEffect>
  /** Payments that were assigned with other shares or providers, which are not compared. */
  readonly otherSplits: ReadonlyArray<{
    /** Percent by provider. */
    readonly split: { readonly [provider: string]: number }
    readonly payments: number
  }>
}

/** The payments assigned to an arm. `paid`: the compared ones that have succeeded or are authorized, at any provider. */
export interface ExperimentArm extends Counted {
  /** The provider. */
  readonly arm: string
  /** The share in the rules, 0 to 1. */
  readonly share: number
  /** The number of compared, recent and repeated payments. */
  readonly payments: number
  /** Paid by the first attempt, without failover. */
  readonly firstPaid: number
  /** Too recent to be compared. */
  readonly recent: number
  /** Not the first payment of its payer. */
  readonly repeated: number
}

/**
 * The result for an arm. At most 5 of 100 experiments report `better` or `worse` without a difference, even if the report is read
 * every day. `undecided`: not known yet. `too_few`: an arm has too few payments, or too few paid or unpaid ones.
 */
export type ExperimentEffect =
  | ({ readonly arm: string; readonly result: "better" | "worse" | "undecided" } & Difference)
  | { readonly arm: string; readonly result: "too_few" }

/** The report of an experiment. Shares and differences are fractions: 0.021 is 2.1 points. Times are ms UTC. */
import type { Counted, Difference } from "./confidenceSequence.ts"

export interface ExperimentReport {
  readonly experiment: string
  /**
   * The creation times of the first and the last payment that were assigned with the current shares; `null` if the
   * experiment has no payments.
   */
  readonly period: { readonly from: number; readonly to: number } | null
  /** The arm that the others are compared with; `null` if the requested control is not an arm. */
  readonly control: string | null
  /** The reports of the arms, the largest share first. */
  readonly arms: ReadonlyArray<ExperimentArm>
  /** The difference of every other arm with a share from the control. */
  readonly effects: ReadonlyArray<ExperimentEffect>
  /** Payments that were assigned while the experiment had other shares or providers. They are not compared. */
  readonly otherSplits: ReadonlyArray<{
    /** The shares of an experiment in percent, by provider. */
    readonly split: { readonly [provider: string]: number }
    readonly payments: number
  }>
}

/**
 * The payments assigned to an arm. `paid` counts the compared payments that succeeded or are authorized, at any
 * provider.
 */
export interface ExperimentArm extends Counted {
  /** The id of the provider that the arm tests. */
  readonly arm: string
  /** The arm's share of payments in the rules, 0 to 1. */
  readonly share: number
  /** The number of all assigned payments: compared, too recent, and repeated ones. */
  readonly payments: number
  /** The number of payments that were paid by their first attempt, without failover. */
  readonly firstPaid: number
  /** The number of payments that are too recent to be compared. */
  readonly recent: number
  /** The number of payments that are not their payer's first. */
  readonly repeated: number
}

/**
 * The result for an arm. Of 100 experiments without a real difference, at most 5 report `better` or `worse`, even if
 * the report is read every day. `undecided`: more payments are needed. `too_few`: an arm has too few payments, or too
 * few paid or unpaid ones.
 */
export type ExperimentEffect =
  | ({ readonly arm: string; readonly result: "better" | "worse" | "undecided" } & Difference)
  | { readonly arm: string; readonly result: "too_few" }

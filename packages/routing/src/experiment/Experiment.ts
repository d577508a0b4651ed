/**
 * Evaluates an experiment: the share of paid payments of each arm (provider), and its difference from the control arm.
 *
 * The evaluation gets stored payments one at a time, in the order of their creation. A payment counts for its assigned
 * arm, even if failover moved it to another provider. With a sticky split, only the first payment of each payer counts:
 * the others are not independent, and a payer who tries an invalid card fifty times would decide the experiment.
 */
import type { Payment } from "@paymux/core"
import { isErased } from "@paymux/core/store"
import type { Attempt, ExperimentAssignment, RoutedPayment } from "@paymux/core/store"
import { stickyHash } from "../choose/stickyHash.ts"
import { differenceOf } from "./confidenceSequence.ts"
import type { ExperimentArm, ExperimentEffect, ExperimentReport } from "./ExperimentReport.ts"

export interface Experiment {
  /** Adds a payment; one without this experiment is ignored. */
  readonly add: (routed: RoutedPayment) => void
  /** Returns the report on all added payments. */
  readonly report: () => ExperimentReport
}

export interface ExperimentQuery {
  readonly name: string
  /**
   * The arm that the others are compared with. Default: the arm with the largest share, the first of these in the
   * rules.
   */
  readonly control?: string
  /**
   * The creation time, ms UTC, up to which payments are compared. Later ones may still change, and an arm whose
   * failures take longer would look better.
   */
  readonly settledBefore: number
}

/**
 * The minimum numbers of payments, paid ones and unpaid ones per arm for a result, since the interval is valid only for
 * many payments.
 */
export const FEWEST = { payments: 100, paid: 10, unpaid: 10 } as const

/** The probability that an experiment reports a difference for any arm although none exists. */
const ERROR = 0.05

/**
 * Creates the evaluation of an experiment.
 *
 * @example
 * ```ts
 * const experiment = Experiment.make({ name: "adyen 2026", settledBefore: Date.now() - 86_400_000 })
 * for (const routed of yield* store.routed(tenant, query)) experiment.add(routed)
 * experiment.report().effects // => [{ arm: "adyen", difference: 0.021, low: 0.004, high: 0.038, result: "better" }]
 * ```
 */
export const make = ({ control, name, settledBefore }: ExperimentQuery): Experiment => {
  const splits = new Map<string, Counts>()
  const payers = new Set<number>()
  let latest: Counts | null = null
  return {
    add: ({ attempts, payment }) => {
      const { experiment } = payment.routing
      if (experiment === undefined || experiment.name !== name) return
      const counts = countsOf(splits, experiment)
      counts.payments++
      counts.from = Math.min(counts.from, payment.createdAt)
      counts.to = Math.max(counts.to, payment.createdAt)
      if (latest === null || counts.to >= latest.to) latest = counts
      const arm = counts.arms.get(experiment.arm)
      if (arm === undefined) return
      if (!isFirst(payers, experiment, payment)) arm.repeated++
      else if (payment.createdAt >= settledBefore) arm.recent++
      else count(arm, payment, attempts)
    },
    report: () => (latest === null ? nothing(name) : reportOf(name, control ?? null, latest, [...splits.values()]))
  }
}

/** The counts of payments that were assigned while the experiment had the same shares. */
interface Counts {
  readonly split: ExperimentAssignment["split"]
  readonly arms: ReadonlyMap<string, ArmCounts>
  payments: number
  /** The creation times of the first and the last payment, ms UTC. */
  from: number
  to: number
}

interface ArmCounts {
  compared: number
  paid: number
  firstPaid: number
  recent: number
  repeated: number
}

const countsOf = (splits: Map<string, Counts>, { split }: ExperimentAssignment): Counts => {
  const key = JSON.stringify(Object.entries(split).sort(([a], [b]) => (a < b ? -1 : 1)))
  const known = splits.get(key)
  if (known !== undefined) return known
  const arms = Object.keys(split).map((arm): [string, ArmCounts] => [
    arm,
    { compared: 0, paid: 0, firstPaid: 0, recent: 0, repeated: 0 }
  ])
  const made: Counts = {
    split,
    arms: new Map(arms),
    payments: 0,
    from: Number.POSITIVE_INFINITY,
    to: Number.NEGATIVE_INFINITY
  }
  splits.set(key, made)
  return made
}

/**
 * Whether a payment is the first of its payer in the experiment. Payers are stored as hashes, so two of a million may
 * collide.
 */
const isFirst = (payers: Set<number>, { split, stickyBy }: ExperimentAssignment, payment: Payment): boolean => {
  const payer = stickyBy === undefined ? null : payerOf(payment, stickyBy)
  if (payer === null) return true
  const key = JSON.stringify([split, stickyBy, payer])
  const hash = stickyHash(key, 0) * 0x10_0000 + (stickyHash(key, 1) & 0xf_ffff)
  if (payers.has(hash)) return false
  payers.add(hash)
  return true
}

/** The payer of a payment, by the `sticky_by` fact; `null` if the payment has no value, or its customer was erased. */
const payerOf = (payment: Payment, stickyBy: string): string | null => {
  const { customer, metadata } = payment
  if (stickyBy === "customer.email") return isErased(payment) ? null : customer.email
  const key = stickyBy.replace("metadata.", "")
  return Object.hasOwn(metadata, key) ? (metadata[key] ?? null) : null
}

const count = (arm: ArmCounts, { state }: Payment, [first]: ReadonlyArray<Attempt>): void => {
  arm.compared++
  if (state.status === "succeeded" || state.status === "authorized") arm.paid++
  if (first !== undefined && tookMoney(first)) arm.firstPaid++
}

/** Whether an attempt was paid. Late and duplicate payments do not count, since they were refunded. */
const tookMoney = ({ isOverpayment, status }: Attempt): boolean =>
  !isOverpayment && (status === "succeeded" || status === "authorized")

const nothing = (experiment: string): ExperimentReport => ({
  experiment,
  period: null,
  control: null,
  arms: [],
  effects: [],
  otherSplits: []
})

const reportOf = (
  experiment: string,
  asked: string | null,
  latest: Counts,
  all: ReadonlyArray<Counts>
): ExperimentReport => {
  const { from, split, to } = latest
  const arms = armReports(latest)
  const [largest] = arms
  const control = asked === null ? largest : arms.find(({ arm }) => arm === asked)
  const others = arms.filter((arm) => arm !== control && arm.share > 0)
  return {
    experiment,
    period: { from, to },
    control: control?.arm ?? null,
    arms,
    effects: control === undefined ? [] : others.map((arm) => effectOf(arm, control, ERROR / others.length)),
    otherSplits: all
      .filter((counts) => counts.split !== split)
      .map((counts) => ({ split: counts.split, payments: counts.payments }))
  }
}

/** The reports of the arms: the largest share first, then in the order of the rules. */
const armReports = ({ arms, split }: Counts): ReadonlyArray<ExperimentArm> =>
  [...arms]
    .map(([arm, { compared, firstPaid, paid, recent, repeated }]) => ({
      arm,
      share: (split[arm] ?? 0) / 100,
      payments: compared + recent + repeated,
      compared,
      paid,
      firstPaid,
      recent,
      repeated
    }))
    .sort((a, b) => b.share - a.share)

const effectOf = (arm: ExperimentArm, control: ExperimentArm, error: number): ExperimentEffect => {
  if (isTooFew(arm) || isTooFew(control)) return { arm: arm.arm, result: "too_few" }
  const difference = differenceOf(arm, control, error)
  return { arm: arm.arm, ...difference, result: resultOf(difference) }
}

const isTooFew = ({ compared, paid }: ExperimentArm): boolean =>
  compared < FEWEST.payments || paid < FEWEST.paid || compared - paid < FEWEST.unpaid

const resultOf = ({ high, low }: { readonly low: number; readonly high: number }): "better" | "worse" | "undecided" => {
  if (low > 0) return "better"
  return high < 0 ? "worse" : "undecided"
}

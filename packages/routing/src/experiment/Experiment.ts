/**
 * What an experiment has shown: of each arm, how many of the payments that were assigned to it were paid, and how far that is
 * from the control.
 *
 * A fold, like a backtest: it is given stored payments one at a time, and keeps counts only. A payment counts for the arm it
 * was assigned to, whichever provider took it in the end: what failover saves belongs to the arm.
 *
 * Payments count as independent of each other. With `sticky_by`, those of one payer are not quite.
 */
import type { Attempt, ExperimentAssignment, RoutedPayment } from "@paymux/core/store"
import { differenceOf } from "./confidenceSequence.ts"
import type { ExperimentArm, ExperimentEffect, ExperimentReport } from "./ExperimentReport.ts"

export interface Experiment {
  /** Payments without the experiment are passed over. */
  readonly add: (routed: RoutedPayment) => void
  /** Of all that was added. */
  readonly report: () => ExperimentReport
}

/** Fewer payments of an arm say nothing, and the interval holds for many only. */
const FEWEST = 100

/** The chance that any arm is called better or worse without being so. */
const ERROR = 0.05

/**
 * `control`: the arm that the others are compared with; `null`: the one with the largest share, or else the first by name.
 *
 * @example
 * ```ts
 * const experiment = Experiment.make("adyen 2026", null)
 * for (const routed of yield* store.routed(tenant, query)) experiment.add(routed)
 * experiment.report().effects // => [{ arm: "adyen", difference: 0.021, low: 0.004, high: 0.038, verdict: "better" }]
 * ```
 */
export const make = (name: string, control: string | null): Experiment => {
  const splits = new Map<string, Counts>()
  let latest: Counts | null = null
  let total = 0
  return {
    add: ({ attempts, payment }) => {
      const { experiment } = payment.routing
      if (experiment === undefined || experiment.name !== name) return
      const counts = countsOf(splits, experiment)
      total++
      counts.from = Math.min(counts.from, payment.createdAt)
      counts.to = Math.max(counts.to, payment.createdAt)
      if (latest === null || counts.to >= latest.to) latest = counts
      const arm = counts.arms.get(experiment.arm)
      if (arm !== undefined) count(arm, payment.state.status, attempts)
    },
    report: () => (latest === null ? nothing(name) : reportOf(name, control, latest, total))
  }
}

/** Of the payments that were assigned by the same shares. */
interface Counts {
  readonly split: ExperimentAssignment["split"]
  readonly arms: ReadonlyMap<string, ArmCounts>
  /** ms UTC, of the first and the last payment. */
  from: number
  to: number
}

interface ArmCounts {
  paid: number
  unpaid: number
  open: number
  canceled: number
  firstPaid: number
  firstEnded: number
}

const countsOf = (splits: Map<string, Counts>, { split }: ExperimentAssignment): Counts => {
  const key = JSON.stringify(Object.entries(split).sort(([a], [b]) => (a < b ? -1 : 1)))
  const known = splits.get(key)
  if (known !== undefined) return known
  const arms = Object.keys(split).map((arm): [string, ArmCounts] => [
    arm,
    { paid: 0, unpaid: 0, open: 0, canceled: 0, firstPaid: 0, firstEnded: 0 }
  ])
  const made: Counts = { split, arms: new Map(arms), from: Number.POSITIVE_INFINITY, to: Number.NEGATIVE_INFINITY }
  splits.set(key, made)
  return made
}

const count = (arm: ArmCounts, status: string, attempts: ReadonlyArray<Attempt>): void => {
  const [first] = attempts
  if (first !== undefined && isEnded(first)) {
    arm.firstEnded++
    if (tookMoney(first)) arm.firstPaid++
  }
  // A hold that was canceled later had been paid for all that a provider can do.
  if (attempts.some(tookMoney)) arm.paid++
  else if (status === "failed") arm.unpaid++
  else if (status === "canceled") arm.canceled++
  else arm.open++
}

const tookMoney = ({ late, status }: Attempt): boolean => late || status === "succeeded" || status === "authorized"

const isEnded = ({ status }: Attempt): boolean => status !== "sending" && status !== "pending" && status !== "unknown"

const nothing = (experiment: string): ExperimentReport => ({
  experiment,
  period: null,
  payments: 0,
  underOtherShares: 0,
  control: null,
  arms: [],
  effects: []
})

const reportOf = (experiment: string, asked: string | null, counts: Counts, total: number): ExperimentReport => {
  const { from, split, to } = counts
  const arms = armReports(counts)
  const [largest] = arms
  const control = arms.find(({ arm }) => arm === asked) ?? (asked === null ? largest : undefined)
  const payments = arms.reduce((sum, arm) => sum + arm.payments, 0)
  const others = arms.filter((arm) => arm !== control && (split[arm.arm] ?? 0) > 0)
  return {
    experiment,
    period: { from, to },
    payments,
    underOtherShares: total - payments,
    control: control?.arm ?? null,
    arms,
    effects: control === undefined ? [] : others.map((arm) => effectOf(arm, control, ERROR / others.length))
  }
}

/** The largest share first, equals by name. */
const armReports = ({ arms, split }: Counts): ReadonlyArray<ExperimentArm> =>
  [...arms]
    .map(([arm, { canceled, firstEnded, firstPaid, open, paid, unpaid }]) => ({
      arm,
      share: (split[arm] ?? 0) / 100,
      payments: paid + unpaid + open + canceled,
      ended: paid + unpaid,
      paid,
      open,
      canceled,
      first: { ended: firstEnded, paid: firstPaid }
    }))
    .sort((a, b) => b.share - a.share || (a.arm < b.arm ? -1 : 1))

const effectOf = (arm: ExperimentArm, control: ExperimentArm, error: number): ExperimentEffect => {
  if (Math.min(arm.ended, control.ended) < FEWEST) return { arm: arm.arm, verdict: "too_few", needed: FEWEST }
  const difference = differenceOf(arm, control, error)
  return { arm: arm.arm, ...difference, verdict: verdictOf(difference) }
}

const verdictOf = ({
  high,
  low
}: {
  readonly low: number
  readonly high: number
}): "better" | "worse" | "undecided" => {
  if (low > 0) return "better"
  return high < 0 ? "worse" : "undecided"
}

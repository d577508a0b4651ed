/** What a run amounts to, in numbers that can be added up over seeds. */
import type { Run } from "./Simulation.ts"
import { allExpectations } from "./verdict.ts"
import type { ExpectationName, Verdict } from "./verdict.ts"

export interface Figures {
  readonly seeds: number
  readonly payments: number
  readonly providerCalls: number
  readonly charges: number
  readonly commits: number
  readonly events: number
  readonly failedEvents: number
  /** Webhooks that arrived, copies and late ones included. */
  readonly webhooks: number
  readonly incidents: number
  /** What operators said to end reviews, and what was accepted. */
  readonly resolutions: number
  /** Charges that the engine gave back automatically. */
  readonly reversals: number
  readonly kills: number
  readonly reviews: number
  /** Charges of another amount or currency than was asked for. */
  readonly mismatches: number
  readonly virtualHours: number
  readonly violations: Counts
  /** How many things each expectation judged. */
  readonly judged: Counts
  /** How many payments ended in each state. */
  readonly endings: Counts
}

interface Counts {
  readonly [name: string]: number
}

export const nothing: Figures = {
  seeds: 0,
  payments: 0,
  providerCalls: 0,
  charges: 0,
  commits: 0,
  events: 0,
  failedEvents: 0,
  webhooks: 0,
  incidents: 0,
  resolutions: 0,
  reversals: 0,
  kills: 0,
  reviews: 0,
  mismatches: 0,
  virtualHours: 0,
  violations: {},
  judged: {},
  endings: {}
}

export const figures = (
  { charges, entries, facts, lasted, records }: Run,
  { endings, judged, violations }: Verdict
): Figures => {
  const counted: { [expectation: string]: number } = {}
  const counts = { ...nothing, seeds: 1, payments: records.length, charges: charges.length }
  for (const entry of entries) {
    switch (entry.kind) {
      case "called":
        counts.providerCalls++
        break
      case "committed":
        counts.commits++
        counts.events += entry.events.length
        counts.failedEvents += entry.events.filter(({ type }) => type === "payment.failed").length
        break
      case "reported":
        counts.webhooks++
        break
      case "incident":
        counts.incidents++
        break
      case "operator":
        counts.resolutions++
        break
      case "process":
        if (entry.what === "killed") counts.kills++
        break
      case "ordered":
      case "checkpointed":
      case "answered":
      case "abandoned":
      case "charge":
      case "asked":
      case "answer_kept":
      case "client":
        break
    }
  }
  for (const { expectation } of violations) counted[expectation] = (counted[expectation] ?? 0) + 1
  return {
    ...counts,
    violations: counted,
    judged,
    endings,
    reviews: endings["in review"] ?? 0,
    reversals: facts.payments.flatMap(({ attempts }) => attempts).filter(({ reversal }) => reversal === "succeeded")
      .length,
    mismatches: charges.filter(
      ({ asked, currency, minorUnits }) => minorUnits !== asked.minorUnits || currency !== asked.currency
    ).length,
    virtualHours: lasted / 3_600_000
  }
}

/** Expectations that had nothing to judge: the run proves nothing about them. */
export const idleExpectations = ({ judged }: Figures): ReadonlyArray<ExpectationName> =>
  allExpectations.filter((expectation) => (judged[expectation] ?? 0) === 0)

const added = (a: Counts, b: Counts): Counts => {
  const total: { [name: string]: number } = { ...a }
  for (const [name, count] of Object.entries(b)) total[name] = (total[name] ?? 0) + count
  return total
}

export const sum = (a: Figures, b: Figures): Figures => {
  return {
    seeds: a.seeds + b.seeds,
    payments: a.payments + b.payments,
    providerCalls: a.providerCalls + b.providerCalls,
    charges: a.charges + b.charges,
    commits: a.commits + b.commits,
    events: a.events + b.events,
    failedEvents: a.failedEvents + b.failedEvents,
    webhooks: a.webhooks + b.webhooks,
    incidents: a.incidents + b.incidents,
    resolutions: a.resolutions + b.resolutions,
    reversals: a.reversals + b.reversals,
    kills: a.kills + b.kills,
    reviews: a.reviews + b.reviews,
    mismatches: a.mismatches + b.mismatches,
    virtualHours: a.virtualHours + b.virtualHours,
    violations: added(a.violations, b.violations),
    judged: added(a.judged, b.judged),
    endings: added(a.endings, b.endings)
  }
}

/** What a run amounts to, in numbers that can be added up over seeds. */
import type { Violation } from "./judge.ts"
import type { Run } from "./Simulation.ts"

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
  readonly troubles: number
  readonly kills: number
  readonly reviews: number
  /** Charges of another amount or currency than was asked for. */
  readonly mismatches: number
  readonly virtualHours: number
  readonly violations: { readonly [law: string]: number }
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
  troubles: 0,
  kills: 0,
  reviews: 0,
  mismatches: 0,
  virtualHours: 0,
  violations: {}
}

export const figures = ({ charges, entries, lasted, records }: Run, violations: ReadonlyArray<Violation>): Figures => {
  const counted: Counts = {}
  const counts = { ...nothing, seeds: 1, payments: records.length, charges: charges.length }
  for (const entry of entries) {
    switch (entry.kind) {
      case "called":
        counts.providerCalls++
        break
      case "committed":
        counts.commits++
        if (entry.event !== null) counts.events++
        if (entry.event?.type === "payment.failed") counts.failedEvents++
        break
      case "told":
        counts.webhooks++
        break
      case "trouble":
        counts.troubles++
        break
      case "process":
        if (entry.what === "killed") counts.kills++
        break
      case "checkpointed":
      case "answered":
      case "let_go":
      case "charge":
      case "asked":
      case "client":
        break
    }
  }
  for (const { law } of violations) counted[law] = (counted[law] ?? 0) + 1
  return {
    ...counts,
    violations: counted,
    reviews: records.filter(({ payment }) => payment.review !== null).length,
    mismatches: charges.filter(
      ({ amount, asked, asks }) =>
        !asks.some(({ done, kind }) => kind === "capture" && done) &&
        (amount.minorUnits !== asked.minorUnits || amount.currency !== asked.currency)
    ).length,
    virtualHours: lasted / 3_600_000
  }
}

type Counts = { [law: string]: number }

export const sum = (a: Figures, b: Figures): Figures => {
  const violations: Counts = { ...a.violations }
  for (const [law, count] of Object.entries(b.violations)) violations[law] = (violations[law] ?? 0) + count
  return {
    seeds: a.seeds + b.seeds,
    payments: a.payments + b.payments,
    providerCalls: a.providerCalls + b.providerCalls,
    charges: a.charges + b.charges,
    commits: a.commits + b.commits,
    events: a.events + b.events,
    failedEvents: a.failedEvents + b.failedEvents,
    webhooks: a.webhooks + b.webhooks,
    troubles: a.troubles + b.troubles,
    kills: a.kills + b.kills,
    reviews: a.reviews + b.reviews,
    mismatches: a.mismatches + b.mismatches,
    virtualHours: a.virtualHours + b.virtualHours,
    violations
  }
}

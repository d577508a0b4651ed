/** One world from its payments to the verdict about the backtest of its draft. */
import type { RoutedPayment } from "@paymux/core/store"
import { PaymentStore } from "@paymux/core/store"
import { compile } from "@paymux/routing"
import { Clock, Effect } from "effect"
import { eachStoredPayment } from "../../packages/paymux/src/rules/storedPayments.ts"
import { firstPaymentAt, population } from "./population.ts"
import { runPeriod, tenant } from "./period.ts"
import { readBacktest } from "./reading.ts"
import type { Reading } from "./reading.ts"
import { asCreated, draftDecisions, mean, totals } from "./truth.ts"
import type { Decided, Totals } from "./truth.ts"
import { verdictOf } from "./verdicts.ts"
import type { Verdict } from "./verdicts.ts"
import type { PlantedPayment, World } from "./World.ts"

export interface Measured {
  readonly world: World
  readonly truth: { readonly old: Totals; readonly draft: Totals }
  /** What came of the stored payments under the old rules. */
  readonly stored: { readonly payments: number; readonly succeeded: number; readonly open: number }
  /** The share of the payments whose first provider by the draft never had one with this method, flow, currency, or card fact. */
  readonly neverHadShare: number
  readonly reading: Reading
  readonly verdict: Verdict
}

export const measure = (world: World): Promise<Measured> =>
  runPeriod({
    world,
    rules: world.old,
    seed: world.seed,
    read: (created, providers) =>
      Effect.gen(function* () {
        const routing = yield* compile(world.old, providers)
        const runs = yield* draftDecisions(world, providers, created)
        const truth = {
          old: totals(world, asCreated(routing, created)),
          draft: mean(runs.map((decided) => totals(world, decided)))
        }
        const stored = yield* storedPayments
        const reading = yield* readBacktest(world, providers)
        return {
          world,
          truth,
          stored: {
            payments: stored.length,
            succeeded: stored.filter(({ payment }) => payment.state.status === "succeeded").length,
            open: stored.filter(({ payment }) => payment.state.status === "pending").length
          },
          neverHadShare: neverHadShare(world, stored, runs[0] ?? []),
          reading,
          verdict: verdictOf({ old: truth.old.rate, draft: truth.draft.rate }, reading)
        }
      })
  })

/** In the order of their creation, which is that of the population. */
const storedPayments = Effect.gen(function* () {
  const { routed } = yield* PaymentStore
  const all: Array<RoutedPayment> = []
  const range = { from: firstPaymentAt, until: yield* Clock.currentTimeMillis }
  yield* eachStoredPayment(
    routed,
    tenant,
    range,
    (payment) => void all.push(payment),
    () => Effect.void
  )
  return all
})

const neverHadShare = (world: World, stored: ReadonlyArray<RoutedPayment>, decided: ReadonlyArray<Decided>): number => {
  const payments = population(world)
  const had = new Set(
    payments.flatMap((payment, index) =>
      (stored[index]?.attempts ?? []).flatMap(({ provider }) => kinds(payment).map((kind) => `${provider} ${kind}`))
    )
  )
  const unknown = payments.filter((payment, index) => {
    const [first] = decided[index]?.order ?? []
    return first !== undefined && kinds(payment).some((kind) => !had.has(`${first} ${kind}`))
  })
  return unknown.length / payments.length
}

const kinds = ({ country, currency, flow, funding, method, network }: PlantedPayment): ReadonlyArray<string> => [
  method,
  `currency ${currency}`,
  ...(flow === null ? [] : [`flow ${flow}`]),
  ...(country === null ? [] : [`country ${country}`]),
  ...(network === null ? [] : [`network ${network}`]),
  ...(funding === null ? [] : [`funding ${funding}`])
]

/** The effect of a draft that is true in a world: what is expected of its payments under the old rules and the draft. */
import { decodeCreatePayment } from "@paymux/core"
import type { PaymentRecord, Provider as CoreProvider } from "@paymux/core"
import type { FailoverPolicy } from "@paymux/core/routing"
import { compile, facts, plan, unknownHealth } from "@paymux/routing"
import type { CompiledRouting, RoutingConfigInput } from "@paymux/routing"
import { Effect } from "effect"
import { expected } from "./expected.ts"
import type { Expected } from "./expected.ts"
import { population, requestOf } from "./population.ts"
import { runPeriod, tenant } from "./period.ts"
import type { PlantedPayment, Provider, World } from "./World.ts"

/** Over all payments of the population. */
export interface Totals {
  /** 0 to 1 */
  readonly rate: number
  /** Of the number of payments that are paid. */
  readonly variance: number
  /** Minor units, see `Expected`. */
  readonly costOfPaid: number
  readonly costOfAttempts: number
}

export interface Decided {
  readonly order: ReadonlyArray<Provider>
  readonly policy: FailoverPolicy
}

/** With the fees of the world, which the draft of a payments team would have. */
export const draftOf = ({ draft, fees }: World): RoutingConfigInput =>
  fees === undefined
    ? draft
    : {
        ...draft,
        fees: Object.fromEntries(
          Object.entries(fees).map(([provider, { fixed, percent }]) => [
            provider,
            { card: { percent, fixed: { EUR: fixed } } }
          ])
        )
      }

/** Whether success rates decide, so that only an engine that learns knows what the draft would have done. */
const learns = ({ draft }: World): boolean => {
  const chosen = draft.default
  return "best" in chosen && (chosen.best === "success_rate" || ("within" in chosen && chosen.within !== undefined))
}

export const totals = (world: World, decided: ReadonlyArray<Decided>): Totals => {
  const payments = population(world)
  const each = payments.map((payment, index) => {
    const { order, policy } = decided[index] ?? { order: [], policy: noFailover }
    return expected({ payment, truth: world.truth(payment), order, policy, fees: world.fees ?? {} })
  })
  const sum = (of: (one: Expected) => number) => each.reduce((total, one) => total + of(one), 0)
  return {
    rate: sum(({ paid }) => paid) / payments.length,
    variance: sum(({ paid }) => paid * (1 - paid)),
    costOfPaid: sum(({ costOfPaid }) => costOfPaid),
    costOfAttempts: sum(({ costOfAttempts }) => costOfAttempts)
  }
}

const noFailover: FailoverPolicy = { maxAttempts: 1, deadlineMs: 0, on: [], notOn: [] }

/** As an engine decided. */
export const asCreated = (routing: CompiledRouting, created: ReadonlyArray<PaymentRecord>): ReadonlyArray<Decided> =>
  created.map(({ payment: { routing: decision } }) => ({
    order: decision.candidates.map(({ provider }) => named(provider)),
    policy: routing.failover(decision.rule)
  }))

/** As rules decide that need no success rates. The ids are those of the payments, which shares are drawn by. */
const asPlanned = (
  routing: CompiledRouting,
  payments: ReadonlyArray<PlantedPayment>,
  created: ReadonlyArray<PaymentRecord>
) =>
  Effect.forEach(payments, (payment, index) =>
    Effect.gen(function* () {
      const record = created[index] ?? (yield* Effect.die(new Error("A payment of the world was not created.")))
      const request = yield* decodeCreatePayment(requestOf(payment))
      const { createdAt, id } = record.payment
      const decided = plan(routing, request, facts(request, tenant, id, createdAt), unknownHealth)
      if (decided._tag === "NoRoute") return { order: [], policy: noFailover }
      return {
        order: decided.candidates.map(({ provider }) => named(provider)),
        policy: routing.failover(decided.decision.rule)
      }
    })
  )

const named = (provider: string): Provider => {
  if (provider === "alpha" || provider === "beta" || provider === "gamma") return provider
  throw new Error(`No world has a provider ${provider}.`)
}

/** How many engines learn by their own payments, each with other outcomes. */
const LEARNING_RUNS = 3

/** What the draft would have decided about each payment, in each of so many runs. */
export const draftDecisions = (
  world: World,
  providers: ReadonlyArray<CoreProvider>,
  created: ReadonlyArray<PaymentRecord>
): Effect.Effect<ReadonlyArray<ReadonlyArray<Decided>>, unknown> =>
  Effect.gen(function* () {
    const draft = draftOf(world)
    const routing = yield* compile(draft, providers)
    if (!learns(world)) return [yield* asPlanned(routing, population(world), created)]
    const seeds = Array.from({ length: LEARNING_RUNS }, (_, index) => 1_000 * (index + 1) + world.seed)
    return yield* Effect.forEach(seeds, (seed) =>
      Effect.promise(() =>
        runPeriod({ world, rules: draft, seed, read: (learned) => Effect.succeed(asCreated(routing, learned)) })
      )
    )
  })

export const mean = (all: ReadonlyArray<Totals>): Totals => {
  const of = (read: (one: Totals) => number) => all.reduce((sum, one) => sum + read(one), 0) / all.length
  return {
    rate: of(({ rate }) => rate),
    variance: of(({ variance }) => variance),
    costOfPaid: of(({ costOfPaid }) => costOfPaid),
    costOfAttempts: of(({ costOfAttempts }) => costOfAttempts)
  }
}

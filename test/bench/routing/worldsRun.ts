/** One run of a world through the real engine in virtual time, one payment after the other. */
import { decodeCreatePayment, defineProvider, Engine, Ids, Outcome, Payments } from "@paymux/core"
import type { Provider } from "@paymux/core"
import { defaultFailover, Router } from "@paymux/core/routing"
import { MemoryStore } from "@paymux/testkit/memory-store"
import type { PaymentStore } from "@paymux/core/store"
import { defineRouting, Routing } from "@paymux/routing"
import { ClockBreaker } from "@paymux/test-suites"
import { SeededRandom } from "@paymux/test-suites/simulation"
import { Clock, Effect, Layer, References, Schema } from "effect"
import { TestClock } from "effect/testing"
import { former, priority, srV3Greedy, srV3Hedging } from "./worldsPolicies.ts"
import type { Policy } from "./worldsPolicies.ts"
import type { World } from "./worldsTruth.ts"

export const policyNames = ["ours", "former", "SR-V3", "SR-V3 hedging", "priority"] as const
export type PolicyName = (typeof policyNames)[number]

export interface Run {
  /** Mean over the payments of the best rate at that moment less the rate of the first choice. */
  readonly lost: number
  /** Share of the payments that went to the first provider of the rules first. */
  readonly toFirst: number
}

export interface RunOptions {
  readonly world: World
  readonly policy: PolicyName
  readonly failover: "on" | "off"
  readonly seed: number
}

/** What comes of the present payment at each provider. Every policy meets the same payments with the same results. */
interface Present {
  rates: ReadonlyArray<number>
  draws: ReadonlyArray<number>
}

export const run = ({ failover, policy, seed, world }: RunOptions): Promise<Run> => {
  const present: Present = { rates: [], draws: [] }
  const names = world.rates(0, 0).map((_, index) => `provider_${index + 1}`)
  const providers = names.map((name, index) => provider(name, index, present, world, failover))
  const { learn, router } = routing(policy, names, providers, seed)
  const engine = Engine.layer({
    providers,
    router,
    publicUrl: "http://localhost:4310",
    breakers: ClockBreaker.layer(),
    // These providers answer at once or never: nothing has to be reconciled each second.
    reconciler: { every: 3_600_000 }
  }).pipe(Layer.provide(MemoryStore.layer), Layer.provide(idsOf(seed)))
  return Effect.runPromise(
    traffic(world, names, present, seed, learn).pipe(
      Effect.provide(engine),
      Effect.provide(TestClock.layer()),
      // Each timeout is logged, thousands of them.
      Effect.provideService(References.MinimumLogLevel, "None"),
      Effect.scoped
    )
  )
}

/** A payment has the same id with and without failover, although more attempts draw more ids: only learning can differ. */
const idsOf = (seed: number): Layer.Layer<Ids> =>
  Layer.effect(
    Ids,
    Effect.map(Clock.Clock, (clock) => {
      const of = (name: string) =>
        SeededRandom.ids(SeededRandom.stream(seed, name), () => clock.currentTimeMillisUnsafe())
      return { ...of("ids"), payment: of("payment ids").payment }
    })
  )

interface Learned {
  readonly router: Layer.Layer<Router, unknown, PaymentStore>
  readonly learn: Policy["learn"]
}

const routing = (
  policy: PolicyName,
  names: ReadonlyArray<string>,
  providers: ReadonlyArray<Provider>,
  seed: number
): Learned => {
  switch (policy) {
    case "ours": {
      const rules = defineRouting({ version: 1, default: { best: "success_rate", among: names } })
      return { router: Routing.layer(rules, providers), learn: () => undefined }
    }
    case "former":
      return routed(former(names, seed))
    case "SR-V3":
      return routed(srV3Greedy(names, seed))
    case "SR-V3 hedging":
      return routed(srV3Hedging(names, seed))
    case "priority":
      return routed(priority(names, seed))
    default:
      return policy satisfies never
  }
}

/** A demoted provider, such as one whose circuit breaker is open, is tried last, as by rules. */
const routed = ({ learn, order }: Policy): Learned => {
  const decidedBy = { rule: "default", ruleset: "none", reason: "success_rate", dropped: [] } as const
  const routerOn = (clock: Clock.Clock): Router["Service"] => ({
    plan: ({ demotionOf }) => {
      const ordered = order(clock.currentTimeMillisUnsafe())
      const isDemoted = (provider: string) => demotionOf(provider) !== null
      const isUsual = (provider: string) => !isDemoted(provider)
      const candidates = [...ordered.filter(isUsual), ...ordered.filter(isDemoted)].map((provider) => ({
        provider,
        reason: "learned"
      }))
      return { _tag: "Plan", decision: { ...decidedBy, candidates }, candidates }
    },
    policyOf: () => defaultFailover
  })
  return { router: Layer.effect(Router, Effect.map(Clock.Clock, routerOn)), learn }
}

/** Several decline codes are about the payer. This one is not, and so counts. */
const provider = (
  id: string,
  index: number,
  present: Present,
  { timesOut = false }: World,
  failover: RunOptions["failover"]
): Provider => {
  const failed =
    timesOut && index === 0
      ? Outcome.unknown({ reason: "timeout" })
      : Outcome.declined({ code: "do_not_honor", retry: failover === "on" ? "other_provider" : "never" })
  return defineProvider({
    id,
    options: Schema.Struct({}),
    mode: () => "test",
    capabilities: () => ({
      methods: { card: { currencies: "any", flows: { hosted: {} } } },
      // Without idempotency the engine does not send again what timed out.
      operations: { create: { idempotency: { by: "none" }, declineIsFinal: true } }
    }),
    make: () =>
      Effect.succeed({
        create: ({ amount, id }) =>
          Effect.sync(() =>
            (present.draws[index] ?? 1) < (present.rates[index] ?? 0)
              ? Outcome.succeeded({ reference: `ref_${id}`, amount })
              : failed
          )
      })
  })({})
}

const traffic = Effect.fnUntraced(function* (
  { issuers = [1], minutes, perMinute, rates }: World,
  names: ReadonlyArray<string>,
  present: Present,
  seed: number,
  learn: Policy["learn"]
) {
  const payments = yield* Payments
  const requests = yield* Effect.forEach(issuers, (_, issuer) => decodeCreatePayment(request(issuer)))
  const random = SeededRandom.stream(seed, "payments")
  const shares = issuers.map((share, issuer) => [share, issuer] as const)
  const total = perMinute * minutes
  let lost = 0
  let toFirst = 0
  for (let index = 0; index < total; index++) {
    const issuer = random.weighted([shares[0] ?? [1, 0], ...shares.slice(1)])
    present.rates = rates(index / perMinute, issuer)
    present.draws = names.map(() => random.next())
    const payment = requests[issuer] ?? (yield* Effect.die(new Error(`Issuer ${issuer} has no request`)))
    const { record } = yield* payments.create(payment, { tenant, idempotency: null })
    const now = yield* Clock.currentTimeMillis
    for (const { provider, status } of record.attempts) learn(provider, status, now)
    const chosen = names.indexOf(record.attempts[0]?.provider ?? "")
    lost += Math.max(...present.rates) - (present.rates[chosen] ?? 0)
    if (chosen === 0) toFirst++
    yield* TestClock.adjust(60_000 / perMinute)
  }
  return { lost: lost / total, toFirst: toFirst / total }
})

const tenant = { account: "default", livemode: false } as const

const request = (issuer: number) => ({
  amount: 10_000,
  currency: "EUR",
  payment_method: "card",
  payment_method_details: { card: { bin: String(411_111 + issuer), network: "visa", country: "DE" } },
  customer: { email: "payer@example.com", phone: "+491701234567" }
})

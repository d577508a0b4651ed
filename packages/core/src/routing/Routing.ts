/** The rules in force, as the engine asks them: which candidates, in which order, and how far failover may go. */
import { Clock, Context, Effect, Fiber, Latch, Layer, Semaphore } from "effect"
import type { PaymentId } from "../domain/Ids.ts"
import type { NewPayment, Tenant } from "../domain/Payment.ts"
import { ProviderRegistry } from "../provider/ProviderRegistry.ts"
import { Breakers } from "../resilience/Breaker.ts"
import { PaymentStore } from "../store/PaymentStore.ts"
import { compile } from "./CompiledRouting.ts"
import type { CompiledRouting } from "./CompiledRouting.ts"
import { facts } from "./Facts.ts"
import type { Health } from "./Health.ts"
import { keepLearning, learning } from "./learn/Learning.ts"
import type { Learning } from "./learn/Learning.ts"
import type { FailoverPolicy } from "./RoutingConfig.ts"
import type { NoRoute, Plan } from "./Plan.ts"
import { plan } from "./Router.ts"
import { defaultRouting } from "./RoutingConfig.ts"
import type { RoutingInvalid } from "./check/RoutingInvalid.ts"

/** What is in force, and the name it goes by in every decision. */
export interface Ruleset {
  /** `sha256:` and the hex digest of the rules. */
  readonly ruleset: string
  /** As it was given: a JSON value. */
  readonly config: unknown
}

export class Routing extends Context.Service<
  Routing,
  {
    readonly plan: (payment: NewPayment, tenant: Tenant, id: PaymentId) => Effect.Effect<Plan | NoRoute>
    /** Of the rules that decided a payment; of those in force, where this process has not seen them. */
    readonly policyOf: (ruleset: string) => FailoverPolicy
    /** Checks rules and puts them in force, whole, for every payment from now on. Refused, nothing changes. */
    readonly use: (config: unknown) => Effect.Effect<string, RoutingInvalid>
    readonly current: Effect.Effect<Ruleset>
  }
>()("@paymux/core/routing/Routing") {
  /** `config` is checked against the configured providers; without one they are tried in the order they were given. */
  static readonly layer = (
    config?: unknown
  ): Layer.Layer<Routing, RoutingInvalid, ProviderRegistry | Breakers | PaymentStore> =>
    Layer.effect(
      Routing,
      Effect.suspend(() => make(config))
    )
}

const make = Effect.fnUntraced(function* (given: unknown) {
  const { providers } = yield* ProviderRegistry
  const breakers = yield* Breakers
  const store = yield* PaymentStore
  const scope = yield* Effect.scope
  const policies = new Map<string, FailoverPolicy>()

  const load = Effect.fnUntraced(function* (config: unknown, known: Learning | null) {
    const compiled = yield* compile(config, providers)
    policies.delete(compiled.ruleset)
    policies.set(compiled.ruleset, compiled.failover)
    const [oldest] = policies.keys()
    if (oldest !== undefined && policies.size > KEPT_POLICIES) policies.delete(oldest)
    return { compiled, config, learning: yield* learn(compiled, known) } satisfies Loaded
  })

  /** New rules begin with what is known already; a database that is away stops nobody from using them. */
  const learn = Effect.fnUntraced(function* ({ windows }: CompiledRouting, known: Learning | null) {
    if (windows.length === 0) return null
    const made = learning(windows, store, known)
    // Years of payments take longer than anybody wants to wait: the rest is read meanwhile.
    const reading = yield* Effect.forkIn(Effect.ignore(made.refresh), scope)
    yield* Effect.timeoutOption(Fiber.await(reading), "2 seconds")
    return made
  })

  let inForce = yield* load(given ?? defaultRouting(providers), null)
  // The last to ask is the last to be in force, however long its rules take.
  const inTurn = Semaphore.makeUnsafe(1).withPermits(1)
  const isLearning = Latch.makeUnsafe(inForce.learning !== null)
  const health: Health = {
    isOpen: (provider) => breakers.stateOf({ provider, operation: "create" }) === "open",
    successRate: (provider, asked, windowMs, minSamples) =>
      inForce.learning?.byWindow.get(windowMs)?.rates.successRate(provider, asked, windowMs, minSamples, asked.time) ??
      null
  }
  yield* Effect.forkScoped(keepLearning(() => inForce.learning, isLearning))
  return Routing.of({
    plan: (payment, tenant, id) =>
      Effect.map(Clock.currentTimeMillis, (now) =>
        plan(inForce.compiled, payment, facts(payment, tenant, id, now), health)
      ),
    policyOf: (ruleset) => policies.get(ruleset) ?? inForce.compiled.failover,
    use: (config) =>
      inTurn(
        Effect.flatMap(
          Effect.suspend(() => load(config, inForce.learning)),
          (loaded) => {
            inForce = loaded
            return Effect.as(loaded.learning === null ? isLearning.close : isLearning.open, loaded.compiled.ruleset)
          }
        )
      ),
    current: Effect.sync(() => ({ ruleset: inForce.compiled.ruleset, config: inForce.config }))
  })
})

interface Loaded {
  readonly compiled: CompiledRouting
  readonly config: unknown
  /** `null`: no rule asks for success rates. */
  readonly learning: Learning | null
}

/** Payments that are still being tried were decided by one of the latest. */
const KEPT_POLICIES = 64

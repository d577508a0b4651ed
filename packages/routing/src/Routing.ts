/** The service that routes payments by rules. The rules can be replaced while the server runs. */
import { Clock, Context, Effect, Fiber, Latch, Layer, Semaphore } from "effect"
import { Router } from "@paymux/core/routing"
import type { RoutableProvider } from "@paymux/core/routing"
import { PaymentStore } from "@paymux/core/store"
import { compile } from "./CompiledRouting.ts"
import type { CompiledRouting } from "./CompiledRouting.ts"
import { compileWithWarnings } from "./check/warnings/routingWarnings.ts"
import type { RoutingWithWarnings } from "./check/warnings/routingWarnings.ts"
import { compileChecked } from "./compileChecked.ts"
import type { CheckedRules } from "./compileChecked.ts"
import type { PolicyOfRule } from "./failoverPolicies.ts"
import { facts } from "./Facts.ts"
import { unknownHealth } from "./Health.ts"
import type { Health } from "./Health.ts"
import { keepLearning, learning } from "./learn/Learning.ts"
import type { Learning } from "./learn/Learning.ts"
import { plan } from "./choose/plan.ts"
import type { RoutingInvalid } from "./check/RoutingInvalid.ts"

/** The active rules with their hash, which is stored in each routing decision. */
export interface Ruleset {
  /** The identifier of the ruleset: `sha256:` and the hex digest of the rules. */
  readonly ruleset: string
  /** The rules as configured, a JSON value. */
  readonly config: unknown
}

export class Routing extends Context.Service<
  Routing,
  {
    /**
     * Validates rules and activates them for all further payments. If they are invalid, the previous rules remain
     * active.
     */
    readonly use: (config: unknown) => Effect.Effect<string, RoutingInvalid>
    /**
     * Activates rules that were already validated against these providers, for example in a worker thread. They are
     * compiled in slices of a few ms. Without that validation, they may contain unreachable rules.
     */
    readonly useChecked: (checked: CheckedRules) => Effect.Effect<string, RoutingInvalid>
    readonly current: Effect.Effect<Ruleset>
    /**
     * Warnings about the rules at startup: rules that have no effect or an unexpected one, and payments that get no
     * provider because of `exclude` or `outages`.
     */
    readonly startWarnings: RoutingInvalid["problems"]
  }
>()("@paymux/routing/Routing") {
  /**
   * The layer of the router for `EngineOptions.router`, and of the service that replaces its rules. `config` is checked
   * against `providers`, the providers of the engine.
   *
   * @example
   * ```ts
   * import { Engine } from "@paymux/core"
   * import type { Provider } from "@paymux/core"
   * import { defineRouting, Routing } from "@paymux/routing"
   *
   * const rules = defineRouting({ version: 1, default: { split: { stripe: 70, adyen: 30 } } })
   * const engine = (providers: ReadonlyArray<Provider>) =>
   *   Engine.layer({ providers, router: Routing.layer(rules, providers), publicUrl: "https://pay.example.com" })
   * ```
   */
  static readonly layer = (
    config: unknown,
    providers: ReadonlyArray<RoutableProvider>
  ): Layer.Layer<Router | Routing, RoutingInvalid, PaymentStore> =>
    Layer.effectContext(
      Effect.flatMap(compileWithWarnings(config, providers), (first) => make(config, first, providers))
    )

  /**
   * The same layer as `layer`, for rules that were already validated, such as in a worker thread, and compiled with
   * `compileChecked`.
   */
  static readonly layerCompiled = (
    config: unknown,
    routing: CompiledRouting,
    providers: ReadonlyArray<RoutableProvider>
  ): Layer.Layer<Router | Routing, never, PaymentStore> =>
    Layer.effectContext(Effect.suspend(() => make(config, { routing, warnings: [], noRoute: [] }, providers)))
}

const make = Effect.fnUntraced(function* (
  given: unknown,
  first: RoutingWithWarnings,
  providers: ReadonlyArray<RoutableProvider>
) {
  const store = yield* PaymentStore
  const scope = yield* Effect.scope
  const clock = yield* Clock.Clock
  const policies = new Map<string, PolicyOfRule>()

  const load = Effect.fnUntraced(function* (config: unknown, compiled: CompiledRouting, known: Learning | null) {
    policies.delete(compiled.ruleset)
    policies.set(compiled.ruleset, compiled.failover)
    const [oldest] = policies.keys()
    if (oldest !== undefined && policies.size > KEPT_POLICIES) policies.delete(oldest)
    return { compiled, config, learning: yield* learn(compiled, known) } satisfies Loaded
  })

  /**
   * Prepares the success rates of new rules. They start with the rates that are already known, so they can be activated
   * while the database is unavailable.
   */
  const learn = Effect.fnUntraced(function* ({ lenses }: CompiledRouting, known: Learning | null) {
    if (lenses.length === 0) return null
    const made = learning(lenses, store, known)
    // Waits at most two seconds for the first read of past attempts, since reading years of payments takes long. The
    // rest is read in the background.
    const reading = yield* Effect.forkIn(Effect.ignore(made.refresh), scope)
    yield* Effect.timeoutOption(Fiber.await(reading), "2 seconds")
    return made
  })

  let inForce = yield* load(given, first.routing, null)
  // Serializes the activation of rules in the order of the calls, regardless of how long each takes to compile.
  const inTurn = Semaphore.makeUnsafe(1).withPermits(1)
  const isLearning = Latch.makeUnsafe(inForce.learning !== null)
  const estimates: Health["estimates"] = (learned, asked) =>
    (inForce.learning?.byLens.get(learned.lensKey)?.rates ?? unknownHealth).estimates(learned, asked)
  yield* Effect.forkScoped(keepLearning(() => inForce.learning, isLearning))

  const router = Router.of({
    plan: ({ demotionOf, id, payment, tenant }) =>
      plan(inForce.compiled, payment, facts(payment, tenant, id, clock.currentTimeMillisUnsafe()), {
        demotionOf,
        estimates
      }),
    policyOf: ({ rule, ruleset }) => (policies.get(ruleset) ?? inForce.compiled.failover)(rule)
  })
  const use = (config: unknown, compiling: Effect.Effect<CompiledRouting, RoutingInvalid>) =>
    inTurn(
      Effect.flatMap(
        Effect.flatMap(compiling, (compiled) => load(config, compiled, inForce.learning)),
        (loaded) => {
          inForce = loaded
          return Effect.as(loaded.learning === null ? isLearning.close : isLearning.open, loaded.compiled.ruleset)
        }
      )
    )
  const routing = Routing.of({
    use: (config) => use(config, compile(config, providers)),
    useChecked: (checked) => use(checked.config, compileChecked(checked, providers)),
    current: Effect.sync(() => ({ ruleset: inForce.compiled.ruleset, config: inForce.config })),
    startWarnings: [...first.noRoute, ...first.warnings]
  })
  return Context.merge(Context.make(Router, router), Context.make(Routing, routing))
})

interface Loaded {
  readonly compiled: CompiledRouting
  readonly config: unknown
  /** The success rates; `null` if no rule uses them. */
  readonly learning: Learning | null
}

/**
 * The number of recent rulesets whose failover policies stay in memory. A payment in progress needs the policy of the
 * ruleset that routed it.
 */
const KEPT_POLICIES = 64

/**
 * Tries providers in a fixed order: those that can take the payment, and last those that are demoted (their circuit
 * breaker is open, or their account is not enabled for this kind of payment).
 *
 * @example
 * ```ts
 * import { Engine } from "@paymux/core"
 * import type { Provider } from "@paymux/core"
 * import { PriorityRouter } from "@paymux/core/routing"
 *
 * const engine = (primary: Provider, secondary: Provider, onlyForRefunds: Provider) =>
 *   Engine.layer({
 *     providers: [primary, secondary, onlyForRefunds],
 *     router: PriorityRouter.layer([primary, secondary]),
 *     publicUrl: "https://pay.example.com"
 *   })
 * ```
 */
import { Effect, Layer } from "effect"
import { capabilityFacts, capabilityFilter, eligible } from "./capabilityFilter.ts"
import type { RoutableProvider } from "./capabilityFilter.ts"
import { defaultFailover } from "./FailoverPolicy.ts"
import { Router } from "./Router.ts"
import { rulesetHash } from "./rulesetHash.ts"

/** Creates the router. `providers` are in the order in which they are tried. */
export const layer = (providers: ReadonlyArray<RoutableProvider>): Layer.Layer<Router> =>
  Layer.effect(
    Router,
    Effect.suspend(() => make(providers))
  )

const make = Effect.fnUntraced(function* (providers: ReadonlyArray<RoutableProvider>) {
  // The hash of the ruleset equals that of rules with the same order. So it stays the same when a host changes from
  // this router to rules.
  const priority = providers.map(({ id }) => id)
  const ruleset = yield* rulesetHash({ version: 1, default: { priority } })
  const decidedBy = { rule: "default", ruleset } as const
  const filtered = providers.map((provider) => ({
    provider: provider.id,
    filter: capabilityFilter(provider),
    reason: "priority"
  }))
  return Router.of({
    plan: ({ demotionOf, payment, tenant }) => {
      const { dropped, first, last } = eligible(filtered, payment, capabilityFacts(payment, tenant), demotionOf)
      if (first.length === 0) return { _tag: "NoRoute", ...decidedBy, candidates: dropped }
      const candidates = [...first.map(({ provider, reason }) => ({ provider, reason })), ...last]
      return { _tag: "Plan", decision: { ...decidedBy, reason: "priority", candidates, dropped }, candidates }
    },
    policyOf: () => defaultFailover
  })
})

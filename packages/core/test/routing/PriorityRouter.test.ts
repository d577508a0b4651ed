import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { NewPayment } from "../../src/domain/Payment.ts"
import type { RoutableProvider } from "../../src/routing/capabilityFilter.ts"
import { defaultFailover } from "../../src/routing/FailoverPolicy.ts"
import * as PriorityRouter from "../../src/routing/PriorityRouter.ts"
import { Router } from "../../src/routing/Router.ts"
import type { DemotionOf } from "../../src/routing/Router.ts"
import { anyCard, card, payment, paymentId, provider, providers, tenant, upi } from "./samples.ts"

const noneIsDemoted: DemotionOf = () => null

const route = (among: ReadonlyArray<RoutableProvider>, made: NewPayment, demotionOf = noneIsDemoted) =>
  Effect.gen(function* () {
    const { plan } = yield* Router
    return plan({ id: paymentId(1), tenant, payment: made, demotionOf })
  }).pipe(Effect.provide(PriorityRouter.layer(among)))

const candidates = (...ids: ReadonlyArray<string>) => ids.map((id) => ({ provider: id, reason: "priority" }))

const three = ["a", "b", "c"].map((id) => provider(id, { card: anyCard }))

describe("priority routing", () => {
  it.effect("tries providers in the order they are given, without those that cannot take the payment", () =>
    Effect.gen(function* () {
      const routed = yield* route(providers, payment(upi(), "INR"))
      assert.containsSubset(routed, { _tag: "Plan", candidates: candidates("razorpay", "cashfree") })
      const reversed = yield* route(providers.toReversed(), payment(upi(), "INR"))
      assert.containsSubset(reversed, { _tag: "Plan", candidates: candidates("cashfree", "razorpay") })
    })
  )

  it.effect("explains its plan, and names the rules that would decide the same", () =>
    Effect.gen(function* () {
      const routed = yield* route([...three, provider("d", {})], payment(card(), "EUR"))
      const expected = candidates("a", "b", "c")
      assert.deepStrictEqual(routed, {
        _tag: "Plan",
        candidates: expected,
        decision: {
          rule: "default",
          // sha256 of {"default":{"priority":["a","b","c","d"]},"version":1}
          ruleset: "sha256:f47cf6ea97fb9d3e57e34fd2ec4e6b1e4ccae9abfe5f0b792d8a189122f69fc7",
          reason: "priority",
          candidates: expected,
          dropped: [{ provider: "d", reason: "method_not_supported" }]
        }
      })
    })
  )

  for (const reason of ["breaker_open", "account_not_enabled"] as const) {
    it.effect(`tries those that are demoted by ${reason} last; if all are, as they are given`, () =>
      Effect.gen(function* () {
        const eur = payment(card(), "EUR")
        const aIsDemoted = yield* route(three, eur, (id) => (id === "a" ? reason : null))
        assert.deepNestedInclude(aIsDemoted, {
          candidates: [...candidates("b", "c"), { provider: "a", reason }]
        })
        assert.deepNestedInclude(yield* route(three, eur, () => reason), { candidates: candidates("a", "b", "c") })
      })
    )
  }

  it.effect("says why each provider is dropped if none can take the payment", () =>
    Effect.gen(function* () {
      const onlyInr = provider("razorpay", { card: { ...anyCard, currencies: ["INR"] } })
      const routed = yield* route([onlyInr, provider("cashfree", {})], payment(card(), "EUR"))
      assert.containsSubset(routed, {
        _tag: "NoRoute",
        rule: "default",
        candidates: [
          { provider: "razorpay", reason: "currency_not_supported" },
          { provider: "cashfree", reason: "method_not_supported" }
        ]
      })
    })
  )

  it.effect("has the default failover for every payment", () =>
    Effect.gen(function* () {
      const { policyOf } = yield* Router
      assert.deepStrictEqual(policyOf({ rule: "default", ruleset: "sha256:00" }), defaultFailover)
    }).pipe(Effect.provide(PriorityRouter.layer(three)))
  )
})

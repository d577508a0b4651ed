/** Failover of a rule, and by decline code: what rules may narrow, and that core's table is never widened. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { declineCodes, Engine, Ids, Outcome, Payments } from "@paymux/core"
import type { DeclineCode } from "@paymux/core"
import { Router } from "@paymux/core/routing"
import type { FailoverPolicy } from "@paymux/core/routing"
import { MemoryStore } from "@paymux/testkit/memory-store"
import { Routing } from "../src/Routing.ts"
import { card, plain, scripted } from "../../core/test/engine/fixtures.ts"
import { compiled, problems } from "./fixtures.ts"
import type { Place } from "./fixtures.ts"
import { byStripe, top } from "./written.ts"

const cards = { payment_method: "card" }
const rule = (name: string, failover?: object) => ({
  name,
  when: name === "cards" ? cards : { "metadata.shop": name },
  choose: byStripe,
  ...(failover !== undefined && { failover })
})

describe("the policy of a rule", () => {
  it("is the top-level one, with the keys of the rule in the place of those", async () => {
    const { failover } = await compiled(
      top({
        rules: [rule("own", { max_attempts: 1, on: ["not_executed"] }), rule("codes", { not_on: [] }), rule("none")],
        failover: { max_attempts: 5, deadline: "30s", not_on: ["suspected_fraud"] }
      })
    )
    const general: FailoverPolicy = {
      maxAttempts: 5,
      deadlineMs: 30_000,
      on: ["not_executed", "soft_decline"],
      notOn: ["suspected_fraud"]
    }
    assert.deepStrictEqual(failover("own"), { ...general, maxAttempts: 1, on: ["not_executed"] })
    assert.deepStrictEqual(failover("codes"), { ...general, notOn: [] })
    for (const name of ["none", "default", "a rule of other rules"]) assert.deepStrictEqual(failover(name), general)
  })

  it("of listed codes takes all other declines for hard ones", async () => {
    const on = ["issuer_unavailable", "processing_error"]
    const { failover } = await compiled(top({ failover: { on } }))
    const policy = failover("default")
    assert.deepStrictEqual(policy.on, ["soft_decline"])
    assert.sameMembers([...on, ...policy.notOn], [...declineCodes])
  })
})

const providers = (code: DeclineCode, retry: "other_provider" | "never") => [
  scripted("a", { create: () => Effect.succeed(Outcome.declined({ code, retry })) }),
  scripted("b", { create: () => Effect.succeed(Outcome.succeeded()) })
]

/** The providers that are tried after a decline, by rules with this `failover` at the top and in the rule. */
const tried = (
  failover: object,
  own: object,
  code: DeclineCode = "do_not_honor",
  retry: "other_provider" | "never" = "other_provider"
) => {
  const among = providers(code, retry)
  const rules = [{ name: "cards", when: cards, choose: { priority: ["a", "b"] }, failover: own }]
  const router = Routing.layer({ version: 1, rules, default: { priority: ["b"] }, failover }, among)
  return Effect.gen(function* () {
    const payments = yield* Payments
    const { record } = yield* payments.create(yield* card, plain)
    return record.attempts.map(({ provider }) => provider)
  }).pipe(
    Effect.provide(
      Engine.layer({ providers: among, router, publicUrl: "http://localhost:4310" }).pipe(
        Layer.provideMerge(MemoryStore.layer),
        Layer.provideMerge(Ids.layer)
      )
    )
  )
}

describe("failover after a soft decline", () => {
  it.effect("follows the codes of the rule, else those at the top", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* tried({}, {}), ["a", "b"])
      assert.deepStrictEqual(yield* tried({ not_on: ["do_not_honor"] }, {}), ["a"])
      assert.deepStrictEqual(yield* tried({ not_on: ["do_not_honor"] }, { not_on: [] }), ["a", "b"])
      assert.deepStrictEqual(yield* tried({ not_on: ["do_not_honor"] }, {}, "issuer_unavailable"), ["a", "b"])
      assert.deepStrictEqual(yield* tried({}, { on: ["issuer_unavailable"] }), ["a"])
      assert.deepStrictEqual(yield* tried({ on: [] }, { on: ["do_not_honor"] }), ["a", "b"])
      assert.deepStrictEqual(yield* tried({}, { max_attempts: 1 }), ["a"])
    })
  )

  it.effect("is never allowed by a code where the decline is hard, or about the payer", () =>
    Effect.gen(function* () {
      const on = { on: ["do_not_honor", "suspected_fraud"] }
      assert.deepStrictEqual(yield* tried(on, on, "suspected_fraud", "never"), ["a"])
      assert.deepStrictEqual(yield* tried(on, on, "insufficient_funds"), ["a"])
    })
  )
})

describe("another process with the same rules", () => {
  it.effect("finds the policy of the rule by the decision that is stored with the payment", () =>
    Effect.gen(function* () {
      const among = providers("do_not_honor", "other_provider")
      const rules = (deadline: string) => ({
        version: 1,
        rules: [{ name: "cards", when: cards, choose: { priority: ["a", "b"] }, failover: { deadline } }],
        default: { priority: ["b"] }
      })
      const router = (config: unknown) =>
        Effect.provide(
          Effect.all([Router, Effect.flatMap(Routing, ({ current }) => current)]),
          Layer.provide(Routing.layer(config, among), MemoryStore.layer.pipe(Layer.provideMerge(Ids.layer)))
        )
      const [, { ruleset }] = yield* router(rules("20s"))
      const [same] = yield* router(rules("20s"))
      assert.strictEqual(same.policyOf({ rule: "cards", ruleset }).deadlineMs, 20_000)
      assert.strictEqual(same.policyOf({ rule: "default", ruleset }).deadlineMs, 45_000)
      // Of rules that it does not know, it takes the rule with the same name.
      const [other] = yield* router(rules("10s"))
      assert.strictEqual(other.policyOf({ rule: "cards", ruleset }).deadlineMs, 10_000)
    }).pipe(Effect.scoped)
  )
})

describe("the check of failover", () => {
  it.each<readonly [what: string, config: unknown, ReadonlyArray<readonly [Place, string]>]>([
    [
      "a code beside all soft declines",
      top({ failover: { on: ["not_executed", "soft_decline", "processing_error"] } }),
      [[["failover", "on", 2], "`failover.on[2]` is part of `soft_decline`: name one of the two"]]
    ],
    [
      "a code for and against failover",
      top({ rules: [rule("a", { on: ["processing_error"], not_on: ["unsupported", "processing_error"] })] }),
      [[["rules", 0, "failover", "not_on", 1], 'rule "a": `failover.not_on[1]` is in `on`, too']]
    ],
    [
      "a code that the top level forbids",
      top({ rules: [rule("a", { on: ["suspected_fraud"] })], failover: { not_on: ["suspected_fraud"] } }),
      [
        [
          ["rules", 0, "failover", "on", 0],
          'rule "a": `failover.on[0]` is in `not_on` at the top: add a `not_on` to this rule, too'
        ]
      ]
    ]
  ])("refuses %s", (_, config, expected) => assert.deepStrictEqual(problems(config), expected))
})

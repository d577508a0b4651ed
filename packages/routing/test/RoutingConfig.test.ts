import { assert, describe, it } from "@effect/vitest"
import { defaultFailover } from "@paymux/core/routing"
import { Effect, Exit, Result, Schema } from "effect"
import { checkRouting } from "../src/check/checkRouting.ts"
import { compile } from "../src/CompiledRouting.ts"
import { defaultRouting, RoutingConfig } from "../src/RoutingConfig.ts"
import { anyCard, compiled, problems, provider, providers, refusals, withRule } from "./fixtures.ts"
import { shapeRefusals } from "./shapeRefusals.ts"
import { severalWays, wholeLanguage } from "./wholeLanguage.ts"
import { byStripe, choose, top, when } from "./written.ts"

describe("the language", () => {
  const usdc = { currencies: "any", flows: { transfer: {} }, assets: [{ asset: "USDC", network: "base" }] } as const
  const among = [...providers, provider("coinbase", { stablecoin: usdc })]

  it("is taken whole: every condition, operator and choice", () =>
    assert.deepStrictEqual(problems(wholeLanguage, among), []))

  for (const [what, config] of severalWays) {
    it(`has ${what}`, () => assert.deepStrictEqual(problems(config, among), []))
  }

  it("decodes durations to ms and percentages to fractions", () => {
    const config = Schema.decodeUnknownSync(RoutingConfig)(wholeLanguage, { onExcessProperty: "error" })
    assert.strictEqual(config.failover?.deadline, 45_000)
    const choose = config.rules?.[2]?.choose
    assert.isTrue(choose !== undefined && "best" in choose && choose.window === 1_800_000 && choose.explore === 0.05)
    const deadlineOf = (deadline: string) =>
      Schema.decodeUnknownSync(RoutingConfig)(top({ failover: { deadline } })).failover?.deadline
    assert.deepStrictEqual(["1ms", "2s", "3m", "4h", "1d"].map(deadlineOf), [1, 2000, 180_000, 14_400_000, 86_400_000])
  })
})

describe("what is not written in the language is refused with its place and a sentence", () => {
  for (const [what, config, expected] of shapeRefusals) {
    it(`refuses ${what}`, () => assert.deepStrictEqual(problems(config), expected))
  }

  it("a key that is not known at the key, and all else at what stands there", () => {
    const atOf = (config: unknown) => problemsWithAt(config).map(({ at }) => at)
    assert.deepStrictEqual(atOf(when({ paymnet_method: "card" })), ["key"])
    assert.deepStrictEqual(atOf(choose({ split: { strpe: 100 } })), ["key"])
    assert.deepStrictEqual(atOf(when({ payment_method: "crad" })), [undefined])
    assert.deepStrictEqual(atOf(choose({ priority: ["strpe"] })), [undefined])
  })
})

const problemsWithAt = (config: unknown) => {
  const checked = checkRouting(config, providers)
  return Result.isFailure(checked) ? checked.failure.problems : []
}

describe("all that is wrong", () => {
  const broken = {
    version: 1,
    rules: [
      { name: "one", when: { currency: "euro" }, choose: { priority: ["strpe"] } },
      { name: "one", when: { amount: 5 }, choose: { split: { stripe: 1 } } }
    ],
    default: { priority: ["adyn"] }
  }

  it("is reported at once, whatever else is wrong", () =>
    assert.sameMembers(
      [...refusals(broken)],
      [
        'rule "one": `when.currency` must be an ISO 4217 currency in capitals, such as EUR',
        'rule "one": provider "strpe" is not configured; did you mean "stripe"?',
        'rule "one": `name` is that of an earlier rule',
        'rule "one": `when.amount` needs a `currency` beside it, or a method that implies one (upi)',
        'rule "one": `choose.split` must add up to 100, not 1',
        'default: provider "adyn" is not configured; did you mean "adyen"?'
      ]
    ))

  it.effect("is the error that compile fails with, each with its place", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(compile(broken, providers))
      assert.strictEqual(error._tag, "RoutingInvalid")
      assert.deepInclude(error.problems, {
        path: ["rules", 0, "choose", "priority", 0],
        message: 'rule "one": provider "strpe" is not configured; did you mean "stripe"?'
      })
      for (const { message } of error.problems) assert.include(error.message, message)
    })
  )

  it("shows no secret that was put in a wrong place", () => {
    const secret = "sk_live_51HxSecretAbc"
    const configs = [
      secret,
      { version: secret, default: secret },
      { version: 1, apiKey: secret, default: { priority: [secret] } },
      { version: 1, default: { split: { [secret]: 100 } }, failover: { deadline: secret, on: [secret] } },
      withRule({ payment_method: secret, currency: secret, livemode: secret, secret }, { split: { stripe: secret } }),
      withRule({ [secret]: 1 }, { [secret]: 1 })
    ]
    for (const config of configs) {
      assert.isNotEmpty(refusals(config))
      assert.notInclude(refusals(config).join("\n"), secret)
    }
  })
})

describe("compile", () => {
  it("takes what it may change from the configuration, the rest from the defaults", async () => {
    const failover = { max_attempts: 2, deadline: "1m" }
    assert.deepStrictEqual((await compiled({ version: 1, default: byStripe, failover })).failover("default"), {
      maxAttempts: 2,
      deadlineMs: 60_000,
      on: ["not_executed", "soft_decline"],
      notOn: []
    })
    assert.deepStrictEqual((await compiled({ version: 1, default: byStripe })).failover("default"), defaultFailover)
  })

  it("names the rules by the SHA-256 of their canonical JSON, however their keys are ordered", async () => {
    const { ruleset } = await compiled({ version: 1, default: byStripe })
    // printf '{"default":{"priority":["stripe"]},"version":1}' | sha256sum
    assert.strictEqual(ruleset, "sha256:00bbba1058535fd8b93a2abcffbd81bc7723888568e07eea98307b4196c9ef34")
    assert.strictEqual((await compiled({ default: byStripe, version: 1 })).ruleset, ruleset)
    assert.notStrictEqual((await compiled({ version: 1, default: { priority: ["adyen"] } })).ruleset, ruleset)
  })

  it.effect("without a configuration tries the providers in the order they were given, and needs at least one", () =>
    Effect.gen(function* () {
      const two = [provider("b", { card: anyCard }), provider("a", { card: anyCard })]
      assert.deepStrictEqual(defaultRouting(two), { version: 1, default: { priority: ["b", "a"] } })
      assert.isTrue(Exit.isSuccess(yield* Effect.exit(compile(defaultRouting(two), two))))
      assert.isTrue(Exit.isFailure(yield* Effect.exit(compile(defaultRouting([]), []))))
    })
  )
})

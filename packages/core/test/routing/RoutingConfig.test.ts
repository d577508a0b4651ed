import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Schema } from "effect"
import { compile } from "../../src/routing/CompiledRouting.ts"
import { defaultRouting, defineRouting, RoutingConfig } from "../../src/routing/RoutingConfig.ts"
import { anyCard, compiled, provider, providers, refusals, withRule } from "./fixtures.ts"

const priority = { priority: ["stripe"] }
const refuses = (config: unknown, ...messages: ReadonlyArray<string>) =>
  assert.deepStrictEqual([...refusals(config)].sort(), [...messages].sort())

/** The configuration of the language's description: every condition, operator and choice. */
const wholeLanguage = defineRouting({
  version: 1,
  rules: [
    {
      name: "high-value upi",
      when: { payment_method: "upi", amount: { gte: 500000 } },
      choose: { priority: ["razorpay", "cashfree"] }
    },
    {
      name: "domestic cards",
      when: {
        payment_method: "card",
        "card.network": ["visa", "mastercard"],
        "card.country": "IN",
        "card.bin": { in_prefixes: ["4111", "52"] },
        any: [{ "metadata.channel": "app" }, { "customer.email": { ends_with: "@example.com" } }],
        not: { time: { between: ["23:30", "00:30"], zone: "Asia/Kolkata" } }
      },
      choose: { split: { stripe: 70, adyen: 30 }, sticky_by: "customer.email", seed: "2026" }
    },
    {
      name: "best acceptance",
      when: { payment_method: "card", currency: ["EUR", "USD"] },
      choose: { best: "success_rate", among: ["stripe", "adyen"], window: "30m", min_samples: 50, explore: "5%" }
    },
    {
      name: "cheapest chain",
      when: { payment_method: "stablecoin", all: [{ livemode: true }, { "stablecoin.asset": { exists: true } }] },
      choose: { best: "cost", among: ["evm_base"] }
    }
  ],
  default: { priority: ["stripe"] },
  fees: { stripe: { card: { percent: 2.9, fixed: { USD: 30 } } } },
  failover: { max_attempts: 3, deadline: "45s", on: ["not_executed", "soft_decline"] }
})

describe("the shape of the language", () => {
  it("takes all of it, and decodes durations to ms and percentages to fractions", () => {
    const config = Schema.decodeUnknownSync(RoutingConfig)(wholeLanguage, { onExcessProperty: "error" })
    assert.strictEqual(config.failover?.deadline, 45_000)
    const choose = config.rules?.[2]?.choose
    assert.isTrue(choose !== undefined && "best" in choose && choose.window === 1_800_000 && choose.explore === 0.05)
  })

  it("is published as JSON Schema from the same source", () => {
    const document = JSON.stringify(Schema.toJsonSchemaDocument(RoutingConfig, { onExcessProperty: "error" }))
    for (const word of ["payment_method", "card.network", "sticky_by", "max_attempts"]) assert.include(document, word)
    assert.include(document, JSON.stringify("^\\+[1-9]\\d{0,2}$"))
    assert.include(document, '"additionalProperties":false')
  })

  it("refuses every part that is not built yet by its rule and name, and nothing else of the whole language", () => {
    refuses(
      wholeLanguage,
      'rule "high-value upi": `gte` of `amount` is not supported yet',
      'rule "domestic cards": `in_prefixes` of `card.bin` is not supported yet',
      'rule "domestic cards": `any` is not supported yet',
      'rule "domestic cards": `not` is not supported yet',
      'rule "best acceptance": `best` is not supported yet',
      'rule "cheapest chain": `all` is not supported yet',
      'rule "cheapest chain": `best` is not supported yet',
      "`fees` is not supported yet"
    )
  })

  for (const [operator, condition] of [
    ["gt", { currency: "INR", amount: { gt: 1 } }],
    ["lt", { currency: "INR", amount: { lt: 1 } }],
    ["lte", { currency: "INR", amount: { lte: 1 } }],
    ["between", { currency: "INR", amount: { between: [1, 2] } }],
    ["exists", { currency: "INR", amount: { exists: true } }]
  ] as const) {
    it(`refuses the operator ${operator} until it is built`, () =>
      refuses(withRule(condition, priority), `rule "x": \`${operator}\` of \`amount\` is not supported yet`))
  }

  for (const operator of ["starts_with", "ends_with"]) {
    it(`refuses the operator ${operator} until it is built`, () =>
      refuses(
        withRule({ "metadata.plan": { [operator]: "a" } }, priority),
        `rule "x": \`${operator}\` of \`metadata.plan\` is not supported yet`
      ))
  }

  it("refuses time until it is built", () =>
    refuses(withRule({ time: { between: ["09:00", "17:00"] } }, priority), 'rule "x": `time` is not supported yet'))
})

describe("what is refused, and with which words", () => {
  it("something that is not a configuration", () => {
    refuses(null, "the routing configuration: must be a mapping")
    refuses("version: 1", "the routing configuration: must be a mapping")
  })

  it("a missing version and default", () => refuses({ rules: [] }, "`version` is missing", "`default` is missing"))

  it("another version", () => refuses({ version: 2, default: priority }, "`version` must be 1"))

  it("an unknown key anywhere, with the nearest known one", () => {
    refuses({ version: 1, default: priority, rule: [] }, '`rule` is not known; did you mean "rules"?')
    refuses(
      withRule({ paymnet_method: "card" }, priority),
      'rule "x": `when.paymnet_method` is not known; did you mean "payment_method"?'
    )
    refuses(
      withRule({}, { split: { stripe: 100 }, stickyby: "account" }),
      'rule "x": `choose.stickyby` is not known; did you mean "sticky_by"?'
    )
    refuses(
      { version: 1, default: priority, failover: { maxattempts: 2 } },
      '`failover.maxattempts` is not known; did you mean "max_attempts"?'
    )
    refuses(
      withRule({ currency: "INR", amount: { gtee: 5 } }, priority),
      'rule "x": `when.amount.gtee` is not known; did you mean "gte"?'
    )
  })

  it("an unknown provider, with the nearest configured one", () => {
    refuses(
      withRule({}, { priority: ["strpe"] }),
      'rule "x": provider "strpe" is not configured; did you mean "stripe"?'
    )
    refuses(
      { version: 1, default: { split: { "Not A Provider!": 100 } } },
      "default: provider this text is not configured"
    )
    refuses({ version: 1, default: { priority: ["worldpay"] } }, 'default: provider "worldpay" is not configured')
  })

  it("an unknown word of a closed list, with the nearest known one", () => {
    refuses(
      withRule({ payment_method: "crad" }, priority),
      'rule "x": `when.payment_method` must be one of upi, card, stablecoin, not "crad"; did you mean "card"?'
    )
    refuses(
      withRule({ payment_method: ["card", "wire"] }, priority),
      'rule "x": `when.payment_method[1]` must be one of upi, card, stablecoin, not "wire"'
    )
    refuses(
      withRule({ capture_method: "manul" }, priority),
      'rule "x": `when.capture_method` must be one of automatic, manual, not "manul"; did you mean "manual"?'
    )
  })

  it("failover on an unknown outcome: there is no such word", () =>
    refuses(
      { version: 1, default: priority, failover: { on: ["unknown"] } },
      '`failover.on[0]` must be one of not_executed, soft_decline, not "unknown"'
    ))

  it("a value of another kind", () => {
    refuses(
      withRule({ livemode: "yes" }, priority),
      'rule "x": `when.livemode` must be true or false or a list or a mapping'
    )
    refuses(withRule({ "card.bin": 411111 }, priority), 'rule "x": `when.card.bin` must be text or a list or a mapping')
    refuses(withRule({ account: {} }, priority), 'rule "x": `when.account` must name an operator')
    refuses(withRule({ account: [] }, priority), 'rule "x": `when.account` must not be empty')
  })

  it("a currency that is not ISO 4217", () => {
    const message = "must be an ISO 4217 currency in capitals, such as EUR"
    refuses(withRule({ currency: "euro" }, priority), `rule "x": \`when.currency\` ${message}`)
    refuses(withRule({ currency: ["EUR", "XYZ"] }, priority), `rule "x": \`when.currency[1]\` ${message}`)
  })

  it("codes that are not written as their standard writes them", () => {
    refuses(
      withRule({ "card.country": "India" }, priority),
      'rule "x": `when.card.country` must be an ISO 3166 country in capitals, such as IN'
    )
    refuses(
      withRule({ "customer.phone_country": "IN" }, priority),
      'rule "x": `when.customer.phone_country` must be a country calling code such as "+91"'
    )
  })

  it("an amount without a currency, unless the method implies one", () => {
    const message = 'rule "x": `when.amount` needs a `currency` beside it, or a method that implies one (upi)'
    refuses(withRule({ amount: 500 }, priority), message)
    refuses(withRule({ amount: 500, payment_method: ["upi", "card"] }, priority), message)
    refuses(withRule({ amount: 500, payment_method: "upi" }, { priority: ["razorpay"] }))
    refuses(withRule({ amount: 500, currency: "EUR" }, priority))
  })

  it("an amount that is not a whole number of the smallest unit", () =>
    refuses(
      withRule({ currency: "EUR", amount: 9.99 }, priority),
      'rule "x": `when.amount` must be a whole number of the smallest unit'
    ))

  it("a split that does not add up to 100", () => {
    refuses(withRule({}, { split: { stripe: 70, adyen: 20 } }), 'rule "x": `choose.split` must add up to 100, not 90')
    refuses(withRule({}, { split: { stripe: 0, adyen: 0 } }), 'rule "x": `choose.split` must add up to 100, not 0')
    refuses(withRule({}, { split: { stripe: 101 } }), 'rule "x": `choose.split.stripe` must be from 0 to 100')
    refuses({ version: 1, default: { split: { stripe: 99.5 } } }, "default: `split` must add up to 100, not 99.5")
  })

  it("no split whose fractions add up to 100 only on paper", () =>
    refuses(withRule({}, { split: { stripe: 33.3, adyen: 33.3, razorpay: 33.4 } })))

  it("an empty candidate list", () => {
    refuses(withRule({}, { priority: [] }), 'rule "x": `choose.priority` must name at least one provider')
    refuses(withRule({}, { split: {} }), 'rule "x": `choose.split` must name at least one provider')
    refuses({ version: 1, default: { priority: [] } }, "default: `priority` must name at least one provider")
  })

  it("a candidate named twice", () =>
    refuses(withRule({}, { priority: ["stripe", "adyen", "stripe"] }), 'rule "x": provider "stripe" is named twice'))

  it("a rule named like an earlier one, or like the default", () => {
    const named = (name: string) => ({ name, when: {}, choose: priority })
    const config = (...names: ReadonlyArray<string>) => ({ version: 1, rules: names.map(named), default: priority })
    refuses(config("a", "b", "a"), 'rule "a": `name` is that of an earlier rule')
    refuses(config("default"), 'rule "default": `name` is kept for the rule that holds where no other does')
    refuses(config(""), "rule 1: `name` must be 1 to 100 characters on one line, without a space at either end")
  })

  it("a choice of no kind, or of several", () => {
    const kinds = "`priority`, `split`, `best`"
    refuses(withRule({}, {}), `rule "x": \`choose\` must have one of ${kinds}`)
    refuses(
      withRule({}, { priorty: ["stripe"] }),
      `rule "x": \`choose\` must have one of ${kinds}; did you mean "priority"?`
    )
    refuses(withRule({}, { ...priority, split: { adyen: 100 } }), `rule "x": \`choose\` must have only one of ${kinds}`)
    refuses(withRule({}, { best: "cost" }), 'rule "x": `choose.among` is missing')
  })

  it("a provider that cannot take the method or the currency of its rule", () => {
    refuses(withRule({ payment_method: "upi" }, priority), 'rule "x": provider "stripe" does not take upi')
    refuses(
      withRule({ payment_method: "card", currency: ["EUR", "USD"] }, { split: { stripe: 50, razorpay: 50 } }),
      'rule "x": provider "razorpay" does not take EUR or USD'
    )
    refuses({ version: 1, default: { priority: ["stripe", "cashfree", "evm_base"] } })
  })

  it("a duration or a number out of its range", () => {
    const failover = (change: unknown) => ({ version: 1, default: priority, failover: change })
    refuses(
      failover({ deadline: "45 seconds" }),
      '`failover.deadline` must be a duration such as "45s" (ms, s, m, h or d)'
    )
    refuses(failover({ deadline: 45 }), "`failover.deadline` must be text")
    refuses(failover({ max_attempts: 0 }), "`failover.max_attempts` must be a whole number from 1 on")
  })
})

describe("all that is wrong", () => {
  const broken = {
    version: 1,
    rules: [
      { name: "one", when: { currency: "euro" }, choose: { priority: ["strpe"] } },
      { name: "one", when: { amount: 5 }, choose: { split: { stripe: 1 } } }
    ],
    default: { priority: ["adyn"] }
  }

  it("is told at once, whatever else is wrong", () =>
    refuses(
      broken,
      'rule "one": `when.currency` must be an ISO 4217 currency in capitals, such as EUR',
      'rule "one": provider "strpe" is not configured; did you mean "stripe"?',
      'rule "one": `name` is that of an earlier rule',
      'rule "one": `when.amount` needs a `currency` beside it, or a method that implies one (upi)',
      'rule "one": `choose.split` must add up to 100, not 1',
      'default: provider "adyn" is not configured; did you mean "adyen"?'
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
    assert.deepStrictEqual((await compiled({ version: 1, default: priority, failover })).failover, {
      maxAttempts: 2,
      deadlineMs: 60_000,
      on: ["not_executed", "soft_decline"]
    })
    assert.deepStrictEqual((await compiled({ version: 1, default: priority })).failover, {
      maxAttempts: 3,
      deadlineMs: 45_000,
      on: ["not_executed", "soft_decline"]
    })
  })

  it("names the rules by the SHA-256 of their canonical JSON, however their keys are ordered", async () => {
    const { ruleset } = await compiled({ version: 1, default: priority })
    // printf '{"default":{"priority":["stripe"]},"version":1}' | sha256sum
    assert.strictEqual(ruleset, "sha256:00bbba1058535fd8b93a2abcffbd81bc7723888568e07eea98307b4196c9ef34")
    assert.strictEqual((await compiled({ default: priority, version: 1 })).ruleset, ruleset)
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

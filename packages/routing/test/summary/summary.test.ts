/** The paragraph that says why a payment goes where it goes. */
import { assert, describe, it } from "@effect/vitest"
import type { NewPayment } from "@paymux/core"
import type { Demotion } from "@paymux/core/routing"
import { explain, explainDecided } from "../../src/explain.ts"
import { facts } from "../../src/Facts.ts"
import type { Facts } from "../../src/Facts.ts"
import type { Health } from "../../src/Health.ts"
import { unknownHealth } from "../../src/Health.ts"
import type { Known } from "../../src/learn/SuccessRates.ts"
import {
  anyCard,
  anyCoin,
  anyUpi,
  card,
  coin,
  compiled,
  payment,
  paymentId,
  provider,
  tenant,
  upi
} from "../fixtures.ts"

/** 2026-01-15, 18:00 UTC. */
const now = Date.UTC(2026, 0, 15, 18)
const eur = payment(card({ network: "visa", bin: "411111" }), "EUR", 4900)
const factsOf = (made: NewPayment): Facts => facts(made, tenant, paymentId(1), now)

const four = ["adyen", "stripe", "checkout", "dodo"].map((id) => provider(id, { card: anyCard }))

/** `samples` attempts say that `rate` of them are paid. */
const record = (rate: number, samples: number): Known => ({ rate, known: samples, basis: `${samples} visa cards` })

const records: { readonly [provider: string]: Known } = {
  adyen: record(0.95, 212),
  stripe: { ...record(0.9, 198), basis: "198 visa cards, none from DE" }
}
const unknownProvider: Known = { rate: 0.94, known: 4, basis: "0 cards" }
const knowing = (rates: { readonly [provider: string]: Known }): Health => ({
  demotionOf: () => null,
  estimates: ({ providers }) => new Map(providers.map((provider) => [provider, rates[provider] ?? unknownProvider]))
})
const known = knowing(records)
const opening = (...open: ReadonlyArray<string>): Health => ({
  ...known,
  demotionOf: (provider) => (open.includes(provider) ? "breaker_open" : null)
})

const summaryOf = async (config: object, made = eur, health = known, providers = four): Promise<string> =>
  explain(await compiled({ version: 1, ...config }, providers), made, factsOf(made), health).summary

const fees = {
  adyen: { card: { percent: 2.9, fixed: { EUR: 11 } } },
  stripe: { card: { percent: 1.4, fixed: { EUR: 25 } } }
}

/** One rule for euros by card, which chooses so. */
const rule = (choose: unknown, when: unknown = { currency: "EUR" }) => ({
  rules: [{ name: "best acceptance", when, choose }],
  default: { priority: ["adyen", "stripe"] },
  fees
})

/** What is said after the rule. */
const chosen = async (choose: unknown, health = known, made = eur): Promise<string> =>
  (await summaryOf(rule(choose), made, health)).replace('Rule "best acceptance" decided, because currency is EUR. ', "")

const decision = {
  rule: "best acceptance",
  ruleset: "sha256:00",
  reason: "cost",
  candidates: [
    { provider: "adyen", reason: "cost 1.53 EUR, success_rate 91.9% of 60, drawn 92.6%" },
    { provider: "stripe", reason: "cost 0.94 EUR, success_rate 90.4% of 60, drawn 90.7%, below 91.6%" }
  ],
  dropped: []
}
const decided = (change: object, config: unknown = rule({})): string | undefined =>
  explainDecided(config, { ...decision, ...change }, factsOf(eur))?.summary

const adyen = "adyen (cost 1.53 EUR, drawn success rate 94.8%, estimate 95.0% from 212 visa cards)"
const stripe = "stripe (cost 0.94 EUR, drawn success rate 89.7%, estimate 90.0% from 198 visa cards, none from DE)"
const stripeNext = "If adyen fails and failover is allowed, stripe is next."

describe("the rule", () => {
  const because = async (when: object, made = eur): Promise<string> => {
    const summary = await summaryOf(rule({ priority: ["adyen"] }, when), made)
    return /^Rule "best acceptance" decided, because (.*?)\. adyen/.exec(summary)?.[1] ?? summary
  }

  it("is the default if none matches, or if the rules are empty", async () => {
    assert.match(
      await summaryOf(rule({ priority: ["adyen"] }), payment(card(), "USD")),
      /^No rule matched, so the default decided\. /
    )
    assert.match(
      await summaryOf({ default: { priority: ["adyen"] } }),
      /^The default decided, as there are no rules\. /
    )
  })

  const conditions: ReadonlyArray<readonly [when: object, because: string]> = [
    [{ payment_method: "card", currency: ["EUR", "USD"] }, "payment_method is card and currency is EUR"],
    [{ currency: "EUR", amount: { gt: 1000 } }, "currency is EUR and amount is 49.00 EUR (more than 10.00 EUR)"],
    [{ currency: "EUR", amount: { gte: 4900 } }, "currency is EUR and amount is 49.00 EUR (at least 49.00 EUR)"],
    [{ currency: "EUR", amount: { lt: 4901 } }, "currency is EUR and amount is 49.00 EUR (less than 49.01 EUR)"],
    [{ currency: "EUR", amount: { lte: 4900 } }, "currency is EUR and amount is 49.00 EUR (at most 49.00 EUR)"],
    [
      { currency: "EUR", amount: { between: [1, 5000] } },
      "currency is EUR and amount is 49.00 EUR (between 0.01 EUR and 50.00 EUR)"
    ],
    [{ currency: "EUR", amount: 4900 }, "currency is EUR and amount is 49.00 EUR"],
    [{ "card.bin": { in_prefixes: ["52", "41"] } }, "card.bin starts with 41"],
    [{ "customer.email": { ends_with: "@example.com" } }, "customer.email ends with @example.com"],
    [{ "card.bin": { exists: true } }, "card.bin is present"],
    [{ "card.country": { exists: false } }, "card.country is absent"],
    [{ time: { between: ["17:00", "19:00"] } }, "time is 18:00 UTC (between 17:00 and 19:00)"],
    [{ time: { weekdays: ["thu"] } }, "time is thu 2026-01-15 18:00 UTC (on thu)"],
    [{ all: [{ currency: "EUR" }] }, "currency is EUR"],
    [
      { any: [{ livemode: true }, { "card.network": "visa", currency: "EUR" }] },
      "currency is EUR and card.network is visa"
    ],
    [{ not: { currency: "USD" } }, "currency is EUR (not USD)"],
    [{ not: { currency: ["USD", "GBP", "INR", "JPY"] } }, "currency is EUR (not USD or GBP or INR or 1 more)"],
    [{ not: { "card.country": "IN" } }, "card.country is absent"],
    [{ not: { "card.bin": { exists: false } } }, "card.bin is present"],
    [{ not: { "card.bin": { in_prefixes: ["52", "53"] } } }, "card.bin does not start with 52 or 53"],
    [{ not: { "customer.email": { ends_with: "@staff.test" } } }, "customer.email does not end with @staff.test"],
    [
      { currency: "EUR", not: { currency: "EUR", amount: { gt: 5000 } } },
      "currency is EUR and amount is 49.00 EUR (not more than 50.00 EUR)"
    ],
    [{ not: { time: { between: ["19:00", "20:00"] } } }, "time is 18:00 UTC (not between 19:00 and 20:00)"],
    [
      { not: { any: [{ livemode: true }, { currency: "USD" }] } },
      "livemode is false (not true) and currency is EUR (not USD)"
    ],
    [{ not: { not: { currency: "EUR" } } }, "currency is EUR"]
  ]
  for (const [when, expected] of conditions) {
    it(`decided, because ${expected}`, async () => assert.strictEqual(await because(when), expected))
  }

  it("names three conditions, and counts the others", async () => {
    const when = { payment_method: "card", currency: "EUR", livemode: false, "card.network": "visa" }
    const three = "payment_method is card, currency is EUR, "
    assert.match(await because(when), new RegExp(`^${three}.* and 1 more condition matches$`))
    assert.match(await because({ ...when, account: "default" }), new RegExp(`^${three}.* and 2 more conditions match$`))
  })

  it("shows text of a merchant on one line, and cut", async () => {
    const plan = `a\n\u001b[2J\u202e${"x".repeat(100)}`
    const made = { ...eur, metadata: { plan } }
    assert.strictEqual(
      await because({ "metadata.plan": plan }, made),
      `metadata.plan is a\uFFFD\uFFFD[2J\uFFFD${"x".repeat(53)}…`
    )
  })

  it("of a stored payment may not match it now, or be unknown", () => {
    const otherwise = rule({}, { currency: "USD" })
    assert.match(
      String(decided({}, otherwise)),
      /^Rule "best acceptance" decided, although its conditions do not match the payment as it is stored\. /
    )
    assert.match(String(decided({ rule: "gone" })), /^Rule "gone" decided\. /)
    assert.match(String(decided({}, rule({}, {}))), /^Rule "best acceptance" decided\. /)
  })
})

describe("the choice", () => {
  it("by priority, and of one provider", async () => {
    assert.strictEqual(
      await chosen({ priority: ["adyen", "stripe"] }),
      `adyen is the first available provider in the list. ${stripeNext}`
    )
    assert.strictEqual(
      await chosen({ priority: ["adyen"] }),
      "adyen is the only provider to choose from. No other provider is left for failover."
    )
  })

  it("by split", async () => {
    assert.strictEqual(
      await chosen({ split: { adyen: 20, stripe: 80 } }),
      "The split selected stripe (80 out of 100), before adyen (20 out of 100). If stripe fails and failover is allowed, adyen is next."
    )
  })

  it("by success rate, with what is not known yet", async () => {
    assert.strictEqual(
      await chosen({ best: "success_rate", among: ["adyen", "stripe"] }),
      `adyen had the highest drawn success rate: 94.8% (estimate 95.0% from 212 visa cards), before stripe with 89.7% (estimate 90.0% from 198 visa cards, none from DE). ${stripeNext}`
    )
    const unknown = await chosen({ best: "success_rate", among: ["adyen", "stripe"] }, unknownHealth)
    assert.include(unknown, "(assumed 91.0%, as nothing is known yet), before")
    assert.notInclude(unknown, "attempt")
    assert.match(
      await chosen({ best: "success_rate", among: ["adyen"] }),
      /^adyen \(drawn success rate 94\.8%, estimate 95\.0% from 212 visa cards\) is the only provider to choose from\. /
    )
  })

  it("by success rate, as older decisions store it", () => {
    const by = (...reasons: ReadonlyArray<string>) => {
      const candidates = reasons.map((reason, index) => ({ provider: ["a", "b", "c"][index] ?? "", reason }))
      return decided({ reason: "success_rate", candidates })?.split(". ").slice(1).join(". ")
    }
    assert.strictEqual(
      by("success_rate 92.1% of 212", "success_rate 90.4% of 1", "success_rate 90.0% of 0"),
      "a had the highest success rate: 92.1% (from 212 attempts), before b with 90.4% (from 1 attempt) and c with 90.0% (assumed, as nothing is known yet). If a fails and failover is allowed, b is next, then c."
    )
    assert.include(
      by("success_rate 92.1%", "success_rate 90.4%"),
      "a had the highest success rate: 92.1%, before b with 90.4%. "
    )
    assert.include(by("?", "success_rate"), "a came first by success rate. ")
    assert.include(by("success_rate 92.1% of 212, drawn 92.0%", "?"), ", before b. ")
  })

  it("to explore", async () => {
    assert.strictEqual(
      await chosen({ best: "success_rate", among: ["adyen", "stripe"], explore: "100%" }),
      "stripe came first to explore: the rule sends a share of its payments to another provider than the best. Otherwise adyen would have been first, with a success rate of 94.8% (estimate 95.0% from 212 visa cards). If stripe fails and failover is allowed, adyen is next."
    )
    const old = [
      { provider: "a", reason: "explore" },
      { provider: "b", reason: "?" }
    ]
    assert.include(decided({ reason: "explore", candidates: old }), "Otherwise b would have been first. ")
  })

  it("by cost", async () => {
    assert.include(
      await chosen({ best: "cost", among: ["adyen", "stripe", "checkout"] }),
      "stripe had the lowest cost: 0.94 EUR, before adyen with 1.53 EUR and checkout (cost unknown). "
    )
    assert.include(
      await chosen({ best: "cost", among: ["dodo", "checkout"] }),
      "No cost is known for dodo and checkout, so the order of the rule applies and dodo came first. "
    )
  })

  it("by cost above the lowest rate that within or floor allows", async () => {
    const checkout = "checkout (cost unknown, drawn success rate 59.1%, estimate 60.0% from 100 visa cards)"
    const poor = knowing({ ...records, checkout: record(0.6, 100) })
    const among = ["adyen", "stripe", "checkout"]
    const late = `Only ${adyen} had a high enough success rate. ${stripe} and ${checkout} come later: their success rates are probably below`
    for (const [more, limit] of [
      [{ within: "1%" }, '94.0%, the lowest rate that "within" allows'],
      [{ floor: "93%" }, "the floor of 93.0%"],
      [{ floor: "93%", within: "1%" }, '94.0%, the lowest rate that "within" allows'],
      [{ floor: "94%", within: "3%" }, "the floor of 94.0%"]
    ] as const) {
      assert.include(await chosen({ best: "cost", among, ...more }, poor), `${late} ${limit}. `)
    }
    // One of which little is known may be high enough.
    const unknown = "checkout (cost unknown, drawn success rate 88.4%, assumed 94.0%, as nothing is known yet)"
    assert.include(
      await chosen({ best: "cost", among, floor: "93%" }),
      `Among the providers with a high enough success rate, adyen had the lowest cost: 1.53 EUR (drawn success rate 94.8%, estimate 95.0% from 212 visa cards), before ${unknown}. ${stripe} comes later: its success rate is probably below the floor of 93.0%. `
    )
    assert.include(
      await chosen({ best: "cost", among: ["adyen", "stripe"], floor: "99.9%" }),
      `Every success rate is probably below the floor of 99.9%, so the highest draw came first: ${adyen}, before ${stripe}. `
    )
    assert.match(
      await chosen({ best: "cost", among: ["adyen"], floor: "99.9%" }),
      /\) is the only provider to choose from, although its success rate is probably below the floor of 99\.9%\. /
    )
  })

  it("by value", async () => {
    const by = (margin: string, among: ReadonlyArray<string>, more = {}) =>
      chosen({ best: "value", among, margin, ...more })
    assert.include(
      await by("8%", ["adyen", "stripe", "checkout"]),
      "stripe had the highest expected value: 2.68 EUR (cost 0.94 EUR, drawn success rate 89.7%, estimate 90.0% from 198 visa cards, none from DE), before adyen with 2.27 EUR (cost 1.53 EUR, drawn success rate 94.8%, estimate 95.0% from 212 visa cards) and checkout (cost unknown, "
    )
    assert.include(
      await by("1%", ["adyen", "stripe"]),
      "No value above 0 is expected of adyen and stripe, so the highest draw came first: adyen (value -1.04 EUR, cost 1.53 EUR, "
    )
    assert.include(
      await by("1%", ["dodo", "checkout"]),
      "No cost is known for dodo and checkout, so the highest draw came first: dodo ("
    )
    assert.include(
      await by("8%", ["adyen", "stripe"], { floor: "94%" }),
      " comes later: its success rate is probably below the floor of 94.0%. "
    )
  })

  it("has the limit of the rules that decided, so far as they can be read", () => {
    const below = (config: unknown, change: object = {}) =>
      /is probably below (.*?)\. If /.exec(String(decided(change, config)))?.[1]
    assert.strictEqual(below(rule({ within: "1%" })), '91.6%, the lowest rate that "within" allows')
    assert.strictEqual(below(rule({ within: "1%", floor: "85%" })), '91.6%, the lowest rate that "within" allows')
    assert.strictEqual(below(rule({ within: "1%", floor: "91.6%" })), "the floor of 91.6%")
    assert.strictEqual(below(rule({ floor: "91.6%" })), "the floor of 91.6%")
    for (const choose of [{}, { floor: 5 }, "?"]) assert.strictEqual(below(rule(choose)), "the limit of 91.6%")
    const byDefault = { ...rule({ within: "1%" }, { currency: "USD" }), default: { floor: "91.6%" } }
    assert.strictEqual(below(byDefault, { rule: "default" }), "the floor of 91.6%")
    assert.strictEqual(below(byDefault, { rule: "gone" }), "the limit of 91.6%")
  })

  it("of other routers and of bad decisions", () => {
    const of = (reason: string, candidates: ReadonlyArray<{ readonly provider: string; readonly reason: string }>) =>
      decided({ reason, candidates })?.replace('Rule "best acceptance" decided, because currency is EUR.', "").trim()
    const two = [
      { provider: "a", reason: "?" },
      { provider: "b", reason: "?" }
    ]
    const bNext = "If a fails and failover is allowed, b is next."
    assert.strictEqual(of("nearest", two), `a came first, with the reason "nearest". ${bNext}`)
    assert.strictEqual(of("split", two), `The split selected a, before b. ${bNext}`)
    assert.strictEqual(of("cost", two), `a came first by cost. ${bNext}`)
    assert.strictEqual(of("value", two), `a came first by value. ${bNext}`)
    assert.strictEqual(of("cost", []), "")
    assert.strictEqual(
      of("cost", [{ provider: "a", reason: "breaker_open" }]),
      "Every circuit breaker was open: a is tried first."
    )
    assert.strictEqual(
      of("cost", [{ provider: "a", reason: "account_not_enabled" }]),
      "Every provider was moved to the end: a is tried first."
    )
  })
})

describe("what was left out", () => {
  it("because a breaker is open is tried last", async () => {
    const all = { priority: ["adyen", "stripe", "checkout", "dodo"] }
    assert.strictEqual(
      await chosen(all, opening("adyen")),
      "stripe is the first available provider in the list. If stripe fails and failover is allowed, checkout is next, then dodo; adyen comes last, because its circuit breaker was open."
    )
    assert.strictEqual(
      await chosen({ priority: ["adyen", "stripe", "dodo"] }, opening("adyen", "stripe")),
      "dodo was the only available provider. If dodo fails and failover is allowed, adyen and stripe come last, because their circuit breakers were open."
    )
  })

  it("because its account is not enabled for the payment is tried last, too", async () => {
    const demotions = { adyen: "account_not_enabled", stripe: "breaker_open", dodo: "account_not_enabled" } as const
    const health: Health = {
      ...known,
      demotionOf: (id) => new Map<string, Demotion>(Object.entries(demotions)).get(id) ?? null
    }
    assert.strictEqual(
      await chosen({ priority: ["adyen", "stripe", "checkout", "dodo"] }, health),
      "checkout was the only available provider. If checkout fails and failover is allowed, stripe comes last, because its circuit breaker was open; adyen and dodo come last, because their accounts were not enabled for this kind of payment."
    )
  })

  it("is in the list of those that come next up to a number", async () => {
    const many = ["a", "b", "c", "d", "e", "f", "g"].map((id) => provider(id, { card: anyCard }))
    const summary = await summaryOf({ default: { priority: many.map(({ id }) => id) } }, eur, known, many)
    assert.match(summary, / b is next, then c, then d, then e, then 2 more providers\.$/)
    const rates = await summaryOf(
      { default: { best: "success_rate", among: many.map(({ id }) => id) } },
      eur,
      known,
      many
    )
    assert.match(rates, / and 3 more providers\. If /)
  })

  const left = async (dropped: ReturnType<typeof provider>, made: NewPayment, more: object = {}): Promise<string> => {
    const able = provider("able", { card: anyCard, upi: anyUpi, stablecoin: anyCoin })
    const summary = await summaryOf({ default: { priority: ["out", "able"] }, ...more }, made, known, [dropped, able])
    return / out was left out: (.*?)\. No other/.exec(summary)?.[1] ?? summary
  }
  const out = (change: object) => provider("out", { card: { ...anyCard, ...change } })

  it("by the mode, the method, the currency or the amount", async () => {
    assert.strictEqual(await left(provider("out", { card: anyCard }, "live"), eur), "it takes live payments only")
    assert.strictEqual(await left(provider("out", { upi: anyUpi }), eur), "it does not support card payments")
    assert.strictEqual(await left(out({ flows: { token: {} } }), eur), "it does not support the hosted flow")
    assert.strictEqual(await left(out({ currencies: ["USD"] }), eur), "it does not support EUR")
    assert.strictEqual(
      await left(out({ amounts: [{ currency: "EUR", min: "50.00" }] }), eur),
      "it requires a larger amount"
    )
    assert.strictEqual(
      await left(out({ amounts: [{ currency: "EUR", max: "40.00" }] }), eur),
      "it does not accept an amount this large"
    )
    assert.strictEqual(await left(out({ networks: ["amex"] }), eur), "it does not support the network visa")
    assert.strictEqual(await left(out({ phoneCodes: ["+1"] }), eur), "it does not accept the customer's phone number")
  })

  it("by what the payment lacks", async () => {
    const requires = (fact: string) => out({ flows: { hosted: { requires: [fact] } } })
    assert.strictEqual(await left(requires("client.ip"), eur), "it requires data of the client that the payment lacks")
    assert.strictEqual(await left(requires("customer.name"), eur), "it requires the customer's name")
    assert.strictEqual(await left(requires("customer.address"), eur), "it requires the customer's address")
    assert.strictEqual(await left(requires("description"), eur), "it requires a description")
    assert.strictEqual(await left(requires("return_url"), eur), "it requires a return URL")
    const unknown = { ...eur, customer: { email: null, phone: null, name: null, address: null } }
    assert.strictEqual(await left(requires("customer.email"), unknown), "it requires the customer's e-mail address")
    assert.strictEqual(await left(requires("customer.phone"), unknown), "it requires the customer's phone number")
  })

  it("by the capture, the token or the coin", () => {
    const why = (reason: string, made: NewPayment = eur) =>
      explainDecided(
        {},
        { ...decision, rule: "default", dropped: [{ provider: "out", reason }] },
        factsOf(made)
      )?.summary.match(/left out: (.*?)\. If/)?.[1]
    assert.strictEqual(
      why("capture_method_not_supported", { ...eur, captureMethod: "manual" }),
      "it does not support manual capture"
    )
    assert.strictEqual(why("no_usable_token"), "it has no usable card token")
    const usdt = payment(coin({ asset: "USDT", network: "ethereum" }), "USD")
    assert.strictEqual(why("asset_not_supported", usdt), "it does not support USDT")
    assert.strictEqual(why("network_not_supported", usdt), "it does not support the network ethereum")
    assert.strictEqual(why("asset_not_supported", payment(coin(), "USD")), "it does not support the asset")
    assert.strictEqual(
      why("network_not_supported", payment(upi(), "INR")),
      "it does not support the network of the payment"
    )
    assert.strictEqual(why("too_far"), 'it was dropped with the reason "too_far"')
    assert.strictEqual(why("toString"), 'it was dropped with the reason "toString"')
  })

  it("by the rules", async () => {
    const outage = { provider: "out", from: "2026-01-01T00:00:00Z", to: "2026-02-01T00:00:00Z" }
    assert.strictEqual(await left(out({}), eur, { exclude: ["out"] }), "the rules exclude it")
    assert.strictEqual(await left(out({}), eur, { outages: [outage] }), "it has a planned outage")
    assert.strictEqual(
      await left(out({}), eur, { outages: [{ ...outage, note: "bank work" }] }),
      "it has a planned outage (bank work)"
    )
  })

  it("of several is grouped by the reason, up to a number", () => {
    const dropped = (...reasons: ReadonlyArray<string>) =>
      String(decided({ dropped: reasons.map((reason, index) => ({ provider: "abcdef"[index] ?? "", reason })) }))
    const currency = "currency_not_supported"
    assert.include(dropped(currency, currency), " 2 providers were left out: a and b do not support EUR. ")
    assert.include(
      dropped(currency, "excluded", currency, "excluded", "outage"),
      " 5 providers were left out: a and c do not support EUR; the rules exclude b and d; e has a planned outage. "
    )
    assert.include(dropped("outage", "outage"), "a and b have a planned outage. ")
    assert.include(
      dropped(currency, currency, currency, currency, currency),
      " a, b, c and 2 more providers do not support EUR. "
    )
    assert.include(
      dropped(currency, "excluded", "outage", "mode_mismatch", "amount_too_large"),
      "; c has a planned outage; others have 2 more reasons. "
    )
  })

  it("is every provider", async () => {
    assert.strictEqual(
      await summaryOf({ default: { priority: ["adyen", "stripe"] }, exclude: ["adyen"] }, payment(upi(), "INR")),
      "The default decided, as there are no rules. No provider is available: the rules exclude adyen; stripe does not support upi payments. The payment is rejected with no_route."
    )
  })
})

describe("the summary of an experiment", () => {
  it("names the arm, whichever provider comes first", async () => {
    const split = { adyen: 50, stripe: 50 }
    const plain = await summaryOf(rule({ split }))
    const part = await summaryOf(rule({ split, experiment: "euros" }))
    assert.notInclude(plain, "experiment")
    assert.match(part, / The payment is part of experiment "euros", in the arm (?:adyen|stripe)\.$/)
  })
})

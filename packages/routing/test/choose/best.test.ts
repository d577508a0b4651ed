/** Providers in the order of what they have done, or of what they take. */
import { assert, describe, it } from "@effect/vitest"
import type { NewPayment } from "@paymux/core"
import type { Plan } from "@paymux/core/routing"
import type { CompiledRouting, Learned } from "../../src/CompiledRouting.ts"
import { facts } from "../../src/Facts.ts"
import type { Health } from "../../src/Health.ts"
import { unknownHealth } from "../../src/Health.ts"
import type { Known } from "../../src/learn/SuccessRates.ts"
import { plan } from "../../src/choose/plan.ts"
import { anyCard, anyUpi, card, compiled, payment, paymentId, provider, tenant, upi } from "../fixtures.ts"

const three = ["a", "b", "c"].map((id) => provider(id, { card: anyCard }))
const eur = payment(card(), "EUR")

/** `samples` attempts say that `rate` of them are paid. */
const record = (rate: number, samples: number): Known => ({
  rate,
  known: samples,
  basis: samples === 1 ? "1 card" : `${samples} cards`
})

const known = (records: { readonly [provider: string]: Known }): Health => ({
  ...unknownHealth,
  estimates: ({ providers }) => new Map(providers.map((provider) => [provider, records[provider] ?? record(0.91, 0)]))
})
const opening = (health: Health, ...open: ReadonlyArray<string>): Health => ({
  ...health,
  demotionOf: (provider) => (open.includes(provider) ? "breaker_open" : null)
})

const planned = (routing: CompiledRouting, health = unknownHealth, made: NewPayment = eur, n = 0): Plan => {
  const id = paymentId(n)
  const answer = plan(routing, made, facts(made, tenant, id, 0), health)
  if (answer._tag === "NoRoute") throw new Error("no candidate")
  return answer
}
const order = (answer: Plan) => answer.candidates.map(({ provider }) => provider).join("")
const reasons = (answer: Plan) => answer.candidates.map(({ provider, reason }) => `${provider}: ${reason}`)

const byRate = (more: object = {}, among = ["a", "b", "c"]) =>
  compiled({ version: 1, default: { best: "success_rate", among, ...more } }, three)
const byCost = (fees: unknown, among = ["a", "b", "c"], providers = three) =>
  compiled({ version: 1, default: { best: "cost", among }, fees }, providers)

/** How often each is first among `count` payments, 0 to 1, and how often a plan says that it explores. */
const shares = (routing: CompiledRouting, health: Health, count = 20_000) => {
  const first = { a: 0, b: 0, c: 0, explored: 0 }
  for (let n = 0; n < count; n++) {
    const { candidates, decision } = planned(routing, health, eur, n)
    const winner = candidates[0]?.provider
    if (winner === "a" || winner === "b" || winner === "c") first[winner] += 1 / count
    if (decision.reason === "explore") first.explored += 1 / count
  }
  return first
}

/** `a: success_rate 92.1% of 412 cards, drawn 92.4%` as numbers. */
const judged = (answer: Plan) =>
  answer.candidates.map(({ provider, reason }) => {
    const [, rate, samples, draw] = /^success_rate ([\d.]+)% of (\d+) cards?, drawn (-?[\d.]+)%$/.exec(reason) ?? []
    return { provider, rate: Number(rate), samples: Number(samples), draw: Number(draw) }
  })

describe("best: success_rate", () => {
  const health = known({ a: record(0.5, 50), b: record(0.9, 240), c: record(0.99, 90) })

  it("tries the highest draw first, and says what it rests on", async () => {
    const answer = planned(await byRate(), health)
    const [best, second, worst] = judged(answer)
    assert.deepStrictEqual([best?.provider, second?.provider, worst?.provider], ["c", "b", "a"])
    assert.deepStrictEqual([best?.samples, second?.samples, worst?.samples], [90, 240, 50])
    assert.strictEqual(best?.rate, 99)
    assert.strictEqual(worst?.rate, 50)
    assert.strictEqual(answer.decision.reason, "success_rate")
    assert.deepStrictEqual(answer.decision.candidates, answer.candidates)
  })

  it("draws every payment anew, close to the estimate where much is known, and the same for the same payment", async () => {
    const routing = await byRate({}, ["a", "b"])
    const draws = (samples: number) =>
      Array.from({ length: 2_000 }, (_, n) => {
        const answer = planned(routing, known({ a: record(0.9, samples), b: record(0.9, samples) }), eur, n)
        return judged(answer).find(({ provider }) => provider === "a")?.draw ?? 0
      })
    const spread = (values: ReadonlyArray<number>) => Math.max(...values) - Math.min(...values)
    assert.isAbove(new Set(draws(2)).size, 100)
    assert.isAbove(spread(draws(2)), 8 * spread(draws(200)))
    assert.deepStrictEqual(draws(7), draws(7))
  })

  it("shares equals out evenly, however they are listed", async () => {
    const equal = known({ a: record(0.9, 100), b: record(0.9, 100), c: record(0.9, 100) })
    for (const among of [
      ["a", "b", "c"],
      ["c", "b", "a"]
    ]) {
      const share = shares(await byRate({}, among), equal)
      for (const each of [share.a, share.b, share.c]) assert.approximately(each, 1 / 3, 0.02)
    }
  })

  it("tries a provider that is not known, and leaves it once it is known to be worse", async () => {
    const routing = await byRate({}, ["a", "b"])
    assert.isAbove(shares(routing, known({ a: record(0.4, 50) })).b, 0.8)
    assert.approximately(shares(routing, known({ a: record(0.99, 200), b: record(0.991, 4) })).b, 0.5, 0.1)
    const shareOfWorse = shares(routing, known({ a: record(0.99, 200), b: record(0.9, 12) })).b
    assert.isBelow(shareOfWorse, 0.05)
    assert.isAbove(shareOfWorse, 0)
  })

  it("asks once for all of its providers, as the rule learns", async () => {
    const asked: Array<readonly [learned: Learned, currency: string]> = []
    const health: Health = {
      ...unknownHealth,
      estimates: (learned, { currency }) => {
        asked.push([learned, currency])
        return new Map()
      }
    }
    const more = { window: "2h", min_samples: 7, segments: ["metadata.shop"], prior: { a: "60%" } }
    planned(await byRate(more, ["b", "a"]), opening(health, "b"))
    assert.lengthOf(asked, 1)
    const [[learned, currency] = []] = asked
    assert.strictEqual(currency, "EUR")
    assert.deepStrictEqual(learned?.providers, ["b", "a"])
    assert.deepStrictEqual([...(learned?.expected ?? [])], [["a", 0.6]])
    assert.deepStrictEqual(learned?.lens, { windowMs: 7_200_000, learnFrom: "all", segments: ["metadata.shop"] })
    assert.strictEqual(learned?.strength, 7)
  })

  it("puts last of whom nothing is learned", async () => {
    const health: Health = { ...unknownHealth, estimates: () => new Map([["b", record(0.6, 50)]]) }
    const answer = planned(await byRate({}, ["a", "b"]), health)
    assert.strictEqual(order(answer), "ba")
    assert.match(reasons(answer)[1] ?? "", /^a: success_rate 0\.0% of 0 attempts, drawn /)
  })

  it("decides another rule's payments otherwise", async () => {
    const health = known({ a: record(0.9, 9), b: record(0.9, 9), c: record(0.9, 9) })
    const named = (name: string) =>
      compiled(
        {
          version: 1,
          rules: [{ name, when: {}, choose: { best: "success_rate", among: ["a", "b", "c"] } }],
          default: { priority: ["a"] }
        },
        three
      )
    const [x, again, y] = [await named("x"), await named("x"), await named("y")]
    const firsts = (routing: CompiledRouting) =>
      Array.from({ length: 1000 }, (_, n) => order(planned(routing, health, eur, n)))
    assert.deepStrictEqual(firsts(again), firsts(x))
    const others = firsts(y)
    assert.isAbove(firsts(x).filter((order, n) => order !== others[n]).length, 200)
  })
})

describe("explore", () => {
  const health = known({ a: record(0.99, 200), b: record(0.8, 200), c: record(0.7, 200) })
  const exploring = (explore: string, among?: ReadonlyArray<string>) =>
    byRate({ explore }, [...(among ?? ["a", "b", "c"])])

  it("sends its share to the others, evenly, whatever is known of them", async () => {
    for (const [explore, share] of [
      ["5%", 0.05],
      ["50%", 0.5]
    ] as const) {
      const found = shares(await exploring(explore), health, 100_000)
      assert.approximately(found.explored, share, 0.005)
      assert.approximately(found.b, share / 2, 0.005)
      assert.approximately(found.c, share / 2, 0.005)
    }
    assert.strictEqual(shares(await exploring("0%"), health).explored, 0)
    assert.approximately(shares(await exploring("100%"), health).explored, 1, 1e-9)
  })

  it("puts one of the others first, says so, and leaves the rest in their order", async () => {
    const routing = await exploring("100%")
    for (let n = 0; n < 100; n++) {
      const answer = planned(routing, health, eur, n)
      assert.strictEqual(answer.decision.reason, "explore")
      assert.include(["bac", "cab"], order(answer))
      assert.strictEqual(answer.candidates[0]?.reason, "explore")
      assert.match(answer.candidates[1]?.reason ?? "", /^success_rate 99\.0% of 200 cards, drawn /)
    }
  })

  it("never takes a provider whose breaker is open, and never one without an alternative", async () => {
    const routing = await exploring("100%")
    for (let n = 0; n < 1000; n++) {
      assert.strictEqual(order(planned(routing, opening(health, "b"), eur, n)), "cab")
      const alone = planned(routing, opening(health, "b", "c"), eur, n)
      assert.strictEqual(order(alone), "abc")
      assert.strictEqual(alone.decision.reason, "success_rate")
    }
    const one = planned(await exploring("100%", ["b"]), health)
    assert.strictEqual(one.decision.reason, "success_rate")
  })
})

describe("best: cost", () => {
  const percent = (percent: number, fixed?: { readonly [currency: string]: number }) => ({
    card: { percent, ...(fixed !== undefined && { fixed }) }
  })

  it("tries the cheapest first, and says what each takes", async () => {
    const routing = await byCost({
      a: percent(2.9, { EUR: 30 }),
      b: percent(1.5),
      c: { card: { fixed: { EUR: 199 } } }
    })
    const answer = planned(routing)
    assert.deepStrictEqual(reasons(answer), ["b: cost 1.50 EUR", "c: cost 1.99 EUR", "a: cost 3.20 EUR"])
    assert.strictEqual(answer.decision.reason, "cost")
  })

  it("is of the amount: what is cheap for little is dear for much", async () => {
    const routing = await byCost({ a: percent(1, { EUR: 100 }), b: percent(3) }, ["a", "b"])
    assert.strictEqual(order(planned(routing, unknownHealth, payment(card(), "EUR", 4999))), "ba")
    // 1.50 EUR both.
    assert.strictEqual(order(planned(routing, unknownHealth, payment(card(), "EUR", 5000))), "ab")
    assert.strictEqual(order(planned(routing, unknownHealth, payment(card(), "EUR", 5001))), "ab")
  })

  it("keeps equals as they are listed, and lets those follow whose fee is not known", async () => {
    const routing = await byCost({ b: percent(2), c: percent(2) }, ["a", "c", "b"])
    const answer = planned(routing)
    assert.deepStrictEqual(reasons(answer), ["c: cost 2.00 EUR", "b: cost 2.00 EUR", "a: cost unknown"])
    assert.strictEqual(order(planned(await byCost({}, ["c", "a", "b"]))), "cab")
  })

  it("is not known without the method, or without the currency of a fixed part", async () => {
    const both = [provider("a", { upi: anyUpi }), provider("b", { upi: anyUpi, card: anyCard })]
    const upis = await byCost({ b: percent(1) }, ["a", "b"], both)
    assert.deepStrictEqual(reasons(planned(upis, unknownHealth, payment(upi(), "INR"))), [
      "a: cost unknown",
      "b: cost unknown"
    ])
    const fixed = await byCost({ a: percent(1, { USD: 30 }), b: percent(9) }, ["a", "b"])
    assert.deepStrictEqual(reasons(planned(fixed)), ["b: cost 9.00 EUR", "a: cost unknown"])
    const usd = planned(fixed, unknownHealth, payment(card(), "USD"))
    assert.deepStrictEqual(reasons(usd), ["a: cost 1.30 USD", "b: cost 9.00 USD"])
  })

  it("is nothing where nothing is taken, and written with the decimals of the currency", async () => {
    const routing = await byCost({ a: { card: {} }, b: percent(1) }, ["a", "b"])
    const said = (currency: string, amount: number) =>
      reasons(planned(routing, unknownHealth, payment(card(), currency, amount)))[1]
    assert.strictEqual(reasons(planned(routing))[0], "a: cost 0.00 EUR")
    assert.strictEqual(said("JPY", 12_345), "b: cost 123 JPY")
    assert.strictEqual(said("KWD", 123_456), "b: cost 1.235 KWD")
  })

  it("compares fractions of the smallest unit that it does not say", async () => {
    const routing = await byCost({ a: percent(1.004), b: percent(1.001) }, ["a", "b"])
    const answer = planned(routing, unknownHealth, payment(card(), "EUR", 100))
    assert.deepStrictEqual(reasons(answer), ["b: cost 0.01 EUR", "a: cost 0.01 EUR"])
  })
})

describe("a fee with exceptions", () => {
  const fees = {
    a: {
      card: {
        percent: 2.9,
        except: [
          { "card.network": ["amex", "diners"], percent: 3.5 },
          { "card.country": "DE", "card.funding": "debit", percent: 0.2, fixed: { EUR: 5 } },
          { "card.country": ["DE", "FR"], percent: 1.4 }
        ]
      }
    },
    b: { card: { percent: 2 } }
  }
  const costOfA = async (more: Parameters<typeof card>[0], currency = "EUR") => {
    const routing = await byCost(fees, ["a", "b"])
    return reasons(planned(routing, unknownHealth, payment(card(more), currency, 10_000))).find((one) =>
      one.startsWith("a")
    )
  }

  it("is the first whose conditions all hold, else the fee itself", async () => {
    assert.strictEqual(await costOfA({ network: "visa", country: "US" }), "a: cost 2.90 EUR")
    assert.strictEqual(await costOfA({ network: "amex", country: "DE" }), "a: cost 3.50 EUR")
    assert.strictEqual(await costOfA({ network: "visa", country: "DE", funding: "debit" }), "a: cost 0.25 EUR")
    assert.strictEqual(await costOfA({ network: "visa", country: "DE", funding: "credit" }), "a: cost 1.40 EUR")
    assert.strictEqual(await costOfA({ country: "FR" }), "a: cost 1.40 EUR")
    assert.strictEqual(await costOfA({}), "a: cost 2.90 EUR", "what is not known meets no condition")
  })

  it("is not known for other cards where there are exceptions alone", async () => {
    const only = { a: { card: { except: [{ "card.network": "amex", percent: 3.5 }] } }, b: { card: { percent: 2 } } }
    const routing = await byCost(only, ["a", "b"])
    const said = (network: string) =>
      reasons(planned(routing, unknownHealth, payment(card({ network }), "EUR", 10_000)))
    assert.deepStrictEqual(said("visa"), ["b: cost 2.00 EUR", "a: cost unknown"])
    assert.deepStrictEqual(said("amex"), ["b: cost 2.00 EUR", "a: cost 3.50 EUR"])
  })

  it("is not known where the exception has no fixed part in the currency", async () => {
    assert.strictEqual(await costOfA({ country: "DE", funding: "debit" }, "USD"), "a: cost unknown")
  })
})

describe("best: cost with success rates", () => {
  const fees = { a: { card: { percent: 3 } }, b: { card: { percent: 1 } }, c: { card: { percent: 2 } } }
  const health = known({ a: record(0.98, 240), b: record(0.7, 240), c: record(0.96, 240) })
  const cost = (more: object) =>
    compiled({ version: 1, default: { best: "cost", among: ["a", "b", "c"], ...more }, fees }, three)

  it("compares those within the tolerance of the highest rate, and lets the others follow", async () => {
    assert.strictEqual(order(planned(await cost({}), health)), "bca")
    const routing = await cost({ within: "5%" })
    const answer = planned(routing, health)
    assert.strictEqual(order(answer), "cab")
    assert.strictEqual(answer.decision.reason, "cost")
    assert.match(
      reasons(answer)[2] ?? "",
      /^b: cost 1\.00 EUR, success_rate 70\.0% of 240 cards, drawn [67]\d\.\d%, below 93\.0%$/
    )
    assert.strictEqual(order(planned(await cost({ within: "50%" }), health)), "bca")
  })

  it("lets those follow that are below the floor, also where all are", async () => {
    assert.strictEqual(order(planned(await cost({ floor: "90%" }), health)), "cab")
    // Not the cheapest of them: it may take nothing.
    assert.strictEqual(order(planned(await cost({ floor: "99.9%" }), health)), "acb")
    assert.strictEqual(order(planned(await cost({ floor: "99.9%", within: "50%" }), health)), "acb")
    assert.strictEqual(order(planned(await cost({ floor: "0%" }), health)), "bca")
  })

  it("gives a provider below its floor a payment again once its failures are forgotten", async () => {
    const routing = await cost({ floor: "90%" })
    const first = (b: Known) => {
      const records = known({ a: record(0.98, 240), b, c: record(0.96, 240) })
      const orders = Array.from({ length: 1_000 }, (_, n) => order(planned(routing, records, eur, n)))
      return orders.filter((each) => each.startsWith("b")).length
    }
    assert.strictEqual(first(record(0.3, 100)), 0)
    assert.strictEqual(first(record(0.7, 3)), 1_000, "it may be as good as its floor")
    assert.strictEqual(first(record(0.91, 0)), 1_000)
  })

  it("lets a provider follow only where it is below with a probability of 90 %", async () => {
    const isFirst = async (more: object, a: Known, b: Known) =>
      order(planned(await cost(more), known({ a, b, c: record(0.5, 10_000) }))).startsWith("b")
    // 5 % are 1.28 deviations of 85 % in 83 attempts.
    assert.isTrue(await isFirst({ floor: "90%" }, record(0.98, 240), record(0.85, 82)))
    assert.isFalse(await isFirst({ floor: "90%" }, record(0.98, 240), record(0.85, 84)))
    // The other may be worse than it seems, too.
    assert.isFalse(await isFirst({ within: "2%" }, record(0.92, 1e9), record(0.85, 84)))
    assert.isTrue(await isFirst({ within: "2%" }, record(0.92, 84), record(0.85, 84)))
    assert.isFalse(await isFirst({ within: "2%" }, record(0.92, 500), record(0.85, 120)))
  })
})

describe("best: value", () => {
  const fees = { a: { card: { percent: 3 } }, b: { card: { percent: 1 } } }
  const value = (more: object) =>
    compiled({ version: 1, default: { best: "value", among: ["a", "b"], ...more }, fees }, three)
  const health = known({ a: record(0.98, 240), b: record(0.8, 240) })

  it("tries first who probably leaves the most of the margin", async () => {
    // 0.98 × (20 - 3) = 16.7 % against 0.8 × (20 - 1) = 15.2 %; with a margin of 5 %, 2.0 against 3.2 %.
    assert.strictEqual(order(planned(await value({ margin: "20%" }), health)), "ab")
    const answer = planned(await value({ margin: "5%" }), health)
    assert.strictEqual(order(answer), "ba")
    assert.strictEqual(answer.decision.reason, "value")
    assert.match(
      reasons(answer)[0] ?? "",
      /^b: value 3\.\d\d EUR, cost 1\.00 EUR, success_rate 80\.0% of 240 cards, drawn [78]\d\.\d%$/
    )
  })

  it("goes by success rates where each payment loses money: none is better for failing, or for being cheap", async () => {
    for (const [a, b, expected] of [
      [0.1, 0.98, ["b: value -1.00 EUR, cost 1.00 EUR", "a: value -3.00 EUR, cost 3.00 EUR"]],
      [0.98, 0.1, ["a: value -3.00 EUR, cost 3.00 EUR", "b: value -1.00 EUR, cost 1.00 EUR"]]
    ] as const) {
      const answer = planned(await value({ margin: "0%" }), known({ a: record(a, 240), b: record(b, 240) }))
      assert.deepStrictEqual(
        reasons(answer).map((reason) => reason.replace(/, success_rate.*/, "")),
        [...expected]
      )
    }
  })

  it("puts those last whose fee is not known, and those below the floor", async () => {
    const routing = await compiled(
      { version: 1, default: { best: "value", among: ["c", "a", "b"], margin: "5%", floor: "90%" }, fees },
      three
    )
    const answer = planned(routing, known({ a: record(0.98, 240), b: record(0.8, 240), c: record(0.99, 240) }))
    assert.strictEqual(order(answer), "acb")
    assert.match(reasons(answer)[1] ?? "", /^c: cost unknown, success_rate/)
    assert.match(reasons(answer)[2] ?? "", /, below 90\.0%$/)
  })
})

describe("a provider whose breaker is open", () => {
  const choices: ReadonlyArray<readonly [name: string, choose: unknown]> = [
    ["priority", { priority: ["a", "b", "c"] }],
    ["split", { split: { a: 100, b: 0, c: 0 } }],
    ["best: success_rate", { best: "success_rate", among: ["a", "b", "c"] }],
    ["best: cost", { best: "cost", among: ["a", "b", "c"] }],
    ["best: cost within", { best: "cost", among: ["a", "b", "c"], within: "50%" }],
    ["best: value", { best: "value", among: ["a", "b", "c"], margin: "5%" }]
  ]
  const ranked = known({ a: record(0.99, 200), b: record(0.8, 200), c: record(0.6, 200) })
  for (const [name, choose] of choices) {
    const routing = () => compiled({ version: 1, default: choose }, three)

    it(`goes last, with its reason: ${name}`, async () => {
      const answer = planned(await routing(), opening(ranked, "a"))
      assert.strictEqual(order(answer), "bca")
      assert.deepStrictEqual(answer.candidates[2], { provider: "a", reason: "breaker_open" })
      assert.deepStrictEqual(answer.decision.dropped, [])
    })

    it(`goes last in the rule's own order: ${name}`, async () => {
      const answer = planned(await routing(), opening(ranked, "b", "a"))
      assert.strictEqual(order(answer), "cab")
      assert.deepStrictEqual(reasons(answer).slice(1), ["a: breaker_open", "b: breaker_open"])
    })

    it(`keeps its place where all are open: ${name}`, async () => {
      const open = planned(await routing(), opening(ranked, "a", "b", "c"))
      assert.deepStrictEqual(open, planned(await routing(), ranked))
    })
  }

  it("is not asked for where it cannot take the payment anyway", async () => {
    const among = [provider("a", { upi: anyUpi }), ...three.slice(1)]
    const routing = await compiled({ version: 1, default: { priority: ["a", "b", "c"] } }, among)
    const answer = planned(routing, opening(unknownHealth, "a", "b", "c"))
    assert.deepStrictEqual(reasons(answer), ["b: priority", "c: priority"])
    assert.deepStrictEqual(answer.decision.dropped, [{ provider: "a", reason: "method_not_supported" }])
  })

  it("moves the payments of a split to the others by their weights, and no other payment", async () => {
    const routing = await compiled({ version: 1, default: { split: { a: 60, b: 30, c: 10 } } }, three)
    let toB = 0
    let moved = 0
    for (let n = 0; n < 100_000; n++) {
      const was = order(planned(routing, unknownHealth, eur, n))
      const is = order(planned(routing, opening(unknownHealth, "a"), eur, n))
      assert.isTrue(is.endsWith("a"))
      if (!was.startsWith("a")) assert.strictEqual(is[0], was[0])
      else {
        moved++
        if (is.startsWith("b")) toB++
      }
    }
    assert.approximately((toB / moved) * 100, 75, 0.6)
  })
})

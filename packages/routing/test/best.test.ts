/** Providers in the order of what they have done, or of what they take. */
import { assert, describe, it } from "@effect/vitest"
import type { NewPayment } from "@paymux/core"
import type { Plan } from "@paymux/core/routing"
import type { CompiledRouting } from "../src/CompiledRouting.ts"
import { facts } from "../src/Facts.ts"
import type { Health, Rate } from "../src/Health.ts"
import { unknownHealth } from "../src/Health.ts"
import { plan } from "../src/choose/plan.ts"
import { anyCard, anyUpi, card, compiled, payment, paymentId, provider, tenant, upi } from "./fixtures.ts"

const three = ["a", "b", "c"].map((id) => provider(id, { card: anyCard }))
const eur = payment(card(), "EUR")

const rates = (known: { readonly [provider: string]: Rate }): Health => ({
  ...unknownHealth,
  successRate: (provider) => known[provider] ?? null
})
const opening = (health: Health, ...open: ReadonlyArray<string>): Health => ({
  ...health,
  isOpen: (provider) => open.includes(provider)
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
  compiled({ version: 1, default: { best: "success_rate", among, explore: "0%", ...more } }, three)
const byCost = (fees: unknown, among = ["a", "b", "c"], providers = three) =>
  compiled({ version: 1, default: { best: "cost", among }, fees }, providers)

describe("best: success_rate", () => {
  it("tries the highest rate first, and says the rates", async () => {
    const routing = await byRate()
    const health = rates({
      a: { rate: 0.5, samples: 50 },
      b: { rate: 0.9214, samples: 412 },
      c: { rate: 1, samples: 90 }
    })
    const answer = planned(routing, health)
    assert.deepStrictEqual(reasons(answer), [
      "c: success_rate 100.0% of 90",
      "b: success_rate 92.1% of 412",
      "a: success_rate 50.0% of 50"
    ])
    assert.strictEqual(answer.decision.reason, "success_rate")
    assert.deepStrictEqual(answer.decision.candidates, answer.candidates)
  })

  it("keeps equals as they are listed", async () => {
    const equal = { rate: 0.9, samples: 100 }
    const health = rates({ a: equal, b: equal, c: equal })
    assert.strictEqual(order(planned(await byRate(), health)), "abc")
    assert.strictEqual(order(planned(await byRate({}, ["c", "a", "b"]), health)), "cab")
  })

  it("lets those follow that have fewer samples than min_samples, or none, as they are listed", async () => {
    const health = rates({ b: { rate: 1, samples: 49 }, c: { rate: 0, samples: 50 } })
    const answer = planned(await byRate(), health)
    assert.deepStrictEqual(reasons(answer), [
      "c: success_rate 0.0% of 50",
      "a: success_rate unknown",
      "b: success_rate unknown"
    ])
    assert.strictEqual(order(planned(await byRate({ min_samples: 49 }), health)), "bca")
    assert.strictEqual(order(planned(await byRate({ min_samples: 51 }), health)), "abc")
  })

  it("asks for its window and its samples; 30 minutes and 50 where the rule names none", async () => {
    const asked: Array<unknown> = []
    const health: Health = {
      ...unknownHealth,
      successRate: (provider, { currency }, windowMs, minSamples) => {
        asked.push([provider, currency, windowMs, minSamples])
        return null
      }
    }
    planned(await byRate({}, ["a"]), health)
    planned(await byRate({ window: "2h", min_samples: 7 }, ["a"]), health)
    assert.deepStrictEqual(asked, [
      ["a", "EUR", 1_800_000, 50],
      ["a", "EUR", 7_200_000, 7]
    ])
    assert.deepStrictEqual((await byRate({ window: "2h" })).windows, [7_200_000])
    assert.deepStrictEqual((await byCost({})).windows, [])
  })
})

describe("exploration", () => {
  const health = rates({ a: { rate: 0.9, samples: 99 }, b: { rate: 0.8, samples: 99 }, c: { rate: 0.7, samples: 99 } })
  const exploring = (explore: string | null, among?: ReadonlyArray<string>) =>
    compiled(
      {
        version: 1,
        default: { best: "success_rate", among: among ?? ["a", "b", "c"], ...(explore !== null && { explore }) }
      },
      three
    )

  /** How often each is first, in percent, and how often a plan says that it explores. */
  const shares = (routing: CompiledRouting, known: Health) => {
    const first: { [provider: string]: number } = { a: 0, b: 0, c: 0, explored: 0 }
    for (let n = 0; n < 100_000; n++) {
      const { candidates, decision } = planned(routing, known, eur, n)
      const [winner] = candidates
      if (winner !== undefined) first[winner.provider] = (first[winner.provider] ?? 0) + 0.001
      if (decision.reason === "explore") first["explored"] = (first["explored"] ?? 0) + 0.001
    }
    return first
  }

  it("sends its share of 100,000 payments to the others, evenly; 5% where the rule names none", async () => {
    for (const explore of [null, "5%"]) {
      const share = shares(await exploring(explore), health)
      assert.approximately(share["explored"] ?? 0, 5, 0.3)
      assert.approximately(share["a"] ?? 0, 95, 0.3)
      assert.approximately(share["b"] ?? 0, 2.5, 0.3)
      assert.approximately(share["c"] ?? 0, 2.5, 0.3)
    }
  })

  it("explores always, never, or in between, as configured", async () => {
    const half = shares(await exploring("50%"), health)
    assert.approximately(half["b"] ?? 0, 25, 0.5)
    assert.approximately(half["c"] ?? 0, 25, 0.5)
    assert.strictEqual(Math.round(shares(await exploring("100%"), health)["explored"] ?? 0), 100)
    assert.strictEqual(shares(await exploring("0%"), health)["explored"], 0)
  })

  it("puts one of the others first, says so, and leaves the rest in their order", async () => {
    const routing = await exploring("100%")
    for (let n = 0; n < 100; n++) {
      const answer = planned(routing, health, eur, n)
      assert.strictEqual(answer.decision.reason, "explore")
      assert.include(["bac", "cab"], order(answer))
      assert.strictEqual(answer.candidates[0]?.reason, "explore")
      assert.strictEqual(answer.candidates[1]?.reason, "success_rate 90.0% of 99")
    }
  })

  it("never explores a provider whose breaker is open, and never explores without an alternative", async () => {
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

  it("decides the same payment the same way, and other payments otherwise under another name", async () => {
    const named = (name: string) =>
      compiled(
        {
          version: 1,
          rules: [{ name, when: {}, choose: { best: "success_rate", among: ["a", "b", "c"], explore: "50%" } }],
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

describe("a provider whose breaker is open", () => {
  const choices: ReadonlyArray<readonly [name: string, choose: unknown]> = [
    ["priority", { priority: ["a", "b", "c"] }],
    ["split", { split: { a: 100, b: 0, c: 0 } }],
    ["best: success_rate", { best: "success_rate", among: ["a", "b", "c"], explore: "0%" }],
    ["best: cost", { best: "cost", among: ["a", "b", "c"] }]
  ]
  for (const [name, choose] of choices) {
    const routing = () => compiled({ version: 1, default: choose }, three)

    it(`goes last, with its reason: ${name}`, async () => {
      const answer = planned(await routing(), opening(unknownHealth, "a"))
      assert.strictEqual(order(answer), "bca")
      assert.deepStrictEqual(answer.candidates[2], { provider: "a", reason: "breaker_open" })
      assert.deepStrictEqual(answer.decision.dropped, [])
    })

    it(`goes last in the rule's own order: ${name}`, async () => {
      const answer = planned(await routing(), opening(unknownHealth, "b", "a"))
      assert.strictEqual(order(answer), "cab")
      assert.deepStrictEqual(reasons(answer).slice(1), ["a: breaker_open", "b: breaker_open"])
    })

    it(`keeps its place where all are open: ${name}`, async () => {
      const open = planned(await routing(), opening(unknownHealth, "a", "b", "c"))
      assert.deepStrictEqual(open, planned(await routing()))
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

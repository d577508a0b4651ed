/** Providers that get no new payments: excluded ones, and others for the time of an outage. */
import { assert, describe, it } from "@effect/vitest"
import type { NewPayment } from "@paymux/core"
import { plan } from "../../src/choose/plan.ts"
import { explain } from "../../src/explain.ts"
import { facts } from "../../src/Facts.ts"
import { unknownHealth } from "../../src/Health.ts"
import { card, compiled, payment, paymentId, problems, tenant, upi } from "../fixtures.ts"
import type { Place } from "../fixtures.ts"
import { byStripe, top } from "../written.ts"

const eur = payment(card(), "EUR")
const inr = payment(upi(), "INR")
const cards = { priority: ["stripe", "adyen"] }

const answerAt = async (config: object, made: NewPayment, at: string) =>
  plan(
    await compiled({ version: 1, ...config }),
    made,
    facts(made, tenant, paymentId(1), Date.parse(at)),
    unknownHealth
  )

/** The providers in order, and those that were dropped with their reasons. */
const routedAt = async (config: object, made: NewPayment, at: string) => {
  const answer = await answerAt(config, made, at)
  const dropped = answer._tag === "Plan" ? answer.decision.dropped : answer.candidates
  return [
    answer._tag === "Plan" ? answer.candidates.map(({ provider }) => provider) : null,
    dropped.map(({ provider, reason }) => `${provider} ${reason}`)
  ]
}

const noon = "2026-01-26T12:00:00Z"

describe("an excluded provider", () => {
  it("is dropped wherever a rule names it, with this reason before any other", async () => {
    const rules = [{ name: "euros", when: { currency: "EUR" }, choose: { split: { stripe: 50, adyen: 50 } } }]
    const config = { rules, default: { priority: ["stripe", "cashfree"] }, exclude: ["stripe"] }
    assert.deepStrictEqual(await routedAt(config, eur, noon), [["adyen"], ["stripe excluded"]])
    assert.deepStrictEqual(await routedAt(config, inr, noon), [["cashfree"], ["stripe excluded"]])
  })

  it("leaves no route where it was the only one", async () => {
    assert.deepStrictEqual(await routedAt({ default: byStripe, exclude: ["stripe"] }, eur, noon), [
      null,
      ["stripe excluded"]
    ])
  })
})

describe("an outage", () => {
  const outage = { provider: "stripe", from: "2026-01-26T17:30:00+05:30", to: "2026-01-26T14:00:00Z", note: "bank" }

  it("drops its provider from its first moment on, up to its last", async () => {
    const config = { default: cards, outages: [outage] }
    const out = [["adyen"], ["stripe outage: bank"]]
    const back = [["stripe", "adyen"], []]
    assert.deepStrictEqual(await routedAt(config, eur, "2026-01-26T11:59:59.999Z"), back)
    assert.deepStrictEqual(await routedAt(config, eur, noon), out)
    assert.deepStrictEqual(await routedAt(config, eur, "2026-01-26T13:59:59.999Z"), out)
    assert.deepStrictEqual(await routedAt(config, eur, "2026-01-26T14:00:00Z"), back)
  })

  it("without an end lasts, and without a note has the reason outage", async () => {
    const config = { default: cards, outages: [{ provider: "stripe", from: "2026-01-26T12:00Z" }] }
    assert.deepStrictEqual(await routedAt(config, eur, "2099-01-01T00:00:00Z"), [["adyen"], ["stripe outage"]])
  })

  it("of some methods leaves the others, and what a provider cannot take has its own reason", async () => {
    const outages = [{ provider: "razorpay", from: noon, methods: ["upi"], note: "npci" }]
    const config = { default: { priority: ["razorpay", "stripe", "cashfree"] }, outages }
    assert.deepStrictEqual(await routedAt(config, inr, noon), [
      ["cashfree"],
      ["razorpay outage: npci", "stripe method_not_supported"]
    ])
    const [order] = await routedAt(config, payment(card(), "INR"), noon)
    assert.deepStrictEqual(order, ["razorpay", "stripe"])
  })

  it("gives its share of a split to the others, and moves no other payer", async () => {
    const split = { split: { stripe: 60, adyen: 40 } }
    for (let n = 1; n <= 50; n++) {
      const asked = facts(eur, tenant, paymentId(n), Date.parse(noon))
      const [before, during] = await Promise.all(
        [{}, { outages: [outage] }].map(async (more) =>
          plan(await compiled({ version: 1, default: split, ...more }), eur, asked, unknownHealth)
        )
      )
      if (before?._tag !== "Plan" || during?._tag !== "Plan") throw new Error("no plan")
      assert.strictEqual(during.candidates[0]?.provider, "adyen")
      assert.lengthOf(during.candidates, 1)
      assert.lengthOf(before.candidates, 2)
    }
  })

  it("of every provider is no route: nothing is sent to a provider that is known to be down", async () => {
    const outages = ["stripe", "adyen"].map((provider) => ({ provider, from: noon }))
    assert.deepStrictEqual(await routedAt({ default: cards, outages }, eur, noon), [
      null,
      ["stripe outage", "adyen outage"]
    ])
  })

  it("is part of the explanation", async () => {
    const routing = await compiled({ version: 1, default: cards, outages: [outage] })
    const { answer } = explain(routing, eur, facts(eur, tenant, paymentId(1), Date.parse(noon)), unknownHealth)
    assert.deepStrictEqual(answer._tag === "Plan" && answer.decision.dropped, [
      { provider: "stripe", reason: "outage: bank" }
    ])
  })
})

describe("the check", () => {
  const from = "2026-01-26T12:00:00Z"
  const later = "2026-01-27T12:00:00Z"
  const stripe = { provider: "stripe", from }
  const overlap = (first: number) => `overlaps \`outages[${first}]\`, of the same provider and method`
  const outages = (...all: ReadonlyArray<object>) => top({ outages: all })

  it.each<readonly [what: string, config: unknown, ReadonlyArray<readonly [Place, string]>]>([
    [
      "unknown and repeated exclusions",
      top({ exclude: ["stripe", "strpe", "stripe"] }),
      [
        [["exclude", 1], 'provider "strpe" is not configured; did you mean "stripe"?'],
        [["exclude", 2], 'provider "stripe" is named twice']
      ]
    ],
    [
      "an outage of an unknown provider",
      outages({ ...stripe, provider: "adyn" }),
      [[["outages", 0, "provider"], 'provider "adyn" is not configured; did you mean "adyen"?']]
    ],
    [
      "an outage of a method that the provider does not take",
      outages({ ...stripe, methods: ["card", "upi"] }),
      [[["outages", 0, "methods", 1], 'provider "stripe" does not take upi']]
    ],
    [
      "an outage that is over before it begins, in another offset",
      outages({ provider: "stripe", from: "2026-01-26T12:00:00+05:30", to: "2026-01-26T08:00:00+02:00" }),
      [[["outages", 0, "to"], "`outages[0].to` must be later than `from`"]]
    ],
    [
      "an outage without a moment in it",
      outages({ ...stripe, to: from }),
      [[["outages", 0, "to"], "`outages[0].to` must be later than `from`"]]
    ],
    [
      "overlapping outages of one provider, whichever is written first",
      outages({ ...stripe, from: later }, { ...stripe, to: "2026-01-28T00:00:00Z" }),
      [[["outages", 1], `\`outages[1]\` ${overlap(0)}`]]
    ],
    [
      "an outage after one without an end",
      outages(stripe, { provider: "adyen", from: later }, { ...stripe, from: later }),
      [[["outages", 2], `\`outages[2]\` ${overlap(0)}`]]
    ],
    [
      "an outage of one method in one of all methods",
      outages({ provider: "razorpay", from }, { provider: "razorpay", from: later, methods: ["card"] }),
      [[["outages", 1], `\`outages[1]\` ${overlap(0)}`]]
    ],
    [
      "a short outage within a long one that another followed",
      outages(
        { ...stripe, to: "2026-02-26T12:00:00Z" },
        { ...stripe, from: later, to: "2026-01-28T12:00:00Z" },
        { ...stripe, from: "2026-01-29T12:00:00Z" }
      ),
      [
        [["outages", 1], `\`outages[1]\` ${overlap(0)}`],
        [["outages", 2], `\`outages[2]\` ${overlap(0)}`]
      ]
    ]
  ])("refuses %s", (_, config, expected) => assert.deepStrictEqual(problems(config), expected))

  it("accepts outages that follow each other, and of different methods at the same time", () => {
    const config = outages(
      { ...stripe, to: later },
      { ...stripe, from: later },
      { provider: "razorpay", from, methods: ["upi"] },
      { provider: "razorpay", from, methods: ["card"] }
    )
    assert.deepStrictEqual(problems(config), [])
  })

  it("reports outages beside what is wrong with the shape elsewhere", () => {
    const config = top({ rule: [], outages: [{ ...stripe, to: from }, { provider: 5 }] })
    assert.deepInclude(problems(config), [["outages", 0, "to"], "`outages[0].to` must be later than `from`"])
  })
})

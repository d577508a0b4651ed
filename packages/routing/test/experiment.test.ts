/** Experiments: the arm that a payment is assigned to, and what the payments of the arms say. */
import { assert, describe, it } from "@effect/vitest"
import { SeededRandom } from "@paymux/test-suites/simulation"
import type { NewPayment, Payment } from "@paymux/core"
import type { Attempt, ExperimentAssignment, OutcomeStatus, RoutedPayment } from "@paymux/core/store"
import { amount } from "../../../test/support/amount.ts"
import { plan } from "../src/choose/plan.ts"
import type { CompiledRouting } from "../src/CompiledRouting.ts"
import { differenceOf } from "../src/experiment/confidenceSequence.ts"
import * as Experiment from "../src/experiment/Experiment.ts"
import { facts } from "../src/Facts.ts"
import { unknownHealth } from "../src/Health.ts"
import { anyCard, anyUpi, card, compiled, payment, paymentId, problems, provider, tenant } from "./fixtures.ts"

const eur = payment(card(), "EUR")
const three = ["a", "b", "c"].map((id) => provider(id, { card: anyCard }))
const arms = (split: object, more: object = {}) => ({ split, experiment: "euros", ...more })
const named = (name: string, choose: unknown) => ({
  version: 1,
  rules: [{ name, when: { currency: "EUR" }, choose }],
  default: { priority: ["a"] }
})

describe("the arm of a payment", () => {
  const assigned = (
    routing: CompiledRouting,
    n: number,
    { made = eur, open = [] }: { readonly made?: NewPayment; readonly open?: ReadonlyArray<string> } = {}
  ) => {
    const health = {
      ...unknownHealth,
      demotionOf: (id: string) => (open.includes(id) ? ("breaker_open" as const) : null)
    }
    const answer = plan(routing, made, facts(made, tenant, paymentId(n), n), health)
    return answer._tag === "Plan" ? answer : assert.fail("there is a route")
  }
  const armsOf = (routing: CompiledRouting, setting = {}) =>
    Array.from({ length: 200 }, (_, n) => assigned(routing, n, setting).decision.experiment?.arm)

  it("is the provider that it is sent to, is stored with the shares, and is the same for a rule of another name", async () => {
    const routing = await compiled(named("one", arms({ a: 50, b: 50 })), three)
    for (let n = 0; n < 200; n++) {
      const { candidates, decision } = assigned(routing, n)
      const [first] = candidates
      assert.deepStrictEqual(decision.experiment, {
        name: "euros",
        arm: first?.provider ?? "",
        split: { a: 50, b: 50 }
      })
    }
    const renamed = await compiled(named("two", arms({ b: 50, a: 50 })), three)
    assert.deepStrictEqual(armsOf(renamed), armsOf(routing))
    const other = await compiled(named("one", arms({ a: 50, b: 50 }, { experiment: "pounds" })), three)
    assert.notDeepEqual(armsOf(other), armsOf(routing))
  })

  it("stays where its breaker is open and another provider takes the payment", async () => {
    const routing = await compiled(named("one", arms({ a: 50, b: 50 })), three)
    assert.deepStrictEqual(armsOf(routing, { open: ["a"] }), armsOf(routing))
    for (let n = 0; n < 50; n++) assert.strictEqual(assigned(routing, n, { open: ["a"] }).candidates[0]?.provider, "b")
  })

  it("is none where an arm cannot take the payment, or gets no payments", async () => {
    const among = [...three.slice(0, 2), provider("c", { upi: anyUpi })]
    const routing = await compiled({ version: 1, default: arms({ a: 50, c: 50 }) }, among)
    assert.deepStrictEqual(new Set(armsOf(routing)), new Set([undefined]))
    const excluded = await compiled({ ...named("one", arms({ a: 50, b: 50 })), exclude: ["b"] }, three)
    assert.deepStrictEqual(new Set(armsOf(excluded)), new Set([undefined]))
    const unused = await compiled({ ...named("one", arms({ a: 50, b: 50, c: 0 })), exclude: ["c"] }, three)
    assert.deepStrictEqual(new Set(armsOf(unused)), new Set(["a", "b"]))
    const plain = await compiled(named("one", { split: { a: 50, b: 50 } }), three)
    assert.deepStrictEqual(new Set(armsOf(plain)), new Set([undefined]))
  })

  it("has a name that no other rule has", () => {
    const rule = (name: string, currency: string) => ({ name, when: { currency }, choose: arms({ a: 50, b: 50 }) })
    const config = { version: 1, rules: [rule("one", "EUR"), rule("two", "USD")], default: arms({ a: 50, b: 50 }) }
    assert.deepStrictEqual(problems(config, three), [
      [
        ["rules", 1, "choose", "experiment"],
        'rule "two": this name of an experiment is already used by rule "one": use another name'
      ],
      [["default", "experiment"], 'default: this name of an experiment is already used by rule "one": use another name']
    ])
  })
})

const HOUR = 3_600_000

interface Stored {
  readonly first?: OutcomeStatus
  readonly overpaid?: boolean
  readonly at?: number
  readonly email?: string
}

const stored = (
  experiment: ExperimentAssignment | undefined,
  status: Payment["state"]["status"],
  { at = HOUR, email = "asha@example.com", first = "succeeded", overpaid = false }: Stored = {}
): RoutedPayment => {
  const routing = { rule: "one", ruleset: "sha256:ab", reason: "split", candidates: [], dropped: [] }
  const attempt: Partial<Attempt> = { seq: 1, status: first, isOverpayment: overpaid }
  // Boundary: a stored payment as far as an experiment reads it.
  return {
    payment: {
      createdAt: at,
      customer: { email, phone: email.startsWith("erased") ? "+10000000000" : "+4915112345678", name: null },
      metadata: { shop: email },
      state: { status },
      routing: experiment === undefined ? routing : { ...routing, experiment }
    },
    attempts: [attempt]
  } as unknown as RoutedPayment
}

const half = { a: 50, b: 50 }
const arm = (name: string, split: ExperimentAssignment["split"] = half) => ({ name: "euros", arm: name, split })
const sticky = (name: string, stickyBy: string) => ({ ...arm(name), stickyBy })

describe("the report", () => {
  const reported = (payments: ReadonlyArray<RoutedPayment>, control?: string) => {
    const settledBefore = 24 * HOUR
    const experiment = Experiment.make({ name: "euros", settledBefore, ...(control !== undefined && { control }) })
    payments.forEach(experiment.add)
    return experiment.report()
  }

  it("counts a payment for its arm, whichever provider took it, and those that are not paid as such", () => {
    const report = reported([
      stored(arm("a"), "succeeded", { at: 3 * HOUR }),
      stored(arm("a"), "succeeded", { at: 5 * HOUR, first: "not_executed" }),
      stored(arm("a"), "failed", { first: "declined" }),
      stored(arm("a"), "authorized", { first: "authorized" }),
      // Voided, lapsed, canceled by the payer, and open for a day: not paid, in each arm alike.
      stored(arm("a"), "canceled", { first: "canceled" }),
      stored(arm("b"), "failed", { first: "expired" }),
      stored(arm("b"), "pending", { first: "unknown" }),
      // Too much, or too late, and given back.
      stored(arm("b"), "failed", { first: "succeeded", overpaid: true }),
      stored(arm("b"), "succeeded", { at: 24 * HOUR }),
      stored({ ...arm("b"), name: "pounds" }, "succeeded"),
      stored(undefined, "succeeded")
    ])
    assert.deepStrictEqual(report, {
      experiment: "euros",
      period: { from: HOUR, to: 24 * HOUR },
      control: "a",
      arms: [
        { arm: "a", share: 0.5, payments: 5, compared: 5, paid: 3, firstPaid: 2, recent: 0, repeated: 0 },
        { arm: "b", share: 0.5, payments: 4, compared: 3, paid: 0, firstPaid: 0, recent: 1, repeated: 0 }
      ],
      effects: [{ arm: "b", result: "too_few" }],
      otherSplits: []
    })
  })

  it("compares the first payment of each payer where a payer keeps the arm", () => {
    const dead = Array.from({ length: 50 }, () =>
      stored(sticky("a", "customer.email"), "failed", { first: "declined" })
    )
    const [a, b] = reported([
      stored(sticky("a", "customer.email"), "succeeded"),
      ...dead,
      stored(sticky("a", "customer.email"), "succeeded", { email: "Asha@example.com" }),
      stored(sticky("b", "metadata.shop"), "succeeded"),
      stored(sticky("b", "metadata.shop"), "succeeded"),
      // Without the value, each payment is assigned on its own; so it is where the customer was erased.
      stored(sticky("b", "metadata.plan"), "succeeded"),
      stored(sticky("b", "metadata.plan"), "succeeded"),
      stored(sticky("b", "customer.email"), "succeeded", { email: "erased@example.invalid" }),
      stored(sticky("b", "customer.email"), "succeeded", { email: "erased@example.invalid" })
    ]).arms
    assert.deepStrictEqual([a?.compared, a?.paid, a?.repeated, a?.payments], [2, 2, 50, 52])
    assert.deepStrictEqual([b?.compared, b?.paid, b?.repeated, b?.payments], [5, 5, 1, 6])
  })

  it("compares those of the latest shares only: also where a provider was renamed", () => {
    const renamed = { a: 50, b_eu: 50 }
    const report = reported([
      stored(arm("a"), "succeeded", { at: HOUR }),
      stored(arm("b"), "succeeded", { at: 2 * HOUR }),
      stored(arm("b_eu", renamed), "failed", { at: 3 * HOUR, first: "declined" }),
      stored(arm("a", { b_eu: 50, a: 50 }), "succeeded", { at: 4 * HOUR }),
      stored(arm("a"), "succeeded", { at: HOUR })
    ])
    assert.deepStrictEqual(report.otherSplits, [{ split: half, payments: 3 }])
    assert.deepStrictEqual(report.period, { from: 3 * HOUR, to: 4 * HOUR })
    assert.deepStrictEqual(
      report.arms.map(({ arm, paid, payments }) => [arm, payments, paid]),
      [
        ["a", 1, 1],
        ["b_eu", 1, 0]
      ]
    )
  })

  it("compares with the largest share, the first of equals in the rules, or the control that is asked for", () => {
    const split = { a: 20, b: 60, c: 20, d: 0 }
    const payments = [stored(arm("a", split), "succeeded")]
    assert.strictEqual(reported(payments).control, "b")
    assert.strictEqual(reported([stored(arm("b", { z: 50, b: 50 }), "succeeded")]).control, "z")
    assert.deepStrictEqual(
      reported(payments, "c").effects.map((effect) => effect.arm),
      ["b", "a"]
    )
    const none = reported(payments, "x")
    assert.deepStrictEqual({ control: none.control, effects: none.effects }, { control: null, effects: [] })
    assert.isNull(reported([]).period)
  })

  const many = (name: string, paid: number, failed: number, split: ExperimentAssignment["split"] = half) => [
    ...Array.from({ length: paid }, () => stored(arm(name, split), "succeeded")),
    ...Array.from({ length: failed }, () => stored(arm(name, split), "failed", { first: "declined" }))
  ]
  const results = (...payments: ReadonlyArray<ReadonlyArray<RoutedPayment>>) =>
    reported(payments.flat()).effects.map(({ arm, result }) => `${arm} ${result}`)

  it("calls an arm better, worse, or says that it is not known yet", () => {
    assert.deepStrictEqual(results(many("a", 900, 100), many("b", 970, 30)), ["b better"])
    assert.deepStrictEqual(results(many("a", 970, 30), many("b", 900, 100)), ["b worse"])
    assert.deepStrictEqual(results(many("a", 900, 100), many("b", 905, 95)), ["b undecided"])
  })

  it("calls none with fewer than 100 payments in either arm, 10 of them paid and 10 not", () => {
    const enough = many("a", 900, 100)
    for (const few of [many("b", 89, 10), many("b", 991, 9), many("b", 9, 991)]) {
      assert.deepStrictEqual(results(enough, few), ["b too_few"])
    }
    assert.deepStrictEqual(results(many("a", 89, 10), many("b", 900, 100)), ["b too_few"])
    assert.deepStrictEqual(results(enough, many("b", 90, 10)), ["b undecided"])
  })

  it("asks more of each arm where there are several: a chance for each would add up", () => {
    const split = { a: 25, b: 25, c: 25, d: 25 }
    const two = reported([...many("a", 900, 100), ...many("b", 945, 55)]).effects[0]
    const four = reported([...many("a", 900, 100, split), ...many("b", 945, 55, split), ...many("c", 900, 100, split)])
    const [alone, among] = [two, four.effects.find((effect) => effect.arm === "b")]
    if (alone === undefined || !("low" in alone) || among === undefined || !("low" in among)) return assert.fail()
    assert.deepStrictEqual(
      { difference: among.difference, low: among.low, high: among.high },
      differenceOf({ compared: 1000, paid: 945 }, { compared: 1000, paid: 900 }, 0.05 / 3)
    )
    assert.isBelow(among.low, alone.low)
  })
})

describe("the interval", () => {
  it("is the one of the paper, also with unequal shares", () => {
    const shown = (first: readonly [number, number], second: readonly [number, number]) => {
      const counted = ([paid, compared]: readonly [number, number]) => ({ paid, compared })
      const { difference, high, low } = differenceOf(counted(first), counted(second), 0.05)
      return [difference, low, high].map((share) => (100 * share).toFixed(2)).join(" ")
    }
    // Computed apart from this code, by the formula of the paper.
    assert.strictEqual(shown([3_842, 4_108], [3_689, 4_070]), "2.89 1.07 4.71")
    assert.strictEqual(shown([480, 500], [8_740, 9_500]), "4.00 1.13 6.87")
    assert.strictEqual(shown([100, 100], [0, 100]), "100.00 92.89 100.00")
  })

  const peeks = 400
  /** Whether an arm was called better or worse at any of the looks, and whether the truth was in the interval at all of them. */
  const looked = (random: SeededRandom.SeededRandom, rates: readonly [number, number], share: number) => {
    const paid: [number, number] = [0, 0]
    const compared: [number, number] = [0, 0]
    let [decided, held] = [false, true]
    for (let look = 1; look <= peeks; look++) {
      for (let n = 0; n < 50; n++) {
        const side = random.next() < share ? 1 : 0
        compared[side]++
        if (random.next() < rates[side]) paid[side]++
      }
      const isFew = ([0, 1] as const).some(
        (side) => compared[side] < 100 || paid[side] < 10 || compared[side] - paid[side] < 10
      )
      if (isFew) continue
      const { high, low } = differenceOf(
        { compared: compared[1], paid: paid[1] },
        { compared: compared[0], paid: paid[0] },
        0.05
      )
      if (low > 0 || high < 0) decided = true
      if (rates[1] - rates[0] < low || rates[1] - rates[0] > high) held = false
    }
    return { decided, held }
  }
  const runs = amount({ part: 300, all: 1_000 })
  const shareOf = (what: "decided" | "held", rates: readonly [number, number], share = 0.5) => {
    const all = Array.from({ length: runs }, (_, run) =>
      looked(SeededRandom.stream(7, what, ...rates.map(String), String(share), run), rates, share)
    )
    return all.filter((found) => found[what]).length / runs
  }

  it("has the true difference in at least 95 of 100 experiments at all of 400 looks", () => {
    for (const rates of [
      [0.9, 0.9],
      [0.5, 0.52],
      [0.97, 0.98],
      [0.2, 0.2]
    ] as const) {
      assert.isAtLeast(shareOf("held", rates), 0.95, rates.join())
    }
    for (const rate of [0.97, 0.9, 0.05]) assert.isAtLeast(shareOf("held", [rate, rate], 0.05), 0.95, `5% at ${rate}`)
  })

  it("finds two points within 20,000 payments in nearly all experiments", () => {
    assert.isAtLeast(shareOf("decided", [0.9, 0.92]), 0.9)
  })
})

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
import type { ExperimentEffect } from "../src/experiment/ExperimentReport.ts"
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
    const health = { ...unknownHealth, isOpen: (id: string) => open.includes(id) }
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
    const plain = await compiled(named("one", { split: { a: 50, b: 50 } }), three)
    assert.deepStrictEqual(new Set(armsOf(plain)), new Set([undefined]))
  })

  it("has a name that no other rule has", () => {
    const rule = (name: string, currency: string) => ({ name, when: { currency }, choose: arms({ a: 50, b: 50 }) })
    const config = { version: 1, rules: [rule("one", "EUR"), rule("two", "USD")], default: arms({ a: 50, b: 50 }) }
    assert.deepStrictEqual(problems(config, three), [
      [["rules", 1, "choose", "experiment"], 'rule "two": `choose.experiment` is that of rule "one"'],
      [["default", "experiment"], 'default: `experiment` is that of rule "one"']
    ])
  })
})

const stored = (
  experiment: ExperimentAssignment | undefined,
  statuses: ReadonlyArray<OutcomeStatus>,
  status: Payment["state"]["status"],
  createdAt = 1_000
): RoutedPayment => {
  const routing = { rule: "one", ruleset: "sha256:ab", reason: "split", candidates: [], dropped: [] }
  // Boundary: a stored payment as far as an experiment reads it.
  return {
    payment: { createdAt, state: { status }, routing: experiment === undefined ? routing : { ...routing, experiment } },
    attempts: statuses.map((each, index): Partial<Attempt> => ({ seq: index + 1, status: each, late: false }))
  } as unknown as RoutedPayment
}

const half = { a: 50, b: 50 }
const arm = (name: string, split: ExperimentAssignment["split"] = half) => ({ name: "euros", arm: name, split })

describe("the report", () => {
  const reported = (payments: ReadonlyArray<RoutedPayment>, control: string | null = null) => {
    const experiment = Experiment.make("euros", control)
    payments.forEach(experiment.add)
    return experiment.report()
  }

  it("counts a payment for its arm, whichever provider took it", () => {
    const report = reported([
      stored(arm("a"), ["succeeded"], "succeeded", 3_000),
      stored(arm("a"), ["not_executed", "succeeded"], "succeeded", 5_000),
      stored(arm("a"), ["declined"], "failed", 4_000),
      stored(arm("a"), ["authorized"], "canceled"),
      stored(arm("a"), ["canceled"], "canceled"),
      stored(arm("b"), ["unknown"], "pending"),
      stored(arm("b"), [], "pending"),
      stored({ ...arm("b"), name: "pounds" }, ["succeeded"], "succeeded"),
      stored(undefined, ["succeeded"], "succeeded")
    ])
    assert.deepStrictEqual(report, {
      experiment: "euros",
      period: { from: 1_000, to: 5_000 },
      payments: 7,
      underOtherShares: 0,
      control: "a",
      arms: [
        { arm: "a", share: 0.5, payments: 5, ended: 4, paid: 3, open: 0, canceled: 1, first: { ended: 5, paid: 2 } },
        { arm: "b", share: 0.5, payments: 2, ended: 0, paid: 0, open: 2, canceled: 0, first: { ended: 0, paid: 0 } }
      ],
      effects: [{ arm: "b", verdict: "too_few", needed: 100 }]
    })
  })

  it("counts those of the latest shares only: also where a provider was renamed", () => {
    const renamed = { a: 50, b_eu: 50 }
    const report = reported([
      stored(arm("a"), ["succeeded"], "succeeded", 1_000),
      stored(arm("b"), ["succeeded"], "succeeded", 2_000),
      stored(arm("b_eu", renamed), ["declined"], "failed", 3_000),
      stored(arm("a", { b_eu: 50, a: 50 }), ["succeeded"], "succeeded", 4_000)
    ])
    assert.strictEqual(report.underOtherShares, 2)
    assert.deepStrictEqual(report.period, { from: 3_000, to: 4_000 })
    assert.deepStrictEqual(
      report.arms.map(({ arm, paid, payments }) => [arm, payments, paid]),
      [
        ["a", 1, 1],
        ["b_eu", 1, 0]
      ]
    )
  })

  it("compares with the largest share, or with the control that is asked for", () => {
    const split = { a: 20, b: 60, c: 20, d: 0 }
    const payments = [stored(arm("a", split), ["succeeded"], "succeeded")]
    assert.strictEqual(reported(payments).control, "b")
    assert.deepStrictEqual(
      reported(payments, "c").effects.map((effect) => effect.arm),
      ["b", "a"]
    )
    assert.deepStrictEqual(
      { control: reported(payments, "x").control, effects: reported(payments, "x").effects },
      { control: null, effects: [] }
    )
    assert.isNull(reported([]).period)
  })

  const many = (name: string, paid: number, failed: number, split = half) => [
    ...Array.from({ length: paid }, () => stored(arm(name, split), ["succeeded"], "succeeded")),
    ...Array.from({ length: failed }, () => stored(arm(name, split), ["declined"], "failed"))
  ]
  const verdicts = (effects: ReadonlyArray<ExperimentEffect>) => effects.map(({ arm, verdict }) => [arm, verdict])

  it("calls an arm better, worse, or says that it is not known yet", () => {
    assert.deepStrictEqual(verdicts(reported([...many("a", 900, 100), ...many("b", 970, 30)]).effects), [
      ["b", "better"]
    ])
    assert.deepStrictEqual(verdicts(reported([...many("a", 970, 30), ...many("b", 900, 100)]).effects), [
      ["b", "worse"]
    ])
    assert.deepStrictEqual(verdicts(reported([...many("a", 900, 100), ...many("b", 905, 95)]).effects), [
      ["b", "undecided"]
    ])
    assert.deepStrictEqual(verdicts(reported([...many("a", 900, 100), ...many("b", 99, 0)]).effects), [
      ["b", "too_few"]
    ])
  })

  it("asks more of each arm where there are several: a chance for each would add up", () => {
    const split = { a: 25, b: 25, c: 25, d: 25 }
    const two = reported([...many("a", 900, 100), ...many("b", 945, 55)]).effects[0]
    const four = reported([...many("a", 900, 100, split), ...many("b", 945, 55, split), ...many("c", 900, 100, split)])
    const [alone, among] = [two, four.effects.find((effect) => effect.arm === "b")]
    if (alone === undefined || !("low" in alone) || among === undefined || !("low" in among)) return assert.fail()
    assert.isBelow(among.low, alone.low)
  })
})

describe("the interval", () => {
  const peeks = 400
  /** Whether an arm was called better or worse at any of the looks, and whether the truth was in the interval at all of them. */
  const experiment = (random: SeededRandom.SeededRandom, rates: readonly [number, number]) => {
    const paid: [number, number] = [0, 0]
    let [decided, held] = [false, true]
    for (let look = 1; look <= peeks; look++) {
      for (let n = 0; n < 25; n++) for (const side of [0, 1] as const) if (random.next() < rates[side]) paid[side]++
      const ended = look * 25
      if (ended < 100) continue
      const { high, low } = differenceOf({ ended, paid: paid[1] }, { ended, paid: paid[0] }, 0.05)
      if (low > 0 || high < 0) decided = true
      if (rates[1] - rates[0] < low || rates[1] - rates[0] > high) held = false
    }
    return { decided, held }
  }
  const shareOf = (runs: number, rates: readonly [number, number], what: "decided" | "held") => {
    let count = 0
    for (let run = 0; run < runs; run++) {
      if (experiment(SeededRandom.stream(7, what, ...rates.map(String), run), rates)[what]) count++
    }
    return count / runs
  }
  const runs = amount({ part: 100, all: 1_000 })

  it("has the true difference in at least 95 of 100 experiments at all of 400 looks", () => {
    for (const rates of [
      [0.9, 0.9],
      [0.5, 0.52],
      [0.97, 0.98],
      [0.2, 0.2]
    ] as const) {
      assert.isAtLeast(shareOf(runs, rates, "held"), 0.95, rates.join())
    }
  })

  it("finds two points within 20,000 payments in nearly all experiments, and no difference where the rates are equal", () => {
    assert.isAtLeast(shareOf(runs, [0.9, 0.92], "decided"), 0.9)
    assert.isAtMost(shareOf(runs, [0.9, 0.9], "decided"), 0.05)
  })
})

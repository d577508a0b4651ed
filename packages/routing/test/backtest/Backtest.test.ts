/** Replaying payments against a draft: every figure against a recount, and what is reported of rules that match nothing. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Result } from "effect"
import * as fc from "fast-check"
import type { Payment, PaymentMethod } from "@paymux/core"
import type { Attempt, FailureCode, OutcomeStatus, RoutedPayment, RoutingDecision } from "@paymux/core/store"
import * as Backtest from "../../src/backtest/Backtest.ts"
import type { BacktestReport } from "../../src/backtest/BacktestReport.ts"
import { MOST_MATCHES } from "../../src/backtest/backtestRules.ts"
import { compile } from "../../src/CompiledRouting.ts"
import type { CompiledRouting } from "../../src/CompiledRouting.ts"
import { facts } from "../../src/Facts.ts"
import { unknownHealth } from "../../src/Health.ts"
import { plan } from "../../src/choose/plan.ts"
import type { RoutingConfigInput } from "../../src/RoutingConfig.ts"
import * as make from "../fixtures.ts"
import { recount } from "../naive/recount.ts"

const MINUTE = 60_000
/** Never where a slot of time begins, ends, or has its middle. */
const start = 1_700_000_000_007

describe("a backtest", () => {
  it("reports the figures of a recount, over random payments and drafts", async () => {
    const met = { noRoute: 0, shadowed: 0, dead: 0, changed: 0 }
    await fc.assert(
      fc.asyncProperty(drafts, histories, async (drawn, payments) => {
        const { config, routing } = await accepted(unlearned(drawn))
        const reported = replayed(routing, config, [], payments)
        alike(factsOf(reported), recount(config, routing, payments), "report")
        met.noRoute += reported.noRoute.payments
        met.changed += reported.changes.payments
        for (const { state } of reported.rules) if (state === "shadowed" || state === "dead") met[state]++
      }),
      { numRuns: 400 }
    )
    for (const [what, times] of Object.entries(met)) assert.isAbove(times, 50, what)
  })

  it("expects rates within their ranges, and no more payments than there are", async () => {
    await fc.assert(
      fc.asyncProperty(drafts, histories, async (drawn, payments) => {
        const { config, routing } = await accepted(drawn)
        const { acceptance, currencies, providers } = replayed(routing, config, [], payments)
        const sides = [
          acceptance,
          ...providers.map((one) => ({ before: one.before.expected, after: one.after.expected }))
        ]
        for (const { coverage, range, rate } of sides.flatMap(({ after, before }) => [after, before])) {
          assert.isAtMost(coverage, 1)
          assert.strictEqual(rate === null, coverage === 0)
          assert.strictEqual(rate === null, range === null)
          if (rate === null || range === null) continue
          assert.isAtMost(range.low, range.high)
          assert.isAtLeast(rate, 0)
          assert.isAtMost(rate, 1)
        }
        for (const { after, before } of currencies) for (const { cost } of [after, before]) assert.isAtLeast(cost, 0)
      }),
      { numRuns: 200 }
    )
  })

  it("with the rules that decided, nothing changes and the same is expected", async () => {
    await fc.assert(
      fc.asyncProperty(drafts, histories, async (drawn, payments) => {
        const { config, routing } = await accepted(unlearned(drawn))
        const decided = payments.flatMap((routed) => decidedBy(routing, routed))
        const { acceptance, changes, currencies, providers } = replayed(routing, config, [], decided)
        assert.strictEqual(changes.payments, 0)
        alike(acceptance.after.rate ?? 0, acceptance.before.rate ?? 0, "acceptance")
        for (const { after, before } of providers)
          assert.deepStrictEqual([after.payments, after.share], [before.payments, before.share])
        for (const { after, before } of currencies) assert.deepStrictEqual(after.payments, before.payments)
        for (const { after, before } of changes.rules) assert.strictEqual(after, before)
      }),
      { numRuns: 100 }
    )
  })

  it("is the same in every run, and can be written as JSON", async () => {
    const { config, routing } = await accepted({ rules: pool, fees: true })
    const [payments = []] = fc.sample(histories, { numRuns: 1, seed: 1 })
    const reported = replayed(routing, config, [], payments)
    assert.deepStrictEqual(JSON.parse(JSON.stringify(reported)), reported)
    assert.deepStrictEqual(replayed(routing, config, [], payments), reported)
  })

  it("of no payments reports finite numbers only", async () => {
    const { config, routing } = await accepted({ rules: pool, fees: true })
    const reported = replayed(routing, config, [], [])
    assert.isNull(reported.period)
    assert.deepStrictEqual(reported.acceptance.after, { rate: null, range: null, coverage: 0 })
    assert.notInclude(JSON.stringify({ ...reported, period: 0, acceptance: 0 }), "null")
  })
})

describe("failover in a backtest", () => {
  const card = { method: make.card(), currency: "EUR" }
  const attempt = (provider: string, status: OutcomeStatus, code: FailureCode | null = null) => ({
    provider,
    status,
    code
  })
  /** The report of payments with these attempts, 100 of each. */
  const afterOf = async (draft: RoutingConfigInput, ...histories: ReadonlyArray<ReadonlyArray<Partial<Attempt>>>) => {
    const { config, routing } = await accepted(draft)
    const payments = histories.flatMap((attempts) =>
      Array.from({ length: 100 }, (_, n) => routed({ ...card, n, at: start + n * 1_000, attempts }))
    )
    return replayed(routing, config, [], payments)
  }
  const stripeFirst = { version: 1, default: { priority: ["stripe", "adyen"] } } as const

  it("does not follow a request that was wrong: no other provider gets it", async () => {
    const { acceptance } = await afterOf(
      { version: 1, default: { priority: ["adyen", "stripe"] } },
      [attempt("adyen", "not_executed", "request_rejected")],
      [attempt("stripe", "succeeded")]
    )
    assert.isBelow(acceptance.after.rate ?? 1, 0.6)
  })

  it("ends after as many attempts as the draft makes, and costs no more than these", async () => {
    const history = [attempt("stripe", "declined", "do_not_honor"), attempt("adyen", "succeeded")]
    const fees = { stripe: { card: { fixed: { EUR: 10 } } }, adyen: { card: { fixed: { EUR: 50 } } } }
    const both = await afterOf({ ...stripeFirst, fees }, history)
    assert.deepStrictEqual([both.acceptance.after.rate, both.currencies[0]?.after.cost], [1, 6_000])
    const one = await afterOf({ ...stripeFirst, fees, failover: { max_attempts: 1 } }, history)
    assert.deepStrictEqual([one.acceptance.after.rate, one.currencies[0]?.after.cost], [0, 1_000])
  })

  it("does not keep a third attempt that the draft does not make", async () => {
    const history = [
      attempt("stripe", "not_executed", "provider_unavailable"),
      attempt("adyen", "not_executed", "provider_unavailable"),
      attempt("gone", "succeeded")
    ]
    assert.strictEqual((await afterOf(stripeFirst, history)).acceptance.after.rate, 0)
  })

  it("has no cost where a provider that may follow has no fee", async () => {
    const fees = { adyen: { card: { fixed: { EUR: 50 } } } }
    const { currencies } = await afterOf({ version: 1, default: { priority: ["adyen", "stripe"] }, fees }, [
      attempt("stripe", "succeeded")
    ])
    assert.deepStrictEqual([currencies[0]?.after.cost, currencies[0]?.after.feeUnknown], [0, 100])
  })
})

describe("success rates in a backtest", () => {
  // So much is expected that a draw is close to what is known: who is asked is no chance.
  const learning = {
    version: 1,
    default: {
      best: "success_rate",
      among: ["adyen", "stripe"],
      window: "30m",
      min_samples: 100,
      prior: { adyen: "1%", stripe: "0.01%" }
    }
  } as const
  const eur = { method: make.card(), currency: "EUR" }

  /** Who is asked `gap` ms after payments whose attempts at stripe succeed in 5 s: until they are known, adyen is. */
  const askedAfter = async (gap: number, way: "learn" | "add") => {
    const { routing } = await accepted(learning)
    const backtest = Backtest.make(routing)
    for (let n = 1; n <= 200; n++) {
      backtest[way](routed({ ...eur, n, at: start, attempts: [{ provider: "stripe", endedAt: start + 5_000 }] }))
    }
    backtest.add(routed({ ...eur, n: 201, at: start + gap, attempts: [{ provider: "gone" }] }))
    return backtest.report().changes.providers.find(({ before }) => before === "gone")?.after
  }

  it("know attempts within a minute of their end, and not before, also those from before the period", async () => {
    for (const way of ["learn", "add"] as const) {
      assert.strictEqual(await askedAfter(5_000, way), "adyen")
      assert.strictEqual(await askedAfter(65_001, way), "stripe")
    }
  })

  it("forget attempts after the window", async () => {
    assert.strictEqual(await askedAfter(29 * MINUTE, "add"), "stripe")
    assert.strictEqual(await askedAfter(31 * MINUTE, "add"), "adyen")
  })

  it("of what is only learned from, nothing is counted", async () => {
    const { config, routing } = await accepted(learning)
    const before = [routed({ ...eur, n: 1, at: start })]
    assert.deepStrictEqual(replayed(routing, config, before, []), replayed(routing, config, [], []))
  })
})

describe("rules in a backtest", () => {
  const usd = { method: make.card({ network: "visa" }), currency: "USD" }

  it("that take nothing are dead, or shadowed by those that take what they match", async () => {
    const choose = { priority: ["stripe"] }
    const { config, routing } = await accepted({
      version: 1,
      rules: [
        { name: "visa", when: { "card.network": "visa" }, choose },
        { name: "large", when: { currency: "USD", amount: { gte: 5_000 } }, choose },
        { name: "dollars or pounds", when: { currency: ["USD", "GBP"], "card.network": ["visa", "amex"] }, choose },
        { name: "yen", when: { currency: "JPY" }, choose }
      ],
      default: choose
    })
    const payments = [1, 2, 3].map((n) => routed({ ...usd, n, at: start + n, minorUnits: n * 2_000 }))
    const amex = { ...usd, method: make.card({ network: "amex" }) }
    const reported = replayed(
      routing,
      config,
      [],
      [...payments, routed({ ...amex, n: 4, at: start + 4, minorUnits: 9_000 })]
    )
    assert.deepStrictEqual(reported.rules, [
      { name: "visa", takes: 3, matches: 3, exact: true, state: "used", shadowedBy: [] },
      { name: "large", takes: 1, matches: 2, exact: true, state: "used", shadowedBy: [] },
      {
        name: "dollars or pounds",
        takes: 0,
        matches: 4,
        exact: true,
        state: "shadowed",
        shadowedBy: [
          { rule: "visa", payments: 3 },
          { rule: "large", payments: 1 }
        ]
      },
      { name: "yen", takes: 0, matches: 0, exact: true, state: "dead", shadowedBy: [] }
    ])
    assert.deepStrictEqual(reported.default, { payments: 0, share: 0 })
  })

  it("are followed 200 deep: what lies behind is reported as not counted, and rules that take payments are exact", async () => {
    const rules = Array.from({ length: MOST_MATCHES + 3 }, (_, n) => ({
      name: `rule ${n}`,
      when: { [`metadata.key${n}`]: { exists: true } },
      choose: { priority: ["stripe"] }
    }))
    const { config, routing } = await accepted({ version: 1, rules, default: { priority: ["stripe"] } })
    const keys = (from: number) => Object.fromEntries(rules.slice(from).map((_, n) => [`key${from + n}`, ""]))
    const payments = [keys(0), keys(MOST_MATCHES + 2)].map((metadata, n) =>
      routed({ ...usd, n, at: start + n, metadata })
    )
    const reported = replayed(routing, config, [], payments).rules
    const states = (from: number) =>
      reported.slice(from).map(({ exact, matches, state }) => ({ exact, matches, state }))
    assert.deepStrictEqual(states(MOST_MATCHES - 1), [
      { exact: true, matches: 1, state: "shadowed" },
      { exact: false, matches: 0, state: "unknown" },
      { exact: false, matches: 0, state: "unknown" },
      { exact: false, matches: 1, state: "used" }
    ])
    assert.deepStrictEqual(reported[0]?.state, "used")
  })
})

/** Without the rule that learns. */
const unlearned = (drawn: Drawn): Drawn => ({ ...drawn, rules: drawn.rules.filter(({ name }) => name !== "learned") })

/** The figures that are no estimates. */
const factsOf = ({ acceptance, currencies, providers, ...rest }: BacktestReport) => {
  const counted = (sums: BacktestReport["currencies"]) =>
    sums.map(({ after, before, currency }) => ({
      currency,
      before,
      after: { payments: after.payments, amount: after.amount }
    }))
  return {
    ...rest,
    acceptance: { measured: acceptance.measured },
    providers: providers.map(({ after, before, currencies, measured, provider }) => ({
      provider,
      measured,
      before: { payments: before.payments, share: before.share },
      after: { payments: after.payments, share: after.share },
      currencies: counted(currencies)
    })),
    currencies: counted(currencies)
  }
}

const replayed = (
  routing: CompiledRouting,
  config: RoutingConfigInput,
  earlier: ReadonlyArray<RoutedPayment>,
  payments: ReadonlyArray<RoutedPayment>
): BacktestReport => {
  const backtest = Backtest.make(routing)
  for (const routed of earlier) backtest.learn(routed)
  for (const routed of payments) backtest.add(routed)
  return backtest.report()
}

/** As if `routing` had decided the payment: asked first is whom it chose, and no other provider after it. */
const decidedBy = (routing: CompiledRouting, { attempts, payment }: RoutedPayment): ReadonlyArray<RoutedPayment> => {
  const [first] = attempts
  if (first === undefined || first.status === "not_executed" || first.code === "do_not_honor") return []
  const answer = plan(routing, payment, facts(payment, payment, payment.id, payment.createdAt), unknownHealth)
  if (answer._tag === "NoRoute") return []
  const provider = answer.candidates[0]?.provider ?? ""
  return [
    {
      payment: { ...payment, routing: answer.decision },
      attempts: [{ ...first, provider }]
    }
  ]
}

const close = 1e-9

/** Sums of fractions depend on their order: rates are equal but for that, and what is rounded then may be off by one. */
const alike = (reported: unknown, counted: unknown, path: string): void => {
  if (typeof reported === "number" && typeof counted === "number") {
    assert.closeTo(reported, counted, path.endsWith(".cost") ? 1 : close, path)
  } else if (Array.isArray(reported) && Array.isArray(counted) && isTally(reported) && isTally(counted)) {
    const payments = reported.map((row) => row.payments)
    assert.deepStrictEqual(
      payments,
      payments.toSorted((a, b) => b - a),
      path
    )
    assert.sameDeepMembers(reported, counted, path)
  } else if (typeof reported === "object" && typeof counted === "object" && reported !== null && counted !== null) {
    assert.sameMembers(Object.keys(reported), Object.keys(counted), path)
    const other = new Map(Object.entries(counted))
    for (const [key, value] of Object.entries(reported)) alike(value, other.get(key), `${path}.${key}`)
  } else assert.strictEqual(reported, counted, path)
}

/** Counts, most first: equals may stand in any order. */
const isTally = (rows: ReadonlyArray<unknown>): rows is ReadonlyArray<{ readonly payments: number }> =>
  rows.length > 0 && rows.every((row) => typeof row === "object" && row !== null && "payments" in row)

interface Made {
  readonly n: number
  /** ms UTC */
  readonly at: number
  readonly method: PaymentMethod
  readonly currency: string
  readonly minorUnits?: number
  readonly metadata?: { readonly [key: string]: string }
  readonly decided?: Pick<RoutingDecision, "rule" | "ruleset">
  readonly attempts?: ReadonlyArray<Partial<Attempt>>
}

const routed = (made: Made): RoutedPayment => {
  const { at, attempts = [{}], currency, decided, metadata = {}, method, minorUnits = 1_000, n } = made
  const payment: Payment = {
    ...make.payment(method, currency, minorUnits, { metadata }),
    ...make.tenant,
    id: make.paymentId(n),
    state: { status: "succeeded", late: false },
    amountCaptured: minorUnits,
    amountRefunded: 0,
    amountReceived: null,
    reviews: [],
    resolutions: [],
    disputedAt: null,
    provider: attempts.at(-1)?.provider ?? "stripe",
    routing: { rule: "default", ruleset: "sha256:00", reason: "priority", candidates: [], dropped: [], ...decided },
    pendingAnnounced: false,
    eventSequence: 1,
    deadlineAt: at + 45_000,
    version: 2,
    createdAt: at,
    updatedAt: at
  }
  return { payment, attempts: attempts.map((attempt, index) => attemptOf(index + 1, at, attempt)) }
}

const attemptOf = (seq: number, at: number, attempt: Partial<Attempt>): Attempt => ({
  seq,
  provider: "stripe",
  status: "succeeded",
  reason: "priority",
  code: null,
  vendorCode: null,
  actionShown: false,
  late: false,
  isOverpayment: false,
  startedAt: at,
  endedAt: at,
  ...attempt
})

const cards = fc
  .record({
    network: fc.constantFrom("visa", "mastercard", null),
    country: fc.constantFrom("DE", "DE", "IN", null),
    bin: fc.constantFrom("411111", "411111", "522222", null)
  })
  .map((known) => make.card(known))

const methods: fc.Arbitrary<Pick<Made, "method" | "currency">> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ method: cards, currency: fc.constantFrom("EUR", "USD", "INR") }) },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom("asha@okbank", "ravi@okbank", "asha@upi", null)
      .map((vpa) => ({ method: make.upi({ vpa }), currency: "INR" }))
  },
  { weight: 1, arbitrary: fc.constant({ method: make.coin(), currency: "USD" }) }
)

const outcomes = fc.constantFrom<readonly [OutcomeStatus, FailureCode | null]>(
  ["succeeded", null],
  ["succeeded", null],
  ["authorized", null],
  ["declined", "do_not_honor"],
  ["declined", "insufficient_funds"],
  ["declined", "authentication_failed"],
  ["declined", "customer_timeout"],
  ["not_executed", "provider_unavailable"],
  ["not_executed", "request_rejected"],
  ["not_executed", "account_not_enabled"],
  ["not_executed", "details_required"],
  ["expired", "customer_timeout"],
  ["pending", null]
)

/** ms, in tens: never from where one slot of time begins to where another does. */
const tens = (most: number) => fc.nat(most / 10).map((n) => n * 10)

const attempted = fc.record({
  provider: fc.constantFrom("stripe", "adyen", "razorpay", "gone"),
  outcome: outcomes,
  after: tens(20 * MINUTE)
})

const made = fc.record({
  kind: methods,
  minorUnits: fc.integer({ min: 1, max: 99_999 }),
  metadata: fc.constantFrom<Made["metadata"] & object>({}, { channel: "app" }, { channel: "web", plan: "gold" }),
  decided: fc.record({
    rule: fc.constantFrom("default", "cards", "upi"),
    ruleset: fc.constantFrom("sha256:1", "sha256:2")
  }),
  attempts: fc.array(attempted, { minLength: 1, maxLength: 3 })
})

/** `gap`: the longest time between two payments, ms. */
const historiesOf = ({ gap, ...length }: History): fc.Arbitrary<ReadonlyArray<RoutedPayment>> =>
  fc.array(fc.tuple(tens(gap), made), { ...length, size: "medium" }).map((all) => {
    let at = start
    return all.map(([sooner, { attempts, kind, ...rest }], n) => {
      at += sooner
      const tried = attempts.map(({ after, outcome: [status, code], provider }) => {
        return { provider, status, code, endedAt: status === "pending" ? null : at + after }
      })
      return routed({ ...rest, ...kind, n, at, attempts: tried })
    })
  })

interface History {
  readonly gap: number
  readonly minLength?: number
  readonly maxLength: number
}

const histories = historiesOf({ gap: 6 * MINUTE, maxLength: 80 })

type Rule = NonNullable<RoutingConfigInput["rules"]>[number]

const pool: ReadonlyArray<Rule> = [
  { name: "app", when: { "metadata.channel": "app" }, choose: { priority: ["adyen", "stripe"] } },
  { name: "upi", when: { payment_method: "upi" }, choose: { priority: ["cashfree", "razorpay"] } },
  { name: "visa", when: { "card.network": "visa" }, choose: { split: { stripe: 60, adyen: 40 } } },
  {
    name: "learned",
    when: { payment_method: "card", currency: ["EUR", "USD"] },
    choose: { best: "success_rate", among: ["stripe", "adyen"], window: "30m", min_samples: 2, explore: "10%" }
  },
  {
    name: "cheap",
    when: { currency: "INR", payment_method: "card" },
    choose: { best: "cost", among: ["adyen", "razorpay"] }
  },
  { name: "large", when: { currency: "USD", amount: { gte: 50_000 } }, choose: { priority: ["stripe"] } },
  { name: "gold", when: { "metadata.plan": "gold", currency: ["INR", "EUR"] }, choose: { priority: ["adyen"] } },
  {
    name: "pounds",
    when: { currency: ["GBP", "USD"], "card.network": ["visa", "amex"] },
    choose: { priority: ["adyen"] }
  },
  { name: "yen", when: { currency: "JPY" }, choose: { priority: ["adyen"] } }
]

const fees = {
  stripe: { card: { percent: 2.93, fixed: { USD: 30, EUR: 25 } } },
  adyen: { card: { percent: 1.41 } },
  razorpay: { card: { fixed: { INR: 200 } }, upi: {} }
}

interface Drawn {
  readonly rules: ReadonlyArray<Rule>
  readonly fees: boolean
}

const drafts: fc.Arbitrary<Drawn> = fc.record({
  rules: fc.shuffledSubarray([...pool], { minLength: 2 }),
  fees: fc.boolean()
})

/** Without the rules that can never be reached, which the check refuses. */
const accepted = async (
  given: Drawn | RoutingConfigInput
): Promise<{ readonly config: RoutingConfigInput; readonly routing: CompiledRouting }> => {
  const config: RoutingConfigInput =
    "version" in given
      ? given
      : {
          version: 1,
          rules: given.rules,
          default: { priority: ["stripe", "razorpay"] },
          ...(given.fees ? { fees } : {})
        }
  const compiled = await Effect.runPromise(Effect.result(compile(config, make.providers)))
  if (Result.isSuccess(compiled)) return { config, routing: compiled.success }
  const { message, problems } = compiled.failure
  const refused = new Set(problems.map(({ path: [, rule] }) => rule))
  const rules = (config.rules ?? []).filter((_, index) => !refused.has(index))
  if (rules.length === config.rules?.length) throw new Error(message)
  return accepted({ ...config, rules })
}

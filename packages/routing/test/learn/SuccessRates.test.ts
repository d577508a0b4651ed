/** Success rates as one lens sees them, from the rows of a store to the estimates of a rule. */
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import type { AttemptCount } from "@paymux/core/store"
import type { Learned } from "../../src/CompiledRouting.ts"
import type { Facts } from "../../src/Facts.ts"
import type { Lens } from "../../src/learn/Lens.ts"
import { roundedDuration } from "../../../core/src/store/AttemptCounts.ts"
import { make } from "../../src/learn/SuccessRates.ts"
import type { SuccessRates } from "../../src/learn/SuccessRates.ts"
import { asked, askedByUpi, declined, everything, HOUR, learnedBy, MINUTE, row, SECOND, start, upi } from "./rows.ts"

/** Everything that ended, and all that is open, `now` ms after the start. */
const ratesOf = (
  ended: ReadonlyArray<AttemptCount>,
  { lens = everything, now = HOUR, open = [] }: { lens?: Lens; now?: number; open?: ReadonlyArray<AttemptCount> } = {}
): SuccessRates => {
  const rates = make(lens)
  rates.settle(ended)
  rates.replaceOpen(open, start + now)
  return rates
}
const of = (rates: SuccessRates, provider: string, facts: Facts = asked(), learned: Learned = learnedBy()) => {
  const found = rates.estimates(learned, facts).get(provider)
  if (found === undefined) throw new Error(`nothing of ${provider}`)
  return found
}
const each = (count: number, one: (n: number) => AttemptCount) => Array.from({ length: count }, (_, n) => one(n))

describe("an attempt that is open", () => {
  const HALF = 30 * SECOND
  /** Successes after 5 to 20 s, every tenth fails after 15 minutes; each minute ten. */
  const prompt = (provider: string, from: number, to: number) =>
    each(Math.floor((to - from) / (6 * SECOND)), (n) => {
      const at = from + n * 6 * SECOND
      return n % 10 === 9
        ? row({ ...upi, provider, at, took: 15 * MINUTE, status: "expired" })
        : row({ ...upi, provider, at, took: (5 + (n % 16)) * SECOND })
    })
  const hourOf = (provider: string) => prompt(provider, 0, HOUR)
  const openAt = (rows: ReadonlyArray<AttemptCount>, now: number) => {
    const isOpen = ({ durationMs, slot }: AttemptCount) => slot + (durationMs ?? 0) > start + now
    return {
      ended: rows.filter((one) => !isOpen(one)),
      open: rows
        .filter((one) => isOpen(one) && one.slot <= start + now)
        .map((one): AttemptCount => ({ ...one, durationMs: null, status: "pending" }))
    }
  }

  it("counts as failed after a minute where successes come within 20 s", () => {
    const silent = each(40, (n) => row({ ...upi, at: HOUR + n * SECOND, took: null }))
    const rate = (now: number) => of(ratesOf(hourOf("a"), { now, open: silent }), "a", askedByUpi()).rate
    assert.isAbove(rate(HOUR + 3 * SECOND), 0.85)
    assert.isBelow(rate(HOUR + 2 * MINUTE), 0.3)
  })

  it("says nothing where all outcomes take 30 minutes", () => {
    const late = each(300, (n) =>
      row({ ...upi, at: n * 12 * SECOND, took: 30 * MINUTE, ...(n % 10 === 9 && { status: "expired" }) })
    )
    const open = each(40, (n) => row({ ...upi, at: 2 * HOUR + n * SECOND, took: null }))
    const without = of(ratesOf(late, { now: 2 * HOUR + 5 * MINUTE }), "a", askedByUpi()).rate
    const found = of(ratesOf(late, { now: 2 * HOUR + 5 * MINUTE, open }), "a", askedByUpi()).rate
    assert.strictEqual(found, without)
    assert.closeTo(found, 0.9, 0.03)
  })

  it("makes a provider that has just got the traffic no better than the others", () => {
    // Both are alike; `b` has its quick successes only, and open attempts.
    const now = HOUR + 10 * MINUTE
    const { ended, open } = openAt([...prompt("a", 0, HOUR), ...prompt("b", HOUR, now)], now)
    const rates = ratesOf(ended, { now, open })
    const [a, b] = [of(rates, "a", askedByUpi()), of(rates, "b", askedByUpi())]
    assert.isAtMost(b.rate, a.rate + 0.02)
    const byEnd = ratesOf(ended, { now })
    assert.isAbove(of(byEnd, "b", askedByUpi()).rate, b.rate + 0.02, "ended attempts alone overstate the rate")
  })

  it("is a failure at once where its outcome is unknown, until it is settled", () => {
    const known = each(20, (n) => row({ at: HOUR - n * SECOND }))
    const unknown = row({ at: HOUR, took: null, status: "unknown", count: 10 })
    const rates = ratesOf(known, { now: HOUR, open: [unknown] })
    const failing = of(rates, "a")
    assert.isBelow(failing.rate, 0.75)
    assert.strictEqual(failing.basis, "30 visa debit cards on a hosted page from DE with BIN 411111")
    assert.strictEqual(
      of(ratesOf(known, { now: HOUR, open: [{ ...unknown, status: "pending" }] }), "a").basis,
      "20 visa debit cards on a hosted page from DE with BIN 411111"
    )
    rates.replaceOpen([], start + HOUR + HALF)
    for (const _ of rates.renew());
    assert.isAbove(of(rates, "a").rate, 0.9)
  })

  it("that its payer left counts as much as the rule lets an expired one count", () => {
    const open = each(40, (n) => row({ ...upi, at: HOUR + n * SECOND, took: null }))
    const rate = (expired: number) =>
      of(
        ratesOf(hourOf("a"), { now: HOUR + 2 * MINUTE, open }),
        "a",
        askedByUpi(),
        learnedBy({ weights: { expired, authenticationFailed: 1 } })
      ).rate
    assert.isAbove(rate(0), rate(0.25))
    assert.isAbove(rate(0.25), rate(1))
    assert.isAbove(rate(0), 0.9)
  })
})

describe("the window", () => {
  const asOf = (rows: ReadonlyArray<AttemptCount>, now: number, lens: Lens = everything) =>
    of(ratesOf(rows, { now, lens }), "a", asked(), learnedBy({}, lens)).basis.split(" ")[0]

  it("is an hour where sixty attempts of the flow came in it", () => {
    const old = each(100, (n) => row({ at: n * SECOND }))
    const now = 3 * HOUR
    assert.strictEqual(asOf([...old, ...each(60, (n) => row({ at: now - MINUTE - n * SECOND }))], now), "60")
    assert.strictEqual(asOf([...old, ...each(59, (n) => row({ at: now - MINUTE - n * SECOND }))], now), "159")
  })

  it("grows up to a day where there are few, over all providers of the flow", () => {
    assert.strictEqual(asOf([row({ at: 0 })], 23 * HOUR), "1")
    assert.strictEqual(asOf([row({ at: 0 })], 25 * HOUR), "0")
    const others = each(60, (n) => row({ provider: "b", at: 23 * HOUR - MINUTE - n * SECOND }))
    assert.strictEqual(asOf([row({ at: 0 }), ...others], 23 * HOUR), "0")
    const otherFlow = others.map((one): AttemptCount => ({ ...one, flow: "token" }))
    assert.strictEqual(asOf([row({ at: 0 }), ...otherFlow], 23 * HOUR), "1")
  })

  it("is that of the rule where it names one", () => {
    const lens = { ...everything, windowMs: 2 * HOUR }
    const old = each(100, (n) => row({ at: n * SECOND }))
    assert.strictEqual(asOf(old, HOUR, lens), "100")
    assert.strictEqual(asOf(old, 2 * HOUR + 3 * MINUTE, lens), "0")
  })

  it("is read as far back as a hundred thousand attempts, and an hour at least", () => {
    const rates = make(everything)
    const now = start + 30 * HOUR
    assert.isAtMost(rates.since(now), now - 24 * HOUR)
    rates.settle(each(24, (n) => row({ at: (n + 6) * HOUR, count: 25_000 })))
    assert.isAtLeast(rates.since(now), now - 5 * HOUR)
    rates.settle([row({ at: 30 * HOUR - MINUTE, count: 500_000 })])
    assert.isAtMost(rates.since(now), now - HOUR)
    assert.isAtLeast(rates.since(now), now - HOUR - 10 * MINUTE)
  })

  it("has slots of a 360th of it in whole seconds, and of a second at least", () => {
    const slotOf = (windowMs: number | null) => make({ ...everything, windowMs }).slotMs
    assert.strictEqual(slotOf(null), 10_000)
    assert.strictEqual(slotOf(HOUR), 10_000)
    assert.strictEqual(slotOf(10 * MINUTE), 1_000)
    assert.strictEqual(slotOf(MINUTE), 1_000)
  })
})

describe("attempts that are distinguished", () => {
  const failing = { ...declined, took: SECOND } as const
  const known = (lens: Partial<Lens>, rows: ReadonlyArray<AttemptCount>, facts: Partial<Facts>, rule = "x") => {
    const own = { ...everything, ...lens }
    return of(ratesOf(rows, { lens: own, now: MINUTE }), "a", asked(facts), learnedBy({ rule }, own))
  }

  it("are those of another account where the rule learns from its own", () => {
    const rows = [row({ at: 0, account: "one", count: 50 }), row({ at: 0, account: "two", count: 50, ...failing })]
    assert.isAbove(known({ learnFrom: "account" }, rows, { account: "one" }).rate, 0.9)
    assert.isBelow(known({ learnFrom: "account" }, rows, { account: "two" }).rate, 0.2)
    assert.match(known({ learnFrom: "account" }, rows, { account: "three" }).basis, /^0 /)
    assert.closeTo(known({}, rows, { account: "one" }).rate, 0.5, 0.1)
  })

  it("are those that another rule decided where it learns from itself", () => {
    const rows = [row({ at: 0, rule: "x", count: 50 }), row({ at: 0, rule: "y", count: 50, ...failing })]
    assert.isAbove(known({ learnFrom: "rule" }, rows, {}, "x").rate, 0.9)
    assert.isBelow(known({ learnFrom: "rule" }, rows, {}, "y").rate, 0.2)
  })

  it("are those of another value of a segment", () => {
    const shop = (value: string) => ({ metadata: { shop: value } })
    const rows = [row({ at: 0, ...shop("one"), count: 50 }), row({ at: 0, ...shop("two"), count: 50, ...failing })]
    const segments = ["metadata.shop"] as const
    assert.isAbove(known({ segments }, rows, shop("one")).rate, 0.9)
    assert.isBelow(known({ segments }, rows, shop("two")).rate, 0.15)
    assert.match(known({ segments }, rows, shop("three")).basis, /, none with this metadata\.shop$/)
    const digits = [row({ at: 0, amountDigits: 3, count: 50 }), row({ at: 0, amountDigits: 5, count: 50, ...failing })]
    assert.isAbove(known({ segments: ["amount"] }, digits, { amount: 999 }).rate, 0.9)
    assert.isBelow(known({ segments: ["amount"] }, digits, { amount: 10_000 }).rate, 0.15)
    const accounts = [row({ at: 0, account: "one", count: 50 }), row({ at: 0, account: "two", count: 50, ...failing })]
    assert.isBelow(known({ segments: ["account"] }, accounts, { account: "two" }).rate, 0.15)
  })

  it("are those of another flow, network, country, funding and issuer, never mixed with unknown ones", () => {
    const rows = [row({ at: 0, count: 50 })]
    const basis = (facts: Partial<Facts>) => known({}, rows, facts).basis
    const bare = { "card.network": null, "card.country": null, "card.funding": null, issuer: null } as const
    assert.match(basis({ flow: "token" }), /^0 /)
    assert.match(basis({ currency: "USD" }), /^50 .*, none in USD$/)
    assert.match(basis({ "card.network": "mastercard" }), /^50 .*, none mastercard$/)
    assert.match(basis({ "card.country": "FR" }), /^50 .*, none from FR$/)
    assert.match(basis({ "card.funding": "credit" }), /^50 .*, none credit$/)
    assert.match(basis({ issuer: "422222" }), /^50 .*, none with BIN 422222$/)
    assert.strictEqual(basis({ ...bare, issuer: "411111" }), "50 cards on a hosted page in EUR, none with BIN 411111")
    assert.strictEqual(basis(bare), "50 cards on a hosted page in EUR")
  })

  it("are never those that say nothing of the provider", () => {
    const rows = [
      row({ at: 0, status: "declined", code: "insufficient_funds", count: 50 }),
      row({ at: 0, status: "canceled", count: 50 })
    ]
    assert.strictEqual(known({}, rows, {}).basis, "0 cards on a hosted page")
  })
})

describe("the size of the tree", () => {
  it("is a thousand issuers of a kind, those that had an attempt last", () => {
    const rates = make(everything)
    const bin = (n: number) => String(400_000 + n)
    for (let n = 0; n < 1_500; n++) {
      rates.settle([row({ at: 0, issuer: bin(n), count: 30 }), row({ at: 0, issuer: bin(0), count: 30 })])
    }
    rates.replaceOpen([], start + MINUTE)
    const basis = (n: number) => of(rates, "a", asked({ issuer: bin(n) })).basis
    assert.match(basis(1), /, none with BIN 400001$/)
    assert.match(basis(1_499), /^30 .* with BIN 401499$/)
    assert.match(basis(0), / with BIN 400000$/, "one that goes on having attempts stays")
    assert.isAtMost(rates.size(), 1_010)
  })

  it("is 20,000 series at most; attempts beyond them count in wider segments", () => {
    const rates = make(everything)
    for (let n = 0; n < 25_000; n++) rates.settle([row({ at: 0, network: `n${n}`, count: 30 })])
    assert.isAtMost(rates.size(), 20_000)
    rates.replaceOpen([], start + MINUTE)
    const basis = (network: string) => of(rates, "a", asked({ "card.network": network })).basis
    assert.match(basis("n0"), /^30 n0 debit cards/)
    assert.match(basis("n24999"), /^750000 cards on a hosted page in EUR, none n24999$/)
  })

  it("is nothing once all is older than any window", () => {
    const rates = ratesOf(each(100, (n) => row({ at: n * MINUTE, issuer: String(411_000 + n) })))
    assert.isAbove(rates.size(), 100)
    rates.replaceOpen([], start + 30 * HOUR)
    assert.strictEqual(rates.size(), 0)
  })

  it("does not grow over a long time", () => {
    const rates = make(everything)
    let most = 0
    for (let hour = 0; hour < 24 * 10; hour++) {
      rates.settle(each(20, (n) => row({ at: hour * HOUR + n * MINUTE, issuer: `${hour}${n}` })))
      rates.replaceOpen([], start + (hour + 1) * HOUR)
      most = Math.max(most, rates.size())
    }
    assert.isAtMost(most, 26 * 20 + 10)
  })
})

describe("estimates", () => {
  it("stay as of the last renewal, and are recomputed for requested segments", () => {
    const rates = ratesOf([row({ at: 0, count: 100 })], { now: MINUTE })
    const learned = learnedBy()
    const now = () => of(rates, "a", asked(), learned)
    const before = now()
    rates.settle([row({ at: MINUTE, count: 100, ...declined })])
    rates.replaceOpen([], start + 2 * MINUTE)
    assert.deepStrictEqual(now(), before)
    assert.lengthOf([...rates.renew()], 1)
    assert.isBelow(now().rate, before.rate - 0.2)
    assert.lengthOf([...rates.renew()], 1)
    assert.lengthOf([...rates.renew()], 1, "not asked for since: it is dropped")
    assert.lengthOf([...rates.renew()], 0)
  })

  it("are of the rule's providers in its order", () => {
    const rates = ratesOf([row({ at: 0, provider: "b", count: 100 }), row({ at: 0, provider: "c", count: 100 })], {
      now: MINUTE
    })
    const found = rates.estimates(learnedBy({ providers: ["c", "a", "b"] }), asked())
    assert.deepStrictEqual([...found.keys()], ["c", "a", "b"])
    assert.strictEqual(found.get("a")?.basis, "0 cards on a hosted page")
    assert.isAbove(found.get("b")?.known ?? 0, 10 * (found.get("a")?.known ?? 0))
  })

  it("start from the prior of the rule", () => {
    const rates = ratesOf([], { now: MINUTE })
    const found = rates.estimates(learnedBy({ expected: new Map([["a", 0.6]]) }), asked())
    assert.closeTo(found.get("a")?.rate ?? 0, 0.6, 1e-9)
    assert.closeTo(found.get("b")?.rate ?? 0, 0.91, 1e-9)
  })

  it("of one kind are never those of another", () => {
    const rates = ratesOf([row({ at: 0, count: 50 })], { now: MINUTE })
    const learned = learnedBy()
    assert.match(of(rates, "a", asked({ flow: "hosted" }), learned).basis, /^50 /)
    assert.match(of(rates, "a", asked({ flow: "token" }), learned).basis, /^0 /)
    assert.match(of(rates, "a", askedByUpi(), learned).basis, /^0 UPI/)
  })
})

describe("attempts read in any split", () => {
  interface Made {
    readonly at: number
    readonly took: number
    readonly kind: Partial<AttemptCount>
    readonly outcome: Partial<AttemptCount>
  }
  const made: fc.Arbitrary<Made> = fc.record({
    at: fc.nat(30 * HOUR),
    took: fc.oneof(fc.nat(30 * SECOND), fc.nat(HOUR), fc.nat(25 * HOUR)),
    kind: fc
      .tuple(fc.constantFrom("a", "b"), fc.constantFrom({}, { issuer: "422222" }, { network: null }, upi))
      .map(([provider, kind]) => ({ provider, ...kind, count: 5 })),
    outcome: fc.constantFrom<Partial<AttemptCount>>({ status: "succeeded" }, declined, { status: "expired" })
  })
  const slotted = (time: number, slotMs: number) => Math.floor(time / slotMs) * slotMs

  it("come to the same estimates as all at once", () => {
    const posteriors = fc.array(fc.integer({ min: 1, max: 4 * HOUR }), { minLength: 1, maxLength: 12 })
    const window = fc.constantFrom(null, null, 5 * MINUTE, 2 * HOUR)
    fc.assert(
      fc.property(fc.array(made, { maxLength: 60, size: "max" }), posteriors, window, (all, gaps, windowMs) => {
        const lens = { ...everything, windowMs }
        const stepwise = make(lens)
        const ends = ({ at, took }: Made) => at + took
        const rowOf = (one: Made): AttemptCount =>
          row({
            ...one.kind,
            ...one.outcome,
            at: slotted(one.at, stepwise.slotMs),
            took: roundedDuration(one.at, ends(one))
          })
        const endedIn = (since: number, before: number) =>
          all.filter((one) => ends(one) >= since && ends(one) < before).map(rowOf)
        const openAt = (now: number) =>
          all
            .filter((one) => one.at < now && ends(one) >= now)
            .map((one) => row({ ...one.kind, at: slotted(one.at, stepwise.openSlotMs), took: null }))
        let settled = 0
        let now = 0
        for (const gap of gaps) {
          now += gap
          const until = Math.max(settled, now - 30 * SECOND)
          stepwise.settle(endedIn(settled, until))
          stepwise.replaceRecent(endedIn(until, now))
          stepwise.replaceOpen(openAt(now), start + now)
          settled = until
        }
        const once = make(lens)
        once.settle(endedIn(Math.max(0, once.since(start + now) - start), now))
        once.replaceOpen(openAt(now), start + now)
        const learned = learnedBy({}, lens)
        for (const facts of [asked(), asked({ issuer: "422222" }), asked({ "card.network": null }), askedByUpi()]) {
          assertAlike(stepwise.estimates(learned, facts), once.estimates(learned, facts))
        }
      }),
      { numRuns: 150, endOnFailure: true }
    )
  })
})

const assertAlike = (
  actual: ReturnType<SuccessRates["estimates"]>,
  expected: ReturnType<SuccessRates["estimates"]>
) => {
  assert.deepStrictEqual([...actual.keys()], [...expected.keys()])
  for (const [provider, { basis, known, rate }] of actual) {
    const other = expected.get(provider)
    assert.closeTo(rate, other?.rate ?? -1, 1e-9, `rate of ${provider}`)
    assert.closeTo(known, other?.known ?? -1, 1e-6, `certainty of ${provider}`)
    assert.strictEqual(basis, other?.basis)
  }
}

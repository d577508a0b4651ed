import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import type { Rail } from "@paymux/core"
import type { AttemptCount } from "@paymux/core/store"
import type { AttemptSample } from "../src/learn/attemptSample.ts"
import type { Evidence } from "../src/learn/Evidence.ts"
import type { Segment } from "../src/learn/Segment.ts"
import { make } from "../src/learn/SuccessRates.ts"
import type { SuccessRates } from "../src/learn/SuccessRates.ts"

const MINUTE = 60_000
const windowMs = 30 * MINUTE
const slotMs = 5_000
const start = 1_700_000_000_000

interface Ended extends Segment {
  /** ms after the start */
  readonly at: number
  readonly provider: string
  readonly sample: AttemptSample
  readonly count: number
}

const samples = ["success", "failure", "expired", "authentication_failed"] as const

const segment: fc.Arbitrary<Segment> = fc
  .record({
    rail: fc.constantFrom<Rail>("card", "card", "upi"),
    currency: fc.constantFrom("EUR", "EUR", "USD"),
    network: fc.constantFrom("visa", "mastercard", null),
    country: fc.constantFrom("DE", null),
    issuer: fc.constantFrom("411111", "422222", null)
  })
  .map((drawn) =>
    drawn.rail === "card"
      ? drawn
      : { ...drawn, network: null, country: null, issuer: drawn.issuer === null ? null : "okbank" }
  )

const ended: fc.Arbitrary<Ended> = fc
  .tuple(
    segment,
    fc.record({
      at: fc.nat(60 * MINUTE),
      provider: fc.constantFrom("stripe", "adyen"),
      sample: fc.constantFrom(...samples),
      // Some are more than the newest that count.
      count: fc.constantFrom(1, 1, 1, 7, 180)
    })
  )
  .map(([part, rest]) => ({ ...part, ...rest }))

const history = fc
  .array(ended, { maxLength: 120, size: "max" })
  .map((attempts) => attempts.toSorted((a, b) => a.at - b.at))

/** ms after the start */
const moment = fc.integer({ min: 20 * MINUTE, max: 100 * MINUTE })

describe("SuccessRates", () => {
  it("finds what the definition finds, by either way of learning, for every part of a segment", () => {
    fc.assert(
      fc.property(history, segment, moment, (attempts, asked, now) => {
        const before = attempts.filter(({ at }) => at <= now)
        for (const rates of [recorded(before), counted(before)]) {
          for (const provider of ["stripe", "adyen", "unknown"]) {
            assertEvidence(rates.evidence(provider, asked, start + now), recount(before, provider, asked, now))
          }
        }
      })
    )
  })

  it("49 attempts that are almost out of the window weigh less than one that has just ended", () => {
    const rates = make(windowMs)
    const put = (at: number, sample: AttemptSample) => rates.record(start + at, "stripe", visa, sample)
    for (let n = 0; n < 49; n++) put(0, "success")
    put(windowMs - 2 * slotMs, "failure")
    const [all] = rates.evidence("stripe", visa, start + windowMs - slotMs)
    assert.strictEqual(all?.attempts, 50)
    assert.isBelow(all?.success ?? 1, 0.25)
    assert.isAbove(all?.failure ?? 0, 0.99)
  })

  it("where many payments come, only the newest 250 count", () => {
    const rates = make(windowMs)
    for (let second = 0; second < 600; second++) {
      for (let n = 0; n < 10; n++)
        rates.record(start + second * 1_000, "stripe", visa, second < 575 ? "success" : "failure")
    }
    const [all] = rates.evidence("stripe", visa, start + 600_000)
    assert.strictEqual(all?.attempts, 6_000)
    assert.strictEqual(all?.success, 0)
    assert.isAtMost(all?.failure ?? 0, 250)
  })

  it("is asked for as many parts of every provider, those that are not known left out", () => {
    const rates = make(windowMs)
    rates.record(start, "stripe", visa, "success")
    const attempts = (provider: string, asked: Segment) =>
      rates.evidence(provider, asked, start).map((evidence) => evidence.attempts)
    assert.deepStrictEqual(attempts("stripe", visa), [1, 1, 1, 1, 1, 1])
    assert.deepStrictEqual(attempts("stripe", { ...visa, issuer: "455555" }), [1, 1, 1, 1, 1, 0])
    assert.deepStrictEqual(attempts("stripe", { ...visa, network: null }), [1, 1, 1, 0, 0])
    assert.deepStrictEqual(attempts("stripe", { ...visa, currency: "USD" }), [1, 1, 0, 0, 0, 0])
    assert.deepStrictEqual(attempts("stripe", upi), [1, 0, 0])
    assert.deepStrictEqual(attempts("adyen", visa), [0, 0, 0, 0, 0, 0])
  })

  it("nothing is left after the window, and nothing is held", () => {
    fc.assert(
      fc.property(history, (attempts) => {
        const rates = counted(attempts)
        const last = attempts.at(-1)?.at ?? 0
        for (const { attempts: left } of rates.evidence("stripe", visa, start + last + windowMs + slotMs)) {
          assert.strictEqual(left, 0)
        }
        rates.replaceFrom(start + last + windowMs + MINUTE, [])
        assert.strictEqual(rates.size(), 0)
      })
    )
  })

  it("replacing again what was counted again changes nothing", () => {
    fc.assert(
      fc.property(history, segment, fc.nat(60), (attempts, asked, minute) => {
        const since = minute * MINUTE
        const once = counted(attempts)
        const again = counted(attempts)
        for (let times = 0; times < 3; times++) again.replaceFrom(start + since, countsOf(attempts, since))
        for (const provider of ["stripe", "adyen"]) {
          const at = start + 60 * MINUTE
          assertEvidence(again.evidence(provider, asked, at), once.evidence(provider, asked, at))
        }
      })
    )
  })

  it("what is read slot by slot while attempts go on ending is what one reading at the end finds", () => {
    fc.assert(
      fc.property(history, segment, fc.integer({ min: 1, max: 20 }), (attempts, asked, step) => {
        const stepwise = make(windowMs)
        const until = (now: number) => attempts.filter(({ at }) => at <= now)
        let read = 0
        for (let now = 0; now <= 60 * MINUTE; now += step * slotMs) {
          const since = Math.max(0, read - slotMs)
          stepwise.replaceFrom(start + since, countsOf(until(now), since))
          read = now
        }
        for (const provider of ["stripe", "adyen"]) {
          const at = start + 60 * MINUTE
          assertEvidence(stepwise.evidence(provider, asked, at), counted(until(read)).evidence(provider, asked, at))
        }
      })
    )
  })

  it("over a long time no more is held than about two windows, and all stays exact", () => {
    const slots = windowMs / slotMs
    const attempts = Array.from({ length: 50 * slots }, (_, n): Ended => {
      const sample = (n * 7) % 10 < 6 ? "success" : "failure"
      return { ...visa, issuer: `${Math.floor(n / slots)}`, at: n * slotMs, provider: "stripe", sample, count: 1 }
    })
    const asked = { ...visa, issuer: "49" }
    const learn: ReadonlyArray<(rates: SuccessRates, attempt: Ended) => void> = [
      record,
      (rates, attempt) => rates.replaceFrom(start + attempt.at, countsOf([attempt], 0))
    ]
    const now = attempts.length * slotMs
    for (const one of learn) {
      const rates = make(windowMs)
      let held = 0
      for (const attempt of attempts) {
        one(rates, attempt)
        held = Math.max(held, rates.size())
      }
      // Each attempt is in six series.
      assert.isAtMost(held, 6 * 2.5 * slots)
      assertEvidence(
        rates.evidence("stripe", asked, start + now),
        recount(attempts.slice(-2 * slots), "stripe", asked, now)
      )
    }
  })

  it("keeps a thousand issuers of a network and country apart, and all others as a whole", () => {
    const rates = make(windowMs)
    for (let bin = 0; bin < 1_500; bin++) {
      rates.record(start, "stripe", { ...visa, issuer: String(400_000 + bin) }, "success")
    }
    // Cards without a network do not drive out those with one.
    for (let bin = 0; bin < 1_500; bin++) {
      rates.record(start, "stripe", { ...visa, network: null, country: null, issuer: String(500_000 + bin) }, "failure")
    }
    // One that goes on having attempts stays, however early it came.
    for (let bin = 0; bin < 1_500; bin++) {
      rates.record(start, "adyen", { ...visa, issuer: "400000" }, "success")
      rates.record(start, "adyen", { ...visa, issuer: String(400_001 + bin) }, "success")
    }
    assert.strictEqual(rates.evidence("adyen", { ...visa, issuer: "400000" }, start).at(-1)?.attempts, 1_500)
    const of = (bin: number) =>
      rates.evidence("stripe", { ...visa, issuer: String(400_000 + bin) }, start).map(({ attempts }) => attempts)
    assert.deepStrictEqual(of(0), [3_000, 3_000, 3_000, 1_500, 1_500, 0])
    assert.strictEqual(of(1_499).at(-1), 1)
    assert.isAtMost(rates.size(), 3_020)
  })

  it("keeps 20,000 segments at most, and counts what comes beyond them in the wider ones", () => {
    const rates = make(windowMs)
    for (let n = 0; n < 25_000; n++) {
      rates.record(start, "stripe", { ...visa, network: `network_${n}` }, "success")
    }
    assert.isAtMost(rates.size(), 20_000)
    const of = (network: string) =>
      rates.evidence("stripe", { ...visa, network }, start).map(({ attempts }) => attempts)
    assert.deepStrictEqual(of("network_0"), [25_000, 25_000, 25_000, 1, 1, 1])
    assert.deepStrictEqual(of("network_24999"), [25_000, 25_000, 25_000, 0, 0, 0])
  })

  it("what another machine's clock puts ahead of now weighs as if it were now", () => {
    const rates = make(windowMs)
    rates.record(start, "stripe", visa, "failure")
    rates.record(start + 5 * MINUTE, "stripe", visa, "success")
    const [all] = rates.evidence("stripe", visa, start)
    assert.deepStrictEqual([all?.success, all?.failure], [1, 1])
  })

  it("an attempt whose outcome is unknown is a failure of its segment, until it is settled", () => {
    const rates = make(windowMs)
    for (let n = 0; n < 3; n++) rates.record(start, "stripe", visa, "success")
    const open = (provider: string, count: number): AttemptCount => ({
      ...visa,
      provider,
      count,
      slot: start,
      status: "unknown",
      code: null
    })
    const failures = (provider: string, asked: Segment) =>
      rates.evidence(provider, asked, start).map(({ attempts, failure }) => [attempts, failure])
    rates.replaceUnknown([open("stripe", 2), open("adyen", 1)])
    assert.deepStrictEqual(
      failures("stripe", visa),
      Array.from({ length: 6 }, () => [5, 2])
    )
    assert.deepStrictEqual(failures("stripe", { ...visa, issuer: "455555" }).at(-1), [0, 0])
    assert.deepStrictEqual(failures("adyen", upi), [
      [1, 1],
      [0, 0],
      [0, 0]
    ])
    rates.replaceUnknown([open("stripe", 1)])
    assert.deepStrictEqual(
      failures("stripe", visa),
      Array.from({ length: 6 }, () => [4, 1])
    )
    assert.deepStrictEqual(failures("adyen", visa).at(0), [0, 0])
    assert.strictEqual(rates.evidence("stripe", visa, start + windowMs + 2 * slotMs)[0]?.attempts, 0)
  })

  it("is a number also where all that count are one slot ahead of the clock", () => {
    const rates = make(windowMs)
    rates.record(start, "stripe", visa, "success")
    for (let n = 0; n < 250; n++) rates.record(start + 2 * slotMs, "stripe", visa, "failure")
    for (const ahead of [-1, 0, 1]) {
      const [all] = rates.evidence("stripe", visa, start + slotMs + slotMs / 2 + ahead)
      assert.strictEqual(all?.failure, 250)
      assert.strictEqual(all?.success, 0)
    }
  })

  it("a slot is a 360th of the window in whole seconds, and at least a second", () => {
    assert.strictEqual(make(60 * MINUTE).slotMs, 10_000)
    assert.strictEqual(make(10 * MINUTE).slotMs, 1_000)
    assert.strictEqual(make(MINUTE).slotMs, 1_000)
  })
})

const visa: Segment = { rail: "card", currency: "EUR", network: "visa", country: "DE", issuer: "411111" }
const upi: Segment = { rail: "upi", currency: "INR", network: null, country: null, issuer: null }

const recorded = (attempts: ReadonlyArray<Ended>): SuccessRates => {
  const rates = make(windowMs)
  for (const attempt of attempts) record(rates, attempt)
  return rates
}

const record = (rates: SuccessRates, { at, count, provider, sample, ...part }: Ended): void => {
  for (let n = 0; n < count; n++) rates.record(start + at, provider, part, sample)
}

const counted = (attempts: ReadonlyArray<Ended>): SuccessRates => {
  const rates = make(windowMs)
  rates.replaceFrom(start, countsOf(attempts, 0))
  return rates
}

const outcomes = {
  success: { status: "succeeded", code: null },
  failure: { status: "declined", code: "do_not_honor" },
  expired: { status: "expired", code: null },
  authentication_failed: { status: "declined", code: "authentication_failed" }
} as const

/** As a store counts, each attempt on its own, with some that say nothing of the provider. */
const countsOf = (attempts: ReadonlyArray<Ended>, since: number): ReadonlyArray<AttemptCount> =>
  attempts
    .filter(({ at }) => at >= since)
    .toReversed()
    .flatMap(({ at, sample, ...attempt }) => {
      const one = { ...attempt, slot: start + slotOf(at) * slotMs }
      return [
        { ...one, ...outcomes[sample] },
        { ...one, status: "declined", code: "insufficient_funds" }
      ]
    })

const slotOf = (at: number): number => Math.floor(at / slotMs)

/** The definition, over every attempt ever made. */
const recount = (
  attempts: ReadonlyArray<Ended>,
  provider: string,
  { country, currency, issuer, network, rail }: Segment,
  now: number
): ReadonlyArray<Evidence> => {
  const known: ReadonlyArray<readonly [keyof Segment, string | null]> = [
    ["rail", rail],
    ["currency", currency],
    ["network", network],
    ["country", country],
    ["issuer", issuer]
  ]
  const keys = known.flatMap(([key, value]) => (value === null ? [] : [key]))
  const asked = { country, currency, issuer, network, rail }
  return [0, ...keys.map((_, index) => index + 1)].map((depth) => {
    const own = attempts.filter(
      (one) =>
        one.provider === provider &&
        keys.slice(0, depth).every((key) => one[key] === asked[key]) &&
        isInLine(one, asked, keys.slice(0, depth))
    )
    return evidenceBy(own, now)
  })
}

/** A part of what is not known of the asked payment is another part: without a country, `411111` is not in `DE`. */
const isInLine = (one: Ended, asked: Segment, keys: ReadonlyArray<keyof Segment>): boolean => {
  const order: ReadonlyArray<keyof Segment> = ["rail", "currency", "network", "country", "issuer"]
  const last = keys.at(-1)
  return (
    last === undefined ||
    order.slice(0, order.indexOf(last)).every((key) => (asked[key] === null ? one[key] === null : true))
  )
}

const evidenceBy = (own: ReadonlyArray<Ended>, moment: number): Evidence => {
  const now = slotOf(moment) * slotMs
  const middle = ({ at }: Ended) => slotOf(at) * slotMs + slotMs / 2
  const isInWindow = (one: Ended) => now - middle(one) < windowMs
  const countOf = (some: ReadonlyArray<Ended>) => some.reduce((sum, { count }) => sum + count, 0)
  // All of a slot or nothing of it.
  const isNewest = (one: Ended) => countOf(own.filter((other) => slotOf(other.at) > slotOf(one.at))) < 250
  const newest = own.filter(isNewest)
  const inReach = newest.filter(isInWindow)
  const [oldest] = inReach
  const isWhole = own.filter(isInWindow).every(isNewest)
  const reach = isWhole || oldest === undefined ? windowMs : Math.min(windowMs, now - middle(oldest) + slotMs)
  const weight = (sample: AttemptSample) =>
    inReach
      .filter((one) => one.sample === sample)
      .reduce((sum, one) => sum + one.count * Math.min(1, 1 - (now - middle(one)) / reach), 0)
  return {
    success: weight("success"),
    failure: weight("failure"),
    expired: weight("expired"),
    authenticationFailed: weight("authentication_failed"),
    attempts: countOf(own.filter(isInWindow))
  }
}

const assertEvidence = (actual: ReadonlyArray<Evidence>, expected: ReadonlyArray<Evidence>): void => {
  assert.lengthOf(actual, expected.length)
  for (const [index, evidence] of actual.entries()) {
    const other = expected[index]
    assert.strictEqual(evidence.attempts, other?.attempts, `attempts of part ${index}`)
    for (const key of ["success", "failure", "expired", "authenticationFailed"] as const) {
      assert.closeTo(evidence[key], other?.[key] ?? -1, 1e-6, `${key} of part ${index}`)
    }
  }
}

import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import type { Rail } from "@paymux/core"
import type { AttemptCount } from "@paymux/core/store"
import type { AttemptSample } from "../src/learn/attemptSample.ts"
import type { Rate } from "../src/Health.ts"
import { make } from "../src/learn/SuccessRates.ts"
import type { SuccessRates } from "../src/learn/SuccessRates.ts"

const MINUTE = 60_000
const windows = [10 * MINUTE, 30 * MINUTE]
const slotMs = 1_000
const start = 1_700_000_000_000

interface Ended {
  /** ms after the start */
  readonly at: number
  readonly provider: string
  readonly rail: Rail
  readonly currency: string
  readonly network: string | null
  readonly sample: AttemptSample
}

const ended: fc.Arbitrary<Ended> = fc.record({
  at: fc.nat(60 * MINUTE),
  provider: fc.constantFrom("stripe", "adyen"),
  rail: fc.constantFrom<Rail>("card", "card", "upi"),
  currency: fc.constantFrom("EUR", "EUR", "USD"),
  network: fc.constantFrom("visa", "mastercard", null),
  sample: fc.constantFrom<AttemptSample>("success", "failure")
})

const history = fc
  .array(ended, { maxLength: 120, size: "max" })
  .map((attempts) => attempts.toSorted((a, b) => a.at - b.at))

const asked = fc.record({
  windowMs: fc.constantFrom(...windows),
  minSamples: fc.nat(6),
  now: fc.integer({ min: 20 * MINUTE, max: 100 * MINUTE }),
  network: fc.constantFrom("visa", "mastercard", "amex", null)
})

describe("SuccessRates", () => {
  it("an attempt weighs what is left of the window at the age of its slot's middle, by either way of learning", () => {
    const middle = (at: number) => Math.floor(at / slotMs) * slotMs + slotMs / 2
    fc.assert(
      fc.property(history, fc.array(asked, { minLength: 1, maxLength: 4 }), (attempts, questions) => {
        const before = attempts.filter(({ at }) => questions.every(({ now }) => at <= now))
        for (const rates of [recorded(before), counted(before)]) {
          for (const question of questions) {
            for (const provider of ["stripe", "adyen", "unknown"]) {
              assertRate(ask(rates, provider, question), recount(before, provider, question, middle))
            }
          }
        }
      })
    )
  })

  it("what is left of two attempts at the end of their window is weighed exactly", () => {
    const rates = make(windows)
    rates.record(start + 3_577_000, "stripe", "card", "EUR", null, "failure")
    rates.record(start + 3_578_000, "stripe", "card", "EUR", null, "success")
    const question = { windowMs: 30 * MINUTE, minSamples: 0, now: 5_376_876, network: null }
    assertRate(ask(rates, "stripe", question), { rate: 1_624 / (624 + 1_624), samples: 2 })
  })

  it("no weight is further from the definition than half a slot, whatever the age", () => {
    fc.assert(
      fc.property(history, asked, (attempts, question) => {
        const before = attempts.filter(({ at }) => at <= question.now)
        const pooled = { ...question, network: null }
        const reported = ask(recorded(before), "stripe", pooled)
        const exact = recount(before, "stripe", pooled, (at) => at)
        const inReach = recount(before, "stripe", { ...pooled, windowMs: question.windowMs + slotMs }, (at) => at)
        if (reported === null || exact === null || inReach === null) return
        // Both sums are off by at most `each` for every attempt, so their quotient is by at most twice that.
        const each = slotMs / 2 / question.windowMs
        const sum = weights(before, "stripe", pooled, (at) => at)
        assert.isAtMost(Math.abs(reported.rate - exact.rate) * sum, 2 * each * inReach.samples + 1e-9)
      })
    )
  })

  it("a network is judged alone once it has the samples, before that over all networks", () => {
    const rates = make(windows)
    const visa = (sample: AttemptSample) => rates.record(start, "stripe", "card", "EUR", "visa", sample)
    const question = { windowMs: MINUTE * 10, minSamples: 3, now: 0, network: "visa" }
    const pooled = (samples: number, succeeded: number) => ({ rate: succeeded / samples, samples })
    rates.record(start, "stripe", "card", "EUR", "mastercard", "success")
    rates.record(start, "stripe", "card", "EUR", null, "success")
    visa("failure")
    visa("failure")
    assertRate(ask(rates, "stripe", question), pooled(4, 2))
    visa("failure")
    assertRate(ask(rates, "stripe", question), pooled(3, 0))
    assertRate(ask(rates, "stripe", { ...question, network: "amex" }), pooled(5, 2))
    assertRate(ask(rates, "stripe", { ...question, network: null, minSamples: 0 }), pooled(5, 2))
    assertRate(ask(rates, "stripe", { ...question, network: "amex", minSamples: 0 }), pooled(5, 2))
  })

  it("a rate is of its provider, method and currency alone", () => {
    const rates = make(windows)
    rates.record(start, "stripe", "card", "EUR", null, "success")
    const facts = { payment_method: "card", currency: "EUR", "card.network": null } as const
    const rate = (provider: string, change: Partial<Record<keyof typeof facts, string>>) =>
      rates.successRate(provider, { ...facts, ...change } as typeof facts, 10 * MINUTE, 1, start)
    assertRate(rate("stripe", {}), { rate: 1, samples: 1 })
    assert.isNull(rate("adyen", {}))
    assert.isNull(rate("stripe", { payment_method: "upi" }))
    assert.isNull(rate("stripe", { currency: "USD" }))
  })

  it("nothing is left after the window, and after the longest window nothing is held", () => {
    fc.assert(
      fc.property(history, (attempts) => {
        const rates = counted(attempts)
        const last = attempts.at(-1)?.at ?? 0
        for (const windowMs of windows) {
          const question = { windowMs, minSamples: 0, now: last + windowMs + slotMs, network: null }
          assert.isNull(ask(rates, "stripe", question))
        }
        rates.replaceFrom(start + last + 31 * MINUTE, [])
        assert.strictEqual(rates.size(), 0)
      })
    )
  })

  it("replacing again what was counted again changes nothing", () => {
    fc.assert(
      fc.property(history, asked, fc.nat(60), (attempts, question, slot) => {
        const since = slot * MINUTE
        const once = counted(attempts)
        const again = counted(attempts)
        for (let times = 0; times < 3; times++) again.replaceFrom(start + since, countsOf(attempts, since))
        const now = { ...question, now: 60 * MINUTE }
        assertRate(ask(again, "stripe", now), ask(once, "stripe", now))
        assertRate(ask(again, "adyen", now), ask(once, "adyen", now))
      })
    )
  })

  it("what is read slot by slot while attempts go on ending is what one reading at the end finds", () => {
    fc.assert(
      fc.property(history, asked, fc.integer({ min: 1, max: 20 }), (attempts, question, step) => {
        const stepwise = make(windows)
        const until = (now: number) => attempts.filter(({ at }) => at <= now)
        let read = 0
        for (let now = 0; now <= 60 * MINUTE; now += step * slotMs) {
          const since = Math.max(0, read - slotMs)
          stepwise.replaceFrom(start + since, countsOf(until(now), since))
          read = now
        }
        for (const provider of ["stripe", "adyen"]) {
          const at = { ...question, now: 60 * MINUTE }
          assertRate(ask(stepwise, provider, at), ask(counted(until(read)), provider, at))
        }
      })
    )
  })

  it("over a long time no more is held than about two longest windows, and all stays exact", () => {
    const longest = Math.max(...windows) / slotMs
    const attempts = Array.from({ length: 50 * longest }, (_, n): Ended => {
      const sample = (n * 7) % 10 < 6 ? "success" : "failure"
      const network = `network ${Math.floor(n / longest)}`
      return { at: n * slotMs, provider: "stripe", rail: "card", currency: "EUR", network, sample }
    })
    const question = { windowMs: 10 * MINUTE, minSamples: 0, now: attempts.length * slotMs, network: null }
    const expected = recount(attempts, "stripe", question, (at) => at + slotMs / 2)
    const learn: ReadonlyArray<(rates: SuccessRates, attempt: Ended) => void> = [
      record,
      (rates, attempt) => rates.replaceFrom(start + attempt.at, countsOf([attempt], 0))
    ]
    for (const one of learn) {
      const rates = make(windows)
      let held = 0
      for (const attempt of attempts) {
        one(rates, attempt)
        held = Math.max(held, rates.size())
      }
      // Each attempt is in two series: its network's, and that of all.
      assert.isAtMost(held, 2 * 2.5 * longest)
      assertRate(ask(rates, "stripe", question), expected)
    }
  })

  it("what another machine's clock puts ahead of now weighs as if it were now", () => {
    const rates = make(windows)
    rates.record(start, "stripe", "card", "EUR", null, "failure")
    rates.record(start + 5 * MINUTE, "stripe", "card", "EUR", null, "success")
    const question = { windowMs: 10 * MINUTE, minSamples: 0, now: 0, network: null }
    assertRate(ask(rates, "stripe", question), { rate: 0.5, samples: 2 })
  })

  it("a slot is a 360th of the shortest window in whole seconds, and at least a second", () => {
    assert.deepInclude(make([60 * MINUTE, 30 * MINUTE]), { slotMs: 5_000, longestMs: 60 * MINUTE })
    assert.deepInclude(make([30 * MINUTE, 10 * MINUTE]), { slotMs: 1_000, longestMs: 30 * MINUTE })
    assert.deepInclude(make([20_000]), { slotMs: 1_000, longestMs: 20_000 })
    assert.deepInclude(make([]), { slotMs: 1_000, longestMs: 0 })
  })
})

interface Question {
  readonly windowMs: number
  readonly minSamples: number
  /** ms after the start */
  readonly now: number
  readonly network: string | null
}

const ask = (rates: SuccessRates, provider: string, { minSamples, network, now, windowMs }: Question): Rate | null =>
  rates.successRate(
    provider,
    { payment_method: "card", currency: "EUR", "card.network": network },
    windowMs,
    minSamples,
    start + now
  )

const recorded = (attempts: ReadonlyArray<Ended>): SuccessRates => {
  const rates = make(windows)
  for (const attempt of attempts) record(rates, attempt)
  return rates
}

const record = (rates: SuccessRates, { at, currency, network, provider, rail, sample }: Ended): void =>
  rates.record(start + at, provider, rail, currency, network, sample)

const counted = (attempts: ReadonlyArray<Ended>): SuccessRates => {
  const rates = make(windows)
  rates.replaceFrom(start, countsOf(attempts, 0))
  return rates
}

/** As a store counts, each attempt on its own, with some that say nothing of the provider. */
const countsOf = (attempts: ReadonlyArray<Ended>, since: number): ReadonlyArray<AttemptCount> =>
  attempts
    .filter(({ at }) => at >= since)
    .toReversed()
    .flatMap(({ at, sample, ...attempt }) => {
      const one = { ...attempt, country: null, issuer: null, slot: start + Math.floor(at / slotMs) * slotMs, count: 1 }
      const outcome =
        sample === "success"
          ? { status: "succeeded" as const, code: null }
          : { status: "declined" as const, code: "do_not_honor" as const }
      return [
        { ...one, ...outcome },
        { ...one, status: "declined", code: "insufficient_funds" }
      ]
    })

/** Where the weight of what ended at `at` is taken. */
type PlaceOf = (at: number) => number

/** The definition, over every attempt ever made. */
const recount = (
  attempts: ReadonlyArray<Ended>,
  provider: string,
  question: Question,
  placeOf: PlaceOf
): Rate | null => {
  const alone =
    question.network === null ? null : recountOf(inQuestion(attempts, provider, question), question, placeOf)
  if (alone !== null && alone.samples >= question.minSamples) return alone
  return recountOf(inQuestion(attempts, provider, { ...question, network: null }), question, placeOf)
}

const inQuestion = (attempts: ReadonlyArray<Ended>, provider: string, { network }: Question) =>
  attempts.filter(
    (one) =>
      one.provider === provider &&
      one.rail === "card" &&
      one.currency === "EUR" &&
      (network === null || one.network === network)
  )

const weightOf = ({ now, windowMs }: Question, at: number): number => Math.max(0, 1 - Math.max(0, now - at) / windowMs)

const recountOf = (attempts: ReadonlyArray<Ended>, question: Question, placeOf: PlaceOf): Rate | null => {
  const counted = attempts.filter(({ at }) => weightOf(question, placeOf(at)) > 0)
  const sum = (some: ReadonlyArray<Ended>) => some.reduce((all, { at }) => all + weightOf(question, placeOf(at)), 0)
  return counted.length === 0
    ? null
    : { rate: sum(counted.filter(({ sample }) => sample === "success")) / sum(counted), samples: counted.length }
}

const weights = (attempts: ReadonlyArray<Ended>, provider: string, question: Question, placeOf: PlaceOf): number =>
  inQuestion(attempts, provider, question).reduce((all, { at }) => all + weightOf(question, placeOf(at)), 0)

const assertRate = (actual: Rate | null, expected: Rate | null): void => {
  assert.strictEqual(actual?.samples, expected?.samples)
  assert.closeTo(actual?.rate ?? -1, expected?.rate ?? -1, 1e-9)
}

/** The evidence of a series against its definition, over every attempt on its own. */
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { add, attemptsSince, evidenceOf, forget, NEWEST, SIZES, slotOf } from "../../src/learn/Series.ts"
import type { Evidence, Look, Series, Weights } from "../../src/learn/Series.ts"
import { MINUTE, start } from "./rows.ts"

const slotMs = 5_000

const samples = ["success", "failure", "expired", "authentication_failed"] as const
const open = ["openSuccess", "openFailure", "openExpired"] as const

interface Attempt {
  /** ms after the start */
  readonly at: number
  readonly field: (typeof samples)[number] | (typeof open)[number]
  readonly count: number
}

const attempt: fc.Arbitrary<Attempt> = fc.oneof(
  fc.record({
    at: fc.nat(60 * MINUTE),
    field: fc.constantFrom(...samples),
    // Some are more than the newest that count.
    count: fc.constantFrom(1, 1, 1, 7, 180)
  }),
  fc.record({ at: fc.nat(60 * MINUTE), field: fc.constantFrom(...open), count: fc.constantFrom(0.25, 0.75, 4.5) })
)
const attempts = fc.array(attempt, { maxLength: 120, size: "max" })

const part = fc.constantFrom(0, 0.25, 0.5, 1)
const weights: fc.Arbitrary<Weights> = fc.record({ expired: part, authenticationFailed: part })

const look: fc.Arbitrary<Look> = fc.record({
  now: fc.integer({ min: -MINUTE, max: 100 * MINUTE }).map((after) => start + after),
  slotMs: fc.constant(slotMs),
  since: fc.oneof(
    fc.constant(start),
    fc.integer({ min: 0, max: 60 * MINUTE }).map((after) => start + after)
  ),
  windowMs: fc.constantFrom(MINUTE, 30 * MINUTE, 120 * MINUTE),
  lagMs: fc.constantFrom(0, 0, 90_000, 20 * MINUTE)
})

const seriesOf = (all: ReadonlyArray<Attempt>): Series => {
  const series: Series = []
  for (const { at, count, field } of all) {
    const place = Math.floor((start + at) / slotMs)
    if (field === "success" || field === "failure" || field === "expired" || field === "authentication_failed") {
      add(series, place, field, count)
    } else slotOf(series, place)[field] += count
  }
  return series
}

/** The definition. */
const recount = (all: ReadonlyArray<Attempt>, { authenticationFailed, expired }: Weights, at: Look): Evidence => {
  const shares: Record<Attempt["field"], number> = {
    success: 1,
    openSuccess: 1,
    failure: 1,
    openFailure: 1,
    expired,
    openExpired: expired,
    authentication_failed: authenticationFailed
  }
  const slotBegin = (one: Attempt) => Math.floor((start + one.at) / at.slotMs) * at.slotMs
  const ageOf = (one: Attempt) => Math.max(0, at.now - slotBegin(one) - at.slotMs / 2 - at.lagMs)
  const countOf = (some: ReadonlyArray<Attempt>) => some.reduce((sum, one) => sum + one.count * shares[one.field], 0)
  const inWindow = all.filter((one) => ageOf(one) < at.windowMs && slotBegin(one) >= at.since)
  // All of a slot or nothing of it.
  const newest = (size: number) =>
    inWindow.filter((one) => countOf(inWindow.filter((other) => slotBegin(other) > slotBegin(one))) < size)
  const counted = newest(NEWEST)
  const number = countOf(counted)
  const oldest = Math.max(0, ...counted.map(ageOf))
  const reach = number < NEWEST ? at.windowMs : Math.min(at.windowMs, oldest + at.slotMs)
  const isSuccess = (one: Attempt) => one.field === "success" || one.field === "openSuccess"
  const weighed = (some: ReadonlyArray<Attempt>, by: number) =>
    [some.filter(isSuccess), some.filter((one) => !isSuccess(one))].map((those) =>
      those.reduce((sum, one) => sum + one.count * shares[one.field] * (1 - ageOf(one) / by), 0)
    )
  const [success = 0, failure = 0] = weighed(counted, reach)
  return {
    success,
    failure,
    attempts: number,
    newest: SIZES.filter((size) => number >= size).flatMap((size) => weighed(newest(size), at.windowMs))
  }
}

const assertEvidence = (actual: Evidence, expected: Evidence): void => {
  assert.closeTo(actual.attempts, expected.attempts, 1e-6, "attempts")
  assert.closeTo(actual.success, expected.success, 1e-6, "success")
  assert.closeTo(actual.failure, expected.failure, 1e-6, "failure")
  assert.lengthOf(actual.newest, expected.newest.length)
  for (const [index, each] of actual.newest.entries()) {
    assert.closeTo(each, expected.newest[index] ?? -1, 1e-6, `newest ${index}`)
  }
}

describe("the evidence of a series", () => {
  it("is that of the definition", () => {
    fc.assert(
      fc.property(attempts, weights, look, (all, given, at) => {
        assertEvidence(evidenceOf(seriesOf(all), given, at), recount(all, given, at))
      }),
      { numRuns: 500 }
    )
  })

  it("weighs by the start: an old attempt that failed just now weighs less than a new one", () => {
    const series = seriesOf([
      { at: 0, field: "success", count: 49 },
      { at: 30 * MINUTE - 2 * slotMs, field: "failure", count: 1 }
    ])
    const found = evidenceOf(series, all, { ...after(30 * MINUTE - slotMs), windowMs: 30 * MINUTE })
    assert.strictEqual(found.attempts, 50)
    assert.isBelow(found.success, 0.25)
    assert.isAbove(found.failure, 0.99)
  })

  it("where many payments come, is that of the newest 250", () => {
    const many = Array.from({ length: 600 }, (_, second): Attempt => ({
      at: second * 1_000,
      field: second < 575 ? "success" : "failure",
      count: 10
    }))
    const found = evidenceOf(seriesOf(many), all, after(600_000))
    assert.strictEqual(found.attempts, 250)
    assert.strictEqual(found.success, 0)
    assert.isAtMost(found.failure, 250)
  })

  it("counts the age from when an outcome could be known", () => {
    const late = seriesOf([{ at: 0, field: "success", count: 1 }])
    assert.closeTo(evidenceOf(late, all, after(30 * MINUTE)).success, 0.5, 0.01)
    assert.closeTo(evidenceOf(late, all, { ...after(30 * MINUTE), lagMs: 30 * MINUTE }).success, 1, 0.01)
  })

  it("treats starts in the future, by another machine's clock, as now", () => {
    const ahead = seriesOf([
      { at: 0, field: "failure", count: 1 },
      { at: 5 * MINUTE, field: "success", count: 1 }
    ])
    const { failure, success } = evidenceOf(ahead, all, after(0))
    assert.deepStrictEqual([success, failure], [1, 1])
  })

  it("is a number also where all that count are one slot ahead of the clock", () => {
    const series = seriesOf([
      { at: 0, field: "success", count: 1 },
      { at: 2 * slotMs, field: "failure", count: 250 }
    ])
    for (const ahead of [-1, 0, 1]) {
      const found = evidenceOf(series, all, after(slotMs + slotMs / 2 + ahead))
      assert.deepStrictEqual([found.success, found.failure], [0, 250])
    }
  })

  it("does not depend on the order of attempts, nor on removed ones", () => {
    fc.assert(
      fc.property(attempts, fc.array(attempt, { maxLength: 20 }), look, (kept, taken, at) => {
        const ended = taken.filter(({ field }) => field === "success" || field === "expired")
        const back = ended.map((one) => ({ ...one, count: -one.count }))
        const mixed = seriesOf([...ended, ...kept.toReversed(), ...back])
        assertEvidence(evidenceOf(mixed, all, at), recount(kept, all, at))
      })
    )
  })
})

describe("a series", () => {
  it("drops slots before a place, and slots that were emptied", () => {
    fc.assert(
      fc.property(attempts, fc.nat(70 * MINUTE), (ended, before) => {
        const place = Math.floor((start + before) / slotMs)
        const series = seriesOf(ended)
        add(series, place + 1, "success", 1)
        add(series, place + 1, "success", -1)
        forget(series, place)
        const left = ended.filter(({ at }) => Math.floor((start + at) / slotMs) >= place)
        assert.deepStrictEqual(
          series.map((slot) => slot.place),
          [...new Set(left.map(({ at }) => Math.floor((start + at) / slotMs)))].toSorted((a, b) => a - b)
        )
      })
    )
  })

  it("counts attempts from a time on, open ones by their weight", () => {
    const series = seriesOf([
      { at: 0, field: "success", count: 5 },
      { at: slotMs, field: "failure", count: 2 },
      { at: slotMs, field: "openExpired", count: 0.5 }
    ])
    assert.strictEqual(attemptsSince(series, start, slotMs), 7.5)
    assert.strictEqual(attemptsSince(series, start + 1, slotMs), 2.5)
    assert.strictEqual(attemptsSince(series, start + slotMs + 1, slotMs), 0)
  })
})

const all: Weights = { expired: 1, authenticationFailed: 1 }
const after = (ms: number): Look => ({ now: start + ms, slotMs, since: start, windowMs: 60 * MINUTE, lagMs: 0 })

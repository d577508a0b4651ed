/** How open attempts are expected to end: by those that were open at the same age. */
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { addDuration, noDurations, openAs, survivalCurve, sumOf } from "../../src/learn/survivalCurve.ts"
import type { Durations } from "../../src/learn/survivalCurve.ts"
import { HOUR, MINUTE, SECOND } from "./rows.ts"

interface Ended {
  readonly ms: number
  readonly isSuccess: boolean
  readonly count: number
}

const durationsOf = (all: ReadonlyArray<Ended>): Durations => {
  const durations = noDurations()
  for (const { count, isSuccess, ms } of all) addDuration(durations, ms, isSuccess, count)
  return durations
}

const ended: fc.Arbitrary<Ended> = fc.record({
  ms: fc.oneof(fc.nat(30_000), fc.nat(4 * 24 * HOUR)),
  isSuccess: fc.boolean(),
  count: fc.constantFrom(1, 3, 500)
})

/** 92 of 100 succeed within 20 s; the others expire after 15 minutes. */
const prompt = durationsOf([
  ...Array.from({ length: 16 }, (_, n): Ended => ({ ms: (5 + n) * SECOND, isSuccess: true, count: 23 })),
  { ms: 15 * MINUTE, isSuccess: false, count: 32 }
])
/** The same share, each outcome after 30 minutes. */
const late = durationsOf([
  { ms: 30 * MINUTE, isSuccess: true, count: 368 },
  { ms: 30 * MINUTE, isSuccess: false, count: 32 }
])
const none = noDurations()

describe("an open attempt", () => {
  it("of a flow whose successes come within 20 s is a failure after a minute", () => {
    const outlook = survivalCurve(prompt, prompt)
    assert.strictEqual(openAs(outlook, 2 * SECOND), 0)
    assert.isBelow(openAs(outlook, MINUTE), -0.9)
    assert.isBelow(openAs(outlook, 10 * MINUTE), -0.9)
  })

  it("of a flow whose outcomes all take 30 minutes says nothing until then", () => {
    const outlook = survivalCurve(late, late)
    for (const minutes of [0, 1, 5, 10, 20, 29]) {
      assert.strictEqual(openAs(outlook, minutes * MINUTE), 0, `${minutes} minutes`)
    }
    assert.isBelow(openAs(outlook, 45 * MINUTE), -0.4)
  })

  it("of a flow whose failures come first is a part of a success", () => {
    const failsFirst = durationsOf([
      { ms: 5 * SECOND, isSuccess: false, count: 300 },
      { ms: 2 * MINUTE, isSuccess: true, count: 300 }
    ])
    assert.isAbove(openAs(survivalCurve(failsFirst, failsFirst), MINUTE), 0.8)
  })

  it("of a provider without attempts is judged as those of the flow at the others", () => {
    assert.isBelow(openAs(survivalCurve(none, prompt), MINUTE), -0.8)
    assert.strictEqual(openAs(survivalCurve(none, late), MINUTE), 0)
    assert.isAbove(openAs(survivalCurve(none, late), 5 * MINUTE), -0.2)
  })

  it("of a provider that is unlike the others is judged by its own", () => {
    assert.isAbove(openAs(survivalCurve(late, prompt), 5 * MINUTE), -0.1)
    assert.isBelow(openAs(survivalCurve(prompt, late), 5 * MINUTE), -0.7)
  })

  it("where nothing is known, is a failure after minutes, and nothing at once", () => {
    const outlook = survivalCurve(none, none)
    assert.strictEqual(openAs(outlook, 0), 0)
    assert.strictEqual(openAs(outlook, 5 * SECOND), 0)
    assert.isBelow(openAs(outlook, 15 * MINUTE), -0.9)
  })

  it("never exceeds one attempt, at any age", () => {
    fc.assert(
      fc.property(fc.array(ended), fc.array(ended), fc.nat(6 * 24 * HOUR), (own, others, age) => {
        const part = openAs(survivalCurve(durationsOf(own), durationsOf([...own, ...others])), age)
        assert.isAtLeast(part, -1)
        assert.isAtMost(part, 1)
      })
    )
  })

  it("is left out where its part is no larger than chance makes it", () => {
    // A tenth of the successes comes after a minute: of 20 attempts it may be none or two.
    const like = (count: number) =>
      durationsOf([
        { ms: 5 * SECOND, isSuccess: true, count: 9 * count },
        { ms: 5 * SECOND, isSuccess: false, count },
        { ms: 5 * MINUTE, isSuccess: true, count: 6 * count },
        { ms: 5 * MINUTE, isSuccess: false, count: count }
      ])
    const many = openAs(survivalCurve(like(2_000), like(2_000)), MINUTE)
    const few = openAs(survivalCurve(like(1), like(1)), MINUTE)
    assert.isAbove(Math.abs(many), 0.01)
    assert.strictEqual(few, 0)
  })
})

describe("how late outcomes are", () => {
  const lag = (durations: Durations) => survivalCurve(durations, durations).lagMs

  it("is the time until more than half of the successes have come", () => {
    assert.isAtMost(lag(prompt), 30 * SECOND)
    assert.isAbove(lag(late), 29 * MINUTE)
    assert.isBelow(lag(late), 34 * MINUTE)
  })

  it("is at most the first expectation where all outcomes come at once", () => {
    assert.isAtMost(lag(durationsOf([{ ms: 0, isSuccess: true, count: 500 }])), lag(none))
    assert.isBelow(lag(none), 2 * MINUTE)
  })
})

describe("durations", () => {
  it("that are taken back leave no trace, and add up over stretches", () => {
    fc.assert(
      fc.property(fc.array(ended), fc.array(ended), (kept, taken) => {
        const mixed = durationsOf([...taken, ...kept, ...taken.map((one) => ({ ...one, count: -one.count }))])
        assert.deepStrictEqual(mixed, durationsOf(kept))
        assert.deepStrictEqual(sumOf([durationsOf(kept), durationsOf(taken)]), durationsOf([...kept, ...taken]))
      })
    )
  })
})

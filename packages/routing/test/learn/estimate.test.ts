/** The rates that are expected, from those that were seen. */
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { commonRate, estimate, optimisticPrior } from "../../src/learn/estimate.ts"
import type { Estimate } from "../../src/learn/estimate.ts"
import { noEvidence } from "../../src/learn/Series.ts"
import type { Evidence } from "../../src/learn/Series.ts"

/** Of `attempts`, `rate` were paid, the newest too. */
const seen = (rate: number, attempts: number): Evidence => ({
  success: rate * attempts,
  failure: (1 - rate) * attempts,
  attempts,
  newest: [12, 24, 48, 96].filter((size) => size <= attempts).flatMap((size) => [rate * size, (1 - rate) * size])
})

const STRENGTH = 40
const of = (...path: ReadonlyArray<Evidence>): Estimate => {
  const { known, rate } = estimate(path, 0.91, 0.91, STRENGTH)
  return { rate, known }
}
/** The deviation of the rate. */
const deviation = ({ known, rate }: Estimate): number => Math.sqrt((rate * (1 - rate)) / (known + 1))

describe("the common rate of providers", () => {
  it("is 90 % and a little where nothing is known, and close to all attempts where much is", () => {
    assert.closeTo(commonRate([]), 0.9, 1e-9)
    assert.closeTo(optimisticPrior(commonRate([noEvidence, noEvidence])), 0.91, 1e-9)
    // A tenth of the loss is taken off.
    assert.closeTo(optimisticPrior(commonRate([seen(0.6, 500), seen(0.8, 500)])), 0.73, 0.001)
  })
})

describe("an estimate", () => {
  it("is the uncertain prior where there are no attempts", () => {
    assert.deepStrictEqual(of(), of(noEvidence))
    assert.closeTo(of(noEvidence).rate, 0.91, 1e-9)
    assert.isAtMost(of(noEvidence).known, 4)
  })

  it("is close to the attempts where there are many, and surer the more there are", () => {
    let known = 0
    for (const attempts of [5, 20, 100, 250]) {
      const found = of(seen(0.6, attempts))
      assert.isAbove(found.known, known)
      known = found.known
    }
    assert.closeTo(of(seen(0.6, 250)).rate, 0.6, 0.02)
  })

  it("of a narrow kind without attempts is that of the wider one, and wide", () => {
    const wider = of(seen(0.9, 240))
    const narrow = of(seen(0.9, 240), noEvidence)
    assert.closeTo(narrow.rate, wider.rate, 0.02)
    assert.isBelow(narrow.known, wider.known / 10)
    assert.isAbove(deviation(narrow), 3 * deviation(wider))
  })

  it("of a narrow kind that is alike is judged with the wider one", () => {
    const wide = seen(0.9, 240)
    const narrow = of(wide, seen(0.9, 20))
    assert.closeTo(narrow.rate, 0.9, 0.02)
    assert.isAbove(narrow.known, 25, "more than its own attempts")
    // One failure of an issuer is no reason to leave it.
    assert.isAbove(of(wide, seen(0, 1)).rate, 0.7)
  })

  it("of a narrow kind that differs is soon its own", () => {
    const wide = seen(0.9, 240)
    assert.isBelow(of(wide, seen(0, 6)).rate, 0.25)
    assert.closeTo(of(wide, seen(0.3, 30)).rate, 0.3, 0.06)
    assert.isAbove(of(seen(0.3, 240), seen(1, 8)).rate, 0.85)
  })

  it("ignores a segment with the same attempts as the wider one", () => {
    const wide = seen(0.7, 60)
    assert.deepStrictEqual(of(wide, wide, wide), of(wide))
    assert.notDeepEqual(of(wide, seen(0.7, 59)), of(wide))
  })

  it("distinguishes segments with as many attempts", () => {
    // Of both no more than 250 count, and these are others.
    assert.isAbove(of(seen(0.7, 250), seen(0.95, 250)).rate, 0.93)
  })

  it("lets the wider kind count as much as the rule says", () => {
    const path = [seen(0.9, 240), seen(0.8, 20)]
    const rate = (strength: number) => estimate(path, 0.91, 0.91, strength).rate
    assert.isBelow(rate(2), rate(40))
    assert.isBelow(rate(40), rate(2_000))
  })

  it("starts from the prior of the rule, and follows the attempts", () => {
    const rate = (evidence: Evidence) => estimate([evidence], 0.6, 0.91, STRENGTH).rate
    assert.closeTo(rate(noEvidence), 0.6, 1e-9)
    assert.closeTo(rate(seen(1, 10)), 0.8, 0.03)
    assert.isAbove(rate(seen(1, 200)), 0.97)
  })

  it("follows a change: where the newest attempts fail, the older ones count no more", () => {
    const failing = (newest: number): Evidence => ({
      success: 200,
      failure: newest,
      attempts: 200 + newest,
      newest: [12, 24, 48, 96].flatMap((size) => [Math.max(0, size - newest), Math.min(size, newest)])
    })
    const steady: Evidence = { ...failing(24), newest: seen(200 / 224, 200).newest }
    assert.isBelow(of(failing(24)).rate, 0.15)
    assert.isAbove(of(steady).rate, 0.85)
    assert.isAbove(of(failing(2)).rate, 0.9, "two failures are no change")
  })

  it("is a valid rate and certainty for any evidence, and higher with one more success", () => {
    const counts = fc.record({
      success: fc.double({ min: 0, max: 300, noNaN: true }),
      failure: fc.double({ min: 0, max: 300, noNaN: true })
    })
    fc.assert(
      fc.property(fc.array(counts, { maxLength: 6 }), fc.double({ min: 0, max: 1, noNaN: true }), (parts, first) => {
        const path = parts.map((one): Evidence => ({ ...one, attempts: one.success + one.failure, newest: [] }))
        const found = estimate(path, first, first, STRENGTH)
        assert.isAbove(found.rate, 0)
        assert.isBelow(found.rate, 1)
        assert.isAbove(found.known, 0)
        const last = path.at(-1)
        if (path.length !== 1 || last === undefined) return
        const better = estimate([{ ...last, success: last.success + 1, attempts: last.attempts + 1 }], first, first, 40)
        assert.isAtLeast(better.rate, found.rate)
      })
    )
  })
})

import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { nextDelay, readRetryAfter, retryDelays } from "../src/delivery/RetrySchedule.ts"

const minutes = 60_000
const hours = 60 * minutes

describe("retry schedule", () => {
  it("waits 0, 5 s, 5 m, 30 m, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h before its tries, and then gives up", () => {
    const steps = [0, 5000, 5 * minutes, 30 * minutes, 2 * hours, 5 * hours, 10 * hours, 14 * hours, 20 * hours]
    assert.deepStrictEqual(retryDelays, [...steps, 24 * hours])
    const waited = Array.from({ length: 11 }, (_, attempts) => nextDelay(attempts, 0, null))
    assert.deepStrictEqual(waited, [...retryDelays, null])
  })

  it("never tries before its step or before it was asked to, and at most a tenth later", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 9 }),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        fc.option(fc.integer({ min: 0, max: 48 * hours })),
        (attempts, jitter, asked) => {
          const least = Math.max(retryDelays[attempts] ?? NaN, Math.min(asked ?? 0, 24 * hours))
          const delay = nextDelay(attempts, jitter, asked) ?? NaN
          assert.isAtLeast(delay, least)
          assert.isAtMost(delay, Math.round(least * 1.1))
        }
      )
    )
  })

  const now = Date.UTC(2026, 0, 1)

  it.each([
    ["120", 120_000],
    ["0", 0],
    ["Thu, 01 Jan 2026 00:01:00 GMT", 60_000],
    ["Wed, 31 Dec 2025 23:00:00 GMT", 0],
    [null, null],
    ["", null],
    ["-1", null],
    ["1.5", null],
    ["soon", null],
    ["2027", 2_027_000],
    ["1e3", null],
    ["99999999999", null],
    ["Thu, 99 Jan 2026 00:01:00 GMT", null]
  ])("Retry-After %j asks for %j ms", (header, ms) => assert.strictEqual(readRetryAfter(header, now), ms))
})

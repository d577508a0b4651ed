/** Success rates at a moment of the past: of what had ended by then, read without long statements. */
import type { Facts } from "@paymux/routing"
import type { AttemptCount, AttemptCountQuery } from "@paymux/core/store"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as fc from "fast-check"
import { endedBefore, successRatesAt } from "../../src/rules/successRatesAt.ts"

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const now = 1_700_000_000_123

/** Counts as a store does, and remembers what it was asked. */
const counting = (ends: ReadonlyArray<number>) => {
  const queries: Array<AttemptCountQuery> = []
  const attemptCounts = (query: AttemptCountQuery) =>
    Effect.sync((): ReadonlyArray<AttemptCount> => {
      queries.push(query)
      const { before = Infinity, since, slotMs } = query
      return ends
        .filter((end) => end >= since && end < before)
        .map((end) => ({
          slot: end - (end % slotMs),
          provider: "adyen",
          rail: "card",
          currency: "EUR",
          network: "visa",
          country: "DE",
          issuer: "411111",
          status: "succeeded",
          code: null,
          count: 1
        }))
    })
  return { attemptCounts, unknownAttemptCounts: () => Effect.succeed([]), queries }
}

/** How many attempts are known: of all, then of each part of the payment, down to its issuer. */
const attemptsIn = (known: ReadonlyArray<{ readonly attempts: number }>) => known.map(({ attempts }) => attempts)

describe("success rates at a moment", () => {
  it("count what had ended before it, to the ms, and what ended in the window, however it is read", async () => {
    const end = fc.oneof(
      fc.integer({ min: now - 40 * MINUTE, max: now + 20 * MINUTE }),
      fc.integer({ min: now - 3, max: now + 3 })
    )
    const widths = fc.constantFrom(1_000, 5_000, 240_000, 1_680_000)
    let counted = 0
    const check = fc.asyncProperty(fc.array(end, { maxLength: 20 }), widths, async (ends, slotMs) => {
      const since = Math.floor((now - 30 * MINUTE) / slotMs) * slotMs
      const counts = await Effect.runPromise(endedBefore(now, since, slotMs, counting(ends).attemptCounts))
      assert.lengthOf(counts, ends.filter((end) => end >= since && end < now).length)
      counted += counts.length
    })
    await fc.assert(check, { numRuns: 300, seed: 1 })
    assert.isAbove(counted, 500)
  })

  it("are not known where all attempts ended at that moment or later in the same slot", async () => {
    const known = async (ends: ReadonlyArray<number>) => {
      const health = await Effect.runPromise(successRatesAt([7 * DAY], now, counting(ends)))
      return health.evidence("adyen", asked, 7 * DAY)
    }
    assert.deepStrictEqual(attemptsIn(await known([now, now + 1, now + 60_000])), [0, 0, 0, 0, 0, 0])
    const one = await known([now - 1, now, now + 1])
    assert.deepStrictEqual(attemptsIn(one), [1, 1, 1, 1, 1, 1])
    for (const { authenticationFailed, expired, failure, success } of one) {
      // Its age is that of its slot's middle: up to 14 minutes of 7 days.
      assert.closeTo(success, 1, 0.002)
      assert.deepStrictEqual([failure, expired, authenticationFailed], [0, 0, 0])
    }
  })

  it("are those of each window alone", async () => {
    const counts = counting([now - 1_000, now - 2 * MINUTE, now - 20 * MINUTE])
    const windows = [MINUTE, 7 * DAY]
    const health = await Effect.runPromise(successRatesAt(windows, now, counts))
    const known = windows.map((window) => attemptsIn(health.evidence("adyen", asked, window)))
    assert.deepStrictEqual(known, [
      [1, 1, 1, 1, 1, 1],
      [3, 3, 3, 3, 3, 3]
    ])
    assert.deepStrictEqual(health.evidence("adyen", asked, DAY), [], "no rule asks for this window")
  })

  it("are those of the payment's own parts: another provider, currency or issuer is not known", async () => {
    const counts = counting([now - 1_000])
    const health = await Effect.runPromise(successRatesAt([DAY], now, counts))
    const of = (provider: string, change: Partial<Facts>) =>
      attemptsIn(health.evidence(provider, { ...asked, ...change }, DAY))
    assert.deepStrictEqual(of("stripe", {}), [0, 0, 0, 0, 0, 0])
    assert.deepStrictEqual(of("adyen", { currency: "USD" }), [1, 1, 0, 0, 0, 0])
    assert.deepStrictEqual(of("adyen", { issuer: "422222" }), [1, 1, 1, 1, 1, 0])
    assert.deepStrictEqual(of("adyen", { issuer: null }), [1, 1, 1, 1, 1])
  })

  it("take what is still unknown for a failure", async () => {
    const open = { ...counting([]), unknownAttemptCounts: counting([now - 20 * MINUTE]).attemptCounts }
    const health = await Effect.runPromise(successRatesAt([DAY], now, open))
    const [all] = health.evidence("adyen", asked, DAY)
    assert.deepStrictEqual([all?.attempts, all?.success], [1, 0])
    assert.isAbove(all?.failure ?? 0, 0.9)
  })

  it("are read in stretches of a few minutes, one after the other, each where the port says that it may begin", async () => {
    const counts = counting([])
    const { queries } = counts
    await Effect.runPromise(successRatesAt([DAY], now, counts))
    let at = queries[0]?.since
    for (const { before = Infinity, since, slotMs } of queries) {
      assert.strictEqual(since, at)
      assert.isAtMost(before - since, 10 * MINUTE)
      assert.isBelow((before - since) / slotMs, 1_000, "of each of so many slots there may be many rows")
      assert.deepStrictEqual([since % slotMs, before % slotMs], [0, 0])
      at = before
    }
    assert.strictEqual(at, now)
    assert.isAtLeast(queries.length, 144)
  })
})

/** A payment like those that are counted. */
const asked: Facts = {
  payment_method: "card",
  flow: "hosted",
  currency: "EUR",
  amount: 100,
  capture_method: "automatic",
  "customer.email": "asha@example.com",
  "customer.phone_country": null,
  "card.bin": "411111",
  "card.network": "visa",
  "card.country": "DE",
  "card.funding": null,
  "stablecoin.asset": null,
  "stablecoin.network": null,
  livemode: false,
  account: "default",
  time: now,
  metadata: {},
  draw: "0".repeat(16),
  issuer: "411111"
}

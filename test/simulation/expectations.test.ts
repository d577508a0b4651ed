/**
 * Random seeds before the judge and the invariants, a test for each expectation. In one file, so that all of them share the same
 * threads. `pnpm simulate --full` runs many more.
 */
import { assert, describe, it } from "@effect/vitest"
import { amount } from "../support/amount.ts"
import { describeExpectations } from "./describeExpectations.ts"
import { simulate } from "./pool.ts"
import type { Result } from "./pool.ts"

/** Half of the seeds on each change, of which half as much is expected. */
const few = (all: number): number => amount({ part: all / 2, all })

// All faults of clients, networks, processes and databases, against vendors that keep every promise.
describeExpectations(
  "where vendors keep their promises",
  { from: amount({ part: 3, all: 1 }), seeds: few(4), payments: 1_000, profile: "honest" },
  {
    "enough goes wrong for this to mean something": ({ figures }) => {
      assert.isAbove(figures.payments, few(3_500))
      assert.isAbove(figures.kills, few(30))
      assert.isAbove(figures.failedEvents, few(400))
      assert.isAbove(figures.reviews, few(50))
      // An engine that asked an operator about everything would break no expectation.
      assert.isBelow(figures.reviews, 0.06 * figures.payments)
      assert.isAbove(figures.reversals, few(3))
    }
  }
)

// Vendors that break promises, clocks that differ, databases that lose commits, operators.
describeExpectations(
  "whatever vendors, clocks, databases and operators do",
  { from: 1, seeds: few(10), payments: 300, profile: "everything" },
  {
    "enough goes wrong for this to mean something": ({ figures }) => {
      assert.isAbove(figures.payments, few(2_500))
      assert.isAbove(figures.resolutions, few(20))
      assert.isAbove(figures.mismatches, few(10))
    }
  }
)

const clean = ({ failures, figures: { violations } }: Result) =>
  assert.deepStrictEqual(Object.keys(violations), [], failures[0]?.report ?? "")

describe("the simulation shows that", () => {
  it("P6: no payment failed that was captured, or whose outcome was unknown, however many sends time out", async () => {
    const result = await simulate({ from: 1, seeds: few(200), payments: 10, profile: "timeouts", shrinks: false })
    clean(result)
    assert.isAbove(result.figures.failedEvents, few(100))
  })

  it("P11: webhooks that come many times, late and in any order turn nothing back", async () => {
    const result = await simulate({ from: 1, seeds: few(10), payments: 150, profile: "storm", shrinks: false })
    clean(result)
    assert.isAtLeast(result.figures.webhooks, few(10_000))
  })

  it("P12: money is conserved where other amounts and currencies move than were asked for", async () => {
    const result = await simulate({ from: 1, seeds: few(20), payments: 100, profile: "transfers", shrinks: false })
    clean(result)
    assert.isAbove(result.figures.mismatches, few(1_000))
  })
})

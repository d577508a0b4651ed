/** What is expected of a payment, computed by hand. */
import { defaultFailover } from "@paymux/core/routing"
import { assert, describe, it } from "@effect/vitest"
import { expected } from "./expected.ts"
import type { Tried } from "./expected.ts"
import { population } from "./population.ts"
import { worlds } from "./worlds.ts"

const [world] = worlds
const [payment] = world === undefined ? [] : population(world)
if (payment === undefined) throw new Error("The first world has no payment.")

const tried = (changes: Partial<Tried>): Tried => ({
  payment: { ...payment, amount: 10_000 },
  truth: { at: { alpha: { processing_error: 14, insufficient_funds: 4 }, beta: { issuer_unavailable: 10 } } },
  order: ["alpha", "beta"],
  policy: defaultFailover,
  fees: { alpha: { percent: 2, fixed: 30 }, beta: { percent: 1, fixed: 10 } },
  ...changes
})

const assertPaid = (changes: Partial<Tried>, paid: number): void =>
  assert.closeTo(expected(tried(changes)).paid, paid, 1e-12)

describe("the expectation of a payment", () => {
  it("goes on to the next provider after a soft decline, and ends after a final one", () => {
    assertPaid({}, 0.82 + 0.14 * 0.9)
    assertPaid({ order: ["alpha"] }, 0.82)
    assertPaid({ truth: { at: { alpha: { lost_or_stolen: 14 }, beta: {} } } }, 0.86)
    assertPaid({ truth: { at: { alpha: { authentication_failed: 10, expired: 5 }, beta: {} } } }, 0.85)
  })

  it("goes on once after a soft decline, and again where nothing was done", () => {
    const three = { alpha: { processing_error: 50 }, beta: { processing_error: 50 }, gamma: {} }
    assertPaid({ order: ["alpha", "beta", "gamma"], truth: { at: three } }, 0.75)
    const down = { alpha: { not_executed: 50 }, beta: { not_executed: 50 }, gamma: {} }
    assertPaid({ order: ["alpha", "beta", "gamma"], truth: { at: down } }, 1)
  })

  it("goes no further than the limits of failover", () => {
    assertPaid({ policy: { ...defaultFailover, maxAttempts: 1 } }, 0.82)
    assertPaid({ policy: { ...defaultFailover, on: ["not_executed"] } }, 0.82)
    assertPaid({ policy: { ...defaultFailover, notOn: ["processing_error"] } }, 0.82)
    assertPaid({ policy: { ...defaultFailover, notOn: ["do_not_honor"] } }, 0.82 + 0.14 * 0.9)
  })

  it("ends a declined UPI payment", () => {
    assertPaid({ payment: { ...payment, method: "upi" } }, 0.82)
  })

  it("has common failures at every provider", () => {
    const at = { alpha: { processing_error: 10 }, beta: {} }
    assertPaid({ truth: { common: { issuer_unavailable: 40 }, at } }, 0.6)
    assertPaid({ truth: { common: { not_executed: 40 }, at } }, 0.6)
  })

  it("costs the fee of the provider that is paid, or the fixed fee of every attempt", () => {
    const { costOfAttempts, costOfPaid } = expected(tried({}))
    assert.closeTo(costOfPaid, 0.82 * 230 + 0.14 * 0.9 * 110, 1e-9)
    assert.closeTo(costOfAttempts, 30 + 0.82 * 200 + 0.14 * (10 + 0.9 * 100), 1e-9)
    const down = { alpha: { not_executed: 100 }, beta: {} }
    assert.closeTo(expected(tried({ truth: { at: down } })).costOfAttempts, 110, 1e-9)
  })
})

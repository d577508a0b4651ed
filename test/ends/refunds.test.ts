/** Refunds that are executed more often than asked for: end 5. */
import { assert, describe, it } from "@effect/vitest"
import { Outcome } from "@paymux/core"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { history } from "./history.ts"
import { sale } from "./orders.ts"
import { findings, namedIn } from "./outcome.ts"
import { makeVendor } from "./SimulatedVendor.ts"
import { startEnvironment } from "./TestEnvironment.ts"
import { movementEvent } from "./vendorEvents.ts"
import { movementOf, total } from "./VendorLedger.ts"

describe("end 5: the vendor ignores the key and executes a refund twice", () => {
  const left = history(
    Effect.gen(function* () {
      const vendor = makeVendor("a", {
        honoursKeys: false,
        replies: {
          refund: ({ execute, send }) => {
            const reply = execute()
            return send === 1 ? Outcome.unknown({ reason: "timeout" }) : reply
          }
        }
      })
      const { create, deliver, facts, refund, view } = yield* startEnvironment([vendor])
      const order = sale("5")
      const { id } = yield* create(order)
      yield* refund(order, id, 500)
      const charge = vendor.ledger.charge(1)
      for (const place of [1, 2]) {
        const movement = movementOf(charge, "refunded", place)
        yield* deliver(vendor, movementEvent("refunded", charge, movement, vendor.operation("refund", 1)))
      }
      yield* TestClock.adjust("4 days")
      return { charge, after: yield* view(id), facts: yield* facts }
    })
  )

  it("end 5 happens: one refund of 500 was asked for, and the vendor refunded 1000", () => {
    const { charge, facts } = left()
    assert.deepStrictEqual(
      facts.refunds.map(({ amount }) => amount),
      [500]
    )
    assert.strictEqual(total(charge, "refunded"), 1000)
  })

  it("end 5: the second refund is not hidden", () => {
    assert.deepStrictEqual(findings(left().facts), [])
  })

  it("end 5: the API shows the second refund, or a review names it", () => {
    const { after, charge, facts } = left()
    assert.strictEqual(after.amount_refunded + namedIn(facts, charge), 1000)
  })
})

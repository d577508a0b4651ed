/** Captures whose answers were lost, wrong or about another amount: ends 1, 3, 4 and 9. */
import { assert, describe, it } from "@effect/vitest"
import { Outcome } from "@paymux/core"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { history } from "./history.ts"
import { hold } from "./orders.ts"
import { findings, kept, namedIn } from "./outcome.ts"
import { makeVendor } from "./SimulatedVendor.ts"
import { startEnvironment } from "./TestEnvironment.ts"
import { movementEvent, unnamedEvent } from "./vendorEvents.ts"
import { movementOf, total } from "./VendorLedger.ts"

const lost = Outcome.unknown({ reason: "timeout" })

describe("end 1: a capture that was called failed is reported as captured", () => {
  const left = history(
    Effect.gen(function* () {
      const vendor = makeVendor("a", {
        replies: {
          // The first capture is executed, and its answer never arrives.
          capture: ({ execute, place }) => {
            const reply = execute()
            return place === 1 ? lost : reply
          }
        }
      })
      const { capture, create, deliver, facts, view } = yield* startEnvironment([vendor])
      const order = hold("1")
      const { id } = yield* create(order)
      vendor.setForgetful(true)
      yield* capture(order, id, 600)
      yield* TestClock.adjust("1 hour")
      const afterNotFound = yield* view(id)
      const second = yield* capture(order, id, 600)
      vendor.setForgetful(false)
      const charge = vendor.ledger.charge(1)
      const first = movementOf(charge, "captured", 1)
      yield* deliver(vendor, movementEvent("captured", charge, first, vendor.operation("capture", 1)))
      yield* TestClock.adjust("4 days")
      return { charge, afterNotFound, second, facts: yield* facts }
    })
  )

  it("end 1 happens: the merchant captures 600 once, and the vendor twice", () => {
    const { afterNotFound, charge, facts, second } = left()
    assert.deepStrictEqual(
      afterNotFound.operations.map(({ status }) => status),
      ["failed"]
    )
    assert.include(
      facts.events.map(({ type }) => type),
      "payment.capture_failed"
    )
    assert.strictEqual(second.kind, "accepted")
    assert.strictEqual(total(charge, "captured"), 1200)
  })

  it("end 1: the vendor keeps nothing that the API does not show", () => {
    assert.deepStrictEqual(findings(left().facts), [])
  })

  it("end 1: the customer pays 600, or a review names the rest", () => {
    const { charge, facts } = left()
    assert.strictEqual(kept(charge) - namedIn(facts, charge), 600)
  })
})

describe("end 3: a capture whose answer was lost is refused as already captured", () => {
  const run = (reporter: "the vendor" | "an operator") =>
    Effect.gen(function* () {
      const vendor = makeVendor("a", {
        replies: {
          // The vendor ignores the key: the resend finds the hold captured, and is refused.
          capture: ({ execute, send }) => {
            if (send > 1) {
              return Outcome.declined({ code: "processing_error", retry: "never", vendorCode: "already_captured" })
            }
            execute()
            return lost
          }
        }
      })
      const { capture, create, deliver, facts, operator } = yield* startEnvironment([vendor])
      const order = hold("3")
      const { id } = yield* create(order)
      // Only the operator knows then: no inquiry finds it.
      vendor.setForgetful(reporter === "an operator")
      yield* capture(order, id, 1200)
      const charge = vendor.ledger.charge(1)
      const movement = movementOf(charge, "captured", 1)
      const operation = vendor.operation("capture", 1)
      if (reporter === "the vendor") yield* deliver(vendor, movementEvent("captured", charge, movement, operation))
      else yield* operator.resolve(id, "succeeded", { provider: vendor.id, reference: movement.reference })
      // Before the daily inquiry about holds, which would find the money by chance.
      yield* TestClock.adjust("2 hours")
      return { charge, sends: vendor.requests("capture"), facts: yield* facts }
    })

  for (const reporter of ["the vendor", "an operator"] as const) {
    describe(`reported by ${reporter}`, () => {
      const left = history(run(reporter))

      it(`end 3 happens (reported by ${reporter}): the vendor captures 1200 and refuses the resend`, () => {
        const { charge, sends } = left()
        assert.strictEqual(sends, 2)
        assert.strictEqual(total(charge, "captured"), 1200)
      })

      it(`end 3: a capture that ${reporter} reports as done is shown`, () => {
        assert.deepStrictEqual(findings(left().facts), [])
      })
    })
  }
})

describe("end 4: the vendor captures the whole hold, where a part was asked for", () => {
  const left = history(
    Effect.gen(function* () {
      const vendor = makeVendor("a", {
        replies: {
          capture: ({ execute }) => {
            execute(1200)
            return Outcome.pending()
          }
        }
      })
      const { capture, create, deliver, facts } = yield* startEnvironment([vendor])
      const order = hold("4")
      const { id } = yield* create(order)
      yield* capture(order, id, 500)
      const charge = vendor.ledger.charge(1)
      yield* deliver(vendor, unnamedEvent("captured", charge, 1200))
      yield* TestClock.adjust("4 days")
      return { charge, facts: yield* facts }
    })
  )

  it("end 4 happens: 500 was asked for, and the vendor captured 1200", () => {
    const { charge, facts } = left()
    assert.deepStrictEqual(
      facts.payments.flatMap(({ operations }) => operations.map(({ amount }) => amount)),
      [500]
    )
    assert.strictEqual(total(charge, "captured"), 1200)
  })

  it("end 4: the unrequested 700 is refunded, or a review names it", () => {
    assert.deepStrictEqual(findings(left().facts), [])
  })
})

describe("end 9: a failed capture is reported again, without a name", () => {
  const left = history(
    Effect.gen(function* () {
      const vendor = makeVendor("a", { replies: { capture: () => Outcome.pending() } })
      const { capture, create, deliver, facts, view } = yield* startEnvironment([vendor])
      const order = hold("9")
      const { id } = yield* create(order)
      const charge = vendor.ledger.charge(1)
      yield* capture(order, id, 1200)
      vendor.refuse(vendor.operation("capture", 1))
      yield* deliver(vendor, unnamedEvent("capture_failed", charge, null))
      yield* TestClock.adjust("30 minutes")
      const afterFailure = yield* view(id)
      const second = yield* capture(order, id, 1200)
      yield* deliver(vendor, unnamedEvent("capture_failed", charge, null))
      const afterRepeat = yield* view(id)
      yield* vendor.execute(vendor.operation("capture", 2))
      const movement = movementOf(charge, "captured", 1)
      yield* deliver(vendor, movementEvent("captured", charge, movement, vendor.operation("capture", 2)))
      // Before the daily inquiry about holds, which would find the money by chance.
      yield* TestClock.adjust("2 hours")
      return { afterFailure, afterRepeat, charge, second, facts: yield* facts }
    })
  )

  it("end 9 happens: one capture failed, the next is in flight, and the failure is reported again", () => {
    const { afterFailure, charge, second } = left()
    assert.deepStrictEqual(
      afterFailure.operations.map(({ status }) => status),
      ["failed"]
    )
    assert.strictEqual(second.kind, "accepted")
    assert.strictEqual(total(charge, "captured"), 1200)
  })

  it("end 9: the repeated failure of one capture does not fail the next", () => {
    assert.deepStrictEqual(
      left().afterRepeat.operations.map(({ status }) => status),
      ["failed", "pending"]
    )
  })

  it("end 9: what the next capture takes is shown", () => {
    assert.deepStrictEqual(findings(left().facts), [])
  })
})

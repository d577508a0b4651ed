/** Money and holds that vendors report after the engine has closed their attempt: ends 2, 7 and 9. */
import { assert, describe, it } from "@effect/vitest"
import { Outcome } from "@paymux/core"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { history } from "./history.ts"
import { hold, sale } from "./orders.ts"
import { findings, kept, reasonsOf } from "./outcome.ts"
import { makeVendor } from "./SimulatedVendor.ts"
import type { VendorRequest } from "./SimulatedVendor.ts"
import { startEnvironment } from "./TestEnvironment.ts"
import { chargeEvent } from "./vendorEvents.ts"
import { total } from "./VendorLedger.ts"

/** Executes the create, and reports that it did not. */
const chargesAndSays = (outcome: Outcome.SendOutcome) => (request: VendorRequest) => {
  request.execute()
  return outcome
}

describe("end 2: two vendors report late money, and neither can refund it", () => {
  const left = history(
    Effect.gen(function* () {
      const a = makeVendor("a", {
        supports: [],
        replies: { create: chargesAndSays(Outcome.declined({ code: "do_not_honor", retry: "other_provider" })) }
      })
      const b = makeVendor("b", {
        supports: [],
        replies: { create: chargesAndSays(Outcome.notExecuted({ reason: "proof_code" })) }
      })
      const c = makeVendor("c")
      const { create, deliver, facts, operator, view } = yield* startEnvironment([a, b, c])
      const { answered, id } = yield* create(sale("2"))
      for (const vendor of [a, b]) {
        yield* deliver(vendor, chargeEvent("captured", vendor.ledger.charge(1), vendor.operation("create", 1), 1200))
      }
      yield* TestClock.adjust("1 hour")
      const inReview = yield* view(id)
      const charge = a.ledger.charge(1)
      yield* a.move(charge, { kind: "refunded", minorUnits: 1200, by: "dashboard" })
      const accepted = yield* operator.resolve(id, "given_back", charge)
      yield* TestClock.adjust("4 days")
      const charges = [a, b, c].map(({ ledger }) => ledger.charge(1))
      return { answered, inReview, accepted, charges, id, listed: yield* operator.list, facts: yield* facts }
    })
  )

  it("end 2 happens: three vendors take 1200, and the operator refunds one of the charges", () => {
    const { accepted, answered, charges, inReview } = left()
    assert.strictEqual(answered.status, "succeeded")
    assert.isNotEmpty(reasonsOf(inReview))
    assert.isTrue(accepted)
    assert.deepStrictEqual(charges.map(kept), [0, 1200, 1200])
  })

  it("end 2: the charge without a refund stands in a review", () => {
    assert.deepStrictEqual(findings(left().facts), [])
  })

  it("end 2: the operators' list still has the payment", () => {
    const { id, listed } = left()
    assert.include(listed, id)
  })
})

describe("end 2: a late duplicate is reported while the review is about a contradiction", () => {
  const left = history(
    Effect.gen(function* () {
      const vendor = makeVendor("a", { supports: [], replies: { create: ({ wait }) => wait() } })
      const { create, deliver, facts, operator, view } = yield* startEnvironment([vendor])
      const { id } = yield* create(sale("2"))
      const operation = vendor.operation("create", 1)
      const first = vendor.ledger.charge(1)
      yield* deliver(vendor, chargeEvent("capture_failed", first, operation, null))
      yield* vendor.move(first, { kind: "captured", minorUnits: 1200, by: "payer" })
      yield* deliver(vendor, chargeEvent("captured", first, operation, 1200))
      const contradicted = yield* view(id)
      const second = yield* vendor.chargeAgain(operation)
      yield* deliver(vendor, chargeEvent("captured", second, operation, 1200))
      yield* TestClock.adjust("1 hour")
      // The contradiction is solved: the first charge was captured, once.
      yield* operator.resolve(id, "dismissed", first)
      yield* TestClock.adjust("4 days")
      return { charges: [first, second], contradicted, facts: yield* facts }
    })
  )

  it("end 2 happens: the vendor contradicts itself, then charges 1200 a second time", () => {
    const { charges, contradicted } = left()
    assert.strictEqual(contradicted.status, "succeeded")
    assert.include(reasonsOf(contradicted), "contradiction")
    assert.deepStrictEqual(charges.map(kept), [1200, 1200])
  })

  it("end 2: the duplicate stands in a review after the contradiction is resolved", () => {
    assert.deepStrictEqual(findings(left().facts), [])
  })
})

describe("end 7: a charge that was not found is there after all, and no webhook reports it", () => {
  const left = history(
    Effect.gen(function* () {
      const vendor = makeVendor("a", { replies: { create: chargesAndSays(Outcome.unknown({ reason: "timeout" })) } })
      vendor.setForgetful(true)
      const { create, facts, view } = yield* startEnvironment([vendor])
      const { id } = yield* create(sale("7"))
      yield* TestClock.adjust("40 minutes")
      const afterNotFound = yield* view(id)
      vendor.setForgetful(false)
      const asked = vendor.inquiries.length
      yield* TestClock.adjust("10 days")
      return { afterNotFound, asked, charge: vendor.ledger.charge(1), vendor, facts: yield* facts }
    })
  )

  it('end 7 happens: "not found" fails the payment, and the vendor keeps 1200', () => {
    const { afterNotFound, asked, charge } = left()
    assert.strictEqual(afterNotFound.status, "failed")
    assert.isAtLeast(asked, 2)
    assert.strictEqual(total(charge, "captured"), 1200)
  })

  it("end 7: the engine inquires again within ten days", () => {
    const { asked, vendor } = left()
    assert.isAbove(vendor.inquiries.length, asked)
  })

  it("end 7: the charge is found", () => {
    assert.deepStrictEqual(findings(left().facts), [])
  })
})

describe("end 9: a hold is reported after the merchant's confirmed cancel", () => {
  const left = history(
    Effect.gen(function* () {
      const vendor = makeVendor("a", { replies: { create: ({ wait }) => wait() } })
      const { cancel, create, deliver, facts, view } = yield* startEnvironment([vendor])
      const order = hold("9")
      const { id } = yield* create(order)
      yield* cancel(order, id)
      const canceled = yield* view(id)
      const charge = vendor.ledger.charge(1)
      // The payer was at the bank when the cancel arrived.
      yield* vendor.move(charge, { kind: "held", minorUnits: 1200, by: "payer" })
      yield* deliver(vendor, chargeEvent("held", charge, vendor.operation("create", 1), 1200))
      yield* TestClock.adjust("4 days")
      return { canceled, charge, facts: yield* facts }
    })
  )

  it("end 9 happens: the cancel is confirmed, then the vendor holds 1200", () => {
    const { canceled, charge } = left()
    assert.strictEqual(canceled.status, "canceled")
    assert.strictEqual(total(charge, "held"), 1200)
  })

  it("end 9: the hold is released, or a review names it", () => {
    assert.deepStrictEqual(findings(left().facts), [])
  })
})

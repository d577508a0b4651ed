/** Two payments under one reference of their vendor: end 6. */
import { assert, describe, it } from "@effect/vitest"
import type { Outcome } from "@paymux/core"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { history } from "./history.ts"
import { sale } from "./orders.ts"
import { findings } from "./outcome.ts"
import { makeVendor } from "./SimulatedVendor.ts"
import { startEnvironment } from "./TestEnvironment.ts"
import { total } from "./VendorLedger.ts"

describe("end 6: a create is answered with the body of another payment", () => {
  const left = history(
    Effect.gen(function* () {
      let first: Outcome.SendOutcome | null = null
      const vendor = makeVendor("a", {
        replies: {
          create: ({ execute }) => {
            const reply = execute()
            first ??= reply
            return first
          }
        }
      })
      const { create, facts, refund, view } = yield* startEnvironment([vendor])
      const orders = [sale("6a"), sale("6b")]
      const created = yield* Effect.forEach(orders, (order) =>
        Effect.map(create(order), (made) => ({ ...made, order, inquiries: vendor.inquiries.length }))
      )
      yield* TestClock.adjust("1 day")
      for (const { id, order } of created) yield* refund(order, id, 500)
      yield* TestClock.adjust("4 days")
      return {
        answered: created.map(({ answered, inquiries }) => ({ status: answered.status, inquiries })),
        after: yield* Effect.forEach(created, ({ id }) => view(id)),
        charges: vendor.ledger.charges,
        first: vendor.ledger.charge(1),
        facts: yield* facts
      }
    })
  )

  it("end 6 happens: each payment has a charge of its own at the vendor", () => {
    const { answered, charges } = left()
    assert.strictEqual(answered[0]?.status, "succeeded")
    assert.deepStrictEqual(
      charges.map((charge) => [charge.order, total(charge, "captured")]),
      [
        ["6a", 1200],
        ["6b", 1200]
      ]
    )
  })

  it("end 6: the body of another payment is no proof that the second one succeeded", () => {
    assert.notDeepEqual(left().answered[1], { status: "succeeded", inquiries: 0 })
  })

  it("end 6: a refund goes to the charge of its own payment", () => {
    const { charges, facts, first } = left()
    for (const { amount, payment, status } of facts.refunds) {
      const order = facts.payments.find(({ id }) => id === payment)?.metadata["n"]
      const own = charges.filter((charge) => charge.order === order)
      if (status === "succeeded")
        assert.deepStrictEqual(
          own.map((charge) => total(charge, "refunded")),
          [amount]
        )
    }
    assert.isAtMost(total(first, "refunded"), 500)
  })

  it("end 6: the second payment shows its own charge, or is in review", () => {
    const { after, facts } = left()
    const [, second] = after
    const isInReview =
      second?.status !== "succeeded" && second?.reviews?.some(({ provider }) => provider === "a") === true
    assert.deepStrictEqual(
      findings(facts).filter((text) => !(isInReview && text.includes("order 6b"))),
      []
    )
  })
})

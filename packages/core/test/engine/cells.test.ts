/** Payments of cells: two installations with a database each, whose ids name them. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { Cell, cellOf } from "../../src/domain/Cell.ts"
import type { PaymentError } from "../../src/domain/PaymentError.ts"
import { refundId } from "../../src/domain/Refund.ts"
import * as Outcome from "../../src/domain/Outcome.ts"
import { MemoryStore } from "@paymux/testkit/memory-store"
import { createOf, plain, scripted, start, tenant } from "./fixtures.ts"
import type { Store } from "./fixtures.ts"

const succeeds = () => Effect.succeed(Outcome.succeeded())
const whole = { minorUnits: null, reason: null }

const engineOf = (cell: string | null, store: Store = MemoryStore.make()) =>
  start(store, [scripted("a", { create: succeeds, refund: succeeds })], {}, Layer.succeed(Cell, cell))

const messageOf = <A>(effect: Effect.Effect<A, PaymentError>) =>
  Effect.map(Effect.flip(effect), ({ message, reason }) => [reason._tag, message])

describe("a payment of a cell", () => {
  it.effect("has the name of the cell in its id, and in those of its operations", () =>
    Effect.gen(function* () {
      const { create, payments } = yield* engineOf("eu1")
      const { payment } = yield* create()
      const { operation } = yield* payments.refund(payment.id, whole, plain)
      assert.deepStrictEqual([payment.id, operation.id, refundId(operation.id)].map(cellOf), ["eu1", "eu1", "eu1"])
      assert.strictEqual((yield* payments.findRefund(tenant, refundId(operation.id))).operation.id, operation.id)
    })
  )

  it.effect("is refused by another cell, which names both; an unknown id of the same cell is only unknown", () =>
    Effect.gen(function* () {
      const [eu1, us1, plainly] = [yield* engineOf("eu1"), yield* engineOf("us1"), yield* engineOf(null)]
      const record = yield* us1.create()
      const { id } = record.payment
      const refund = refundId(createOf(record))
      const text = "The id is of cell us1, and this is cell eu1."
      const missing = ["PaymentNotFound", `There is no such payment. ${text}`]
      assert.deepStrictEqual(yield* messageOf(eu1.payments.get(tenant, id)), missing)
      assert.deepStrictEqual(yield* messageOf(eu1.payments.capture(id, { minorUnits: null }, plain)), missing)
      assert.deepStrictEqual(yield* messageOf(eu1.payments.cancel(id, plain)), missing)
      assert.deepStrictEqual(yield* messageOf(eu1.payments.refund(id, whole, plain)), missing)
      assert.deepStrictEqual(yield* messageOf(eu1.payments.findRefund(tenant, refund)), [
        "RefundNotFound",
        `There is no such refund. ${text}`
      ])
      assert.deepStrictEqual(yield* messageOf(plainly.payments.get(tenant, id)), [
        "PaymentNotFound",
        "There is no such payment. The id is of cell us1, and this server is not a cell."
      ])
      const other = yield* engineOf("us1")
      assert.deepStrictEqual(yield* messageOf(other.payments.get(tenant, id)), [
        "PaymentNotFound",
        "There is no such payment."
      ])
    })
  )

  it.effect(
    "is found, and refunded, where its row is: from before this was a cell, or of an account that was moved",
    () =>
      Effect.gen(function* () {
        for (const before of [null, "us1"]) {
          const store = MemoryStore.make()
          const former = yield* engineOf(before, store)
          const { payment } = yield* former.create()
          yield* former.end
          const { payments } = yield* engineOf("eu1", store)
          assert.strictEqual((yield* payments.get(tenant, payment.id)).payment.id, payment.id)
          const { operation } = yield* payments.refund(payment.id, whole, plain)
          assert.deepStrictEqual([cellOf(operation.id), operation.status], ["eu1", "succeeded"])
        }
      })
  )
})

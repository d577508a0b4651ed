/** Orders with two to five payments each, on both databases. `test/long` plays 10,000 on each. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { PaymentRecords } from "@paymux/test-suites"
import { amount } from "../support/amount.ts"
import { postgres, sqlite } from "./databases.ts"
import { faultsOf } from "./orderJudge.ts"
import { runOrders } from "./OrderRun.ts"
import type { OrderRun } from "./OrderRun.ts"

describe.each([
  ["SQLite", sqlite, 1],
  ["PostgreSQL, two servers", postgres, 2]
] as const)("orders with several payments on %s", (_, database, servers) => {
  it.live(
    "keep the payer's money once",
    () =>
      Effect.gen(function* () {
        const run = yield* runOrders({ seed: 1, orders: amount({ part: 150, all: 600 }), servers }, faultsOf)
        assert.deepStrictEqual(faultsOf(run), [])
        for (const what of ["begun", "refused", "paid on a page", "paid on a closed page", "crashes", "lost replies"]) {
          assert.isAbove(run.counts[what] ?? 0, 0, what)
        }
      }).pipe(Effect.scoped, Effect.provide(database)),
    600_000
  )
})

describe("the judge of orders", () => {
  const order = "order 1"
  const charge = (n: number, minorUnits = 10_000) => ({
    reference: `ch_${n}`,
    operation: PaymentRecords.operationId(n),
    order,
    minorUnits,
    isClosed: false,
    isPaid: true,
    refunds: new Map<string, number>()
  })
  const paid = (n: number) => {
    const record = PaymentRecords.succeeded(PaymentRecords.aRecord(n, { order }))
    return {
      ...record,
      operations: record.operations.map((operation) => ({ ...operation, reference: `ch_${n}` }))
    }
  }
  const canceled = (n: number) => ({
    ...paid(n),
    payment: { ...paid(n).payment, state: { status: "canceled" as const } }
  })
  const faults = (run: Partial<OrderRun>) => faultsOf({ orders: [order], charges: [], records: [], counts: {}, ...run })

  it("accepts an order that is paid once, and a second charge that is refunded or in review", () => {
    assert.deepStrictEqual(faults({ charges: [charge(1)], records: [paid(1)] }), [])
    const refunded = { ...charge(2), refunds: new Map([["key", 10_000]]) }
    assert.deepStrictEqual(faults({ charges: [charge(1), refunded], records: [paid(1), canceled(2)] }), [])
    const review = PaymentRecords.aReview(2, { reference: "ch_2", minorUnits: 10_000 })
    const reviewed = { ...canceled(2), payment: { ...canceled(2).payment, reviews: [review] } }
    assert.deepStrictEqual(faults({ charges: [charge(1), charge(2)], records: [paid(1), reviewed] }), [])
  })

  it("notices a second open or paid payment, and money that is kept twice, not returned, or returned twice", () => {
    const two = faults({ charges: [charge(1), charge(2)], records: [paid(1), paid(2)] })
    assert.include(two, "order 1: 2 open or paid payments")
    const kept = { charges: [charge(1), charge(2)], records: [paid(1), canceled(2)] }
    assert.deepStrictEqual(faults(kept), ["order 1: ch_2 is kept"])
    const partly = { ...charge(2), refunds: new Map([["key", 9_000]]) }
    assert.deepStrictEqual(faults({ charges: [partly], records: [canceled(2)] }), ["order 1: ch_2 is kept"])
    const twice = {
      ...charge(2),
      refunds: new Map([
        ["a", 5_000],
        ["b", 5_000]
      ])
    }
    assert.deepStrictEqual(faults({ charges: [twice], records: [canceled(2)] }), ["order 1: ch_2 is refunded twice"])
    const gone = { ...charge(1), refunds: new Map([["key", 10_000]]) }
    assert.lengthOf(faults({ charges: [gone], records: [paid(1)] }), 1)
  })
})

/** Orders with two to five payments each, on both databases. `test/long` plays 10,000 on each. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { PaymentRecords } from "@paymux/test-suites"
import { amount } from "../support/amount.ts"
import { postgres, sqlite } from "./databases.ts"
import type { ClientAnswer } from "./Clients.ts"
import type { Refund } from "./Ledger.ts"
import { faultsOf } from "./orderJudge.ts"
import { runOrders } from "./OrderRun.ts"
import type { OrderRun } from "./OrderRun.ts"

const happened = [
  "begun",
  "refused",
  "paid on a page",
  "paid on a closed page",
  "kills",
  "lost replies",
  "lost databases"
]

describe.each([
  ["SQLite", sqlite, 1],
  ["PostgreSQL, two servers", postgres, 2]
] as const)("orders with several payments on %s", (_, database, servers) => {
  it.live(
    "keep the payer's money once, also if the database goes back",
    () =>
      Effect.gen(function* () {
        const plan = { seed: 1, orders: amount({ part: 80, all: 300 }), servers, loses: true }
        const run = yield* runOrders(plan, yield* database, faultsOf)
        assert.deepStrictEqual(faultsOf(run), [])
        for (const what of happened) assert.isAbove(run.counts[what] ?? 0, 0, what)
      }).pipe(Effect.scoped),
    600_000
  )
})

describe("the judge of orders", () => {
  const order = "order 1"
  const charge = (n: number) => ({
    vendor: "card" as const,
    reference: `ch_${n}`,
    operation: PaymentRecords.operationId(n),
    order,
    minorUnits: 10_000,
    isClosed: false,
    paidAt: 1,
    refunds: new Map<string, Refund>()
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
  const faults = (run: Partial<OrderRun>) =>
    faultsOf({
      orders: [order],
      charges: [],
      records: [],
      unmatched: new Set(),
      differences: new Set(),
      answers: [],
      hasLost: false,
      counts: {},
      ...run
    })
  const returned = (n: number, ...amounts: ReadonlyArray<number>) => ({
    ...charge(n),
    refunds: new Map(
      amounts.map((minorUnits, place) => [
        `key ${place}`,
        { operation: PaymentRecords.operationId(n, 2), minorUnits, at: 2 }
      ])
    )
  })

  it("accepts an order that is paid once, and a second charge that is refunded, in review, or in a list", () => {
    assert.deepStrictEqual(faults({ charges: [charge(1)], records: [paid(1)] }), [])
    assert.deepStrictEqual(faults({ charges: [charge(1), returned(2, 10_000)], records: [paid(1), canceled(2)] }), [])
    const review = PaymentRecords.aReview(2, { reference: "ch_2", minorUnits: 10_000 })
    const reviewed = { ...canceled(2), payment: { ...canceled(2).payment, reviews: [review] } }
    assert.deepStrictEqual(faults({ charges: [charge(1), charge(2)], records: [paid(1), reviewed] }), [])
    const listed = { charges: [charge(1), charge(2)], records: [paid(1)], unmatched: new Set([charge(2).operation]) }
    assert.deepStrictEqual(faults({ ...listed, hasLost: true }), [])
    assert.deepStrictEqual(faults(listed), ["order 1: ch_2 is kept"])
  })

  it("notices a second open or paid payment, and money that is kept twice, not returned, or returned twice", () => {
    const again = { ...charge(2), reference: "ch_1" }
    assert.lengthOf(faults({ charges: [charge(1), again], records: [paid(1)] }), 1)
    const two = faults({ charges: [charge(1), charge(2)], records: [paid(1), paid(2)] })
    assert.include(two, "order 1: 2 open or paid payments")
    const kept = { charges: [charge(1), charge(2)], records: [paid(1), canceled(2)] }
    assert.deepStrictEqual(faults(kept), ["order 1: ch_2 is kept"])
    // A report about a payment that is there is in no list.
    assert.deepStrictEqual(faults({ ...kept, unmatched: new Set([charge(2).operation]) }), ["order 1: ch_2 is kept"])
    assert.deepStrictEqual(faults({ charges: [charge(1)] }), ["order 1: ch_1 is kept"])
    assert.deepStrictEqual(faults({ charges: [returned(2, 9_000)], records: [canceled(2)] }), ["order 1: ch_2 is kept"])
    assert.deepStrictEqual(faults({ charges: [returned(2, 5_000, 5_000)], records: [canceled(2)] }), [
      "order 1: ch_2 is refunded twice"
    ])
  })

  it("notices money that is returned although its payment is paid, or no other one has the order", () => {
    const reason = "order 1: ch_1 is refunded without a reason"
    assert.include(faults({ charges: [returned(1, 10_000)], records: [paid(1)] }), reason)
    const failed = PaymentRecords.ended(paid(1), "not_executed", {
      state: { status: "failed", failure: { code: "customer_timeout", message: "", retryable: true } }
    })
    assert.include(faults({ charges: [returned(1, 10_000)], records: [failed] }), reason)
    assert.deepStrictEqual(faults({ charges: [returned(1, 10_000), charge(2)], records: [failed, paid(2)] }), [])
  })

  it("accepts a refund that the database lost, where the statement names it", () => {
    const run = { charges: [returned(1, 10_000)], records: [paid(1)], hasLost: true }
    assert.deepStrictEqual(faults({ ...run, differences: new Set(["re_key 0"]) }), [])
    assert.lengthOf(faults({ ...run, differences: new Set(["re_key 1"]) }), 2)
    assert.lengthOf(faults({ ...run, differences: new Set(["re_key 0"]), hasLost: false }), 2)
  })

  it("notices a request that began two payments, was refused because of its own, or whose payment is lost", () => {
    const records = [paid(1), canceled(2)]
    const [one, other] = records.map(({ payment }) => payment.id)
    const known = (ids: ReadonlyArray<string | undefined>) => new Set(ids.filter((id) => id !== undefined))
    const none = known([])
    const of = (answer: Partial<ClientAnswer>) =>
      faults({
        records,
        charges: [charge(1)],
        hasLost: true,
        answers: [{ place: "order 1/0", begun: none, mayBeLost: none, takenBy: none, ...answer }]
      })
    assert.deepStrictEqual(of({ begun: known([one]), takenBy: known([other]) }), [])
    assert.lengthOf(of({ begun: known([one, other]) }), 1)
    assert.lengthOf(of({ begun: known([one]), mayBeLost: known([other]) }), 1)
    assert.lengthOf(of({ begun: known([one]), takenBy: known([one]) }), 1)
    assert.deepStrictEqual(of({ begun: known(["pay_lost"]) }), ["order 1/0: pay_lost is lost"])
    assert.deepStrictEqual(of({ begun: known([one]), mayBeLost: known(["pay_lost"]) }), [])
  })
})

import { assert, describe, it } from "@effect/vitest"
import { decodeCreatePayment, Engine, Ids, Payments } from "@paymux/core"
import type { PaymentRecord } from "@paymux/core"
import { PaymentStore } from "@paymux/core/store"
import { MemoryStore } from "@paymux/testkit/memory-store"
import type { Review } from "@paymux/core/store"
import { Effect, Layer } from "effect"
import { judge } from "./Judge.ts"
import type { Evidence } from "./Judge.ts"
import { requestOf } from "./Scenarios.ts"
import type { LedgerEntry } from "./vendor/Ledger.ts"
import { instantProvider } from "../bench/InstantProvider.ts"

const engine = Engine.layer({ providers: [instantProvider], publicUrl: "http://localhost:4310" }).pipe(
  Layer.provideMerge(Layer.merge(MemoryStore.layer, Ids.layer))
)

/** A payment of the real engine that succeeded, and what everybody rightly says of it. */
const succeeded = Effect.gen(function* () {
  const payment = yield* decodeCreatePayment(requestOf({ rail: "upi" }))
  const { body, record } = yield* (yield* Payments).create(payment, {
    tenant: { account: "default", livemode: false },
    idempotency: null
  })
  const events = yield* (yield* PaymentStore).undispatchedEvents(10)
  const [operation] = record.operations
  const captured: LedgerEntry = {
    kind: "captured",
    account: "instant",
    key: operation?.key ?? "",
    object: "vp_1",
    payment: record.payment.id,
    operation: operation?.id ?? "",
    purchase: "purchase-1",
    minorUnits: 10_000,
    currency: "INR"
  }
  const evidence: Evidence = {
    records: [record],
    events: events.map(({ paymentId, sequence, type }) => ({ payment_id: paymentId, sequence, type })),
    ledger: [captured],
    answers: new Map([["key-1", { path: "/v1/payments", request: "{}", status: 201, body }]])
  }
  return { evidence, record, captured }
}).pipe(Effect.provide(engine))

const duplicate: Review = {
  id: "rev_1",
  reason: "duplicate_capture",
  attemptSeq: 1,
  operationId: null,
  provider: "instant",
  reference: null,
  minorUnits: 0,
  currency: "INR",
  since: 0
}

const changed = (record: PaymentRecord, change: Partial<PaymentRecord["payment"]>): PaymentRecord => ({
  ...record,
  payment: { ...record.payment, ...change }
})

describe("the judge of the crash tests", () => {
  it.effect("finds nothing where everybody agrees", () =>
    Effect.gen(function* () {
      const verdict = judge((yield* succeeded).evidence)
      assert.deepStrictEqual(
        { ...verdict },
        {
          payments: 1,
          acknowledged: 1,
          lost: [],
          double: [],
          unresolved: [],
          inReview: 0,
          broken: [],
          secondOrders: []
        }
      )
    })
  )

  it.effect("finds what was acknowledged and is not there, or went back on its word", () =>
    Effect.gen(function* () {
      const { evidence, record } = yield* succeeded
      assert.lengthOf(judge({ ...evidence, records: [], events: [], ledger: [] }).lost, 1)
      const failed = changed(record, { state: { status: "canceled" } })
      assert.lengthOf(judge({ ...evidence, records: [failed] }).lost, 1)
    })
  )

  it.effect("finds money taken twice, unless it was refunded or a review names it", () =>
    Effect.gen(function* () {
      const { captured, evidence, record } = yield* succeeded
      const again: LedgerEntry = { ...captured, object: "vp_2" }
      assert.lengthOf(judge({ ...evidence, ledger: [captured, again] }).double, 1)
      const back: LedgerEntry = { ...again, kind: "refunded" }
      assert.lengthOf(judge({ ...evidence, ledger: [captured, again, back] }).double, 0)
      const review = { ...duplicate, provider: again.account, reference: again.object, minorUnits: again.minorUnits }
      const doubleWith = (change: Partial<Review>) =>
        judge({
          ...evidence,
          records: [changed(record, { reviews: [{ ...review, ...change }] })],
          ledger: [captured, again]
        }).double
      assert.lengthOf(doubleWith({}), 0)
      assert.lengthOf(doubleWith({ reference: "vp_3" }), 1)
      assert.lengthOf(doubleWith({ reference: null }), 1)
      assert.lengthOf(doubleWith({ minorUnits: 1 }), 1)
      assert.lengthOf(doubleWith({ provider: "other" }), 1)
    })
  )

  it.effect("finds money that the database does not know of, and holds that it forgot", () =>
    Effect.gen(function* () {
      const { captured, evidence } = yield* succeeded
      assert.lengthOf(judge({ ...evidence, ledger: [{ ...captured, minorUnits: 9_999 }] }).broken, 1)
      assert.lengthOf(
        judge({ ...evidence, ledger: [captured, { ...captured, kind: "held", object: "vp_2" }] }).broken,
        1
      )
    })
  )

  it.effect("finds what is still open, and what was asked of the vendor without being written down", () =>
    Effect.gen(function* () {
      const { captured, evidence, record } = yield* succeeded
      const open = record.operations.map((operation) => ({ ...operation, status: "unknown" as const }))
      assert.lengthOf(judge({ ...evidence, records: [{ ...record, operations: open }] }).unresolved, 1)
      const stranger: LedgerEntry = { ...captured, key: "unknown", kind: "received", minorUnits: 0 }
      assert.lengthOf(judge({ ...evidence, ledger: [captured, stranger] }).broken, 1)
    })
  )

  it.effect("finds an event that is missing, repeated, or after a gap", () =>
    Effect.gen(function* () {
      const { evidence, record } = yield* succeeded
      assert.isNotEmpty(judge({ ...evidence, events: [] }).broken)
      const [event] = evidence.events
      if (event === undefined) return assert.fail("the payment has no event")
      assert.isNotEmpty(judge({ ...evidence, events: [event, { ...event, sequence: 2 }] }).broken)
      assert.isNotEmpty(judge({ ...evidence, events: [{ ...event, sequence: 2 }] }).broken)
      assert.lengthOf(judge({ ...evidence, records: [record] }).broken, 0)
    })
  )

  it.effect("finds a second order under a key whose payment was on its way", () =>
    Effect.gen(function* () {
      const { captured, evidence } = yield* succeeded
      const order: LedgerEntry = { ...captured, kind: "order_made", minorUnits: 0 }
      const received: LedgerEntry = { ...order, kind: "received" }
      assert.lengthOf(judge({ ...evidence, ledger: [order, received, captured] }).secondOrders, 0)
      assert.lengthOf(judge({ ...evidence, ledger: [order, received, captured, order] }).secondOrders, 1)
    })
  )
})

import { PaymentStore } from "@paymux/core/store"
import type { AdvanceCommit } from "@paymux/core/store"
import type { Payment, PaymentRecord } from "@paymux/core"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import type { StoreCheck } from "./StoreCheck.ts"
import { aBinding, anEvent, aRecord, ended, nextVersion, paymentId, succeeded, tenant } from "./records.ts"

const order = "order 1001 · été 😀"
const ordered = (n: number, change: Partial<Payment> = {}): PaymentRecord => aRecord(n, { order, ...change })

const commitOf = (before: PaymentRecord, after: PaymentRecord, change: Partial<AdvanceCommit> = {}): AdvanceCommit => ({
  before,
  after,
  events: [],
  evidence: null,
  binding: null,
  answer: null,
  ...change
})

const failure = { code: "do_not_honor", message: "", retryable: true } as const
const failed = (record: PaymentRecord) => ended(record, "declined", { state: { status: "failed", failure } })
const canceled = (record: PaymentRecord) => ended(record, "canceled", { state: { status: "canceled" } })

export const orderChecks = (check: StoreCheck): void => {
  check(
    "an order that an open payment has is taken: a second one writes nothing and binds no key",
    Effect.gen(function* () {
      const store = yield* PaymentStore
      assert.isNull(yield* store.orders.holder(tenant, order))
      assert.deepStrictEqual(yield* store.begin({ record: ordered(1), binding: null }), { _tag: "Begun" })
      assert.deepStrictEqual(yield* store.get(paymentId(1)), ordered(1))
      const second = { record: ordered(2), binding: aBinding(2) }
      assert.deepStrictEqual(yield* store.begin(second), { _tag: "OrderTaken" })
      assert.isNull(yield* store.get(paymentId(2)))
      assert.isNull(yield* store.findKey(tenant, aBinding(2).endpoint, aBinding(2).key))
      assert.strictEqual(yield* store.orders.holder(tenant, order), paymentId(1))
      assert.isNull(yield* store.orders.holder(tenant, "order 1001"))
    })
  )

  check(
    "another order, account or mode is free",
    Effect.gen(function* () {
      const store = yield* PaymentStore
      const others = [{}, { order: "order 1001" }, { account: "other" }, { livemode: true }]
      for (const [index, other] of others.entries()) {
        const begun = yield* store.begin({ record: ordered(index + 1, other), binding: null })
        assert.deepStrictEqual(begun, { _tag: "Begun" })
      }
      assert.strictEqual(yield* store.orders.holder({ ...tenant, livemode: true }, order), paymentId(4))
    })
  )

  check(
    "a payment that failed or was canceled frees its order, and one that is authorized or paid does not",
    Effect.gen(function* () {
      const store = yield* PaymentStore
      const held = (record: PaymentRecord) => ended(record, "authorized", { state: { status: "authorized" } })
      for (const [n, end] of [failed, canceled, held].entries()) {
        const record = ordered(n + 1)
        assert.deepStrictEqual(yield* store.begin({ record, binding: null }), { _tag: "Begun" })
        yield* store.advance(commitOf(record, end(record)))
      }
      assert.strictEqual(yield* store.orders.holder(tenant, order), paymentId(3))
      const paid = succeeded(held(ordered(3)))
      yield* store.advance(commitOf(held(ordered(3)), paid))
      assert.deepStrictEqual(yield* store.begin({ record: ordered(4), binding: null }), { _tag: "OrderTaken" })
      assert.deepStrictEqual(yield* store.get(paymentId(3)), paid)
    })
  )

  check(
    "of many payments that begin at once for one order, one is begun",
    Effect.gen(function* () {
      const store = yield* PaymentStore
      const numbers = [1, 2, 3, 4, 5, 6, 7, 8]
      const results = yield* Effect.forEach(
        numbers,
        (n) => store.begin({ record: ordered(n), binding: n % 2 === 0 ? null : aBinding(n) }),
        { concurrency: "unbounded" }
      )
      const tags = results.map(({ _tag }) => _tag)
      assert.deepStrictEqual(tags.toSorted(), ["Begun", ...Array(7).fill("OrderTaken")])
      const first = numbers[tags.indexOf("Begun")] ?? 0
      assert.strictEqual(yield* store.orders.holder(tenant, order), paymentId(first))
      for (const n of numbers) {
        const kept = yield* store.findKey(tenant, aBinding(n).endpoint, aBinding(n).key)
        assert.strictEqual(kept !== null, n === first && n % 2 === 1, `key ${n}`)
      }
    })
  )

  check(
    "a request that is repeated under its key is KeyTaken, though its own payment has the order, also at the same time",
    Effect.gen(function* () {
      const store = yield* PaymentStore
      const again = (n: number) => store.begin({ record: ordered(n), binding: aBinding(n, { key: "once" }) })
      const results = yield* Effect.forEach([1, 2, 3, 4], again, { concurrency: "unbounded" })
      assert.deepStrictEqual(results.map(({ _tag }) => _tag).toSorted(), ["Begun", ...Array(3).fill("KeyTaken")])
      assert.strictEqual((yield* again(5))._tag, "KeyTaken")
    })
  )

  check(
    "a payment that ended takes its order again, unless another one has it: then nothing is written",
    Effect.gen(function* () {
      const store = yield* PaymentStore
      const [first, second] = [failed(ordered(1)), ordered(2)]
      yield* store.begin({ record: ordered(1), binding: null })
      yield* store.advance(commitOf(ordered(1), first))
      yield* store.begin({ record: second, binding: null })
      const late = succeeded(first)
      const commit = commitOf(first, late, {
        events: [anEvent(late, "payment.succeeded")],
        binding: aBinding(1, { key: "late" })
      })
      assert.deepStrictEqual(yield* store.advance(commit), { _tag: "OrderTaken" })
      assert.deepStrictEqual(yield* store.get(paymentId(1)), first)
      assert.isEmpty(yield* store.undispatchedEvents(10))
      assert.isNull(yield* store.findKey(tenant, aBinding(1).endpoint, "late"))
      // A change in which it does not take the order is written.
      const looked = nextVersion(first)
      assert.strictEqual((yield* store.advance(commitOf(first, looked)))._tag, "Advanced")
      assert.deepStrictEqual(yield* store.advance(commit), { _tag: "Conflict" })
      yield* store.advance(commitOf(second, canceled(second)))
      const paid = succeeded(looked)
      assert.strictEqual((yield* store.advance(commitOf(looked, paid)))._tag, "Advanced")
      assert.deepStrictEqual(yield* store.get(paymentId(1)), paid)
      assert.strictEqual(yield* store.orders.holder(tenant, order), paymentId(1))
    })
  )

  check(
    "a payment that has ended already begins beside one that has its order",
    Effect.gen(function* () {
      const store = yield* PaymentStore
      yield* store.begin({ record: ordered(1), binding: null })
      const record = canceled(ordered(2))
      assert.deepStrictEqual(yield* store.begin({ record, binding: null }), { _tag: "Begun" })
      assert.strictEqual(yield* store.orders.holder(tenant, order), paymentId(1))
    })
  )

  check(
    "payments of several orders end, and take their orders again, at once",
    Effect.gen(function* () {
      const store = yield* PaymentStore
      const records = [1, 2, 3, 4, 5, 6].map((n) => ordered(n, { order: `order ${n}` }))
      for (const record of records) yield* store.begin({ record, binding: null })
      const results = yield* Effect.forEach(records, (record) => store.advance(commitOf(record, failed(record))), {
        concurrency: "unbounded"
      })
      assert.deepStrictEqual(
        results.map(({ _tag }) => _tag),
        Array(6).fill("Advanced")
      )
      const same = records.map(failed)
      const again = yield* Effect.forEach(same, (record) => store.advance(commitOf(record, succeeded(record))), {
        concurrency: "unbounded"
      })
      assert.deepStrictEqual(
        again.map(({ _tag }) => _tag),
        Array(6).fill("Advanced")
      )
      for (const n of [1, 6]) assert.strictEqual(yield* store.orders.holder(tenant, `order ${n}`), paymentId(n))
    })
  )
}

import type { PaymentId } from "@paymux/core"
import { everyPayment, PaymentStore } from "@paymux/core/store"
import type { BeginResult } from "@paymux/core/store"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import type { StoreCheck } from "./StoreCheck.ts"
import { aBinding, aRecord, operationId, paymentId, succeeded, tenant } from "./records.ts"
import { longSamples, manyEntries, manyOperations, samples } from "./samples.ts"

const together = { concurrency: "unbounded" } as const

export const beginChecks = (check: StoreCheck): void => {
  check(
    "what begins is read back exactly: every state, method, field, attempt status and entry",
    Effect.gen(function* () {
      const store = yield* PaymentStore
      for (const record of [...samples, ...longSamples, manyOperations, manyEntries]) {
        assert.deepStrictEqual(yield* store.begin({ record, binding: null }), { _tag: "Begun" })
        assert.deepStrictEqual(yield* store.get(record.payment.id), record)
      }
    })
  )

  check(
    "a payment that never began is absent",
    Effect.gen(function* () {
      const store = yield* PaymentStore
      assert.isNull(yield* store.get(paymentId(1)))
      assert.isNull(yield* store.findByOperation(operationId(1)))
      assert.isNull(yield* store.findByReference("acme", "ref"))
      assert.isNull(yield* store.findKey(tenant, "POST /v1/payments", "order-1"))
    })
  )

  check(
    "the versions of many payments are read at once, and a payment that does not exist has none",
    Effect.gen(function* () {
      const store = yield* PaymentStore
      yield* Effect.forEach([1, 2, 3], (n) => store.begin({ record: aRecord(n), binding: null }))
      const before = aRecord(2)
      yield* store.advance({
        before,
        after: succeeded(before),
        events: [],
        evidence: null,
        binding: null,
        answer: null
      })
      assert.deepStrictEqual(
        new Map(yield* store.versions([1, 2, 4].map(paymentId))),
        new Map([
          [paymentId(1), aRecord(1).payment.version],
          [paymentId(2), succeeded(aRecord(2)).payment.version]
        ])
      )
      assert.strictEqual((yield* store.versions([])).size, 0)
    })
  )

  check(
    "the same key again answers KeyTaken with what was bound and the kept answer, and writes nothing",
    Effect.gen(function* () {
      const store = yield* PaymentStore
      const binding = aBinding(1)
      yield* store.begin({ record: aRecord(1), binding })
      const again = { record: aRecord(2), binding: aBinding(2, { key: binding.key }) }
      assert.deepStrictEqual(yield* store.begin(again), { _tag: "KeyTaken", kept: { ...binding, answer: null } })
      yield* store.keepAnswer({ ...binding, body: "bytes" })
      assert.deepStrictEqual(yield* store.begin(again), { _tag: "KeyTaken", kept: { ...binding, answer: "bytes" } })
      assert.isNull(yield* store.get(paymentId(2)))
      assert.isNull(yield* store.findByOperation(operationId(2)))
    })
  )

  check(
    "a repeated request, whose operation has the same id in another payment, is KeyTaken, also at the same time",
    Effect.gen(function* () {
      const store = yield* PaymentStore
      const repeated = (n: number) => {
        const record = aRecord(n)
        const operations = record.operations.map((operation) => ({ ...operation, id: operationId(1) }))
        return { record: { ...record, operations }, binding: aBinding(n, { key: "once" }) }
      }
      const results = yield* Effect.forEach([1, 2, 3, 4, 5, 6, 7, 8], (n) => store.begin(repeated(n)), together)
      assert.deepStrictEqual(results.map(({ _tag }) => _tag).toSorted(), ["Begun", ...Array(7).fill("KeyTaken")])
      const first = yield* store.findByOperation(operationId(1))
      const kept = yield* store.findKey(tenant, aBinding(1).endpoint, "once")
      assert.strictEqual(first?.payment.id, kept?.paymentId)
      const late = yield* store.begin(repeated(9))
      assert.strictEqual(late._tag, "KeyTaken")
      assert.isNull(yield* store.get(paymentId(9)))
    })
  )

  check(
    "the same key under another account, mode or endpoint is another key",
    Effect.gen(function* () {
      const store = yield* PaymentStore
      const scopes = [{}, { account: "other" }, { livemode: true }, { endpoint: "POST /v1/refunds" }]
      for (const [index, scope] of scopes.entries()) {
        const binding = aBinding(index + 1, { key: "same", ...scope })
        const result = yield* store.begin({ record: aRecord(index + 1), binding })
        assert.deepStrictEqual(result, { _tag: "Begun" })
        const kept = yield* store.findKey(binding, binding.endpoint, "same")
        assert.deepStrictEqual(kept, { ...binding, answer: null })
      }
    })
  )

  check(
    "of 50 concurrent begins under each of 200 keys exactly one begins (I11)",
    Effect.gen(function* () {
      const store = yield* PaymentStore
      const results = yield* Effect.forEach(
        Array.from({ length: 10_000 }, (_, n) => n),
        (n) =>
          Effect.map(
            store.begin({ record: aRecord(n), binding: aBinding(n, { key: `key-${n % 200}` }) }),
            (result) => ({ key: n % 200, paymentId: paymentOf(result, paymentId(n)), begun: result._tag === "Begun" })
          ),
        together
      )
      assert.strictEqual(results.filter(({ begun }) => begun).length, 200)
      const paymentsByKey = Map.groupBy(results, ({ key }) => key)
      for (const answers of paymentsByKey.values()) {
        assert.strictEqual(new Set(answers.map(({ paymentId }) => paymentId)).size, 1)
      }
      const page = yield* store.list(tenant, { ...everyPayment, limit: 1_000 })
      assert.strictEqual(page.records.length, 200)
    })
  )

  check(
    "a begin that is refused binds no key and leaves no row",
    Effect.gen(function* () {
      const store = yield* PaymentStore
      yield* store.begin({ record: aRecord(1), binding: null })
      const second = aRecord(2)
      const clashing = [
        aRecord(1),
        { ...second, operations: second.operations.map((operation) => ({ ...operation, id: operationId(1) })) }
      ]
      for (const record of clashing) {
        const binding = aBinding(7, { paymentId: record.payment.id })
        const error = yield* Effect.flip(store.begin({ record, binding }))
        assert.strictEqual(error._tag, "StoreUnavailable")
        assert.isNull(yield* store.findKey(tenant, "POST /v1/payments", "order-7"))
      }
      assert.isNull(yield* store.get(paymentId(2)))
      assert.deepStrictEqual(yield* store.get(paymentId(1)), aRecord(1))
    })
  )

  check(
    "a response is stored once: the first bytes stay, whichever request comes later",
    Effect.gen(function* () {
      const store = yield* PaymentStore
      const binding = aBinding(1)
      const record = aRecord(1)
      yield* store.begin({ record, binding })
      const bodies = Array.from({ length: 20 }, (_, n) => `bytes ${n} \u00e9 "`)
      const kept = yield* Effect.forEach(bodies, (body) => store.keepAnswer({ ...binding, body }), together)
      assert.strictEqual(new Set(kept).size, 1)
      const after = succeeded(record)
      yield* store.advance({
        before: record,
        after,
        events: [],
        evidence: null,
        binding: null,
        answer: { ...binding, body: "late" }
      })
      const found = yield* store.findKey(tenant, binding.endpoint, binding.key)
      assert.strictEqual(found?.answer, kept[0])
    })
  )
}

const paymentOf = (result: BeginResult, own: PaymentId): PaymentId =>
  result._tag === "KeyTaken" ? result.kept.paymentId : own

import { PaymentStore } from "@paymux/core/store"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import type { StoreCheck } from "./StoreCheck.ts"
import { aBinding, aRecord, paymentId, tenant } from "./records.ts"

const mark = {
  wentBackTo: 1_700_000_000_000,
  markedAt: 1_700_000_060_000,
  until: 1_700_086_460_000,
  acceptedDoubles: ["acme", "bank"]
}

export const restorationChecks = (check: StoreCheck): void => {
  check(
    "the mark of a restored database is absent at first, is read back exactly, and each one has a version of its own",
    Effect.gen(function* () {
      const { restoration } = yield* PaymentStore
      const first = yield* restoration.read
      assert.deepInclude(first, { mark: null, formerNamesUntil: null })
      assert.isTrue(yield* restoration.replace(first, mark))
      const second = yield* restoration.read
      assert.deepStrictEqual(second, { ...first, version: second.version, mark })
      const other = { ...mark, until: mark.markedAt, acceptedDoubles: [] }
      assert.isFalse(yield* restoration.replace(first, other))
      assert.deepStrictEqual(yield* restoration.read, second)
      assert.isTrue(yield* restoration.replace(second, other))
      const third = yield* restoration.read
      assert.deepStrictEqual(third.mark, other)
      assert.strictEqual(new Set([first, second, third].map(({ version }) => version)).size, 3)
    })
  )

  check(
    "a payment begins only under the version of the mark, and its key is free otherwise; without a version it always begins",
    Effect.gen(function* () {
      const store = yield* PaymentStore
      const first = yield* store.restoration.read
      const begin = (n: number, version: string, isKeyed: boolean) => {
        const binding = isKeyed ? { ...aBinding(n), key: `restored ${n}` } : null
        return store.begin({ record: aRecord(n), binding, restoration: version })
      }
      assert.deepStrictEqual(yield* begin(1, first.version, true), { _tag: "Begun" })
      assert.deepStrictEqual(yield* begin(2, first.version, false), { _tag: "Begun" })
      yield* store.restoration.replace(first, mark)
      for (const isKeyed of [true, false]) {
        assert.deepStrictEqual(yield* begin(3, first.version, isKeyed), { _tag: "Restored" })
        assert.isNull(yield* store.get(paymentId(3)))
      }
      assert.isNull(yield* store.findKey(tenant, aBinding(3).endpoint, "restored 3"))
      const { version } = yield* store.restoration.read
      assert.deepStrictEqual(yield* begin(3, version, true), { _tag: "Begun" })
      assert.strictEqual((yield* begin(3, version, true))._tag, "KeyTaken")
      assert.deepStrictEqual(yield* begin(4, version, false), { _tag: "Begun" })
      assert.deepStrictEqual(yield* store.begin({ record: aRecord(5), binding: null }), { _tag: "Begun" })
    })
  )

  check(
    "payments that begin at the same time each need the version, also if they are written together",
    Effect.gen(function* () {
      const store = yield* PaymentStore
      const first = yield* store.restoration.read
      yield* store.restoration.replace(first, mark)
      const { version } = yield* store.restoration.read
      const begun = yield* Effect.forEach(
        [1, 2, 3, 4, 5, 6, 7, 8],
        (n) => store.begin({ record: aRecord(n), binding: null, restoration: n % 2 === 0 ? version : first.version }),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(
        begun.map(({ _tag }) => _tag),
        ["Restored", "Begun", "Restored", "Begun", "Restored", "Begun", "Restored", "Begun"]
      )
      assert.isNull(yield* store.get(paymentId(1)))
      assert.isNotNull(yield* store.get(paymentId(2)))
    })
  )
}

import type { Payment, PaymentRecord } from "@paymux/core"
import { everyPayment, PaymentStore } from "@paymux/core/store"
import type { AdvanceCommit, AdvanceResult, Entry } from "@paymux/core/store"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import type { StoreCheck } from "./StoreCheck.ts"
import {
  anEntry,
  anOperation,
  aRecord,
  aResolution,
  aReview,
  nextVersion,
  operationId,
  paymentId,
  tenant
} from "./records.ts"
import { entries, manyEntries } from "./samples.ts"

const advancing = (before: PaymentRecord, after: PaymentRecord): AdvanceCommit => ({
  before,
  after,
  events: [],
  evidence: null,
  binding: null,
  answer: null
})

const advanced: AdvanceResult = { _tag: "Advanced", answer: null }

/** The next version of a payment, with these entries behind those that it has. */
const withEntries = (record: PaymentRecord, added: ReadonlyArray<Entry>): PaymentRecord => ({
  ...nextVersion(record),
  entries: [...record.entries, ...added]
})

export const entryChecks = (check: StoreCheck): void => {
  check(
    "entries that are added one by one and several at a time are read back exactly, in the order in which they came",
    Effect.gen(function* () {
      const store = yield* PaymentStore
      let before: PaymentRecord = { ...aRecord(3_000), entries: entries.slice(0, 2) }
      yield* store.begin({ record: before, binding: null })
      for (const size of [1, 3, 0, 1, 40]) {
        const after = withEntries(before, entries.slice(before.entries.length, before.entries.length + size))
        assert.deepStrictEqual(yield* store.advance(advancing(before, after)), advanced)
        assert.deepStrictEqual(yield* store.get(before.payment.id), after)
        before = after
      }
      assert.deepStrictEqual(before.entries, manyEntries.entries)
    })
  )

  check(
    "a payment comes with its entries and no other's, however it is looked up",
    Effect.gen(function* () {
      const store = yield* PaymentStore
      const records = [1, 2, 3].map((n): PaymentRecord => ({
        ...aRecord(n),
        operations: [anOperation(n, 1, { reference: `charge_${n}`, nextCheckAt: 1_000 + n })],
        entries: n === 2 ? [] : [anEntry(n, { kind: "authorized" }), anEntry(n, { recordedAt: 1 })]
      }))
      yield* Effect.forEach(records, (record) => store.begin({ record, binding: null }))
      for (const [index, record] of records.entries()) {
        const n = index + 1
        assert.deepStrictEqual(yield* store.find(tenant, paymentId(n)), record)
        assert.deepStrictEqual(yield* store.findByOperation(operationId(n)), record)
        assert.deepStrictEqual(yield* store.findByReference("acme", `charge_${n}`), record)
      }
      assert.deepStrictEqual((yield* store.list(tenant, everyPayment)).records, records.toReversed())
      const due = yield* store.claimDue({ provider: "acme", owner: "engine-1", now: 10_000, until: 20_000, limit: 10 })
      assert.deepStrictEqual(
        due.map(({ record }) => record),
        records
      )
    })
  )

  check(
    "of many concurrent advances that each add an entry one adds it, and the others write none",
    Effect.gen(function* () {
      const store = yield* PaymentStore
      const before = aRecord(1)
      yield* store.begin({ record: before, binding: null })
      const candidates = Array.from({ length: 20 }, (_, n) =>
        withEntries(before, [anEntry(1, { minorUnits: n + 1 }), anEntry(1, { minorUnits: n + 100 })])
      )
      const results = yield* Effect.forEach(candidates, (after) => store.advance(advancing(before, after)), {
        concurrency: "unbounded"
      })
      const winners = candidates.filter((_, n) => results[n]?._tag === "Advanced")
      assert.strictEqual(winners.length, 1)
      assert.deepStrictEqual(yield* store.get(paymentId(1)), winners[0])
    })
  )

  check(
    "reviews and what operators answered come and go, each alone and several at a time",
    Effect.gen(function* () {
      const store = yield* PaymentStore
      let before = aRecord(1)
      yield* store.begin({ record: before, binding: null })
      const steps: ReadonlyArray<Partial<Payment>> = [
        { reviews: [aReview(1), aReview(2, { reason: "excess_capture" })] },
        { reviews: [aReview(2, { reason: "excess_capture", minorUnits: 5 })], resolutions: [aResolution(1)] },
        { reviews: [], resolutions: [aResolution(1), aResolution(2, { resolution: "given_back", minorUnits: 5 })] },
        { reviews: [aReview(1)] },
        { reviews: [], resolutions: [] }
      ]
      for (const step of steps) {
        const after = nextVersion(before, step)
        assert.deepStrictEqual(yield* store.advance(advancing(before, after)), advanced)
        assert.deepStrictEqual(yield* store.get(paymentId(1)), after)
        before = after
      }
    })
  )

  check(
    "an operation becomes an overpayment, and is read as one",
    Effect.gen(function* () {
      const store = yield* PaymentStore
      const before = aRecord(1)
      yield* store.begin({ record: before, binding: null })
      const after = {
        ...nextVersion(before),
        operations: before.operations.map((operation) => ({ ...operation, isOverpayment: true }))
      }
      assert.deepStrictEqual(yield* store.advance(advancing(before, after)), advanced)
      assert.deepStrictEqual(yield* store.get(paymentId(1)), after)
    })
  )

  check(
    "the store's time is in whole milliseconds and never goes backwards",
    Effect.gen(function* () {
      const store = yield* PaymentStore
      const readings = yield* Effect.all(Array.from({ length: 100 }, () => store.now))
      assert.isTrue(readings.every((reading) => Number.isSafeInteger(reading)))
      assert.deepStrictEqual(
        readings,
        readings.toSorted((one, other) => one - other)
      )
    })
  )
}

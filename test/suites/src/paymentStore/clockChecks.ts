import { PaymentStore } from "@paymux/core/store"
import type { DueCorrection, Operation } from "@paymux/core/store"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import type { StoreCheck } from "./StoreCheck.ts"
import { anInboxEntry, anOperation, aRecord, operationId } from "./records.ts"

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

const correction = (change: Partial<DueCorrection> = {}): DueCorrection => ({
  now: 10 * day,
  check: 3 * day,
  send: 35_000,
  claim: 15_000,
  matchDelays: [5_000, 2_000, 4_000],
  limit: 100,
  ...change
})

/** A payment that was last changed at `updatedAt`, whose one operation is as given. */
const begin = (n: number, updatedAt: number, change: Partial<Operation>) =>
  Effect.gen(function* () {
    const store = yield* PaymentStore
    const record = aRecord(n, { updatedAt })
    yield* store.begin({ record: { ...record, operations: [anOperation(n, 1, change)] }, binding: null })
  })

const claimed = (now: number) =>
  Effect.gen(function* () {
    const store = yield* PaymentStore
    const due = yield* store.claimDue({ provider: "acme", owner: "engine-2", now, until: now + 15_000, limit: 100 })
    return due.map(({ operation }) => operation.id).toSorted()
  })

const corrected = (change?: Partial<DueCorrection>) =>
  Effect.flatMap(PaymentStore, (store) => store.correctDueTimes(correction(change)))

export const clockChecks = (check: StoreCheck): void => {
  check(
    "an operation that is due later than the longest delay is due now; one within it waits",
    Effect.gen(function* () {
      yield* begin(1, 9 * day, { status: "unknown", nextCheckAt: 13 * day + minute })
      yield* begin(2, 9 * day, { status: "unknown", nextCheckAt: 13 * day + minute + 1 })
      yield* begin(3, 9 * day, { status: "succeeded", nextCheckAt: 50 * day })
      yield* begin(4, 9 * day, { status: "planned", nextCheckAt: 50 * day })
      yield* begin(5, 9 * day, { status: "succeeded", nextCheckAt: null })
      assert.deepStrictEqual(yield* claimed(10 * day), [])
      assert.strictEqual(yield* corrected(), 3)
      assert.deepStrictEqual(yield* claimed(10 * day), [operationId(2), operationId(3), operationId(4)])
      assert.strictEqual(yield* corrected(), 0)
    })
  )

  check(
    "an operation whose check was set by a change in the future is due now, unless the clocks differ by a minute at most",
    Effect.gen(function* () {
      yield* begin(1, 10 * day + minute, { status: "unknown", nextCheckAt: 10 * day + 90_000 })
      yield* begin(2, 10 * day + minute + 1, { status: "unknown", nextCheckAt: 10 * day + 90_000 })
      yield* begin(3, 10 * day + 2 * hour, { status: "pending", nextCheckAt: 11 * day })
      assert.strictEqual(yield* corrected(), 2)
      assert.deepStrictEqual(yield* claimed(10 * day), [operationId(2), operationId(3)])
    })
  )

  check(
    "an operation that was rescheduled in the future is due now; one that was rescheduled before waits",
    Effect.gen(function* () {
      const store = yield* PaymentStore
      yield* begin(1, 9 * day, { status: "unknown", nextCheckAt: 10 * day })
      yield* begin(2, 10 * day + 2 * hour, { status: "unknown", nextCheckAt: 9 * day })
      yield* claimed(9 * day)
      yield* store.reschedule({ id: operationId(2), status: "unknown" }, 1, 11 * day)
      yield* claimed(10 * day + 2 * hour)
      yield* store.reschedule({ id: operationId(1), status: "unknown" }, 1, 10 * day + 3 * hour)
      assert.strictEqual(yield* corrected(), 1)
      assert.deepStrictEqual(yield* claimed(10 * day), [operationId(1)])
    })
  )

  check(
    "an operation in `sending` is due once its sender has had its time, since it may be alive",
    Effect.gen(function* () {
      yield* begin(1, 10 * day + 2 * hour, { status: "sending", nextCheckAt: 10 * day + 2 * hour + 35_000 })
      assert.strictEqual(yield* corrected(), 1)
      assert.deepStrictEqual(yield* claimed(10 * day + 34_999), [])
      assert.deepStrictEqual(yield* claimed(10 * day + 35_000), [operationId(1)])
    })
  )

  check(
    "a claim that ends later than one made now is over; a claim of now lasts",
    Effect.gen(function* () {
      yield* begin(1, 9 * day, { status: "unknown", nextCheckAt: 9 * day })
      yield* claimed(10 * day + 2 * hour)
      yield* begin(2, 9 * day, { status: "unknown", nextCheckAt: 9 * day })
      yield* claimed(10 * day)
      assert.strictEqual(yield* corrected(), 1)
      assert.deepStrictEqual(yield* claimed(10 * day), [operationId(1)])
    })
  )

  check(
    "the newest payment is the one whose id is last, of any account",
    Effect.gen(function* () {
      const store = yield* PaymentStore
      assert.isNull(yield* store.newest)
      const other = aRecord(3, { account: "other", createdAt: 7_000 })
      yield* store.begin({ record: other, binding: null })
      yield* store.begin({ record: aRecord(2, { createdAt: 9_000 }), binding: null })
      assert.deepStrictEqual(yield* store.newest, { id: other.payment.id, createdAt: 7_000 })
    })
  )

  check(
    "as many are made due at once as the limit says, and the rest by the next call",
    Effect.gen(function* () {
      for (let n = 1; n <= 5; n++) yield* begin(n, 9 * day, { status: "unknown", nextCheckAt: 50 * day })
      assert.strictEqual(yield* corrected({ limit: 3 }), 3)
      assert.strictEqual(yield* corrected({ limit: 3 }), 2)
      assert.lengthOf(yield* claimed(10 * day), 5)
    })
  )

  check(
    "a report whose next try is later than its number of tries allows is due now, and so is one whose claim is",
    Effect.gen(function* () {
      const { inbox } = yield* PaymentStore
      const at = (n: number, tries: number, nextTryAt: number) => anInboxEntry(n, { tries, nextTryAt })
      yield* inbox.keep([
        at(1, 0, 10 * day + minute + 5_000),
        at(2, 0, 10 * day + minute + 5_001),
        at(3, 1, 10 * day + minute + 2_001),
        at(4, 2, 10 * day + minute + 4_000),
        at(5, 9, 10 * day + minute + 4_001),
        at(6, 0, 9 * day)
      ])
      const due = (now: number) =>
        Effect.map(
          inbox.claimDue({ provider: "acme", owner: "engine-2", now, until: now + 15_000, limit: 100 }),
          (entries) => entries.map(({ eventKey }) => eventKey).toSorted()
        )
      const keys = (numbers: ReadonlyArray<number>) => numbers.map((n) => anInboxEntry(n).eventKey)
      assert.deepStrictEqual(yield* due(9 * day), keys([6]))
      assert.strictEqual(yield* corrected(), 3)
      assert.deepStrictEqual(yield* due(10 * day), keys([2, 3, 5, 6]))
      assert.deepStrictEqual(yield* due(10 * day + 2 * hour), keys([1, 2, 3, 4, 5, 6]))
      assert.strictEqual(yield* corrected(), 6)
      assert.deepStrictEqual(yield* due(10 * day), keys([1, 2, 3, 4, 5, 6]))
    })
  )

  check(
    "a lease that ends later than the latest time given keeps no other owner out",
    Effect.gen(function* () {
      const { leases } = yield* PaymentStore
      const hold = (owner: string, now: number, latest?: number) =>
        leases.hold("scanner", { owner, now, until: now + 30_000, ...(latest !== undefined && { latest }) })
      const end = 10 * day + 2 * hour + 30_000
      assert.strictEqual(yield* hold("a", end - 30_000), 1)
      assert.isNull(yield* hold("b", 10 * day))
      assert.isNull(yield* hold("b", 10 * day, end))
      assert.strictEqual(yield* hold("b", 10 * day, end - 1), 2)
      assert.isNull(yield* hold("c", 10 * day, 10 * day + 30_000))
    })
  )
}

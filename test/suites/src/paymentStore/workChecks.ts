import { PaymentStore } from "@paymux/core/store"
import type { Claim, Operation } from "@paymux/core/store"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import type { StoreCheck } from "./StoreCheck.ts"
import { aRecord, anOperation, ended, operationId, paymentId } from "./records.ts"

const together = { concurrency: "unbounded" } as const

const claim = (change: Partial<Claim> = {}): Claim => ({
  provider: "acme",
  owner: "engine-1",
  now: 10_000,
  until: 20_000,
  limit: 100,
  ...change
})

/** A payment whose one operation is as given. */
const begin = (n: number, change: Partial<Operation>) =>
  Effect.gen(function* () {
    const store = yield* PaymentStore
    const record = { ...aRecord(n), operations: [anOperation(n, 1, change)] }
    yield* store.begin({ record, binding: null })
    return record
  })

const claimedIds = (change: Partial<Claim> = {}) =>
  Effect.gen(function* () {
    const store = yield* PaymentStore
    return (yield* store.claimDue(claim(change))).map(({ operation }) => operation.id)
  })

export const workChecks = (check: StoreCheck): void => {
  check(
    "what is due is claimed with its payment, the longest due first, up to the limit; what is not due stays",
    Effect.gen(function* () {
      const store = yield* PaymentStore
      yield* begin(1, { nextCheckAt: 9_000 })
      const oldest = yield* begin(2, { nextCheckAt: 1_000, status: "unknown" })
      yield* begin(3, { nextCheckAt: 10_000, status: "pending" })
      yield* begin(4, { nextCheckAt: 10_001 })
      yield* begin(5, { nextCheckAt: null, status: "succeeded" })
      const first = yield* store.claimDue(claim({ limit: 1 }))
      assert.deepStrictEqual(first, [
        { operation: anOperation(2, 1, { nextCheckAt: 1_000, status: "unknown" }), record: oldest }
      ])
      assert.deepStrictEqual(yield* claimedIds(), [operationId(1), operationId(3)])
      assert.deepStrictEqual(yield* claimedIds(), [])
    })
  )

  check(
    "each instance is claimed on its own, and an instance is listed while something of it can be claimed",
    Effect.gen(function* () {
      const store = yield* PaymentStore
      assert.deepStrictEqual(yield* store.dueProviders(10_000), [])
      for (let n = 1; n <= 3; n++) yield* begin(n, { provider: "busy", nextCheckAt: n, status: "unknown" })
      yield* begin(4, { provider: "acme", nextCheckAt: 9_000 })
      yield* begin(5, { provider: "zero", nextCheckAt: 10_001 })
      yield* begin(6, { provider: "ended", nextCheckAt: null, status: "succeeded" })
      assert.sameMembers([...(yield* store.dueProviders(10_000))], ["acme", "busy"])
      assert.deepStrictEqual(yield* claimedIds(), [operationId(4)])
      assert.deepStrictEqual(yield* store.dueProviders(10_000), ["busy"])
      assert.deepStrictEqual(yield* claimedIds({ provider: "busy", limit: 2 }), [operationId(1), operationId(2)])
      assert.deepStrictEqual(yield* store.dueProviders(10_000), ["busy"])
      assert.deepStrictEqual(yield* claimedIds({ provider: "busy", limit: 2 }), [operationId(3)])
      assert.deepStrictEqual(yield* store.dueProviders(10_000), [])
      assert.deepStrictEqual(yield* claimedIds({ provider: "zero" }), [])
      assert.sameMembers([...(yield* store.dueProviders(20_000))], ["acme", "busy", "zero"])
    })
  )

  check(
    "of many concurrent claimers each operation goes to one",
    Effect.gen(function* () {
      for (let n = 1; n <= 100; n++) yield* begin(n, { nextCheckAt: n })
      const claims = yield* Effect.forEach(
        Array.from({ length: 32 }, (_, n) => `engine-${n}`),
        (owner) => claimedIds({ owner, limit: 10 }),
        together
      )
      const claimed = claims.flat()
      assert.strictEqual(claimed.length, 100)
      assert.strictEqual(new Set(claimed).size, 100)
    })
  )

  check(
    "a claim ends at its time, and not before",
    Effect.gen(function* () {
      yield* begin(1, { nextCheckAt: 1_000 })
      assert.deepStrictEqual(yield* claimedIds({ now: 10_000, until: 20_000 }), [operationId(1)])
      assert.deepStrictEqual(yield* claimedIds({ owner: "engine-2", now: 19_999, until: 30_000 }), [])
      assert.deepStrictEqual(yield* claimedIds({ owner: "engine-2", now: 20_000, until: 30_000 }), [operationId(1)])
    })
  )

  check(
    "a rescheduled operation is due at its new time, claim or no claim, and its payment keeps its version",
    Effect.gen(function* () {
      const store = yield* PaymentStore
      yield* begin(1, { nextCheckAt: 1_000, status: "unknown" })
      yield* claimedIds({ until: 90_000 })
      yield* store.reschedule({ id: operationId(1), status: "unknown" }, 4, 15_000)
      assert.deepStrictEqual(yield* claimedIds({ now: 14_999 }), [])
      const [due] = yield* store.claimDue(claim({ now: 15_000 }))
      assert.deepInclude(due?.operation, { checks: 4, nextCheckAt: 15_000, status: "unknown" })
      assert.strictEqual(due?.record.payment.version, 1)
      yield* store.reschedule({ id: operationId(1), status: "unknown" }, 5, null)
      assert.deepStrictEqual(yield* claimedIds({ now: 1_000_000 }), [])
    })
  )

  check(
    "what was settled is not due, and a reschedule that comes too late does not make it so",
    Effect.gen(function* () {
      const store = yield* PaymentStore
      const before = yield* begin(1, { nextCheckAt: 1_000 })
      yield* claimedIds()
      const after = ended(before, "succeeded")
      yield* store.advance({ before, after, events: [], evidence: null, binding: null, answer: null })
      yield* store.reschedule({ id: operationId(1), status: "sending" }, 1, 30_000)
      assert.deepStrictEqual(yield* claimedIds({ now: 1_000_000 }), [])
      assert.deepStrictEqual(yield* store.get(paymentId(1)), after)
    })
  )

  check(
    "an advance ends the claim: the next check counts from what was decided",
    Effect.gen(function* () {
      const store = yield* PaymentStore
      const before = yield* begin(1, { nextCheckAt: 1_000 })
      yield* claimedIds({ until: 90_000 })
      const unknown = ended(before, "unknown")
      const after = { ...unknown, operations: unknown.operations.map((one) => ({ ...one, nextCheckAt: 12_000 })) }
      yield* store.advance({ before, after, events: [], evidence: null, binding: null, answer: null })
      assert.deepStrictEqual(yield* claimedIds({ now: 12_000 }), [operationId(1)])
    })
  )

  check(
    "orphans are what other owners left in sending: due at once, claimed or not; all else stays as it is",
    Effect.gen(function* () {
      const store = yield* PaymentStore
      const far = { nextCheckAt: 900_000 }
      yield* begin(1, { ...far, owner: "dead" })
      yield* begin(2, { ...far, owner: "alive" })
      yield* begin(3, { ...far, owner: "dead", status: "unknown" })
      yield* begin(4, { nextCheckAt: 1_000, owner: "dead" })
      yield* begin(5, { nextCheckAt: null, owner: "dead" })
      assert.deepStrictEqual(yield* claimedIds({ owner: "dead", until: 900_000 }), [operationId(4)])
      assert.strictEqual(yield* store.releaseOrphans("alive", 10_000), 3)
      assert.sameMembers([...(yield* claimedIds())], [operationId(1), operationId(4), operationId(5)])
    })
  )
}

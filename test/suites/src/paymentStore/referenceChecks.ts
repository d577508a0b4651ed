import type { PaymentRecord } from "@paymux/core"
import { PaymentStore } from "@paymux/core/store"
import type { AdvanceCommit, AdvanceResult, Operation } from "@paymux/core/store"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import type { StoreCheck } from "./StoreCheck.ts"
import {
  aBinding,
  anAttempt,
  anEntry,
  anEvent,
  anEvidence,
  anOperation,
  aRecord,
  ended,
  nextVersion,
  operationId,
  paymentId,
  tenant
} from "./records.ts"

const commit = (before: PaymentRecord, after: PaymentRecord, more: Partial<AdvanceCommit> = {}): AdvanceCommit => ({
  before,
  after,
  events: [],
  evidence: null,
  binding: null,
  answer: null,
  ...more
})

const advanced: AdvanceResult = { _tag: "Advanced", answer: null }
const referenceTaken: AdvanceResult = { _tag: "ReferenceTaken" }

/** A payment that began, its first operation as given. */
const begun = (n: number, change: Partial<Operation> = {}) =>
  Effect.gen(function* () {
    const { begin } = yield* PaymentStore
    const record: PaymentRecord = { ...aRecord(n), operations: [anOperation(n, 1, change)] }
    yield* begin({ record, binding: null })
    return record
  })

/** The next version, in which the last operation is changed so. */
const changed = (record: PaymentRecord, change: Partial<Operation>): PaymentRecord => ({
  ...nextVersion(record),
  operations: record.operations.map((operation, index) =>
    index === record.operations.length - 1 ? { ...operation, ...change } : operation
  )
})

/** Another operation of the payment's first attempt, behind those that it has. */
const withOperation = (record: PaymentRecord, n: number, change: Partial<Operation>): PaymentRecord => ({
  ...nextVersion(record),
  operations: [
    ...record.operations,
    anOperation(n, record.operations.length + 1, { attemptSeq: 1, nextCheckAt: null, ...change })
  ]
})

export const referenceChecks = (check: StoreCheck): void => {
  check(
    "the charge of another payment is refused, and nothing of the commit is written",
    Effect.gen(function* () {
      const store = yield* PaymentStore
      yield* begun(1, { reference: "charge" })
      const before = yield* begun(2)
      const after = {
        ...changed(before, { reference: "charge", status: "succeeded" }),
        attempts: [anAttempt(1, { status: "succeeded" })],
        entries: [anEntry(2)]
      }
      const binding = aBinding(2)
      const all = commit(before, after, {
        events: [anEvent(after, "payment.succeeded")],
        evidence: anEvidence(2),
        binding,
        answer: { ...binding, body: "bytes" }
      })
      for (const refused of [all, commit(before, after)]) {
        assert.deepStrictEqual(yield* store.advance(refused), referenceTaken)
        assert.deepStrictEqual(yield* store.get(paymentId(2)), before)
      }
      assert.deepStrictEqual(yield* store.undispatchedEvents(9), [])
      assert.deepStrictEqual(yield* store.evidenceOf(paymentId(2)), [])
      assert.isNull(yield* store.findKey(tenant, binding.endpoint, binding.key))
      assert.strictEqual((yield* store.findByReference("acme", "charge"))?.payment.id, paymentId(1))
      const other = changed(before, { reference: "another" })
      assert.deepStrictEqual(yield* store.advance(commit(before, other)), advanced)
      assert.deepStrictEqual(yield* store.get(paymentId(2)), other)
    })
  )

  check(
    "an operation that begins with the charge of another payment is refused as well",
    Effect.gen(function* () {
      const store = yield* PaymentStore
      yield* begun(1, { reference: "charge" })
      const before = yield* begun(2)
      const failed = ended(before, "declined")
      const after: PaymentRecord = {
        ...failed,
        attempts: [...failed.attempts, anAttempt(2)],
        operations: [...failed.operations, anOperation(2, 2, { reference: "charge" })]
      }
      assert.deepStrictEqual(yield* store.advance(commit(before, after)), referenceTaken)
      assert.deepStrictEqual(yield* store.get(paymentId(2)), before)
      assert.isNull(yield* store.findByOperation(operationId(2, 2)))
    })
  )

  check(
    "a stale version is a Conflict and a bound key is KeyTaken, though the reference is taken as well",
    Effect.gen(function* () {
      const store = yield* PaymentStore
      yield* begun(1, { reference: "charge" })
      const before = yield* begun(2)
      const after = changed(before, { reference: "charge" })
      const bound = aBinding(3)
      yield* store.begin({ record: aRecord(3), binding: bound })
      const binding = { ...bound, paymentId: paymentId(2) }
      const keyTaken: AdvanceResult = { _tag: "KeyTaken", kept: { ...bound, answer: null } }
      assert.deepStrictEqual(yield* store.advance(commit(before, after, { binding })), keyTaken)
      yield* store.advance(commit(before, nextVersion(before)))
      assert.deepStrictEqual(yield* store.advance(commit(before, after)), { _tag: "Conflict" })
      const free = aBinding(4, { paymentId: paymentId(2) })
      const stale = commit(before, after, { binding: free })
      assert.deepStrictEqual(yield* store.advance(stale), { _tag: "Conflict" })
      assert.isNull(yield* store.findKey(tenant, free.endpoint, free.key))
    })
  )

  check(
    "at another provider, and on the same payment, a reference is free",
    Effect.gen(function* () {
      const store = yield* PaymentStore
      const first = yield* begun(1, { reference: "charge" })
      const elsewhere = yield* begun(2, { provider: "other" })
      const there = changed(elsewhere, { reference: "charge" })
      assert.deepStrictEqual(yield* store.advance(commit(elsewhere, there)), advanced)
      const failed = ended(first, "declined")
      const again: PaymentRecord = {
        ...failed,
        attempts: [...failed.attempts, anAttempt(2)],
        operations: [...failed.operations, anOperation(1, 2)]
      }
      assert.deepStrictEqual(yield* store.advance(commit(first, again)), advanced)
      const named = changed(again, { reference: "charge" })
      assert.deepStrictEqual(yield* store.advance(commit(again, named)), advanced)
      assert.deepStrictEqual(yield* store.get(paymentId(1)), named)
    })
  )

  check(
    "references of captures, cancels and refunds are never in the way, and nothing is in theirs",
    Effect.gen(function* () {
      const store = yield* PaymentStore
      let one = yield* begun(1, { reference: "charge" })
      let other = yield* begun(2)
      const advance = (before: PaymentRecord, after: PaymentRecord) =>
        Effect.map(store.advance(commit(before, after)), (result) => {
          assert.deepStrictEqual(result, advanced)
          return after
        })
      for (const kind of ["capture", "cancel", "refund"] as const) {
        one = yield* advance(one, withOperation(one, 1, { kind, reference: kind }))
        other = yield* advance(other, withOperation(other, 2, { kind }))
        other = yield* advance(other, changed(other, { reference: "charge" }))
        assert.isTrue(yield* store.checkpoint(operationId(2, other.operations.length), "charge", kind))
        const third = yield* begun(10 + other.operations.length)
        yield* advance(third, changed(third, { reference: kind }))
      }
      const fourth = yield* begun(20)
      const taken = changed(fourth, { reference: "charge" })
      assert.deepStrictEqual(yield* store.advance(commit(fourth, taken)), referenceTaken)
    })
  )

  check(
    "a reference that an operation has already stays, and one that was given up is free",
    Effect.gen(function* () {
      const store = yield* PaymentStore
      yield* begun(1, { reference: "charge" })
      // Two payments may have the same reference since before references were checked.
      const double = yield* begun(2, { reference: "charge" })
      const later = changed(double, { checks: 1 })
      assert.deepStrictEqual(yield* store.advance(commit(double, later)), advanced)
      assert.isTrue(yield* store.checkpoint(operationId(2), null, "charge"))
      assert.isTrue(yield* store.checkpoint(operationId(1), "charge", "payment_1"))
      assert.isTrue(yield* store.checkpoint(operationId(2), "charge", "payment_2"))
      const third = yield* begun(3)
      const named = changed(third, { reference: "charge" })
      assert.deepStrictEqual(yield* store.advance(commit(third, named)), advanced)
    })
  )

  check(
    "a checkpoint with the charge of another payment is refused and writes nothing",
    Effect.gen(function* () {
      const store = yield* PaymentStore
      yield* begun(1, { reference: "charge" })
      const before = yield* begun(2)
      assert.isFalse(yield* store.checkpoint(operationId(2), null, "charge"))
      assert.deepStrictEqual(yield* store.get(paymentId(2)), before)
      yield* begun(3, { provider: "other" })
      assert.isTrue(yield* store.checkpoint(operationId(3), null, "charge"))
      assert.isTrue(yield* store.checkpoint(operationId(1), "charge", "charge"))
      assert.isTrue(yield* store.checkpoint(operationId(2), null, "order_2"))
      assert.isFalse(yield* store.checkpoint(operationId(2), "order_2", "charge"))
      assert.strictEqual((yield* store.get(paymentId(2)))?.operations[0]?.reference, "order_2")
    })
  )

  check(
    "of commits and checkpoints that give one reference to many payments at the same time one succeeds",
    Effect.gen(function* () {
      const store = yield* PaymentStore
      const payments = yield* Effect.forEach(
        Array.from({ length: 20 }, (_, n) => n + 1),
        (n) => begun(n)
      )
      const given = yield* Effect.forEach(
        payments,
        (record, n) =>
          n % 2 === 0
            ? Effect.map(
                store.advance(commit(record, changed(record, { reference: "charge" }))),
                ({ _tag }) => _tag === "Advanced"
              )
            : store.checkpoint(operationId(n + 1), null, "charge"),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(given.filter((isGiven) => isGiven).length, 1)
      const winner = payments[given.indexOf(true)]?.payment.id
      assert.strictEqual((yield* store.findByReference("acme", "charge"))?.payment.id, winner)
    })
  )

  check(
    "a reference that was replaced still finds its payment",
    Effect.gen(function* () {
      const store = yield* PaymentStore
      const found = (reference: string, provider = "acme") =>
        Effect.map(store.findByReference(provider, reference), (record) => record?.payment.id ?? null)
      const begin = yield* begun(1, { reference: "ch_1" })
      const replaced = changed(begin, { reference: "ch_0" })
      assert.deepStrictEqual(yield* store.advance(commit(begin, replaced)), advanced)
      assert.deepStrictEqual(yield* store.findByReference("acme", "ch_1"), replaced)
      assert.deepStrictEqual(yield* store.findByReference("acme", "ch_0"), replaced)
      assert.isNull(yield* found("ch_1", "other"))

      assert.isTrue(yield* store.checkpoint(operationId(1), "ch_0", "ch_2"))
      // `replaced` was read before the checkpoint, so this commit does not know of "ch_2".
      const once = withOperation(changed(replaced, { reference: "ch_3" }), 1, { kind: "refund", reference: "re_1" })
      const withRefund = { ...once, payment: nextVersion(replaced).payment }
      assert.deepStrictEqual(yield* store.advance(commit(replaced, withRefund)), advanced)
      const both = {
        ...nextVersion(withRefund),
        operations: withRefund.operations.map((each) => ({
          ...each,
          reference: each.kind === "refund" ? "re_2" : "ch_1"
        }))
      }
      assert.deepStrictEqual(yield* store.advance(commit(withRefund, both)), advanced)
      for (const reference of ["ch_0", "ch_1", "ch_2", "ch_3", "re_1", "re_2"]) {
        assert.strictEqual(yield* found(reference), paymentId(1), reference)
      }
    })
  )

  check(
    "a payment that has a reference now is found before all that had it; of these, the newest payment",
    Effect.gen(function* () {
      const store = yield* PaymentStore
      const found = Effect.map(store.findByReference("acme", "charge"), (record) => record?.payment.id)
      yield* begun(1, { reference: "charge" })
      yield* begun(2)
      assert.isTrue(yield* store.checkpoint(operationId(1), "charge", "one"))
      assert.strictEqual(yield* found, paymentId(1))
      assert.isTrue(yield* store.checkpoint(operationId(2), null, "charge"))
      assert.strictEqual(yield* found, paymentId(2))
      assert.isTrue(yield* store.checkpoint(operationId(2), "charge", "two"))
      assert.isTrue(yield* store.checkpoint(operationId(1), "one", "charge"))
      assert.strictEqual(yield* found, paymentId(1))
      assert.isTrue(yield* store.checkpoint(operationId(1), "charge", "one"))
      assert.strictEqual(yield* found, paymentId(2))
    })
  )

  check(
    "a reference that is remembered finds the payment of its create operation, unless it is the charge of another payment",
    Effect.gen(function* () {
      const store = yield* PaymentStore
      const found = (reference: string, provider = "acme") =>
        Effect.map(store.findByReference(provider, reference), (record) => record?.payment.id ?? null)
      const begin = yield* begun(1, { reference: "ch_1" })
      const first = withOperation(begin, 1, { kind: "refund", reference: "re_1" })
      assert.deepStrictEqual(yield* store.advance(commit(begin, first)), advanced)
      yield* begun(2, { reference: "ch_2" })
      for (let time = 0; time < 2; time++) yield* store.remember(operationId(1), "ch_0")
      assert.deepStrictEqual(yield* store.findByReference("acme", "ch_0"), first)
      assert.isNull(yield* found("ch_0", "other"))
      yield* store.remember(operationId(1), "ch_2")
      yield* store.remember(operationId(1, 2), "re_0")
      yield* store.remember(operationId(9), "ch_9")
      assert.isNull(yield* found("re_0"))
      assert.isNull(yield* found("ch_9"))
      // Whose charge it was is not forgotten, and a payment that has the reference comes first.
      assert.isTrue(yield* store.checkpoint(operationId(2), "ch_2", "ch_3"))
      assert.strictEqual(yield* found("ch_2"), paymentId(2))
      const third = yield* begun(3)
      const named = changed(third, { reference: "ch_0" })
      assert.deepStrictEqual(yield* store.advance(commit(third, named)), advanced)
      assert.strictEqual(yield* found("ch_0"), paymentId(3))
      assert.deepStrictEqual(yield* store.get(paymentId(1)), first)
    })
  )

  check(
    "what is refused replaces no reference and remembers none",
    Effect.gen(function* () {
      const store = yield* PaymentStore
      const before = yield* begun(1, { reference: "ch_1" })
      const current = nextVersion(before)
      yield* store.advance(commit(before, current))
      const stale = changed(before, { reference: "ch_0" })
      assert.deepStrictEqual(yield* store.advance(commit(before, stale)), { _tag: "Conflict" })
      assert.isFalse(yield* store.checkpoint(operationId(1), "ch_9", "ch_0"))
      assert.isNull(yield* store.findByReference("acme", "ch_0"))
      yield* begun(2, { reference: "ch_0" })
      const taken = changed(current, { reference: "ch_0" })
      assert.deepStrictEqual(yield* store.advance(commit(current, taken)), referenceTaken)
      assert.isFalse(yield* store.checkpoint(operationId(1), "ch_1", "ch_0"))
      assert.strictEqual((yield* store.findByReference("acme", "ch_0"))?.payment.id, paymentId(2))
      assert.isNull(yield* store.findByReference("acme", "ch_9"))
      assert.deepStrictEqual(yield* store.findByReference("acme", "ch_1"), current)
    })
  )
}

import type { PaymentRecord } from "@paymux/core"
import { PaymentStore } from "@paymux/core/store"
import type { AdvanceCommit, Operation } from "@paymux/core/store"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import type { StoreCheck } from "./StoreCheck.ts"
import {
  aBinding,
  aRecord,
  anEvent,
  anEvidence,
  anOperation,
  nextVersion,
  operationId,
  paymentId,
  succeeded,
  tenant
} from "./records.ts"

const together = { concurrency: "unbounded" } as const

/** A payment that succeeded, and the commit that plans a refund of it under a key. */
const aRefund = (n: number, change: Partial<Operation> = {}) => {
  const began = aRecord(n)
  const before = succeeded(began)
  const refund = anOperation(n, 2, { attemptSeq: 1, kind: "refund", status: "planned", nextCheckAt: 5_000, ...change })
  const after: PaymentRecord = {
    ...nextVersion(before, { eventSequence: 2 }),
    operations: [...before.operations, refund]
  }
  const binding = aBinding(n, { endpoint: "POST /v1/refunds", operationId: refund.id })
  const event = anEvent(after, "refund.pending", { refund: '{ "id":"re_1" }' })
  const commit: AdvanceCommit = {
    before,
    after,
    events: [event],
    evidence: null,
    binding,
    answer: null
  }
  const begin = Effect.gen(function* () {
    const store = yield* PaymentStore
    yield* store.begin({ record: began, binding: null })
    yield* store.advance({ ...commit, before: began, after: before, events: [], binding: null })
    return store
  })
  return { begin, before, after, binding, commit, event }
}

export const operationChecks = (check: StoreCheck): void => {
  check(
    "an advance binds the key of its operation, and keeps its answer with it",
    Effect.gen(function* () {
      const { after, begin, binding, commit, event } = aRefund(1)
      const store = yield* begin
      const answer = { ...binding, body: "bytes \u0000" }
      assert.deepStrictEqual(yield* store.advance({ ...commit, answer }), {
        _tag: "Advanced",
        answer: answer.body
      })
      const kept = yield* store.findKey(tenant, binding.endpoint, binding.key)
      assert.deepStrictEqual(kept, { ...binding, answer: answer.body })
      assert.deepStrictEqual(yield* store.get(paymentId(1)), after)
      assert.deepStrictEqual(yield* store.undispatchedEvents(9), [event])
    })
  )

  check(
    "an advance under a key that is bound already answers KeyTaken and writes nothing, be its version stale or not",
    Effect.gen(function* () {
      const { after, before, begin, binding, commit } = aRefund(1)
      const store = yield* begin
      const other = aRecord(2)
      const bound = { ...binding, paymentId: paymentId(2), operationId: null }
      yield* store.begin({ record: other, binding: bound })
      const taken = { _tag: "KeyTaken" as const, kept: { ...bound, answer: null } }
      const answer = { ...binding, body: "mine" }
      const evidence = anEvidence(1)
      assert.deepStrictEqual(yield* store.advance({ ...commit, answer, evidence }), taken)
      assert.deepStrictEqual(yield* store.get(paymentId(1)), before)
      assert.isNull(yield* store.findByOperation(operationId(1, 2)))
      assert.deepStrictEqual(yield* store.undispatchedEvents(9), [])
      assert.deepStrictEqual(yield* store.evidenceOf(paymentId(1)), [])
      assert.deepStrictEqual(yield* store.findKey(tenant, binding.endpoint, binding.key), taken.kept)
      yield* store.advance({ ...commit, events: [], binding: null })
      assert.deepStrictEqual(yield* store.advance(commit), taken)
      assert.deepStrictEqual(yield* store.get(paymentId(1)), after)
    })
  )

  check(
    "an advance that meets a Conflict binds no key",
    Effect.gen(function* () {
      const { begin, before, binding, commit } = aRefund(1)
      const store = yield* begin
      const current = nextVersion(before)
      yield* store.advance({ ...commit, after: current, events: [], binding: null })
      assert.deepStrictEqual(yield* store.advance(commit), { _tag: "Conflict" })
      assert.isNull(yield* store.findKey(tenant, binding.endpoint, binding.key))
      assert.deepStrictEqual(yield* store.get(paymentId(1)), current)
    })
  )

  check(
    "of 50 concurrent advances under one key exactly one advances, and the others learn whose the key is (I11)",
    Effect.gen(function* () {
      const refunds = Array.from({ length: 50 }, (_, n) => aRefund(n + 1))
      const store = yield* PaymentStore
      for (const { begin } of refunds) yield* begin
      const results = yield* Effect.forEach(
        refunds,
        ({ binding, commit }) => store.advance({ ...commit, binding: { ...binding, key: "one" } }),
        together
      )
      const winners = refunds.filter((_, index) => results[index]?._tag === "Advanced")
      assert.strictEqual(winners.length, 1)
      const kept = { ...winners[0]?.binding, key: "one", answer: null }
      for (const result of results) {
        if (result._tag !== "Advanced") assert.deepEqual<unknown>(result, { _tag: "KeyTaken", kept })
      }
      assert.strictEqual((yield* store.undispatchedEvents(100)).length, 1)
    })
  )

  check(
    "a planned operation is due at its time, can be rescheduled, and is no orphan of a dead engine",
    Effect.gen(function* () {
      const { begin, commit } = aRefund(1, { owner: "dead" })
      const store = yield* begin
      yield* store.advance(commit)
      const due = (now: number) =>
        Effect.map(store.claimDue({ provider: "acme", owner: "engine", now, until: now + 100, limit: 10 }), (claimed) =>
          claimed.map(({ operation }) => [operation.id, operation.status, operation.checks])
        )
      assert.strictEqual(yield* store.releaseOrphans("alive", 1_000), 0)
      assert.deepStrictEqual(yield* due(4_999), [])
      assert.deepStrictEqual(yield* due(5_000), [[operationId(1, 2), "planned", 0]])
      yield* store.reschedule({ id: operationId(1, 2), status: "planned" }, 1, 6_000)
      assert.deepStrictEqual(yield* due(5_999), [])
      assert.deepStrictEqual(yield* due(6_000), [[operationId(1, 2), "planned", 1]])
    })
  )

  check(
    "a planned operation becomes sending, and then ends with its code and its time",
    Effect.gen(function* () {
      const { after, begin, commit } = aRefund(1)
      const store = yield* begin
      yield* store.advance(commit)
      const steps: ReadonlyArray<Partial<Operation>> = [
        { status: "sending", owner: "engine-2", deadlineAt: 90_000, nextCheckAt: 95_000 },
        { status: "declined", code: "processing_error", vendorCode: "R\u00001", endedAt: 8_000, nextCheckAt: null }
      ]
      let before = after
      for (const step of steps) {
        const operations = before.operations.map((one) => (one.id === operationId(1, 2) ? { ...one, ...step } : one))
        const next = { ...nextVersion(before), operations }
        const result = yield* store.advance({ ...commit, before, after: next, events: [], binding: null })
        assert.deepStrictEqual(result, { _tag: "Advanced", answer: null })
        assert.deepStrictEqual(yield* store.get(paymentId(1)), next)
        before = next
      }
    })
  )

  check(
    "an event keeps the refund that it reports, as it was written",
    Effect.gen(function* () {
      const { begin, commit, event } = aRefund(1)
      const store = yield* begin
      yield* store.advance(commit)
      assert.deepStrictEqual(yield* store.undispatchedEvents(9), [event])
      assert.deepStrictEqual(yield* store.findEvent(event.id), event)
    })
  )

  check(
    "evidence is read back exactly, in the order in which it convinced, of its own payment only",
    Effect.gen(function* () {
      const store = yield* PaymentStore
      const rows = [
        anEvidence(1, { source: "inquiry", kind: "pending", recordedAt: 9_000 }),
        anEvidence(1, { eventId: "e1", vendorCode: "00", document: "sha256:ab", occurredAt: 5_000, recordedAt: 3_000 }),
        anEvidence(1, { source: "operator", kind: "canceled", document: 'she said "no"\u0000', recordedAt: 3_000 })
      ]
      let before = aRecord(1)
      yield* store.begin({ record: before, binding: null })
      for (const evidence of rows) {
        const after = nextVersion(before)
        yield* store.advance({ before, after, events: [], evidence, binding: null, answer: null })
        before = after
      }
      assert.deepStrictEqual(yield* store.evidenceOf(paymentId(1)), rows)
      for (const last of [1, 2, 3, 4]) {
        assert.deepStrictEqual(yield* store.evidenceOf(paymentId(1), last), rows.slice(-last))
      }
      assert.deepStrictEqual(yield* store.evidenceOf(paymentId(2)), [])
    })
  )
}

import type { PaymentRecord } from "@paymux/core"
import { PaymentStore } from "@paymux/core/store"
import type { AdvanceCommit } from "@paymux/core/store"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import type { StoreCheck } from "./StoreCheck.ts"
import {
  aBinding,
  aRecord,
  anAttempt,
  anEntry,
  anEvent,
  anEvidence,
  anOperation,
  ended,
  eventId,
  nextVersion,
  operationId,
  paymentId,
  succeeded,
  tenant
} from "./records.ts"
import { samples } from "./samples.ts"

const together = { concurrency: "unbounded" } as const

const begun = (record: PaymentRecord) =>
  Effect.gen(function* () {
    const store = yield* PaymentStore
    yield* store.begin({ record, binding: null })
    return { store, record }
  })

const commit = (before: PaymentRecord, after: PaymentRecord, more: Partial<AdvanceCommit> = {}): AdvanceCommit => ({
  before,
  after,
  events: [],
  evidence: null,
  binding: null,
  answer: null,
  ...more
})

const threeTypes = ["payment.succeeded", "payment.review_opened", "payment.review_resolved"] as const

const odd = '{ "reference":"charge \\u0000 \u001a \ud83e\uded6" }'

export const advanceChecks = (check: StoreCheck): void => {
  check(
    "an advance writes payment, attempt, operation, event and answer together",
    Effect.gen(function* () {
      const store = yield* PaymentStore
      const before = aRecord(1)
      const binding = aBinding(1)
      yield* store.begin({ record: before, binding })
      const after = succeeded(before)
      const event = anEvent(after, "payment.succeeded")
      const answer = { ...binding, body: "bytes" }
      assert.deepStrictEqual(yield* store.advance(commit(before, after, { events: [event], answer })), {
        _tag: "Advanced",
        answer: answer.body
      })
      assert.deepStrictEqual(yield* store.get(paymentId(1)), after)
      assert.deepStrictEqual(yield* store.undispatchedEvents(10), [event])
      assert.deepStrictEqual(yield* store.findKey(tenant, binding.endpoint, binding.key), {
        ...binding,
        answer: "bytes"
      })
    })
  )

  check(
    "an advance answers the bytes that are kept: another answer came first",
    Effect.gen(function* () {
      const store = yield* PaymentStore
      const before = aRecord(1)
      const binding = aBinding(1)
      yield* store.begin({ record: before, binding })
      yield* store.keepAnswer({ ...binding, body: "first" })
      const after = succeeded(before)
      const event = anEvent(after, "payment.succeeded")
      const answer = { ...binding, body: "second" }
      assert.deepStrictEqual(yield* store.advance(commit(before, after, { events: [event], answer })), {
        _tag: "Advanced",
        answer: "first"
      })
    })
  )

  check(
    "every field can change and is read back exactly, from every sample to the next",
    Effect.gen(function* () {
      const { store, record } = yield* begun(aRecord(500))
      let before = record
      for (const { payment } of samples) {
        const { account, createdAt, id, livemode, version } = before.payment
        const changed = { ...payment, id, account, livemode, createdAt, version: version + 1 }
        const after = { ...before, payment: changed }
        assert.deepStrictEqual(yield* store.advance(commit(before, after)), { _tag: "Advanced", answer: null })
        assert.deepStrictEqual(yield* store.get(id), after)
        before = after
      }
    })
  )

  check(
    "another version of the same number, as after a database went back in time, is a Conflict",
    Effect.gen(function* () {
      const store = yield* PaymentStore
      const before = aRecord(1)
      yield* store.begin({ record: before, binding: null })
      const current = nextVersion(before, { updatedAt: 5_000 })
      const lost = nextVersion(before, { updatedAt: 4_000 })
      yield* store.advance(commit(before, current))
      assert.deepStrictEqual(yield* store.advance(commit(lost, nextVersion(lost, { updatedAt: 6_000 }))), {
        _tag: "Conflict"
      })
      assert.deepStrictEqual(yield* store.get(paymentId(1)), current)
    })
  )

  check(
    "a stale version is a Conflict that writes nothing: no event, attempt, operation, entry or answer",
    Effect.gen(function* () {
      const store = yield* PaymentStore
      const before = aRecord(1)
      const binding = aBinding(1)
      yield* store.begin({ record: before, binding })
      const current = nextVersion(before, { updatedAt: 5_000 })
      yield* store.advance(commit(before, current))
      const late = succeeded(before)
      const next = {
        ...late,
        attempts: [...late.attempts, anAttempt(2)],
        operations: [anOperation(1, 2)],
        entries: [anEntry(1)]
      }
      for (const after of [late, next]) {
        const event = anEvent(late, "payment.succeeded")
        const evidence = anEvidence(1, { eventId: "e1" })
        const stale = commit(before, after, { events: [event], evidence, answer: { ...binding, body: "stale" } })
        assert.deepStrictEqual(yield* store.advance(stale), { _tag: "Conflict" })
      }
      assert.deepStrictEqual(yield* store.get(paymentId(1)), current)
      assert.deepStrictEqual(yield* store.undispatchedEvents(10), [])
      assert.deepStrictEqual(yield* store.evidenceOf(paymentId(1)), [])
      assert.isNull(yield* store.findByOperation(operationId(1, 2)))
      assert.isNull((yield* store.findKey(tenant, binding.endpoint, binding.key))?.answer)
    })
  )

  check(
    "an advance of a payment that never began is a Conflict",
    Effect.gen(function* () {
      const store = yield* PaymentStore
      const before = aRecord(1)
      assert.deepStrictEqual(yield* store.advance(commit(before, succeeded(before))), { _tag: "Conflict" })
      assert.isNull(yield* store.get(paymentId(1)))
    })
  )

  check(
    "of 64 concurrent advances of one version exactly one wins, and its change is what is read (I15)",
    Effect.gen(function* () {
      const { store, record } = yield* begun(aRecord(1))
      const candidates = Array.from({ length: 64 }, (_, n) => ({
        after: nextVersion(record, { description: `writer ${n}`, eventSequence: 1 }),
        id: eventId(n)
      }))
      const results = yield* Effect.forEach(
        candidates,
        ({ after, id }) =>
          Effect.map(
            store.advance(commit(record, after, { events: [anEvent(after, "payment.pending", { id })] })),
            ({ _tag }) => ({ _tag, after, id })
          ),
        together
      )
      const winners = results.filter(({ _tag }) => _tag === "Advanced")
      assert.strictEqual(winners.length, 1)
      assert.deepStrictEqual(yield* store.get(paymentId(1)), winners[0]?.after)
      assert.deepStrictEqual(
        (yield* store.undispatchedEvents(100)).map(({ id }) => id),
        winners.map(({ id }) => id)
      )
    })
  )

  check(
    "the next attempt starts in the commit that closes the last one",
    Effect.gen(function* () {
      const { store, record } = yield* begun(aRecord(1))
      const closed = ended(record, "not_executed", { provider: "other" })
      const after: PaymentRecord = {
        ...closed,
        attempts: [...closed.attempts, anAttempt(2, { provider: "other" })],
        operations: [...closed.operations, anOperation(1, 2, { provider: "other" })]
      }
      assert.deepStrictEqual(yield* store.advance(commit(record, after)), { _tag: "Advanced", answer: null })
      assert.deepStrictEqual(yield* store.get(paymentId(1)), after)
      assert.deepStrictEqual(yield* store.findByOperation(operationId(1, 2)), after)
    })
  )

  check(
    "a second attempt in flight is refused, and nothing of its commit is kept (I7)",
    Effect.gen(function* () {
      for (const [index, status] of (["sending", "pending", "unknown"] as const).entries()) {
        const n = index + 1
        const { store, record } = yield* begun(aRecord(n))
        const moved = nextVersion(record, { eventSequence: 1 })
        const after: PaymentRecord = {
          ...moved,
          attempts: [...record.attempts, anAttempt(2, { status })],
          operations: [...record.operations, anOperation(n, 2)]
        }
        const refused = commit(record, after, { events: [anEvent(after, "payment.pending")] })
        assert.strictEqual((yield* Effect.flip(store.advance(refused)))._tag, "StoreUnavailable")
        assert.deepStrictEqual(yield* store.get(paymentId(n)), record)
        assert.isNull(yield* store.findByOperation(operationId(n, 2)))
        assert.deepStrictEqual(yield* store.undispatchedEvents(10), [])
      }
    })
  )

  check(
    "a sequence is used once per payment: a second event of the same number is refused (I12)",
    Effect.gen(function* () {
      const { store, record } = yield* begun(aRecord(1))
      const first = nextVersion(record, { eventSequence: 1 })
      const event = anEvent(first, "payment.pending")
      yield* store.advance(commit(record, first, { events: [event] }))
      const second = nextVersion(first)
      const again = anEvent(second, "payment.succeeded", { id: eventId(9) })
      const error = yield* Effect.flip(store.advance(commit(first, second, { events: [again] })))
      assert.strictEqual(error._tag, "StoreUnavailable")
      assert.deepStrictEqual(yield* store.get(paymentId(1)), first)
      assert.deepStrictEqual(yield* store.undispatchedEvents(10), [event])
    })
  )

  check(
    "the events of one commit are written together and wait in their order, each with its review and dispute",
    Effect.gen(function* () {
      const { advance, begin, erasure, findEvent, findEvents, undispatchedEvents } = yield* PaymentStore
      const numbers = Array.from({ length: 10 }, (_, n) => n + 1)
      yield* Effect.forEach(numbers, (n) => begin({ record: aRecord(n), binding: null }))
      const written = numbers.map((n) => {
        const before = aRecord(n)
        const after = nextVersion(before, { eventSequence: 4 })
        const events = threeTypes.map((type, index) =>
          anEvent(after, type, {
            id: eventId(n * 10 + index),
            sequence: index + 1,
            review: index === 1 ? odd : null,
            dispute: index === 2 ? odd : null
          })
        )
        return commit(before, after, { events })
      })
      yield* Effect.forEach(written, advance, { concurrency: "unbounded" })
      const waiting = yield* undispatchedEvents(99)
      assert.strictEqual(waiting.length, 30)
      for (const { before, events } of written) {
        const { id } = before.payment
        assert.deepStrictEqual(
          waiting.filter(({ paymentId }) => paymentId === id),
          events
        )
        assert.deepStrictEqual(yield* erasure.eventsOf(id), events)
        for (const event of events) assert.deepStrictEqual(yield* findEvent(event.id), event)
      }
      const some = waiting.slice(3, 20)
      const found = yield* findEvents([...some, ...some.slice(0, 2)].map(({ id }) => id).concat(eventId(99_999)))
      assert.sameDeepMembers([...found], some)
      assert.deepStrictEqual(yield* findEvents([]), [])
    })
  )

  check(
    "of several events none is written, and nothing of their commit, where one of them is there already",
    Effect.gen(function* () {
      const { store, record } = yield* begun(aRecord(1))
      const first = nextVersion(record, { eventSequence: 1 })
      const known = anEvent(first, "payment.pending")
      yield* store.advance(commit(record, first, { events: [known] }))
      const second = nextVersion(first, { eventSequence: 3 })
      const event = (n: number, sequence: number) =>
        anEvent(second, "payment.review_opened", { id: eventId(n), sequence, review: odd })
      for (const events of [
        [event(2, 2), event(3, 1)],
        [event(2, 2), event(3, 2)],
        [event(2, 2), event(2, 3)],
        [event(2, 2), { ...event(2, 3), id: known.id }]
      ]) {
        assert.strictEqual(
          (yield* Effect.flip(store.advance(commit(first, second, { events }))))._tag,
          "StoreUnavailable"
        )
        assert.deepStrictEqual(yield* store.get(paymentId(1)), first)
        assert.deepStrictEqual(yield* store.undispatchedEvents(9), [known])
      }
      const events = [event(2, 2), event(3, 3)]
      yield* store.advance(commit(first, second, { events }))
      assert.deepStrictEqual(yield* store.undispatchedEvents(9), [known, ...events])
    })
  )

  check(
    "a checkpoint that came after the payment was read is not lost by the advance",
    Effect.gen(function* () {
      const { store, record } = yield* begun(aRecord(1))
      assert.isTrue(yield* store.checkpoint(operationId(1), null, "order_1"))
      const checkpointed = yield* store.get(paymentId(1))
      assert.strictEqual(checkpointed?.operations[0]?.reference, "order_1")
      assert.strictEqual(checkpointed?.payment.version, 1)
      yield* store.advance(commit(record, ended(record, "unknown")))
      assert.strictEqual((yield* store.get(paymentId(1)))?.operations[0]?.reference, "order_1")
      assert.strictEqual((yield* store.findByReference("acme", "order_1"))?.payment.version, 2)
    })
  )

  check(
    "a checkpoint for an operation that was taken over, or is settled, is refused",
    Effect.gen(function* () {
      const { store, record } = yield* begun(aRecord(1))
      assert.isTrue(yield* store.checkpoint(operationId(1), null, "order_1"))
      assert.isFalse(yield* store.checkpoint(operationId(1), null, "order_2"))
      assert.isTrue(yield* store.checkpoint(operationId(1), null, "order_1"))
      assert.isTrue(yield* store.checkpoint(operationId(1), "order_1", "payment_1"))
      const open = yield* store.get(paymentId(1))
      yield* store.advance(commit(open ?? record, succeeded(open ?? record), {}))
      assert.isFalse(yield* store.checkpoint(operationId(1), "payment_1", "payment_2"))
      assert.strictEqual((yield* store.get(paymentId(1)))?.operations[0]?.reference, "payment_1")
    })
  )

  check(
    "events wait, oldest commit first, until they are marked as dispatched",
    Effect.gen(function* () {
      const store = yield* PaymentStore
      const events = []
      for (const n of [3, 1, 2]) {
        const before = aRecord(n)
        yield* store.begin({ record: before, binding: null })
        const after = succeeded(before)
        const event = anEvent(after, "payment.succeeded")
        yield* store.advance(commit(before, after, { events: [event] }))
        events.push(event)
      }
      assert.deepStrictEqual(yield* store.undispatchedEvents(10), events)
      assert.deepStrictEqual(yield* store.undispatchedEvents(2), events.slice(0, 2))
      yield* store.markDispatched(
        events.slice(0, 2).map(({ id }) => id),
        9_000
      )
      yield* store.markDispatched([], 9_000)
      assert.deepStrictEqual(yield* store.undispatchedEvents(10), events.slice(2))
    })
  )

  check(
    "an event is found by its id as it was written, dispatched or not",
    Effect.gen(function* () {
      const { store, record } = yield* begun(aRecord(1, { livemode: true, account: "merchant 2" }))
      const after = succeeded(record)
      const event = anEvent(after, "payment.succeeded", { payment: '{ "as":"written" }' })
      assert.isNull(yield* store.findEvent(event.id))
      yield* store.advance(commit(record, after, { events: [event] }))
      assert.deepStrictEqual(yield* store.findEvent(event.id), event)
      yield* store.markDispatched([event.id], 9_000)
      assert.deepStrictEqual(yield* store.findEvent(event.id), event)
    })
  )
}

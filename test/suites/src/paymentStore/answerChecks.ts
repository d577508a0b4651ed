/** The first response to a request, which a store may keep as text or as a reference to the event with the same bytes. */
import { PaymentStore } from "@paymux/core/store"
import type { KeyBinding, PaymentEvent } from "@paymux/core/store"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import type { StoreCheck } from "./StoreCheck.ts"
import { aBinding, anEvent, aRecord, eventId, nextVersion, paymentId, tenant } from "./records.ts"

/** Characters that a database may not store as they are, and spaces that JSON does not need. */
const odd = '{ "name": "a \\u0000 \u0000 \u001a \ud83e\uded6 \'" }'

/** Events of one commit: two about the payment, and one with another body. */
const threeEvents = (n: number, payment: string) => {
  const record = nextVersion(aRecord(n), { eventSequence: 3 })
  const event = (sequence: number, change: Partial<PaymentEvent>) =>
    anEvent(record, "payment.pending", { id: eventId(n * 10 + sequence), sequence, payment, ...change })
  return [
    event(1, { payment: `${payment} `, refund: "refund" }),
    event(2, { type: "payment.succeeded" }),
    event(3, { type: "payment.review_opened", payment: `  ${payment}` })
  ]
}

/** Responses: with the bytes of two of the three events, of none, of a refund in an event, and of length zero. */
const bodies = [odd, `${odd}  `, "refund", ""]

/** Begins payment `n` and stores the response, in one commit with the events. The result is the payment after that. */
const answered = Effect.fnUntraced(function* (n: number, body: string, binding = aBinding(n)) {
  const store = yield* PaymentStore
  const before = aRecord(n)
  yield* store.begin({ record: before, binding })
  const after = nextVersion(before, { eventSequence: 3, pendingAnnounced: true })
  const events = threeEvents(n, odd)
  const answer = { ...binding, body }
  const result = yield* store.advance({ before, after, events, evidence: null, binding: null, answer })
  assert.deepStrictEqual(result, { _tag: "Advanced", answer: body })
  return { after, binding, events }
})

const keptOf = ({ endpoint, key }: KeyBinding) => PaymentStore.use((store) => store.findKey(tenant, endpoint, key))

/** Asserts that every way to read the stored response returns these bytes. */
const assertKept = Effect.fnUntraced(function* (binding: KeyBinding, answer: string) {
  const store = yield* PaymentStore
  const kept = { ...binding, answer }
  assert.deepStrictEqual(yield* keptOf(binding), kept)
  const again = { record: aRecord(99), binding: { ...binding, paymentId: paymentId(99) } }
  assert.deepStrictEqual(yield* store.begin(again), { _tag: "KeyTaken", kept })
  assert.strictEqual(yield* store.keepAnswer({ ...binding, body: "later" }), answer)
  assert.deepStrictEqual(yield* keptOf(binding), kept)
})

export const answerChecks = (check: StoreCheck): void => {
  check(
    "the first response is returned byte for byte after the payment went on, whichever bytes the events of its commit have",
    Effect.gen(function* () {
      const store = yield* PaymentStore
      for (const [index, body] of bodies.entries()) {
        const n = index + 1
        const { after: before, binding } = yield* answered(n, body)
        yield* assertKept(binding, body)
        const after = nextVersion(before, { eventSequence: 4 })
        const event = anEvent(after, "payment.succeeded", { id: eventId(n * 10 + 4), payment: "later" })
        const answer = { ...binding, body: "later" }
        const result = yield* store.advance({ before, after, events: [event], evidence: null, binding: null, answer })
        assert.deepStrictEqual(result, { _tag: "Advanced", answer: body })
        yield* assertKept(binding, body)
      }
    })
  )

  check(
    "a response that is stored alone stays, though a later event has other bytes",
    Effect.gen(function* () {
      const store = yield* PaymentStore
      const binding = aBinding(1)
      const before = aRecord(1)
      yield* store.begin({ record: before, binding })
      yield* store.keepAnswer({ ...binding, body: "first" })
      const after = nextVersion(before, { eventSequence: 3 })
      const answer = { ...binding, body: odd }
      const events = threeEvents(1, odd)
      const result = yield* store.advance({ before, after, events, evidence: null, binding: null, answer })
      assert.deepStrictEqual(result, { _tag: "Advanced", answer: "first" })
      yield* assertKept(binding, "first")
    })
  )

  check(
    "a commit returns the response that the key of another payment has, and stores none there",
    Effect.gen(function* () {
      const store = yield* PaymentStore
      const cases = ["first", null].flatMap((first) => bodies.map((body) => ({ body, first })))
      for (const [index, { body, first }] of cases.entries()) {
        const [own, other] = [2 * index + 1, 2 * index + 2]
        const binding = aBinding(other)
        yield* store.begin({ record: aRecord(other), binding })
        if (first !== null) yield* store.keepAnswer({ ...binding, body: first })
        const before = aRecord(own)
        yield* store.begin({ record: before, binding: null })
        const after = nextVersion(before, { eventSequence: 3 })
        const answer = { ...binding, body }
        const events = threeEvents(own, odd)
        const result = yield* store.advance({ before, after, events, evidence: null, binding: null, answer })
        assert.deepStrictEqual(result, { _tag: "Advanced", answer: first })
        assert.deepStrictEqual(yield* keptOf(binding), { ...binding, answer: first })
      }
    })
  )

  check(
    "one commit binds a key and stores its response, whichever bytes its events have",
    Effect.gen(function* () {
      const store = yield* PaymentStore
      for (const [index, body] of bodies.entries()) {
        const n = index + 1
        const before = aRecord(n)
        yield* store.begin({ record: before, binding: null })
        const binding = aBinding(n)
        const after = nextVersion(before, { eventSequence: 3 })
        const answer = { ...binding, body }
        const events = threeEvents(n, odd)
        const result = yield* store.advance({ before, after, events, evidence: null, binding, answer })
        assert.deepStrictEqual(result, { _tag: "Advanced", answer: body })
        yield* assertKept(binding, body)
      }
    })
  )

  check(
    "of a response that a commit stores and one that is stored at the same time, one is returned from then on",
    Effect.gen(function* () {
      const store = yield* PaymentStore
      for (let n = 1; n <= 20; n++) {
        const binding = aBinding(n)
        const before = aRecord(n)
        yield* store.begin({ record: before, binding })
        const after = nextVersion(before, { eventSequence: 3 })
        const answer = { ...binding, body: odd }
        const [alone, committed] = yield* Effect.all(
          [
            store.keepAnswer({ ...binding, body: "alone" }),
            store.advance({ before, after, events: threeEvents(n, odd), evidence: null, binding: null, answer })
          ],
          { concurrency: "unbounded" }
        )
        assert.deepStrictEqual(committed, { _tag: "Advanced", answer: alone })
        yield* assertKept(binding, alone)
      }
    })
  )

  check(
    "no response is left after the customer was erased, in either way, whichever bytes the events had",
    Effect.gen(function* () {
      const { erasure, keepAnswer } = yield* PaymentStore
      for (const [index, body] of bodies.entries()) {
        const n = index + 1
        const { after: before, binding, events } = yield* answered(n, body)
        const erased = events.map((event) => ({ ...event, payment: "erased" }))
        assert.isTrue(yield* erasure.erase({ before, after: nextVersion(before), events: erased }))
        assert.deepStrictEqual(yield* keptOf(binding), { ...binding, answer: null })
        assert.strictEqual(yield* keepAnswer({ ...binding, body: "as it is now" }), "as it is now")
        yield* assertKept(binding, "as it is now")
        const other = yield* answered(n + 10, body)
        yield* erasure.forgetAnswers(paymentId(n + 10))
        assert.deepStrictEqual(yield* keptOf(other.binding), { ...other.binding, answer: null })
        assert.strictEqual(yield* keepAnswer({ ...other.binding, body: "as it is now" }), "as it is now")
      }
    })
  )

  check(
    "retention deletes old responses in order of their payments, and no young one, whichever bytes the events have",
    Effect.gen(function* () {
      const { retention } = yield* PaymentStore
      // Ids of these payments are older than any time, so only the time of the request decides.
      const numbers = [1, 2, 3, 4, 5, 6, 7, 8]
      const bindings = yield* Effect.forEach(numbers, (n) =>
        Effect.map(
          answered(n, n % 2 === 0 ? odd : "text", aBinding(n, { createdAt: n === 3 || n === 4 ? 9_000 : 1_000 })),
          ({ binding }) => binding
        )
      )
      const query = { before: 7_000, limit: 3 }
      const first = yield* retention.pruneAnswers({ ...query, after: null })
      assert.deepStrictEqual(first, { pruned: 2, next: paymentId(3) })
      const second = yield* retention.pruneAnswers({ ...query, after: paymentId(3) })
      assert.deepStrictEqual(second, { pruned: 2, next: paymentId(6) })
      const third = yield* retention.pruneAnswers({ ...query, after: paymentId(6) })
      assert.deepStrictEqual(third, { pruned: 2, next: null })
      const kept = yield* Effect.forEach(bindings, (binding) =>
        Effect.map(keptOf(binding), (key) => key?.answer ?? null)
      )
      assert.deepStrictEqual(kept, [null, null, "text", odd, null, null, null, null])
    })
  )
}

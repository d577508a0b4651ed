import type { PaymentRecord } from "@paymux/core"
import { erasedWords, PaymentStore } from "@paymux/core/store"
import type { EraseCommit, PaymentEvent } from "@paymux/core/store"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import type { StoreCheck } from "./StoreCheck.ts"
import {
  aBinding,
  anEntry,
  anEvent,
  anEvidence,
  anOperation,
  aRecord,
  nextVersion,
  operationId,
  paymentId,
  succeeded,
  tenant
} from "./records.ts"

const together = { concurrency: "unbounded" } as const

const address = {
  line1: "Asha's street",
  line2: null,
  city: "Asha's city",
  state: null,
  postalCode: "411001",
  country: "IN"
}

/** A payment that is paid, with an event, evidence of two kinds, a refund with a reason and an answer that is kept. */
const settled = Effect.fnUntraced(function* (n: number, phone = "+919999999999") {
  const store = yield* PaymentStore
  const begun = aRecord(n, { customer: { email: `payer-${n}@example.com`, phone, name: "Asha \u0000", address } })
  const binding = aBinding(n)
  yield* store.begin({ record: begun, binding })
  const paid = { ...succeeded(begun), entries: [anEntry(n)] }
  const event = anEvent(paid, "payment.succeeded", {
    payment: '{"customer":"Asha"}',
    refund: '{"reason":"Asha"}',
    review: '{"id":"rev_1"}',
    dispute: '{"reference":"dp_1"}'
  })
  const advance = (before: PaymentRecord, after: PaymentRecord, change: Partial<Parameters<typeof store.advance>[0]>) =>
    store.advance({ before, after, events: [], evidence: null, binding: null, answer: null, ...change })
  yield* advance(begun, paid, {
    events: [event],
    evidence: anEvidence(n, { document: "sha256:00" }),
    answer: { ...binding, body: "Asha's answer" }
  })
  const refund = anOperation(n, 2, { attemptSeq: 1, kind: "refund", reason: "Asha asked", status: "succeeded" })
  const refunded = nextVersion({ ...paid, operations: [...paid.operations, refund] })
  yield* advance(paid, refunded, { evidence: anEvidence(n, { source: "operator", document: "Asha called" }) })
  return { record: refunded, event, binding }
})

/** What core makes of a payment; here, whatever differs. */
const erasing = (before: PaymentRecord, event: PaymentEvent): EraseCommit => ({
  before,
  after: {
    ...nextVersion(before, {
      customer: { email: "erased@example.invalid", phone: "+10000000000", name: null, address: null },
      description: null,
      metadata: {},
      client: null
    }),
    operations: before.operations.map((operation) => ({ ...operation, reason: null }))
  },
  events: [{ ...event, payment: '{"customer":null}', refund: '{"reason":null}' }]
})

export const erasureChecks = (check: StoreCheck): void => {
  check(
    "an erased payment is written in one commit with its events, its operations' reasons, operators' words and kept answers",
    Effect.gen(function* () {
      const store = yield* PaymentStore
      const { binding, event, record } = yield* settled(1)
      const commit = erasing(record, event)
      assert.isTrue(yield* store.erasure.erase(commit))
      assert.deepStrictEqual(yield* store.get(paymentId(1)), commit.after)
      assert.deepStrictEqual(yield* store.erasure.eventsOf(paymentId(1)), commit.events)
      assert.deepStrictEqual(yield* store.findEvent(event.id), commit.events[0])
      assert.deepStrictEqual(
        (yield* store.evidenceOf(paymentId(1))).map(({ document }) => document),
        ["sha256:00", erasedWords]
      )
      assert.deepStrictEqual(yield* store.findKey(tenant, binding.endpoint, binding.key), { ...binding, answer: null })
    })
  )

  check(
    "an event that is erased before it was fanned out is fanned out as it reads then, and one that was is not again",
    Effect.gen(function* () {
      const store = yield* PaymentStore
      const [waiting, dispatched] = [yield* settled(1), yield* settled(2)]
      yield* store.markDispatched([dispatched.event.id], 9_000)
      yield* store.erasure.erase(erasing(waiting.record, waiting.event))
      yield* store.erasure.erase(erasing(dispatched.record, dispatched.event))
      assert.deepStrictEqual(yield* store.undispatchedEvents(9), erasing(waiting.record, waiting.event).events)
    })
  )

  check(
    "an erasing of a version that is not the latest writes nothing; of 20 at once one is done",
    Effect.gen(function* () {
      const store = yield* PaymentStore
      const { binding, event, record } = yield* settled(1)
      const changed = nextVersion(record, { disputedAt: 8_000 })
      yield* store.advance({
        before: record,
        after: changed,
        events: [],
        evidence: null,
        binding: null,
        answer: null
      })
      assert.isFalse(yield* store.erasure.erase(erasing(record, event)))
      assert.deepStrictEqual(yield* store.get(paymentId(1)), changed)
      assert.deepStrictEqual(yield* store.erasure.eventsOf(paymentId(1)), [event])
      assert.strictEqual((yield* store.evidenceOf(paymentId(1)))[1]?.document, "Asha called")
      const kept = yield* store.findKey(tenant, binding.endpoint, binding.key)
      assert.strictEqual(kept?.answer, "Asha's answer")
      const commit = erasing(changed, event)
      const done = yield* Effect.forEach(Array.from({ length: 20 }), () => store.erasure.erase(commit), together)
      assert.strictEqual(done.filter((each) => each).length, 1)
    })
  )

  check(
    "a writer that read the payment before it was erased learns of it, and writes nothing (I15)",
    Effect.gen(function* () {
      const store = yield* PaymentStore
      const { event, record } = yield* settled(1)
      const commit = erasing(record, event)
      yield* store.erasure.erase(commit)
      const late = nextVersion(record, { disputedAt: 8_000 })
      const written = yield* store.advance({
        before: record,
        after: late,
        events: [],
        evidence: null,
        binding: null,
        answer: null
      })
      assert.deepStrictEqual(written, { _tag: "Conflict" })
      assert.deepStrictEqual(yield* store.get(paymentId(1)), commit.after)
    })
  )

  check(
    "a reference that was learned after the payment was read outlives its erasing",
    Effect.gen(function* () {
      const store = yield* PaymentStore
      const begun = aRecord(1)
      yield* store.begin({ record: begun, binding: null })
      yield* store.checkpoint(operationId(1), null, "ref-1")
      assert.isTrue(yield* store.erasure.erase({ ...erasing(begun, anEvent(begun, "payment.pending")), events: [] }))
      assert.strictEqual((yield* store.get(paymentId(1)))?.operations[0]?.reference, "ref-1")
    })
  )

  check(
    "a payment's answers are forgotten, and its keys stay bound; other payments keep theirs",
    Effect.gen(function* () {
      const store = yield* PaymentStore
      const [one, other] = [yield* settled(1), yield* settled(2)]
      yield* store.erasure.forgetAnswers(paymentId(1))
      const kept = (binding: typeof one.binding) => store.findKey(tenant, binding.endpoint, binding.key)
      assert.deepStrictEqual(yield* kept(one.binding), { ...one.binding, answer: null })
      assert.strictEqual((yield* kept(other.binding))?.answer, "Asha's answer")
      const again = yield* store.begin({ record: aRecord(3), binding: aBinding(3, { key: one.binding.key }) })
      assert.strictEqual(again._tag, "KeyTaken")
      assert.strictEqual(yield* store.keepAnswer({ ...one.binding, body: "as it stands" }), "as it stands")
    })
  )

  check(
    "a payment's events are read by their sequence, and no other's",
    Effect.gen(function* () {
      const store = yield* PaymentStore
      const { event } = yield* settled(1)
      yield* settled(2)
      assert.deepStrictEqual(yield* store.erasure.eventsOf(paymentId(1)), [event])
      assert.deepStrictEqual(yield* store.erasure.eventsOf(paymentId(9)), [])
    })
  )

  check(
    "payments are looked through for a phone number stretch by stretch: of one account and mode, and of no name that looks like it",
    Effect.gen(function* () {
      const store = yield* PaymentStore
      const [mine, theirs] = ["+919812345678", "+91981234567"]
      const customer = (phone: string | null, name: string | null = null) => ({
        email: "p@example.com",
        phone,
        name,
        address: null
      })
      const begin = (record: PaymentRecord) => store.begin({ record, binding: null })
      for (const n of [1, 3, 6]) yield* begin(aRecord(n, { customer: customer(mine) }))
      yield* begin(aRecord(2, { customer: customer(theirs) }))
      yield* begin(aRecord(4, { customer: customer(theirs, `"phone":"${mine}"`) }))
      yield* begin(aRecord(5, { customer: customer(mine), livemode: true }))
      yield* begin(aRecord(7, { customer: customer(null, mine) }))
      const look = (after: number | null, limit: number) =>
        store.erasure.withPhone(tenant, { phone: mine, after: after === null ? null : paymentId(after), limit })
      const last = (n: number) => ({ id: paymentId(n), createdAt: 1_000 + n })
      assert.deepStrictEqual(yield* look(null, 2), { found: [paymentId(1)], last: last(2) })
      assert.deepStrictEqual(yield* look(2, 3), { found: [paymentId(3), paymentId(6)], last: last(6) })
      assert.deepStrictEqual(yield* look(6, 3), { found: [], last: last(7) })
      assert.deepStrictEqual(yield* look(7, 3), { found: [], last: null })
    })
  )
}

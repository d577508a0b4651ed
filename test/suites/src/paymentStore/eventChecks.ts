import type { PaymentRecord } from "@paymux/core"
import { firstPaymentId, PaymentStore, resumeMargin } from "@paymux/core/store"
import type { EventId, EventsQuery, PaymentEvent } from "@paymux/core/store"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import type { StoreCheck } from "./StoreCheck.ts"
import { anEvent, aRecord, eventId, nextVersion, paymentId, tenant } from "./records.ts"

const everyEvent: EventsQuery = { after: null, types: [], paymentId: null, limit: 100 }

const begin = (record: PaymentRecord) => PaymentStore.use((store) => store.begin({ record, binding: null }))

/** Commits these events of the payment; returns its next version. */
const write = Effect.fnUntraced(function* (before: PaymentRecord, events: ReadonlyArray<PaymentEvent>) {
  const after = nextVersion(before, { eventSequence: before.payment.eventSequence + events.length })
  const { advance } = yield* PaymentStore
  assert.deepStrictEqual(yield* advance({ before, after, events, evidence: null, binding: null, answer: null }), {
    _tag: "Advanced",
    answer: null
  })
  return after
})

const read = Effect.fnUntraced(function* (query: Partial<EventsQuery>, of = tenant) {
  const store = yield* PaymentStore
  const page = yield* store.eventsAfter(of, { ...everyEvent, ...query })
  if (page._tag === "EventNotStored") return assert.fail("The event is not stored")
  return page
})

const types = ["payment.pending", "payment.succeeded", "refund.pending"] as const

/** Three payments with three events each, in turn; the second is of the live mode. Returns the events as they were written. */
const nineEvents = Effect.gen(function* () {
  const records = [aRecord(1), aRecord(2, { livemode: true }), aRecord(3)]
  yield* Effect.forEach(records, begin)
  const written: Array<PaymentEvent> = []
  let number = 9
  for (const [index, type] of types.entries()) {
    for (const [place, record] of records.entries()) {
      // Their ids and times are not in the order of the commits.
      number -= 1
      const event = anEvent(record, type, { id: eventId(number + 1), sequence: index + 1, createdAt: 10_000 - index })
      records[place] = yield* write(record, [event])
      written.push(event)
    }
  }
  return written
})

export const eventChecks = (check: StoreCheck): void => {
  check(
    "events are read in the order of their commits, of one account and mode",
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* read({}), { _tag: "EventsPage", events: [], last: null, hasMore: false })
      const written = yield* nineEvents
      const own = written.filter(({ livemode }) => !livemode)
      const last = written.at(-1)?.id ?? null
      assert.deepStrictEqual(yield* read({}), { _tag: "EventsPage", events: own, last, hasMore: false })
      assert.deepStrictEqual(
        (yield* read({}, { ...tenant, livemode: true })).events,
        written.filter(({ livemode }) => livemode)
      )
      assert.deepStrictEqual((yield* read({}, { ...tenant, account: "other" })).events, [])
      assert.strictEqual((yield* read({}, { ...tenant, account: "other" })).last, last)
    })
  )

  check(
    "each page of events begins after the last one, and none is missing or twice",
    Effect.gen(function* () {
      const written = yield* nineEvents
      const own = written.filter(({ livemode }) => !livemode)
      for (const limit of [1, 2, 3, 5, 6]) {
        const seen: Array<PaymentEvent> = []
        let page = yield* read({ limit })
        for (; page.hasMore; page = yield* read({ limit, after: page.last })) {
          assert.strictEqual(page.events.length, limit)
          assert.strictEqual(page.last, page.events.at(-1)?.id)
          seen.push(...page.events)
        }
        seen.push(...page.events)
        assert.deepStrictEqual(seen, own)
        assert.deepStrictEqual(yield* read({ limit, after: page.last }), {
          _tag: "EventsPage",
          events: [],
          last: written.at(-1)?.id ?? null,
          hasMore: false
        })
      }
      // Also after an event of another mode.
      assert.deepStrictEqual((yield* read({ after: written[4]?.id ?? null })).events, own.slice(3))
    })
  )

  check(
    "events are read by type and by payment, in the order of the payment's sequence",
    Effect.gen(function* () {
      const written = yield* nineEvents
      const of = (keeps: (event: PaymentEvent) => boolean) => written.filter((event) => !event.livemode && keeps(event))
      const [first, , third] = types
      assert.deepStrictEqual(
        (yield* read({ types: [third] })).events,
        of(({ type }) => type === third)
      )
      assert.deepStrictEqual(
        (yield* read({ types: [third, first] })).events,
        of(({ type }) => type === first || type === third)
      )
      assert.deepStrictEqual((yield* read({ types: ["payment.disputed"] })).events, [])
      const ofPayment = of((event) => event.paymentId === paymentId(3))
      assert.deepStrictEqual((yield* read({ paymentId: paymentId(3) })).events, ofPayment)
      const page = yield* read({ paymentId: paymentId(3), limit: 2 })
      assert.deepStrictEqual(page, {
        _tag: "EventsPage",
        events: ofPayment.slice(0, 2),
        last: ofPayment[1]?.id ?? null,
        hasMore: true
      })
      assert.deepStrictEqual((yield* read({ paymentId: paymentId(3), after: page.last })).events, ofPayment.slice(2))
      assert.deepStrictEqual(
        (yield* read({ paymentId: paymentId(3), types: [third] })).events,
        ofPayment.filter(({ type }) => type === third)
      )
      assert.deepStrictEqual((yield* read({ paymentId: paymentId(2) })).events, [], "of the other mode")
      assert.deepStrictEqual((yield* read({ paymentId: paymentId(99) })).events, [])
    })
  )

  check(
    "after an event that is not stored, reading resumes after an older one of the account",
    Effect.gen(function* () {
      const { eventsAfter } = yield* PaymentStore
      const missingAt = (time: number) =>
        // Boundary: it has the shape of an id.
        eventsAfter(tenant, { ...everyEvent, after: firstPaymentId(time).replace("pay_", "evt_") as EventId })
      const time = 1_790_812_800_000
      assert.deepStrictEqual(yield* missingAt(time), { _tag: "EventNotStored", resumeAfter: null })
      const [own, other] = [aRecord(1), aRecord(2, { livemode: true })]
      yield* Effect.forEach([own, other], begin)
      const event = (record: PaymentRecord, n: number, type: (typeof types)[number], createdAt: number) =>
        anEvent(record, type, { id: eventId(n), sequence: n, createdAt })
      const second = yield* write(own, [event(own, 1, "payment.succeeded", time - resumeMargin - 2)])
      yield* write(second, [
        event(own, 2, "payment.pending", time - resumeMargin - 1),
        event(own, 3, "refund.pending", time - resumeMargin)
      ])
      yield* write(other, [{ ...event(other, 1, "refund.pending", time - resumeMargin - 1), id: eventId(4) }])
      assert.deepStrictEqual(yield* missingAt(time), { _tag: "EventNotStored", resumeAfter: eventId(2) })
      assert.deepStrictEqual(yield* missingAt(time - 1), { _tag: "EventNotStored", resumeAfter: eventId(1) })
      assert.deepStrictEqual(yield* missingAt(time - 2), { _tag: "EventNotStored", resumeAfter: null })
    })
  )
}

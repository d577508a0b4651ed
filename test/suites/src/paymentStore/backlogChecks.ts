import type { Payment, PaymentRecord } from "@paymux/core"
import { PaymentStore } from "@paymux/core/store"
import type { Backlog } from "@paymux/core/store"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import type { StoreCheck } from "./StoreCheck.ts"
import {
  anAttempt,
  anEvent,
  anInboxEntry,
  anOperation,
  aRecord,
  aResolution,
  aReview,
  eventId,
  succeeded
} from "./records.ts"

const nothing: Backlog = {
  eventSince: null,
  operationDueSince: null,
  inboxDueSince: null,
  unknownAttempts: 0,
  unknownSince: null,
  inReview: 0,
  parkedInbox: 0
}

const backlog = (now: number) => Effect.flatMap(Effect.service(PaymentStore), (store) => store.backlog(now))

const begin = (record: PaymentRecord) =>
  Effect.flatMap(Effect.service(PaymentStore), (store) => store.begin({ record, binding: null }))

/** A payment that has ended: nothing of it waits. */
const done = (n: number, change: Partial<Payment> = {}): PaymentRecord => ({
  ...aRecord(n, change),
  attempts: [anAttempt(1, { status: "succeeded", endedAt: 2_000 })],
  operations: [anOperation(n, 1, { status: "succeeded", nextCheckAt: null })]
})

export const backlogChecks = (check: StoreCheck): void => {
  check(
    "nothing waits in an empty store, nor beside payments that have ended",
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* backlog(10_000), nothing)
      for (let n = 1; n <= 3; n++) yield* begin(done(n))
      assert.deepStrictEqual(yield* backlog(10_000), nothing)
    })
  )

  check(
    "an operation waits from when it is due, and the one that is due for longest is reported",
    Effect.gen(function* () {
      yield* begin({ ...aRecord(1), operations: [anOperation(1, 1, { nextCheckAt: 7_000 })] })
      yield* begin({ ...aRecord(2), operations: [anOperation(2, 1, { nextCheckAt: 4_000, status: "pending" })] })
      yield* begin({ ...aRecord(3), operations: [anOperation(3, 1, { nextCheckAt: null })] })
      assert.deepStrictEqual(yield* backlog(3_999), nothing)
      assert.strictEqual((yield* backlog(4_000)).operationDueSince, 4_000)
      assert.strictEqual((yield* backlog(9_000)).operationDueSince, 4_000)
    })
  )

  check(
    "attempts that are unknown are counted, with when the oldest began; others in flight are not",
    Effect.gen(function* () {
      const inFlight = (n: number, status: "sending" | "pending" | "unknown", startedAt: number) =>
        begin({
          ...done(n),
          attempts: [anAttempt(1, { status: "declined" }), anAttempt(2, { status, startedAt })]
        })
      yield* inFlight(1, "sending", 1_000)
      yield* inFlight(2, "pending", 1_001)
      yield* inFlight(3, "unknown", 3_000)
      yield* inFlight(4, "unknown", 2_000)
      const { unknownAttempts, unknownSince } = yield* backlog(10_000)
      assert.deepStrictEqual({ unknownAttempts, unknownSince }, { unknownAttempts: 2, unknownSince: 2_000 })
    })
  )

  check(
    "an event waits until it is dispatched",
    Effect.gen(function* () {
      const store = yield* PaymentStore
      for (const n of [1, 2]) {
        const before = aRecord(n)
        yield* store.begin({ record: before, binding: null })
        const after = succeeded(before)
        const event = anEvent(after, "payment.succeeded", { id: eventId(n), createdAt: n * 1_000 })
        yield* store.advance({ before, after, events: [event], evidence: null, binding: null, answer: null })
      }
      assert.strictEqual((yield* backlog(10_000)).eventSince, 1_000)
      yield* store.markDispatched([eventId(1)], 5_000)
      assert.strictEqual((yield* backlog(10_000)).eventSince, 2_000)
      yield* store.markDispatched([eventId(2)], 5_000)
      assert.deepStrictEqual(yield* backlog(10_000), nothing)
    })
  )

  check(
    "payments in review are counted over all accounts and modes",
    Effect.gen(function* () {
      yield* begin(done(1, { reviews: [aReview(1), aReview(2)] }))
      yield* begin(done(2, { reviews: [aReview(3, { reason: "late_success" })], account: "another", livemode: true }))
      yield* begin(done(3, { resolutions: [aResolution(1)] }))
      assert.deepStrictEqual(yield* backlog(10_000), { ...nothing, inReview: 2 })
    })
  )

  check(
    "of the inbox the entry that is due for longest is reported, and what is parked is counted",
    Effect.gen(function* () {
      const { inbox } = yield* PaymentStore
      yield* inbox.keep([
        anInboxEntry(1, { nextTryAt: 8_000 }),
        anInboxEntry(2, { nextTryAt: 6_000 }),
        anInboxEntry(3, { nextTryAt: null, status: "applied" }),
        anInboxEntry(4, { nextTryAt: null, status: "parked" }),
        anInboxEntry(5, { nextTryAt: null, status: "parked" })
      ])
      assert.deepStrictEqual(yield* backlog(5_999), { ...nothing, parkedInbox: 2 })
      assert.deepStrictEqual(yield* backlog(9_000), { ...nothing, inboxDueSince: 6_000, parkedInbox: 2 })
    })
  )
}

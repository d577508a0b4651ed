/** The events of a review, as they are sent. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import * as Outcome from "../../src/domain/Outcome.ts"
import { MemoryStore } from "@paymux/testkit/memory-store"
import { EventJson, eventBody } from "../../src/wire/EventJson.ts"
import { createOf, read, scripted, start, tenant, reported } from "../engine/fixtures.ts"

const strict = { onExcessProperty: "error", errors: "all" } as const

/** A payment of 1200 of which the provider reports 900: what its events say, strictly as documented. */
const mismatched = Effect.gen(function* () {
  const store = MemoryStore.make()
  const less = Outcome.succeeded({ reference: "ch_1" })
  const { create, payments, reviews } = yield* start(store, [
    scripted("a", {
      create: ({ amount }) => Effect.succeed({ ...less, amount: { ...amount, minorUnits: 900 } })
    })
  ])
  const record = yield* create()
  const events = Effect.map(store.undispatchedEvents(9), (rows) =>
    rows.map((row) => Schema.decodeUnknownSync(EventJson, strict)(JSON.parse(eventBody(row))))
  )
  return { record, events, payments, reviews, now: read(store, record) }
})

describe("the events of a review", () => {
  it.effect("carry the review as the payment shows it, and how it was resolved", () =>
    Effect.gen(function* () {
      const { events, now, record, reviews } = yield* mismatched
      const [review] = (yield* now).payment.reviews
      assert.isDefined(review)
      const { id } = record.payment
      const acceptance = { amount: 900, reason: "The customer pays the rest in cash" }
      const statement = {
        subject: { review: review.id },
        resolution: "succeeded",
        evidence: "seen",
        acceptance
      } as const
      yield* reviews.resolve(tenant, id, statement)
      const [pending, opened, succeeded, resolved] = yield* events
      assert.deepStrictEqual([pending?.data.review, succeeded?.data.review], [undefined, undefined])
      assert.deepStrictEqual(
        [pending, opened, succeeded, resolved].map((event) => [event?.type, event?.data.sequence]),
        [
          ["payment.pending", 1],
          ["payment.review_opened", 2],
          ["payment.succeeded", 3],
          ["payment.review_resolved", 4]
        ]
      )
      const item = {
        id: review.id,
        reason: "amount_mismatch",
        provider: "a",
        reference: "ch_1",
        operation: createOf(record),
        amount: 900,
        currency: "EUR",
        since: opened?.timestamp ?? ""
      } as const
      assert.deepStrictEqual(opened?.data.review, item)
      assert.deepStrictEqual(opened?.data.payment.reviews, [item])
      assert.deepStrictEqual(pending?.data.payment, opened?.data.payment, "both show the payment after the change")
      assert.deepStrictEqual(resolved?.data.review, { ...item, resolution: "succeeded" })
      assert.deepStrictEqual(resolved?.data.payment.reviews, [])
      assert.strictEqual(resolved?.data.payment.status, "succeeded")
    })
  )

  it.effect("have no resolution where a later report has settled it", () =>
    Effect.gen(function* () {
      const { events, payments, record } = yield* mismatched
      const { amount } = record.payment
      yield* payments.advance(reported(createOf(record), { _tag: "Succeeded", amount }))
      const last = (yield* events).at(-1)
      assert.strictEqual(last?.type, "payment.review_resolved")
      assert.isNull(last?.data.review?.resolution)
    })
  )
})

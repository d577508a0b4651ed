/** A refund whose answer is lost, and that the provider reports under its charge alone. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import type { Currency } from "../../src/domain/Money.ts"
import type { InquiryOutcome } from "../../src/domain/Outcome.ts"
import * as Outcome from "../../src/domain/Outcome.ts"
import { MemoryStore } from "@paymux/testkit/memory-store"
import { eventsOf, plain, read, reported, scripted, start, summary } from "./fixtures.ts"

const amount = { minorUnits: 700, currency: "EUR" as Currency }
const done = (reference: string) => Outcome.refundSucceeded({ amount, reference })

/** A refund of 700 was sent; `found`: what an inquiry about it answers. */
const environment = Effect.gen(function* () {
  const truth: { found: InquiryOutcome } = { found: Outcome.unknown({ reason: "server_error" }) }
  const asked: Array<string | null> = []
  const store = MemoryStore.make()
  const { create, payments } = yield* start(store, [
    scripted("a", {
      create: () => Effect.succeed(Outcome.succeeded({ reference: "ch_1" })),
      refund: () => Effect.succeed(Outcome.unknown({ reason: "duplicate" })),
      inquire: ({ kind, reference }) =>
        Effect.sync(() => {
          if (kind === "refund") asked.push(reference)
          return truth.found
        })
    })
  ])
  const record = yield* create()
  const { id } = record.payment
  yield* payments.refund(id, { minorUnits: amount.minorUnits, reason: null }, plain)
  return {
    asked,
    truth,
    now: Effect.map(read(store, record), summary),
    amounts: Effect.map(read(store, record), ({ payment }) => payment.reviews.map((each) => each.minorUnits)),
    events: eventsOf(store, id),
    report: (outcome: Outcome.Outcome, reference = "ch_1") =>
      payments.advance(reported({ provider: "a", providerReference: reference }, outcome))
  }
})

const settled = ["payment.succeeded", "refund.pending", "refund.succeeded"]

describe("a refund that is reported under its charge", () => {
  it.effect("succeeds at once, and an inquiry by our own id finds a second movement: one review", () =>
    Effect.gen(function* () {
      const { amounts, asked, events, now, report, truth } = yield* environment
      yield* report(done("re_9"))
      assert.deepStrictEqual((yield* now).later, ["requested refund 700 succeeded"])
      asked.length = 0
      truth.found = Outcome.succeeded({ reference: "re_5" })
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(asked, [null])
      assert.deepStrictEqual([(yield* now).reviews, yield* amounts], [["excess_refund"], [700]])
      for (const reference of ["re_5", "re_9"]) yield* report(done(reference))
      yield* TestClock.adjust("3 hours")
      assert.deepStrictEqual((yield* now).reviews, ["excess_refund"])
      assert.deepStrictEqual(yield* events, [...settled, "payment.review_opened"])
    })
  )

  it.effect("is inquired again while it is under way, and stands where it was the only movement", () =>
    Effect.gen(function* () {
      const { asked, events, now, report, truth } = yield* environment
      yield* report(done("re_9"))
      asked.length = 0
      truth.found = Outcome.pending()
      yield* TestClock.adjust("1 minute")
      assert.lengthOf(asked, 1)
      truth.found = Outcome.succeeded({ reference: "re_9" })
      yield* TestClock.adjust("2 hours")
      assert.lengthOf(asked, 2)
      assert.deepStrictEqual((yield* now).reviews, [])
      assert.deepStrictEqual(yield* events, settled)
    })
  )

  it.effect("fails where the payer's bank returned it, by the reference of the movement alone", () =>
    Effect.gen(function* () {
      const { events, now, report } = yield* environment
      yield* report(done("re_9"))
      yield* report(Outcome.refundFailed({ reference: "re_9" }), "re_9")
      assert.deepStrictEqual((yield* now).later, ["requested refund 700 declined"])
      assert.deepStrictEqual(yield* events, [...settled, "refund.failed"])
    })
  )
})

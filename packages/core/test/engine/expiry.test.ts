import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { TestClock } from "effect/testing"
import type { Capabilities } from "../../src/provider/Capabilities.ts"
import * as Outcome from "../../src/domain/Outcome.ts"
import type { InquiryOutcome } from "../../src/domain/Outcome.ts"
import { MemoryStore } from "@paymux/testkit/memory-store"
import { createOf, eventsOf, inquiryOnly, read, scripted, start, summary, reported } from "./fixtures.ts"
import type { Script } from "./fixtures.ts"

const minutes = 60_000

interface Answering {
  answer: InquiryOutcome
  inquiries: number
}

/** A payer who was shown a page that expires after ten minutes, at a provider that answers inquiries so. */
const shown = Effect.fnUntraced(function* (
  script: (provider: Answering) => Partial<Script>,
  declared: Partial<Capabilities["operations"]["create"]> = {}
) {
  const provider: Answering = { answer: Outcome.pending(), inquiries: 0 }
  const store = MemoryStore.make()
  const expiresAt = (yield* Clock.currentTimeMillis) + 10 * minutes
  const engine = yield* start(store, [
    scripted(
      "a",
      {
        create: () =>
          Effect.succeed(
            Outcome.pending({ reference: "pi_1", nextAction: { type: "redirect", url: "https://x.test", expiresAt } })
          ),
        inquire: ({ kind }) =>
          Effect.sync(
            () => (provider.inquiries++, kind === "create" ? provider.answer : Outcome.unknown({ reason: "timeout" }))
          ),
        ...script(provider)
      },
      { ...inquiryOnly, ...declared }
    ),
    scripted("b", { create: () => Effect.die(new Error("no other provider is tried")) })
  ])
  const record = yield* engine.create()
  const current = read(store, record)
  return {
    ...engine,
    provider,
    record,
    current,
    now: Effect.map(current, summary),
    events: eventsOf(store, record.payment.id)
  }
})

describe("a payer who did not do in time what was shown", () => {
  it.effect("is asked about first; then the provider closes it, and the payment fails with customer_timeout", () =>
    Effect.gen(function* () {
      const seen: Array<string> = []
      const { current, events, now } = yield* shown((provider) => ({
        cancel: ({ original }) =>
          Effect.sync(
            () => (seen.push(`cancel ${original?.reference} after ${provider.inquiries > 0}`), Outcome.succeeded())
          )
      }))
      yield* TestClock.adjust("9 minutes")
      assert.strictEqual((yield* now).state, "pending")
      yield* TestClock.adjust("90 seconds")
      assert.deepStrictEqual(yield* now, {
        state: "failed",
        reviews: [],
        attempts: ["a expired"],
        later: ["expiry cancel 1200 succeeded"]
      })
      const { state } = (yield* current).payment
      assert.strictEqual(state.status === "failed" && state.failure.code, "customer_timeout")
      assert.deepStrictEqual(seen, ["cancel pi_1 after true"])
      assert.deepStrictEqual(yield* events, ["payment.pending", "payment.failed"])
    })
  )

  it.effect("and paid at the last moment: what cannot be closed is asked about again, and succeeds", () =>
    Effect.gen(function* () {
      const { events, now } = yield* shown((provider) => ({
        cancel: () =>
          Effect.sync(() => {
            provider.answer = Outcome.succeeded()
            return Outcome.declined({ code: "processing_error", retry: "never" })
          })
      }))
      yield* TestClock.adjust("11 minutes")
      const { reviews, state } = yield* now
      assert.deepStrictEqual({ reviews, state }, { reviews: [], state: "succeeded" })
      assert.deepStrictEqual(yield* events, ["payment.pending", "payment.succeeded"])
    })
  )

  it.effect("and approved a second before: the inquiry finds it, nothing is closed and no failure is reported", () =>
    Effect.gen(function* () {
      let closes = 0
      const { events, now, provider } = yield* shown(() => ({
        cancel: () => Effect.sync(() => (closes++, Outcome.succeeded()))
      }))
      yield* TestClock.adjust("599 seconds")
      provider.answer = Outcome.succeeded()
      yield* TestClock.adjust("2 minutes")
      assert.deepStrictEqual([(yield* now).state, closes], ["succeeded", 0])
      assert.deepStrictEqual(yield* events, ["payment.pending", "payment.succeeded"])
    })
  )

  it.effect("and paid while the close was planned: it is not sent any more", () =>
    Effect.gen(function* () {
      let closes = 0
      const { now, payments, record } = yield* shown(() => ({
        // Closed only with the second try: in between, the payment is paid.
        cancel: () => Effect.sync(() => (closes++, Outcome.notExecuted({ reason: "not_sent" })))
      }))
      yield* TestClock.adjust("610 seconds")
      const sent = closes
      assert.isAbove(sent, 0)
      assert.deepStrictEqual((yield* now).later, ["expiry cancel 1200 planned"])
      yield* payments.advance(reported(createOf(record), { _tag: "Succeeded" }))
      yield* TestClock.adjust("1 hour")
      const { later, reviews, state } = yield* now
      assert.deepStrictEqual(
        { later, reviews, state },
        { later: ["expiry cancel 1200 canceled"], reviews: [], state: "succeeded" }
      )
      assert.strictEqual(closes, sent)
    })
  )

  it.effect("and approved after we showed it expired: it succeeds, late", () =>
    Effect.gen(function* () {
      const { current, events, payments } = yield* shown(() => ({
        cancel: () => Effect.succeed(Outcome.succeeded({ reference: "pi_1" }))
      }))
      yield* TestClock.adjust("11 minutes")
      yield* payments.advance(reported({ provider: "a", providerReference: "pi_1" }, { _tag: "Succeeded" }))
      assert.deepStrictEqual((yield* current).payment.state, { status: "succeeded", late: true })
      assert.deepStrictEqual(yield* events, ["payment.pending", "payment.failed", "payment.succeeded"])
    })
  )

  it.effect("where nothing can be closed, is given up after the declared time and an inquiry, not before", () =>
    Effect.gen(function* () {
      const { current, now } = yield* shown(() => ({}), { abandonedAfter: "30 minutes" })
      yield* TestClock.adjust("29 minutes")
      assert.strictEqual((yield* now).state, "pending")
      yield* TestClock.adjust("2 hours")
      assert.deepStrictEqual((yield* now).attempts, ["a expired"])
      const { state } = (yield* current).payment
      assert.strictEqual(state.status === "failed" && state.failure.code, "customer_timeout")
    })
  )

  it.effect("is not given up on the word of a clock: an inquiry that fails says nothing", () =>
    Effect.gen(function* () {
      const { now, provider } = yield* shown(() => ({}), { abandonedAfter: "30 minutes" })
      provider.answer = Outcome.unknown({ reason: "server_error" })
      yield* TestClock.adjust("6 hours")
      assert.strictEqual((yield* now).state, "pending")
    })
  )

  it.effect("where neither is declared, stays pending and is no case for an operator", () =>
    Effect.gen(function* () {
      const { now } = yield* shown(() => ({}))
      yield* TestClock.adjust("6 hours")
      assert.deepStrictEqual(yield* now, { state: "pending", reviews: [], attempts: ["a pending"], later: [] })
    })
  )

  it.effect("opens a review if the close is refused and the outcome stays open", () =>
    Effect.gen(function* () {
      const { now } = yield* shown(() => ({
        cancel: () => Effect.succeed(Outcome.declined({ code: "unsupported", retry: "never" }))
      }))
      yield* TestClock.adjust("6 hours")
      const { later, reviews, state } = yield* now
      assert.deepStrictEqual(
        { later, reviews, state },
        { later: ["expiry cancel 1200 declined"], reviews: ["close_failed"], state: "pending" }
      )
    })
  )

  it.effect("opens a review in the end if the provider keeps answering with an unmapped status", () =>
    Effect.gen(function* () {
      const { now, provider } = yield* shown(() => ({}), askedRarely)
      provider.answer = Outcome.unknown({ reason: "unmapped", vendorCode: "new_word" })
      yield* TestClock.adjust("1 hour")
      assert.deepStrictEqual((yield* now).reviews, [])
      yield* TestClock.adjust("3 hours")
      const { reviews, state } = yield* now
      assert.deepStrictEqual({ reviews, state }, { reviews: ["inquiries_exhausted"], state: "pending" })
    })
  )

  it.effect("whose provider does not answer is asked on, and is no case for an operator", () =>
    Effect.gen(function* () {
      const { now, provider } = yield* shown(() => ({}), askedRarely)
      provider.answer = Outcome.unknown({ reason: "server_error" })
      yield* TestClock.adjust("4 hours")
      const asked = provider.inquiries
      yield* TestClock.adjust("1 day")
      assert.isAbove(provider.inquiries, asked)
      assert.deepStrictEqual((yield* now).reviews, [])
    })
  )
})

/** Three times in two hours, then once a day. */
const askedRarely = { inquiry: { by: "providerReference", costly: true }, abandonedAfter: "30 minutes" } as const

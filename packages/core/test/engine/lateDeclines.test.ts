/** A decline that is reported when no other provider may be tried any more, or by an instance that is another one by now. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import * as Outcome from "../../src/domain/Outcome.ts"
import { MemoryStore } from "@paymux/testkit/memory-store"
import { createOf, plain, read, reported, scripted, start, summary } from "./fixtures.ts"

const pending = () => Effect.succeed(Outcome.pending())
const succeeds = () => Effect.succeed(Outcome.succeeded())
const declined: Outcome.Outcome = { _tag: "Declined", code: "issuer_unavailable", retry: "other_provider" }

/** A payment that waits for its first provider, and what its second one was sent. */
const waiting = Effect.gen(function* () {
  const store = MemoryStore.make()
  const sends: Array<string> = []
  const { create, payments } = yield* start(store, [
    scripted("a", { create: pending, cancel: pending }),
    scripted("b", { create: ({ id }) => Effect.sync(() => (sends.push(id), Outcome.succeeded())) })
  ])
  const record = yield* create()
  /** What the second provider was sent, once the first one has declined. */
  const afterDecline = Effect.gen(function* () {
    yield* payments.advance(reported(createOf(record), declined))
    yield* TestClock.adjust("1 second")
    return { attempts: summary(yield* read(store, record)).attempts, sent: sends.length }
  })
  return { afterDecline, payments, record }
})

describe("a soft decline", () => {
  it.effect("within the deadline of the payment is followed by the next provider", () =>
    Effect.gen(function* () {
      const { afterDecline } = yield* waiting
      yield* TestClock.adjust("44 seconds")
      assert.deepStrictEqual(yield* afterDecline, { attempts: ["a declined", "b succeeded"], sent: 1 })
    })
  )

  it.effect("after the deadline is followed by none", () =>
    Effect.gen(function* () {
      const { afterDecline } = yield* waiting
      yield* TestClock.adjust("46 seconds")
      assert.deepStrictEqual(yield* afterDecline, { attempts: ["a declined"], sent: 0 })
    })
  )

  it.effect("of a payment that the merchant cancels is followed by none", () =>
    Effect.gen(function* () {
      const { afterDecline, payments, record } = yield* waiting
      yield* Effect.orDie(payments.cancel(record.payment.id, plain))
      assert.deepStrictEqual(yield* afterDecline, { attempts: ["a declined"], sent: 0 })
    })
  )
})

describe("a report of an instance that has the credentials of the other mode by now", () => {
  it.effect("is about no payment of the mode that it had before", () =>
    Effect.gen(function* () {
      const store = MemoryStore.make()
      const before = yield* start(store, [
        scripted("a", { create: () => Effect.succeed(Outcome.pending({ reference: "ref" })) })
      ])
      const record = yield* before.create()
      yield* before.end
      const { inbox } = yield* start(store, [scripted("a", { create: succeeds }, undefined, "live")])
      const report = reported({ provider: "a", providerReference: "ref" }, { _tag: "Succeeded" })
      const named = reported(createOf(record), { _tag: "Succeeded" })
      for (const each of [report, named]) assert.strictEqual(yield* inbox.observe("a", each), "kept")
      assert.strictEqual((yield* read(store, record)).payment.state.status, "pending")
    })
  )
})

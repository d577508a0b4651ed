/** When the reply to a commit is lost, the engine reads the payment back to find out whether the commit was applied. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { changed } from "../../src/domain/transition/change.ts"
import * as Outcome from "../../src/domain/Outcome.ts"
import { MemoryStore } from "@paymux/testkit/memory-store"
import { StoreUnavailable } from "../../src/store/PaymentStore.ts"
import { createOf, read, scripted, start, summary, reported } from "./fixtures.ts"
import type { Store } from "./fixtures.ts"

const succeeds = () => Effect.succeed(Outcome.succeeded())
const notSent = () => Effect.succeed(Outcome.notExecuted({ reason: "not_sent" }))

/** The first commit after `begin` is not applied. A concurrent commit is applied instead, and the reply is an error. */
const overtaken = (inner: Store): Store => {
  let commits = 0
  return {
    ...inner,
    advance: (commit) =>
      Effect.gen(function* () {
        commits++
        if (commits > 1) return yield* inner.advance(commit)
        const { record: after } = changed(commit.before, 0, { disputedAt: 0 }, null)
        yield* inner.advance({ before: commit.before, after, events: [], evidence: null, binding: null, answer: null })
        return yield* new StoreUnavailable({ cause: "no reply" })
      })
  }
}

/** The first commit after `begin` is applied, and a concurrent commit after it; the reply is an error. */
const followed = (inner: Store): Store => {
  let commits = 0
  return {
    ...inner,
    advance: (commit) =>
      Effect.gen(function* () {
        commits++
        const result = yield* inner.advance(commit)
        if (commits > 1) return result
        const { record: after } = changed(commit.after, 0, { disputedAt: 0 }, null)
        yield* inner.advance({ before: commit.after, after, events: [], evidence: null, binding: null, answer: null })
        return yield* new StoreUnavailable({ cause: "no reply" })
      })
  }
}

describe("a commit without a reply, after a concurrent commit", () => {
  it.effect("is retried: the success is not lost", () =>
    Effect.gen(function* () {
      const inner = MemoryStore.make()
      const engine = yield* start(overtaken(inner), [scripted("a", { create: succeeds })])
      const record = yield* engine.create()
      const now = yield* read(inner, record)
      assert.deepStrictEqual(summary(now).attempts, ["a succeeded"])
      assert.strictEqual(now.payment.state.status, "succeeded")
      assert.strictEqual(now.payment.disputedAt, 0)
    })
  )

  it.effect("is retried before the next provider receives the payment", () =>
    Effect.gen(function* () {
      const inner = MemoryStore.make()
      const sends: Array<string> = []
      const engine = yield* start(overtaken(inner), [
        scripted("a", { create: notSent }),
        scripted("b", { create: ({ id }) => Effect.sync(() => (sends.push(id), Outcome.succeeded())) })
      ])
      const record = yield* engine.create()
      const now = yield* read(inner, record)
      assert.deepStrictEqual(summary(now).attempts, ["a not_executed", "b succeeded"])
      assert.deepStrictEqual(sends, [createOf(now, 2)])
    })
  )
})

describe("a commit without a reply, before a concurrent commit", () => {
  it.effect("stands: the next provider receives the payment once, and at once", () =>
    Effect.gen(function* () {
      const inner = MemoryStore.make()
      const sends: Array<string> = []
      const engine = yield* start(followed(inner), [
        scripted("a", { create: notSent }),
        scripted("b", { create: ({ id }) => Effect.sync(() => (sends.push(id), Outcome.succeeded())) })
      ])
      const record = yield* engine.create()
      const now = yield* read(inner, record)
      assert.deepStrictEqual(summary(now).attempts, ["a not_executed", "b succeeded"])
      assert.deepStrictEqual([sends, now.payment.disputedAt], [[createOf(now, 2)], 0])
    })
  )
})

describe("evidence about a payment that is not known yet", () => {
  it.effect("waits three days after it arrived, at any date, and is then foreign", () =>
    Effect.gen(function* () {
      const store = MemoryStore.make()
      const engine = yield* start(store, [scripted("a", { create: succeeds })], { reconciler: { every: 3_600_000 } })
      yield* TestClock.adjust("30 days")
      const about = { provider: "a", providerReference: "pi_unknown" }
      assert.strictEqual(yield* engine.inbox.observe("a", reported(about, { _tag: "Succeeded" })), "kept")
      const waiting = store.inbox.claimDue({
        provider: "a",
        owner: "test",
        now: Number.MAX_SAFE_INTEGER,
        until: 0,
        limit: 9
      })
      yield* TestClock.adjust("2 days")
      assert.lengthOf(yield* waiting, 1)
      yield* TestClock.adjust("2 days")
      assert.deepStrictEqual(yield* waiting, [])
      assert.deepStrictEqual(yield* store.inbox.parked(9), [])
    })
  )
})

describe("an engine that ends", () => {
  it.effect("waits for requests in flight, and no longer", () =>
    Effect.gen(function* () {
      const engine = yield* start(
        MemoryStore.make(),
        [scripted("a", { create: () => Effect.delay(succeeds(), "2 seconds") })],
        { drain: 60_000 }
      )
      const caller = yield* Effect.forkChild(engine.create())
      yield* TestClock.adjust("100 millis")
      const state = { ended: false }
      yield* Effect.forkChild(
        Effect.andThen(
          engine.end,
          Effect.sync(() => (state.ended = true))
        )
      )
      yield* TestClock.adjust("1 second")
      assert.isFalse(state.ended)
      yield* TestClock.adjust("2 seconds")
      assert.isTrue(state.ended)
      assert.strictEqual((yield* Fiber.join(caller)).payment.state.status, "succeeded")
    })
  )

  it.effect("waits for the attempt that a webhook began, too", () =>
    Effect.gen(function* () {
      const store = MemoryStore.make()
      const pending = () => Effect.succeed(Outcome.pending())
      const engine = yield* start(
        store,
        [scripted("a", { create: pending }), scripted("b", { create: () => Effect.delay(succeeds(), "2 seconds") })],
        { drain: 60_000 }
      )
      const record = yield* engine.create()
      const declined = { _tag: "Declined", code: "issuer_unavailable", retry: "other_provider" } as const
      yield* Effect.forkChild(engine.payments.advance(reported(createOf(record), declined)))
      yield* TestClock.adjust("100 millis")
      const ending = yield* Effect.forkChild(engine.end)
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(summary(yield* read(store, record)).attempts, ["a declined", "b sending"])
      assert.isUndefined(ending.pollUnsafe())
      yield* TestClock.adjust("2 seconds")
      assert.isDefined(ending.pollUnsafe())
      assert.deepStrictEqual(summary(yield* read(store, record)).attempts, ["a declined", "b succeeded"])
    })
  )
})

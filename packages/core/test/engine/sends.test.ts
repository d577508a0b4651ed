/** How often one attempt is sent, and for how long. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import * as Outcome from "../../src/domain/Outcome.ts"
import { MemoryStore } from "@paymux/testkit/memory-store"
import { idempotent, inquiryOnly, read, scripted, start, summary } from "./fixtures.ts"

describe("an attempt", () => {
  it.effect("is sent three times at most, under one key", () =>
    Effect.gen(function* () {
      const keys: Array<string> = []
      const isReset = Outcome.unknown({ reason: "reset_reused" })
      const engine = yield* start(MemoryStore.make(), [
        scripted("a", { create: ({ key }) => Effect.sync(() => (keys.push(key), isReset)) }, idempotent)
      ])
      const caller = yield* Effect.forkChild(engine.create())
      yield* TestClock.adjust("50 seconds")
      yield* Fiber.join(caller)
      assert.lengthOf(keys, 3)
      assert.strictEqual(new Set(keys).size, 1)
    })
  )

  it.effect("whose card provider does not answer is unknown after 20 seconds", () =>
    Effect.gen(function* () {
      const store = MemoryStore.make()
      const engine = yield* start(store, [scripted("a", { create: () => Effect.never }, inquiryOnly)])
      const caller = yield* Effect.forkChild(engine.create())
      yield* TestClock.adjust("19900 millis")
      const record = yield* Fiber.join(caller)
      assert.deepStrictEqual(summary(yield* read(store, record)).attempts, ["a sending"])
      yield* TestClock.adjust("200 millis")
      assert.deepStrictEqual(summary(yield* read(store, record)).attempts, ["a unknown"])
    })
  )

  it.effect("that can no longer be repeated waits 15 minutes for a webhook", () =>
    Effect.gen(function* () {
      const isLost = () => Effect.succeed(Outcome.unknown({ reason: "unreadable" }))
      const engine = yield* start(MemoryStore.make(), [
        scripted("a", { create: isLost }, { idempotency: { by: "header", lifetime: "24 hours" } })
      ])
      const caller = yield* Effect.forkChild(engine.create())
      yield* TestClock.adjust("30 seconds")
      const { operations, payment } = yield* Fiber.join(caller)
      assert.strictEqual(operations[0]?.status, "unknown")
      assert.strictEqual(operations[0]?.nextCheckAt, payment.updatedAt + 15 * 60_000)
    })
  )
})

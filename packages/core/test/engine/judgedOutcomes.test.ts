import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import * as Outcome from "../../src/domain/Outcome.ts"
import { MemoryStore } from "@paymux/testkit/memory-store"
import { createOf, read, scripted, start, summary, reported } from "./fixtures.ts"

describe("an outcome that does not close its attempt", () => {
  it.effect("leaves it unknown, and its reference and vendor code are stored", () =>
    Effect.gen(function* () {
      const store = MemoryStore.make()
      const create = () => Effect.succeed(Outcome.unknown({ reason: "timeout" }))
      const engine = yield* start(store, [scripted("a", { create })])
      const caller = yield* Effect.forkChild(engine.create())
      yield* TestClock.adjust("11 seconds")
      const record = yield* Fiber.join(caller)
      const outcome = Outcome.notFound({ reference: "ch_7", vendorCode: "no_such_charge" })
      yield* engine.payments.advance(reported(createOf(record), outcome))
      const now = yield* read(store, record)
      assert.deepStrictEqual(summary(now).attempts, ["a unknown"])
      assert.deepInclude(now.operations[0], { status: "unknown", reference: "ch_7" })
      assert.deepInclude(now.attempts[0], { vendorCode: "no_such_charge" })
    })
  )
})

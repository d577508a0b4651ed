/** A provider whose rate limit may come after it has executed the request. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import * as Outcome from "../../src/domain/Outcome.ts"
import { rateLimited } from "../../src/provider/ProviderError.ts"
import { MemoryStore } from "@paymux/testkit/memory-store"
import { idempotent, read, scripted, start, summary } from "./fixtures.ts"

/** The first send is limited, the second one is not executed; another provider is there. */
const limitedThenRefused = Effect.fnUntraced(function* (rateLimitIsNotExecuted: boolean) {
  const store = MemoryStore.make()
  const sends: Array<string> = []
  const create = () =>
    Effect.suspend(() =>
      sends.push("a") === 1
        ? Effect.fail(rateLimited(1000))
        : Effect.succeed(Outcome.notExecuted({ reason: "proof_code" }))
    )
  const engine = yield* start(store, [
    scripted("a", { create }, { ...idempotent, rateLimitIsNotExecuted }),
    scripted("b", { create: () => Effect.sync(() => (sends.push("b"), Outcome.succeeded())) })
  ])
  const caller = yield* Effect.forkChild(engine.create())
  yield* TestClock.adjust("10 seconds")
  const after = summary(yield* read(store, yield* Fiber.join(caller)))
  return { sends, attempts: after.attempts }
})

describe("after a rate limit, a request that is then proven not executed", () => {
  it.effect("is not sent to another provider if the limited one may have been executed", () =>
    Effect.gen(function* () {
      const { attempts, sends } = yield* limitedThenRefused(false)
      assert.deepStrictEqual([sends, attempts], [["a", "a"], ["a unknown"]])
    })
  )

  it.effect("is sent to another provider if a limited one is never executed", () =>
    Effect.gen(function* () {
      const { attempts, sends } = yield* limitedThenRefused(true)
      assert.deepStrictEqual(
        [sends, attempts],
        [
          ["a", "a", "b"],
          ["a not_executed", "b succeeded"]
        ]
      )
    })
  )
})

import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber } from "effect"
import { makeConcurrentRequests } from "../src/server/access/ConcurrentRequests.ts"

describe("concurrent requests of the dashboard", () => {
  it.effect("so many run, so many wait, and the next is refused without running", () =>
    Effect.gen(function* () {
      const limited = makeConcurrentRequests({ running: 2, waiting: 1, perAccount: 3 })
      const gate = yield* Deferred.make<void>()
      const started: Array<number> = []
      const request = (id: number) =>
        limited(
          "a",
          Effect.andThen(
            Effect.sync(() => started.push(id)),
            Deferred.await(gate)
          )
        )
      const fibers = yield* Effect.forEach([1, 2, 3], (id) => Effect.forkChild(request(id)))
      yield* Effect.yieldNow
      assert.deepStrictEqual(started, [1, 2])
      const refused = yield* Effect.flip(request(4))
      assert.strictEqual(refused.code, "overloaded")
      yield* Deferred.succeed(gate, undefined)
      yield* Effect.forEach(fibers, Fiber.join)
      assert.deepStrictEqual(started, [1, 2, 3])
      yield* request(5)
    })
  )

  it.effect("an interrupted request, running or waiting, leaves its place", () =>
    Effect.gen(function* () {
      const limited = makeConcurrentRequests({ running: 1, waiting: 1, perAccount: 2 })
      const running = yield* Effect.forkChild(limited("a", Effect.never))
      const waiting = yield* Effect.forkChild(limited("a", Effect.never))
      yield* Effect.yieldNow
      yield* Fiber.interrupt(waiting)
      yield* Fiber.interrupt(running)
      assert.isTrue(Exit.isSuccess(yield* Effect.exit(limited("a", Effect.void))))
    })
  )

  it.effect("one account does not take the places of the others", () =>
    Effect.gen(function* () {
      const limited = makeConcurrentRequests({ running: 4, waiting: 4, perAccount: 2 })
      const held = yield* Effect.forEach([1, 2], () => Effect.forkChild(limited("a", Effect.never)))
      yield* Effect.yieldNow
      assert.strictEqual((yield* Effect.flip(limited("a", Effect.void))).code, "overloaded")
      yield* limited("b", Effect.void)
      yield* Effect.forEach(held, Fiber.interrupt)
      yield* limited("a", Effect.void)
    })
  )
})

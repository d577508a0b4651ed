import { assert, describe, it } from "@effect/vitest"
import type { Tenant } from "@paymux/core"
import { Deferred, Effect, Exit, Fiber } from "effect"
import { makeConcurrentRequests, makeRequestLimits, makeTurns } from "../src/server/access/ConcurrentRequests.ts"
import type { RequestKind } from "../src/server/access/ConcurrentRequests.ts"

const tenantOf = (account: string, livemode = false) => ({ account, livemode })
const [a, b] = [tenantOf("a"), tenantOf("b")]

describe("concurrent requests of the dashboard", () => {
  it.effect("so many run, so many wait, and the next is refused without running", () =>
    Effect.gen(function* () {
      const limited = makeConcurrentRequests({ running: 2, waiting: 1, perTenant: 3 })
      const gate = yield* Deferred.make<void>()
      const started: Array<number> = []
      const request = (id: number) =>
        limited(
          a,
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
      const limited = makeConcurrentRequests({ running: 1, waiting: 1, perTenant: 2 })
      const running = yield* Effect.forkChild(limited(a, Effect.never))
      const waiting = yield* Effect.forkChild(limited(a, Effect.never))
      yield* Effect.yieldNow
      yield* Fiber.interrupt(waiting)
      yield* Fiber.interrupt(running)
      assert.isTrue(Exit.isSuccess(yield* Effect.exit(limited(a, Effect.void))))
    })
  )

  it.effect("one account does not take the places of the others", () =>
    Effect.gen(function* () {
      const limited = makeConcurrentRequests({ running: 4, waiting: 4, perTenant: 2 })
      const held = yield* Effect.forEach([1, 2], () => Effect.forkChild(limited(a, Effect.never)))
      yield* Effect.yieldNow
      assert.strictEqual((yield* Effect.flip(limited(a, Effect.void))).code, "overloaded")
      yield* limited(b, Effect.void)
      yield* Effect.forEach(held, Fiber.interrupt)
      yield* limited(a, Effect.void)
    })
  )

  it.effect(
    "test mode does not take the places of live mode, nor slow receivers those of refunds, nor both those of reads",
    () =>
      Effect.gen(function* () {
        const limited = makeRequestLimits()
        const fill = (kind: RequestKind, tenant: Tenant) =>
          Effect.forkChild(Effect.result(limited(kind, tenant, Effect.never)))
        const accounts = Array.from({ length: 100 }, (_, n) => `shop_${n}`)
        const held = yield* Effect.forEach(accounts, (account) => fill("outside", tenantOf(account)))
        yield* Effect.yieldNow
        assert.strictEqual((yield* Effect.flip(limited("outside", b, Effect.void))).code, "overloaded")
        for (const kind of ["database", "money"] as const) yield* limited(kind, b, Effect.void)
        yield* limited("outside", tenantOf("shop_0", true), Effect.void)
        const moved = yield* Effect.forEach(accounts, (account) => fill("money", tenantOf(account)))
        yield* Effect.yieldNow
        assert.strictEqual((yield* Effect.flip(limited("money", b, Effect.void))).code, "overloaded")
        yield* limited("database", b, Effect.void)
        yield* limited("money", tenantOf("shop_0", true), Effect.void)
        yield* Effect.forEach([...held, ...moved], Fiber.interrupt)
      })
  )

  it.effect("refunds of one account wait their turn, and leave places for those of another", () =>
    Effect.gen(function* () {
      const limited = makeRequestLimits()
      const gate = yield* Deferred.make<void>()
      const held = yield* Effect.forEach(Array.from({ length: 24 }), () =>
        Effect.forkChild(limited("money", a, Deferred.await(gate)))
      )
      yield* Effect.yieldNow
      assert.strictEqual((yield* Effect.flip(limited("money", a, Effect.void))).code, "overloaded")
      const other = yield* Effect.forkChild(limited("money", b, Effect.void))
      yield* Effect.yieldNow
      assert.isUndefined(other.pollUnsafe())
      yield* Deferred.succeed(gate, undefined)
      yield* Effect.forEach([...held, other], Fiber.join)
      yield* limited("money", a, Effect.void)
    })
  )

  it.live("one of them begins in each turn of the event loop", () =>
    Effect.gen(function* () {
      const turn = makeTurns()
      let turns = 0
      const count = () => {
        turns++
        return setImmediate(() => (counting = count()))
      }
      let counting = count()
      const began = yield* Effect.forEach(
        [1, 2, 3, 4, 5],
        () =>
          Effect.andThen(
            turn,
            Effect.sync(() => turns)
          ),
        {
          concurrency: "unbounded"
        }
      )
      clearImmediate(counting)
      assert.lengthOf(new Set(began), 5)
    })
  )
})

import { assert, describe, it, layer } from "@effect/vitest"
import { Clock, Deferred, Effect, Exit, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import { CurrentLoopClock, makeReadShare, readShareDefaults } from "../../src/server/ReadShare.ts"
import type { LoopClock, ReadShareSettings } from "../../src/server/ReadShare.ts"
import { minimal, TestServer } from "../support/server.ts"

/** An event loop that is busy for as long as reads say, in the time of the test. */
const reading = (settings: Partial<ReadShareSettings> = {}) =>
  Effect.map(Clock.Clock, (clock) => {
    const loop = { busy: 0 }
    const time: LoopClock = {
      now: () => Number(clock.monotonicTimeNanosUnsafe()) / 1e6,
      busy: () => loop.busy,
      sleep: Effect.sleep
    }
    const reads = makeReadShare({ ...readShareDefaults, ...settings }, time)
    /** Holds the event loop for so long. */
    const read = (ms: number, line = "a") =>
      reads.run(
        line,
        Effect.andThen(
          Effect.sync(() => (loop.busy += ms)),
          Effect.sleep(ms)
        )
      )
    return { loop, reads, read }
  })

describe("the share of reads", () => {
  it.effect("forty readers use their share of the event loop, and no more", () =>
    Effect.gen(function* () {
      const { loop, read } = yield* reading()
      const readers = Array.from({ length: 40 }, () => Effect.forever(Effect.exit(read(5))))
      yield* Effect.forkChild(Effect.all(readers, { concurrency: "unbounded", discard: true }))
      for (let ms = 0; ms < 10_000; ms += 10) yield* TestClock.adjust(10)
      const { burst, share } = readShareDefaults
      assert.isAtLeast(loop.busy, (share - 0.01) * 10_000)
      assert.isAtMost(loop.busy, (share + 0.02) * 10_000 + burst)
    })
  )

  it.effect("a page that sends ten reads at once after a pause does not wait for the budget", () =>
    Effect.gen(function* () {
      const { read } = yield* reading()
      const page = yield* Effect.forkChild(
        Effect.all(
          Array.from({ length: 10 }, () => read(5)),
          { concurrency: "unbounded" }
        )
      )
      // Four at a time.
      for (let ms = 0; ms < 30; ms += 5) yield* TestClock.adjust(5)
      assert.isDefined(page.pollUnsafe())
    })
  )

  it.effect(
    "one that waits for the database while payments use the event loop is charged little, and delays no other",
    () =>
      Effect.gen(function* () {
        const { loop, read, reads } = yield* reading()
        const found = yield* Deferred.make<void>()
        const search = yield* Effect.forkChild(reads.run("a", Deferred.await(found)), { startImmediately: true })
        for (let ms = 0; ms < 2000; ms += 10) {
          loop.busy += 6
          yield* TestClock.adjust(10)
        }
        const other = yield* Effect.forkChild(read(1, "b"), { startImmediately: true })
        yield* TestClock.adjust(1)
        assert.isDefined(other.pollUnsafe())
        yield* Deferred.succeed(found, undefined)
        yield* Fiber.join(search)
      })
  )

  it.effect("a read that waits for longer than its patience is refused with 429 and not run", () =>
    Effect.gen(function* () {
      const { read, reads } = yield* reading({ burst: 1 })
      const others = yield* Effect.forEach(Array.from({ length: 5 }), () => Effect.forkChild(Effect.exit(read(1000))))
      let isRun = false
      const refused = yield* Effect.forkChild(
        Effect.flip(
          reads.run(
            "a",
            Effect.sync(() => (isRun = true))
          )
        )
      )
      yield* TestClock.adjust(999)
      assert.isUndefined(refused.pollUnsafe())
      yield* TestClock.adjust(1)
      const { code, retryAfterSeconds } = yield* Fiber.join(refused)
      assert.deepStrictEqual([code, retryAfterSeconds, isRun], ["rate_limited", 1, false])
      yield* Effect.forEach(others, Fiber.interrupt)
    })
  )

  it.effect("more than so many reads of one line do not wait, and those of another do", () =>
    Effect.gen(function* () {
      const { read } = yield* reading({ burst: 1, perLine: 2, waiting: 3 })
      const fork = (line: string) => Effect.forkChild(Effect.exit(read(20, line)))
      const first = yield* fork("a")
      yield* Effect.yieldNow
      const [, , third] = yield* Effect.forEach(["a", "a", "a"], fork)
      yield* Effect.yieldNow
      assert.isTrue(third?.pollUnsafe() !== undefined && Exit.isFailure(yield* Fiber.join(third)))
      const other = yield* fork("b")
      const beyond = yield* fork("c")
      yield* Effect.yieldNow
      assert.isUndefined(other.pollUnsafe())
      assert.isTrue(Exit.isFailure(yield* Fiber.join(beyond)))
      yield* TestClock.adjust(3000)
      for (const fiber of [first, other]) assert.isTrue(Exit.isSuccess(yield* Fiber.join(fiber)))
    })
  )

  it.effect("accounts take turns: a read of another account is next, however many of one wait", () =>
    Effect.gen(function* () {
      const { read } = yield* reading({ burst: 1 })
      const order: Array<string> = []
      const over = yield* Effect.forkChild(read(20))
      yield* TestClock.adjust(20)
      yield* Fiber.join(over)
      const enter = (line: string) =>
        Effect.forkChild(
          Effect.andThen(
            read(10, line),
            Effect.sync(() => order.push(line))
          )
        )
      const all = yield* Effect.forEach(["a", "a", "a", "a", "b"], enter)
      for (let ms = 0; ms < 900; ms += 5) yield* TestClock.adjust(5)
      yield* Effect.forEach(all, Fiber.join)
      assert.deepStrictEqual(order, ["a", "b", "a", "a", "a"])
    })
  )

  it.effect("so many run at once, also if they wait for the database and use no time", () =>
    Effect.gen(function* () {
      const { reads } = yield* reading({ running: 2 })
      const answer = yield* Deferred.make<void>()
      let begun = 0
      const read = reads.run(
        "a",
        Effect.andThen(
          Effect.sync(() => begun++),
          Deferred.await(answer)
        )
      )
      const all = yield* Effect.forEach([read, read, read], (each) => Effect.forkChild(each))
      yield* TestClock.adjust(500)
      assert.strictEqual(begun, 2)
      yield* Deferred.succeed(answer, undefined)
      yield* TestClock.adjust(5)
      yield* Effect.forEach(all, Fiber.join)
      assert.strictEqual(begun, 3)
    })
  )

  it.effect("a read that is interrupted while it waits or runs leaves its place", () =>
    Effect.gen(function* () {
      const { read, reads } = yield* reading({ burst: 1, perLine: 1 })
      const running = yield* Effect.forkChild(reads.run("a", Effect.never))
      yield* Effect.yieldNow
      const over = yield* Effect.forkChild(read(20))
      yield* TestClock.adjust(20)
      yield* Fiber.join(over)
      const waiting = yield* Effect.forkChild(read(5))
      yield* Effect.yieldNow
      yield* Fiber.interrupt(waiting)
      yield* Fiber.interrupt(running)
      const next = yield* Effect.forkChild(read(5))
      yield* TestClock.adjust(1000)
      yield* Fiber.join(next)
    })
  )

  it.effect("the time in which no read runs, or a read waits for the database, is not used up", () =>
    Effect.gen(function* () {
      const { loop, read, reads } = yield* reading({ burst: 10 })
      yield* reads.run("a", Effect.void)
      loop.busy += 10_000
      const answer = yield* Deferred.make<void>()
      const waits = yield* Effect.forkChild(reads.run("a", Deferred.await(answer)))
      yield* TestClock.adjust(10_000)
      yield* Deferred.succeed(answer, undefined)
      yield* Fiber.join(waits)
      const next = yield* Effect.forkChild(read(1))
      yield* TestClock.adjust(1)
      assert.isDefined(next.pollUnsafe())
    })
  )
})

/** Each look at the clock finds that the event loop was busy for a minute, and nothing waits for less than ever. */
const busyLoop = Layer.sync(CurrentLoopClock, () => {
  let busy = 0
  return { now: () => 0, busy: () => (busy += 60_000), sleep: () => Effect.void }
})

describe("over HTTP", () => {
  layer(TestServer.layer().pipe(Layer.provide(busyLoop)))((it) => {
    it.effect("a list above the share is 429 with Retry-After, and a read by id is answered", () =>
      Effect.gen(function* () {
        const { ask } = yield* TestServer
        const made = yield* ask({ body: minimal })
        const { id } = JSON.parse(made.text)
        // Each is charged half of the burst.
        for (const _ of ["first", "second"]) assert.strictEqual((yield* ask({ path: "/v1/payments" })).status, 200)
        const refused = yield* ask({ path: "/v1/payments" })
        assert.strictEqual(refused.status, 429)
        assert.strictEqual(JSON.parse(refused.text).code, "rate_limited")
        assert.strictEqual(refused.headers["retry-after"], "1")
        assert.strictEqual((yield* ask({ path: `/v1/payments/${id}` })).status, 200)
        assert.strictEqual((yield* ask({ body: minimal })).status, 201)
      })
    )
  })
})

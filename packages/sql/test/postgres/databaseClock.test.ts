import { assert, describe, it } from "@effect/vitest"
import { PaymentStore } from "@paymux/core/store"
import { Clock, Effect, Layer, Logger, Redacted } from "effect"
import { ConnectionError, SqlError } from "effect/sql/SqlError"
import { temporaryDatabase } from "../../../../test/support/PostgresDatabases.ts"
import { coreMigrations, PostgresClient, PostgresDatabase, PostgresPaymentStore } from "../../src/index.ts"
import { databaseClock } from "../../src/postgres/databaseClock.ts"

const real = Clock.Clock.defaultValue()

/** A clock whose wall clock is `wall.ahead` ms ahead of the machine's. */
const wrongClock = (
  wall: { readonly ahead: number },
  monotonic: () => bigint = () => real.monotonicTimeNanosUnsafe()
): Clock.Clock => {
  const millis = () => real.currentTimeMillisUnsafe() + wall.ahead
  const nanos = () => real.currentTimeNanosUnsafe() + BigInt(wall.ahead) * 1_000_000n
  return {
    currentTimeMillisUnsafe: millis,
    currentTimeMillis: Effect.sync(millis),
    currentTimeNanosUnsafe: nanos,
    currentTimeNanos: Effect.sync(nanos),
    monotonicTimeNanosUnsafe: monotonic,
    monotonicTimeNanos: Effect.sync(monotonic),
    sleep: (duration) => real.sleep(duration)
  }
}

/** A clock whose monotonic time changes only where a test changes it. */
const manualClock = (monotonic: { readonly ms: number }): Clock.Clock =>
  wrongClock({ ahead: 0 }, () => BigInt(Math.round(monotonic.ms * 1_000_000)))

const lost = new SqlError({
  reason: new ConnectionError({ cause: new Error("lost"), message: "lost", operation: "query" })
})

/** A database that returns `answer.now`, or fails where that is `null`. */
const fakeDatabase = (answer: { now: number | null; readonly onQuery?: () => void }) => {
  let queries = 0
  const query: PostgresDatabase["Service"]["query"] = () =>
    Effect.suspend(() => {
      queries++
      answer.onQuery?.()
      return answer.now === null ? Effect.fail(lost) : Effect.succeed([{ now: answer.now }])
    })
  /** Waits until a measurement that starts from now on is complete. */
  const measured = Effect.suspend(() => {
    const enough = queries + 3
    return Effect.repeat(Effect.sleep("2 millis"), { until: () => queries >= enough })
  })
  return { query, measured }
}

describe("the clock of the database", () => {
  it.live("is correct on a machine whose wall clock is wrong or jumps", () =>
    Effect.gen(function* () {
      const url = yield* temporaryDatabase([coreMigrations])
      const wall = { ahead: 20 * 60_000 }
      const layer = PostgresPaymentStore.layer.pipe(
        Layer.provideMerge(PostgresClient.layer({ url: Redacted.make(url) }))
      )
      yield* Effect.gen(function* () {
        const store = yield* PaymentStore
        const { query } = yield* PostgresDatabase
        for (const ahead of [20 * 60_000, -3_600_000, 0]) {
          wall.ahead = ahead
          const now = yield* store.now
          const [row] = yield* query("SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now", [])
          assert.isTrue(Number.isSafeInteger(now))
          assert.isBelow(Math.abs(Number(row?.["now"]) - now), 2_000)
        }
      }).pipe(Effect.provide(layer), Effect.provideService(Clock.Clock, wrongClock(wall)))
    })
  )

  it.live("advances with the monotonic clock in whole milliseconds, and accounts for half of the round trip", () =>
    Effect.gen(function* () {
      const monotonic = { ms: 500 }
      const { query } = fakeDatabase({ now: 1_000_000, onQuery: () => (monotonic.ms += 40) })
      const now = yield* Effect.provideService(databaseClock({ query }), Clock.Clock, manualClock(monotonic))
      assert.strictEqual(yield* now, 1_000_020)
      monotonic.ms += 1.9
      assert.strictEqual(yield* now, 1_000_021)
      // The reader may have another clock.
      assert.strictEqual(yield* Effect.provideService(now, Clock.Clock, manualClock({ ms: 0 })), 1_000_021)
    })
  )

  it.live(
    "is measured periodically: it goes on at half speed while it is ahead of the database, and never backwards",
    () =>
      Effect.gen(function* () {
        const monotonic = { ms: 0 }
        const answer: { now: number | null } = { now: 50_000 }
        const { measured, query } = fakeDatabase(answer)
        const clock = databaseClock({ query }, "1 millis")
        const now = yield* Effect.provideService(clock, Clock.Clock, manualClock(monotonic))
        assert.strictEqual(yield* now, 50_000)
        answer.now = 54_000
        yield* measured
        assert.strictEqual(yield* now, 54_000)
        answer.now = 53_000
        yield* measured
        assert.strictEqual(yield* now, 54_000)
        monotonic.ms = 500
        answer.now = 53_500
        yield* measured
        assert.strictEqual(yield* now, 54_250)
        monotonic.ms = 2_000
        answer.now = 55_000
        yield* measured
        assert.strictEqual(yield* now, 55_000)
      })
  )

  it.live(
    "steps back, with an error in the log, when the database's clock was set back by more than half a minute",
    () =>
      Effect.gen(function* () {
        const monotonic = { ms: 0 }
        const answer: { now: number | null } = { now: 90_000_000 }
        const { measured, query } = fakeDatabase(answer)
        const logged: Array<string> = []
        const logger = Logger.make(({ logLevel, message }) => void logged.push(`${logLevel}: ${String(message)}`))
        yield* Effect.gen(function* () {
          const clock = databaseClock({ query }, "1 millis")
          const now = yield* Effect.provideService(clock, Clock.Clock, manualClock(monotonic))
          assert.strictEqual(yield* now, 90_000_000)
          answer.now = 82_800_000
          yield* measured
          assert.strictEqual(yield* now, 82_800_000)
          monotonic.ms = 1_500
          answer.now = 82_801_500
          yield* measured
          assert.strictEqual(yield* now, 82_801_500)
        }).pipe(Effect.provide(Logger.layer([logger])))
        assert.deepStrictEqual(logged, [
          "Error: The clock of the database was set back by 7200 s. Synchronize it (NTP), and check payments that were created in the meantime."
        ])
      })
  )

  it.live("keeps the last measurement when the next one fails or takes too long", () =>
    Effect.gen(function* () {
      const monotonic = { ms: 0 }
      let took = 0
      const answer: { now: number | null; onQuery: () => void } = { now: 5_000, onQuery: () => (monotonic.ms += took) }
      const { measured, query } = fakeDatabase(answer)
      const clock = databaseClock({ query }, "1 millis")
      const now = yield* Effect.provideService(clock, Clock.Clock, manualClock(monotonic))
      answer.now = null
      yield* measured
      assert.strictEqual(yield* now, 5_000)
      answer.now = 90_000_000
      took = 1_001
      yield* measured
      assert.isBelow(yield* now, 1_000_000)
      took = 0
      yield* measured
      assert.strictEqual(yield* now, 90_000_000)
    })
  )

  it.live("fails when the first measurement fails", () =>
    Effect.gen(function* () {
      const { query } = fakeDatabase({ now: null })
      assert.strictEqual((yield* Effect.flip(databaseClock({ query })))._tag, "SqlError")
    })
  )
})

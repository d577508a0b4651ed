/** A sender whose clock was wrong and is set right. Its time passes on the test's clock; `wrong.by` is the error, in ms. */
import { assert, describe, it } from "@effect/vitest"
import type { EventId } from "@paymux/core/store"
import { Clock, Effect, Exit, Layer, Scope } from "effect"
import { TestClock } from "effect/testing"
import { SqlClient } from "effect/sql"
import {
  longestDelay,
  longestRetryAfter,
  nextDelay,
  nextListenerDelay,
  retryDelays
} from "../src/delivery/RetrySchedule.ts"
import { WebhookDeliveries } from "../src/index.ts"
import type { WebhookSender } from "../src/index.ts"
import { receiver, status } from "./Receiver.ts"
import {
  addEndpoint,
  deliveryRows,
  environment,
  eventually,
  many,
  postgresEnvironment,
  tenant
} from "./TestEnvironment.ts"

const second = 1_000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

const databases = { SQLite: environment, PostgreSQL: postgresEnvironment } as const

/** The test's clock, off by `wrong.by`. */
const wrongClock = Effect.fnUntraced(function* (wrong: { readonly by: number }) {
  const right = yield* Clock.Clock
  const millis = () => right.currentTimeMillisUnsafe() + wrong.by
  const clock: Clock.Clock = {
    currentTimeMillisUnsafe: millis,
    currentTimeMillis: Effect.sync(millis),
    currentTimeNanosUnsafe: () => BigInt(millis()) * 1_000_000n,
    currentTimeNanos: Effect.sync(() => BigInt(millis()) * 1_000_000n),
    monotonicTimeNanosUnsafe: () => right.monotonicTimeNanosUnsafe(),
    monotonicTimeNanos: right.monotonicTimeNanos,
    sleep: (duration) => right.sleep(duration)
  }
  return clock
})

/** Starts the sender, whose clock is wrong, and returns what stops it. */
const start = Effect.fnUntraced(function* <E, R>(sender: Layer.Layer<WebhookSender, E, R>, wrong = { by: 0 }) {
  const scope = yield* Scope.make()
  yield* Effect.addFinalizer(() => Scope.close(scope, Exit.void))
  yield* Effect.provideService(Layer.buildWithScope(sender, scope), Clock.Clock, yield* wrongClock(wrong))
  return Scope.close(scope, Exit.void)
})

/** In steps of a second, each after the database has answered. */
const passUntil = Effect.fnUntraced(function* (holds: () => boolean, most: number) {
  for (let passed = 0; passed < most && !holds(); passed += second) {
    yield* TestClock.adjust(second)
    yield* Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 15)))
  }
})

const errors = { "2 minutes": 2 * minute, "2 hours": 2 * hour, "40 days": 40 * day } as const

for (const [database, environmentOf] of Object.entries(databases)) {
  describe(`on ${database}, a sender's clock is set right`, () => {
    for (const [direction, sign] of [
      ["ahead", 1],
      ["behind", -1]
    ] as const) {
      for (const [size, error] of Object.entries(errors)) {
        for (const isRunning of [true, false]) {
          const when = isRunning ? "while it runs" : "while it does not run"
          it.effect(`by ${size}, ${direction}, ${when}: a failed delivery is sent again in its time, and once`, () =>
            Effect.gen(function* () {
              yield* TestClock.setTime(Date.UTC(2026, 0, 31, 12))
              const wrong = { by: sign * error }
              const { received, sender } = receiver((_, nth) => status(nth === 1 ? 500 : 200), { poll: second })
              yield* addEndpoint("https://shop.io/hook")
              yield* many(1)
              const stop = yield* start(sender, wrong)
              yield* passUntil(() => received.length === 1, 10 * second)
              yield* eventually(Effect.map(deliveryRows, ([row]) => row?.attempts === 1))
              if (!isRunning) yield* stop
              wrong.by = 0
              if (!isRunning) yield* start(sender, wrong)
              yield* passUntil(() => received.length === 2, 5 * second + minute)
              assert.strictEqual(received.length, 2)
              yield* passUntil(() => received.length > 2, 5 * second)
              assert.strictEqual(received.length, 2)
            }).pipe(Effect.provide(environmentOf()))
          )

          it.effect(`by ${size}, ${direction}, ${when}: an attempt that is under way is not made twice`, () =>
            Effect.gen(function* () {
              yield* TestClock.setTime(Date.UTC(2026, 0, 31, 12))
              const wrong = { by: sign * error }
              const { received, sender } = receiver(() => Effect.delay(status(200), 12 * second), {
                poll: second,
                grace: 20 * second
              })
              yield* addEndpoint("https://shop.io/hook")
              yield* many(1)
              yield* start(sender, wrong)
              yield* passUntil(() => received.length === 1, 10 * second)
              wrong.by = 0
              yield* passUntil(() => received.length > 1, 30 * second)
              assert.strictEqual(received.length, 1)
              assert.strictEqual((yield* deliveryRows)[0]?.status, "delivered")
            }).pipe(Effect.provide(environmentOf()))
          )
        }
      }
    }
  })

  describe(`on ${database}, after a clock that was ahead`, () => {
    const now = Date.UTC(2026, 0, 31, 12)
    const set = (assignments: string) =>
      Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe(`UPDATE ${assignments}`))
    const corrected = Effect.flatMap(WebhookDeliveries, (deliveries) => deliveries.correctDueTimes(now, 100))
    const oneDelivery = Effect.gen(function* () {
      yield* addEndpoint("https://shop.io/hook")
      yield* many(1)
      const { sender } = receiver(() => status(500), { poll: hour })
      const stop = yield* start(sender)
      yield* eventually(Effect.map(deliveryRows, ([row]) => row?.attempts === 1))
      yield* stop
    })

    it.effect("a delivery is due now if it is later than the longest delay, or set by an attempt in the future", () =>
      Effect.gen(function* () {
        yield* oneDelivery
        const due = (deliverAt: number, lastAt: number) =>
          Effect.andThen(set(`webhook_deliveries SET deliver_at = ${deliverAt}, last_at = ${lastAt}`), corrected)
        assert.strictEqual(yield* due(now + minute + longestDelay, now), 0)
        assert.strictEqual(yield* due(now + minute + longestDelay + 1, now), 1)
        assert.strictEqual(Number((yield* deliveryRows)[0]?.deliver_at), now)
        assert.strictEqual(yield* due(now + 2 * hour, now + minute), 0)
        assert.strictEqual(yield* due(now + 2 * hour, now + minute + 1), 1)
        assert.strictEqual(yield* corrected, 0)
      }).pipe(Effect.provide(environmentOf()))
    )

    it.effect(
      "an endpoint's pause ends if it is longer than a `Retry-After` may be, or set by an attempt in the future",
      () =>
        Effect.gen(function* () {
          yield* oneDelivery
          const paused = (until: number, lastAt: number) =>
            Effect.andThen(
              set(`webhook_endpoints SET paused_until = ${until}`),
              Effect.andThen(set(`webhook_deliveries SET deliver_at = ${now}, last_at = ${lastAt}`), corrected)
            )
          assert.strictEqual(yield* paused(now + minute + longestRetryAfter, now), 0)
          assert.strictEqual(yield* paused(now + minute + longestRetryAfter + 1, now), 1)
          assert.strictEqual(yield* paused(now + 2 * hour, now + minute), 0)
          assert.strictEqual(yield* paused(now + 2 * hour, now + minute + 1), 1)
        }).pipe(Effect.provide(environmentOf()))
    )

    it.effect("all deliveries are due, also if there are more than one statement corrects", () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(now)
        const sql = yield* SqlClient.SqlClient
        const { id: endpointId } = yield* addEndpoint("https://shop.io/hook")
        const waiting = Array.from({ length: 2_100 }, (_, n) => ({
          // Boundary of a test: nothing is sent.
          eventId: `evt_${n}` as EventId,
          endpointId,
          ...tenant,
          happenedAt: now,
          status: "pending" as const,
          order: null
        }))
        yield* WebhookDeliveries.use(({ add }) => add(waiting, now))
        yield* set(`webhook_endpoints SET disabled_at = ${now}`)
        yield* set(`webhook_deliveries SET deliver_at = ${now + 40 * day}`)
        yield* start(receiver(() => status(200), { poll: second }).sender)
        const ahead = sql`SELECT id FROM webhook_deliveries WHERE deliver_at > ${now} LIMIT 1`
        yield* eventually(Effect.map(ahead, ({ length }) => length === 0))
      }).pipe(Effect.provide(environmentOf()))
    )

    it.effect("a claim of a worker that has ended is over after the time of an attempt", () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(now)
        yield* oneDelivery
        yield* set(
          `webhook_deliveries SET deliver_at = ${now}, last_at = ${now}, claimed_by = 'ended', claimed_until = ${now + 2 * hour}`
        )
        const { received, sender } = receiver(() => status(200), { poll: second })
        yield* start(sender)
        yield* passUntil(() => received.length === 1, 2 * minute)
        assert.strictEqual(received.length, 1)
      }).pipe(Effect.provide(environmentOf()))
    )
  })
}

describe("the longest delay of a delivery", () => {
  it("is at least as long as every delay of the schedules", () => {
    for (let attempts = 0; attempts <= retryDelays.length; attempts++) {
      for (const retryAfter of [null, 0, hour, longestRetryAfter, Number.MAX_SAFE_INTEGER]) {
        assert.isAtMost(nextDelay(attempts, 0.999, retryAfter) ?? 0, longestDelay)
      }
      assert.isAtMost(nextListenerDelay(attempts + 1), longestDelay)
    }
    assert.strictEqual(nextDelay(1, 1, Number.MAX_SAFE_INTEGER), longestDelay)
  })
})

/** What ended long ago goes, and nothing else. */
import { assert, describe, it } from "@effect/vitest"
import { PaymentRecords } from "@paymux/test-suites"
import { Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { fanOut, WebhookDeliveries, WebhookDeliveryLog, WebhookEndpoints } from "../src/index.ts"
import type { DeliveryStatus } from "../src/index.ts"
import { pruneOnce } from "../src/delivery/Pruning.ts"
import { receiver, started, status } from "./Receiver.ts"
import {
  addEndpoint,
  deliveryRows,
  eventually,
  happens,
  postgresEnvironment,
  tenant,
  environment
} from "./TestEnvironment.ts"

const day = 86_400_000

/** `count` deliveries of an event each, oldest first, which ended `age` ms before day 100. */
const ended = Effect.fnUntraced(function* (first: number, count: number, age: number, as: DeliveryStatus) {
  const sql = yield* SqlClient.SqlClient
  const deliveries = yield* WebhookDeliveries
  const at = 100 * day - age
  const wanted = Array.from({ length: count }, (_, n) => ({
    ...tenant,
    eventId: PaymentRecords.eventId(first + n),
    endpointId: "we_1",
    happenedAt: at,
    status: "pending" as const,
    order: null
  }))
  yield* deliveries.add(wanted, at)
  yield* sql`UPDATE webhook_deliveries SET status = ${as} WHERE happened_at = ${at}`
})

/** The clock goes on for as long as it runs. */
const withTime = Effect.fnUntraced(function* <A, E, R>(work: Effect.Effect<A, E, R>) {
  const running = yield* Effect.forkChild(work)
  yield* eventually(Effect.map(TestClock.adjust(100), () => running.pollUnsafe() !== undefined))
  return yield* Fiber.join(running)
})

const statuses = Effect.map(deliveryRows, (rows) => rows.map((row) => row.status))

describe.each([
  ["SQLite", () => environment()],
  ["PostgreSQL", () => postgresEnvironment()]
] as const)("pruning on %s", (_, layer) => {
  it.effect("removes what ended before, delivered or not, in batches; what waits stays, however old", () =>
    Effect.gen(function* () {
      yield* ended(0, 1200, 40 * day, "delivered")
      yield* ended(2000, 3, 39 * day, "pending")
      yield* ended(3000, 300, 38 * day, "dead")
      yield* ended(4000, 300, 31 * day, "canceled")
      yield* ended(5000, 2, 29 * day, "delivered")
      yield* ended(6000, 1, 28 * day, "dead")
      yield* TestClock.setTime(100 * day)
      const deliveries = yield* WebhookDeliveries
      const first = yield* deliveries.prune({ after: 0, limit: 500, endedBefore: 70 * day })
      assert.strictEqual(first.removed, 500)
      assert.strictEqual(yield* withTime(pruneOnce(30 * day)), 1300)
      assert.deepStrictEqual(yield* statuses, ["pending", "pending", "pending", "delivered", "delivered", "dead"])
    }).pipe(Effect.provide(layer()))
  )

  it.effect("removes a delivery only together with its attempts", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { prune } = yield* WebhookDeliveries
      yield* ended(0, 1, 40 * day, "delivered")
      yield* sql`INSERT INTO webhook_attempts (delivery_id, attempt, ended_at, duration)
        SELECT id, 1, 7, 1 FROM webhook_deliveries`
      yield* sql`ALTER TABLE webhook_attempts RENAME TO out_of_reach`
      const range = { after: 0, limit: 500, endedBefore: 70 * day }
      yield* Effect.flip(prune(range))
      assert.deepStrictEqual(yield* statuses, ["delivered"])
      yield* sql`ALTER TABLE out_of_reach RENAME TO webhook_attempts`
      assert.strictEqual((yield* prune(range)).removed, 1)
      assert.deepStrictEqual(yield* statuses, [])
      assert.deepStrictEqual(yield* sql`SELECT attempt FROM webhook_attempts`, [])
    }).pipe(Effect.provide(layer()))
  )

  it.effect("two at once remove the same", () =>
    Effect.gen(function* () {
      yield* ended(0, 900, 40 * day, "delivered")
      yield* TestClock.setTime(100 * day)
      const [one, two] = yield* withTime(Effect.all([pruneOnce(day), pruneOnce(day)], { concurrency: 2 }))
      assert.strictEqual(one + two, 900)
      assert.deepStrictEqual(yield* statuses, [])
    }).pipe(Effect.provide(layer()))
  )

  it.effect("what is canceled after it has waited for long is kept from then on, and can be sent again", () =>
    Effect.gen(function* () {
      const endpoints = yield* WebhookEndpoints
      const { id } = yield* addEndpoint("https://shop.io")
      yield* happens(1, "payment.succeeded")
      yield* fanOut(10)
      yield* TestClock.setTime(100 * day)
      yield* endpoints.disableGone(tenant, id)
      assert.strictEqual(yield* pruneOnce(30 * day), 0)
      yield* endpoints.enable(tenant, id)
      assert.strictEqual(yield* WebhookDeliveryLog.use((log) => log.resendSince(tenant, 0, null)), 1)
    }).pipe(Effect.provide(layer()))
  )
})

describe("the sender", () => {
  const afterDays = Effect.fnUntraced(function* (days: number, keepDeliveriesFor?: number | null) {
    const { received, sender } = receiver(
      () => status(200),
      keepDeliveriesFor === undefined ? { poll: day } : { poll: day, keepDeliveriesFor }
    )
    yield* addEndpoint("https://shop.io")
    yield* happens(1, "payment.succeeded")
    yield* Effect.scoped(Effect.andThen(started(sender), TestClock.adjust(days * day)))
    assert.strictEqual(received.length, 1)
    return (yield* deliveryRows).length
  })

  it.effect("keeps a delivery for 30 days after it ended", () =>
    Effect.map(afterDays(29), (left) => assert.strictEqual(left, 1)).pipe(Effect.provide(environment()))
  )
  it.effect("and then removes it", () =>
    Effect.map(afterDays(31), (left) => assert.strictEqual(left, 0)).pipe(Effect.provide(environment()))
  )
  it.effect("for the configured time", () =>
    Effect.map(afterDays(3, 2 * day), (left) => assert.strictEqual(left, 0)).pipe(Effect.provide(environment()))
  )
  it.effect("or for ever", () =>
    Effect.map(afterDays(400, null), (left) => assert.strictEqual(left, 1)).pipe(Effect.provide(environment()))
  )
})

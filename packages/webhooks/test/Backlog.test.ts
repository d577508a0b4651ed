/** What of deliveries waits, on both databases. */
import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { deliveryBacklog, fanOut, WebhookDeliveries, WebhookEndpoints } from "../src/index.ts"
import type { Settlement } from "../src/index.ts"
import { addEndpoint, many, postgresEnvironment, settle, tenant, environment } from "./TestEnvironment.ts"

const deliveredAt = (now: number): Settlement => ({
  status: "delivered",
  attempts: 1,
  deliverAt: now,
  lastAt: now,
  duration: 5,
  lastStatus: 200,
  lastError: null,
  lastAnswer: null
})

const backlog = (later = 0) => Effect.flatMap(Clock.currentTimeMillis, (now) => deliveryBacklog(now + later))

describe.each([
  ["SQLite", () => environment()],
  ["PostgreSQL", () => postgresEnvironment()]
] as const)("deliveryBacklog on %s", (_, layer) => {
  it.effect("reports since when the oldest delivery is due, of enabled endpoints", () =>
    Effect.gen(function* () {
      const nothing = { dueSince: null, endpoints: { enabled: 0, failing: 0, slow: 0, disabled: 0 } }
      assert.deepStrictEqual(yield* backlog(), nothing)
      const { id } = yield* addEndpoint("https://shop.io/1")
      const disabled = yield* addEndpoint("https://shop.io/2")
      yield* many(3)
      yield* fanOut(100)
      const now = yield* Clock.currentTimeMillis
      const endpoints = yield* WebhookEndpoints
      yield* endpoints.disableGone(tenant, disabled.id)
      assert.deepStrictEqual(yield* backlog(), {
        dueSince: now,
        endpoints: { enabled: 1, failing: 0, slow: 0, disabled: 1 }
      })
      // Claimed or not, it waits until its try has ended.
      const deliveries = yield* WebhookDeliveries
      const claim = { endpoints: [{ id, limit: 100 }], owner: "worker", now, until: now + 60_000 }
      for (const delivery of yield* deliveries.claim(claim)) {
        yield* settle(delivery, {
          status: "pending",
          attempts: 1,
          deliverAt: now + 5_000,
          lastAt: now,
          duration: 5,
          lastStatus: 500,
          lastError: null,
          lastAnswer: null
        })
      }
      yield* endpoints.failed(id, now, null)
      const failing = { enabled: 0, failing: 1, slow: 0, disabled: 1 }
      assert.deepStrictEqual(yield* backlog(4_999), { dueSince: null, endpoints: failing })
      // The endpoint holds them back, not this server.
      assert.deepStrictEqual(yield* backlog(9_000), { dueSince: null, endpoints: failing })
      yield* endpoints.succeeded(id)
      const enabled = { enabled: 1, failing: 0, slow: 0, disabled: 1 }
      assert.deepStrictEqual(yield* backlog(9_000), { dueSince: now + 5_000, endpoints: enabled })
    }).pipe(Effect.provide(layer()))
  )

  it.effect("does not count the program's own listener as an endpoint, and reports its backlog", () =>
    Effect.gen(function* () {
      const endpoints = yield* WebhookEndpoints
      yield* endpoints.addProcess(tenant)
      yield* many(1)
      yield* fanOut(100)
      const { dueSince, endpoints: counted } = yield* backlog()
      assert.strictEqual(dueSince, yield* Clock.currentTimeMillis)
      assert.deepStrictEqual(counted, { enabled: 0, failing: 0, slow: 0, disabled: 0 })
    }).pipe(Effect.provide(layer()))
  )

  it.effect(
    "an endpoint that holds an attempt for two seconds is slow, and its backlog does not count; others' does",
    () =>
      Effect.gen(function* () {
        const deliveries = yield* WebhookDeliveries
        const hangs = yield* addEndpoint("https://shop.io/hangs")
        const well = yield* addEndpoint("https://shop.io/well")
        yield* many(100)
        yield* fanOut(100)
        const now = yield* Clock.currentTimeMillis
        const limits = (...ids: ReadonlyArray<string>) => ids.map((id) => ({ id, limit: 8 }))
        const claim = { owner: "worker", now, until: now + 30_000 }
        yield* deliveries.claim({ ...claim, endpoints: limits(hangs.id) })
        const both = { enabled: 2, failing: 0, slow: 0, disabled: 0 }
        const one = { ...both, enabled: 1, slow: 1 }
        assert.deepStrictEqual(yield* backlog(2_000), { dueSince: now, endpoints: both })
        assert.deepStrictEqual(yield* backlog(2_001), { dueSince: now, endpoints: one })
        const others = yield* deliveries.claim({ ...claim, endpoints: [{ id: well.id, limit: 100 }] })
        yield* deliveries.settle(others.map((delivery) => ({ delivery, settlement: deliveredAt(now) })))
        assert.deepStrictEqual(yield* backlog(29_999), { dueSince: null, endpoints: one })
        // The process is dead: nothing holds the deliveries back.
        assert.deepStrictEqual(yield* backlog(30_000), { dueSince: now, endpoints: both })
      }).pipe(Effect.provide(layer()))
  )

  it.effect(
    "a claimed delivery counts if it is overdue for longer than a lease: a hanging endpoint would be failing",
    () =>
      Effect.gen(function* () {
        const deliveries = yield* WebhookDeliveries
        const endpoints = yield* WebhookEndpoints
        const { id } = yield* addEndpoint("https://shop.io/1")
        yield* many(10)
        yield* fanOut(100)
        const now = yield* Clock.currentTimeMillis
        const claimed = (later: number) =>
          deliveries.claim({
            owner: "worker",
            now: now + later,
            until: now + later + 30_000,
            endpoints: [{ id, limit: 8 }]
          })
        yield* claimed(0)
        // The results cannot be stored: the deliveries are claimed again once the lease has expired.
        yield* claimed(30_000)
        assert.deepStrictEqual(yield* backlog(40_000), {
          dueSince: now,
          endpoints: { enabled: 1, failing: 0, slow: 0, disabled: 0 }
        })
        yield* endpoints.failed(id, now + 15_000, null)
        assert.deepStrictEqual(yield* backlog(40_000), {
          dueSince: null,
          endpoints: { enabled: 0, failing: 1, slow: 0, disabled: 0 }
        })
      }).pipe(Effect.provide(layer()))
  )

  it.effect("walks no delivery but the first that is due of each endpoint", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const plan = yield* sql.onDialectOrElse({
        pg: () => Effect.succeed([]),
        orElse: () => sql<{ detail: string }>`EXPLAIN QUERY PLAN SELECT deliver_at FROM webhook_deliveries
          WHERE endpoint_id = 'we_1' AND status = 'pending' AND deliver_at <= 1 ORDER BY deliver_at, id LIMIT 1`
      })
      for (const { detail } of plan) assert.match(detail, /webhook_deliveries_due/)
    }).pipe(Effect.provide(layer()))
  )
})

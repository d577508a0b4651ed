/** What of deliveries waits, on both databases. */
import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { deliveryBacklog, fanOut, WebhookDeliveries, WebhookEndpoints } from "../src/index.ts"
import { addEndpoint, many, postgresEnvironment, settle, tenant, environment } from "./TestEnvironment.ts"

const backlog = (later = 0) => Effect.flatMap(Clock.currentTimeMillis, (now) => deliveryBacklog(now + later))

describe.each([
  ["SQLite", () => environment()],
  ["PostgreSQL", () => postgresEnvironment()]
] as const)("deliveryBacklog on %s", (_, layer) => {
  it.effect("reports since when the oldest delivery is due, of enabled endpoints", () =>
    Effect.gen(function* () {
      const nothing = { dueSince: null, endpoints: { enabled: 0, failing: 0, disabled: 0 } }
      assert.deepStrictEqual(yield* backlog(), nothing)
      const { id } = yield* addEndpoint("https://shop.io/1")
      const disabled = yield* addEndpoint("https://shop.io/2")
      yield* many(3)
      yield* fanOut(100)
      const now = yield* Clock.currentTimeMillis
      const endpoints = yield* WebhookEndpoints
      yield* endpoints.disableGone(disabled.id)
      assert.deepStrictEqual(yield* backlog(), {
        dueSince: now,
        endpoints: { enabled: 1, failing: 0, disabled: 1 }
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
      const failing = { enabled: 0, failing: 1, disabled: 1 }
      assert.deepStrictEqual(yield* backlog(4_999), { dueSince: null, endpoints: failing })
      assert.deepStrictEqual(yield* backlog(9_000), { dueSince: now + 5_000, endpoints: failing })
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
      assert.deepStrictEqual(counted, { enabled: 0, failing: 0, disabled: 0 })
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

/** From the tables of an older version to today's, with rows in them. */
import { assert, describe, it } from "@effect/vitest"
import type { MigrationSet } from "@paymux/core/store"
import { Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { temporaryDatabase } from "../../../test/support/PostgresDatabases.ts"
import { PostgresClient, runMigrations, SqliteClient } from "../../sql/src/index.ts"
import { pendingIndexes } from "../../sql/src/postgres/pendingIndexes.ts"
import { WebhookDeliveries, WebhookDeliveryLog, webhookMigrations } from "../src/index.ts"
import { tenant } from "./TestEnvironment.ts"

const upTo = (id: number): MigrationSet => ({
  ...webhookMigrations,
  migrations: webhookMigrations.migrations.slice(0, id)
})

const databases: ReadonlyArray<readonly [string, () => Layer.Layer<SqlClient.SqlClient>]> = [
  ["SQLite", () => Layer.orDie(SqliteClient.layer({ filename: ":memory:" }))],
  [
    "PostgreSQL",
    () =>
      Layer.orDie(
        Layer.unwrap(Effect.map(temporaryDatabase([]), (url) => PostgresClient.layer({ url: Redacted.make(url) })))
      )
  ]
]

describe.each(databases)("the tables on %s", (_, client) => {
  it.live.each([1, 2])("of step %i go on with what is in them", (step) =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* runMigrations([upTo(step)])
      yield* sql`INSERT INTO webhook_endpoints (id, account, livemode, url, secret, created_at)
        VALUES ('we_1', ${tenant.account}, ${tenant.livemode}, 'https://shop.io/', 'x', 1)`
      for (const [event, status] of [
        ["evt_1", "pending"],
        ["evt_2", "dead"]
      ]) {
        yield* sql`INSERT INTO webhook_deliveries (event_id, endpoint_id, account, livemode, attempts, status, deliver_at)
          VALUES (${event}, 'we_1', ${tenant.account}, ${tenant.livemode}, 1, ${status}, 5)`
      }
      yield* runMigrations([webhookMigrations])
      assert.strictEqual(yield* WebhookDeliveryLog.use((log) => log.resendSince(tenant, 0, null)), 1)
      const claim = { endpoints: [{ id: "we_1", limit: 10 }], owner: "one", now: 9e12, until: 9e12 + 1 }
      const claimed = yield* WebhookDeliveries.use((deliveries) => deliveries.claim(claim))
      assert.deepStrictEqual(
        claimed.map(({ eventId }) => eventId as string),
        ["evt_1", "evt_2"]
      )
    }).pipe(
      Effect.provide(Layer.merge(WebhookDeliveries.layer, WebhookDeliveryLog.layer)),
      Effect.provide(client(), { local: true })
    )
  )
})

it("on PostgreSQL the indexes of deliveries are built while deliveries are written, but for one over new columns", () => {
  const pending = (from: number) =>
    pendingIndexes(webhookMigrations.migrations.slice(from).flatMap(({ pg = [] }) => pg)).map(({ name }) => name)
  const newestFirst = ["by_tenant", "by_endpoint", "not_delivered", "pending"].map(
    (name) => `webhook_deliveries_${name}`
  )
  assert.deepStrictEqual(pending(1), ["webhook_deliveries_undelivered"])
  assert.deepStrictEqual(pending(2), [
    "webhook_deliveries_first_in_line",
    "webhook_deliveries_further_in_line",
    ...newestFirst
  ])
  assert.deepStrictEqual(pending(3), newestFirst)
})

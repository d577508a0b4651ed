/** The audit log on both databases: an entry for each write, none without one, and none that can be changed. */
import { assert, describe, it } from "@effect/vitest"
import { Ids } from "@paymux/core"
import { ApiKeys, apiKeyMigrations } from "@paymux/http"
import { runMigrations, PostgresClient, SqliteClient } from "@paymux/sql"
import { WebhookDeliveryLog, WebhookEndpoints, webhookMigrations } from "@paymux/webhooks"
import { Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { amount } from "../../../test/support/amount.ts"
import { temporaryDatabase } from "../../../test/support/PostgresDatabases.ts"
import {
  auditedApiKeys,
  auditedDeliveries,
  auditedEndpoints,
  AuditLog,
  CurrentActor,
  dashboardMigrations,
  pruneAudit
} from "../src/index.ts"
import type { Actor, NewAuditEntry } from "../src/index.ts"

const tables = [apiKeyMigrations, webhookMigrations, dashboardMigrations]

const services = Layer.mergeAll(
  Layer.provide(auditedApiKeys, ApiKeys.layer({ maxActive: 100_000 })),
  Layer.provide(
    auditedEndpoints,
    WebhookEndpoints.layer({ allow: [], secrets: [Redacted.make("the server's secret of these tests")] })
  ),
  Layer.provide(auditedDeliveries, WebhookDeliveryLog.layer)
).pipe(Layer.provideMerge(AuditLog.layer), Layer.provide(Ids.layer))

const sqlite = (): Layer.Layer<SqlClient.SqlClient> =>
  Layer.orDie(
    Layer.provideMerge(Layer.effectDiscard(runMigrations(tables)), SqliteClient.layer({ filename: ":memory:" }))
  )

const postgres = (): Layer.Layer<SqlClient.SqlClient> =>
  Layer.orDie(
    Layer.unwrap(Effect.map(temporaryDatabase(tables), (url) => PostgresClient.layer({ url: Redacted.make(url) })))
  )

const tenant = { account: "default", livemode: true }
const key = { account: "default", mode: "live", name: "shop" } as const

const asha: Actor = { kind: "user", id: "usr_1", name: "asha@example.com", role: "developer", address: "203.0.113.7" }

const all = AuditLog.use((log) => log.list(tenant, { limit: 1000 }))

const entry = (target: string): NewAuditEntry => ({
  tenant,
  action: "api_key.create",
  target,
  outcome: "done",
  before: null,
  after: { name: target }
})

describe.each([
  ["SQLite", amount({ part: 1000, all: 10_000 }), sqlite],
  ["PostgreSQL", amount({ part: 200, all: 1000 }), postgres]
] as const)("the audit log on %s", (_, many, database) => {
  const layer = () => Layer.provideMerge(services, database())

  it.effect("says who did what, when and from where, and what changed", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(1_700_000_000_000)
      const endpoints = yield* WebhookEndpoints
      const { endpoint } = yield* endpoints.add({ ...tenant, url: "https://shop.io/1" })
      yield* TestClock.adjust("1 minute")
      yield* Effect.provideService(
        endpoints.update(tenant, endpoint.id, { url: "https://shop.io/2", events: ["payment.failed"] }),
        CurrentActor,
        asha
      )
      const { entries } = yield* all
      const common = { ...tenant, target: endpoint.id, outcome: "done" as const }
      const before = { url: "https://shop.io/1", events: null, disabledAt: null, reason: null }
      assert.deepStrictEqual(
        entries.map(({ id: _id, ...rest }) => rest),
        [
          {
            ...common,
            at: 1_700_000_060_000,
            actor: asha,
            action: "webhook_endpoint.update",
            before,
            after: { ...before, url: "https://shop.io/2", events: ["payment.failed"] }
          },
          {
            ...common,
            at: 1_700_000_000_000,
            actor: { kind: "program", id: "program", name: null, role: null, address: null },
            action: "webhook_endpoint.create",
            before: null,
            after: before
          }
        ]
      )
    }).pipe(Effect.provide(layer()))
  )

  it.effect("says that failing deliveries disabled an endpoint, once, and why", () =>
    Effect.gen(function* () {
      const endpoints = yield* WebhookEndpoints
      const { endpoint: gone } = yield* endpoints.add({ ...tenant, url: "https://shop.io/1" })
      const { endpoint: failing } = yield* endpoints.add({ ...tenant, url: "https://shop.io/2" })
      const day = 86_400_000
      yield* Effect.forEach([day, 2 * day], (at) => endpoints.failed(failing.id, at, null))
      yield* TestClock.setTime(3 * day)
      const other = { account: "default", livemode: false }
      assert.isFalse(yield* endpoints.disableGone(other, gone.id))
      assert.isFalse(yield* endpoints.disableFailing(other, failing.id, day, 2))
      assert.isFalse(yield* endpoints.disableFailing(tenant, failing.id, day, 3))
      assert.isTrue(yield* endpoints.disableGone(tenant, gone.id))
      assert.isTrue(yield* endpoints.disableFailing(tenant, failing.id, day, 2))
      assert.isFalse(yield* endpoints.disableGone(tenant, gone.id))
      const { entries } = yield* all
      const actor: Actor = { kind: "program", id: "webhook deliveries", name: null, role: null, address: null }
      assert.deepStrictEqual(
        entries.slice(0, -2).map(({ action, actor, after, target }) => ({ action, actor, after, target })),
        [[failing, "failing"] as const, [gone, "gone"] as const].map(([{ id, url }, reason]) => ({
          action: "webhook_endpoint.disable",
          actor,
          after: { url, events: null, disabledAt: 3 * day, reason },
          target: id
        }))
      )
    }).pipe(Effect.provide(layer()))
  )

  it.effect("has no entry of what was not done, or not by this account and mode", () =>
    Effect.gen(function* () {
      const endpoints = yield* WebhookEndpoints
      const keys = yield* ApiKeys
      const { endpoint } = yield* endpoints.add({ ...tenant, url: "https://shop.io/1" })
      const { record } = yield* keys.create(key)
      const before = yield* all
      const other = { account: "default", livemode: false }
      yield* Effect.flip(endpoints.add({ ...tenant, url: "http://127.0.0.1/" }))
      yield* Effect.flip(keys.create({ ...key, name: "" }))
      yield* Effect.flip(keys.revoke("key_none"))
      yield* Effect.flip(keys.revoke(record.keyId, other))
      yield* Effect.flip(keys.rotate(record.keyId, { overlap: -1 }))
      assert.isNull(yield* endpoints.update(other, endpoint.id, { events: null }))
      assert.isNull(yield* endpoints.rotate(other, endpoint.id))
      assert.isFalse(yield* endpoints.disable(other, endpoint.id))
      assert.isFalse(yield* endpoints.remove(tenant, "we_none"))
      assert.deepStrictEqual(yield* WebhookDeliveryLog.use((log) => log.resend(tenant, "evt_none", null)), [])
      assert.deepStrictEqual(yield* all, before)
      assert.deepStrictEqual((yield* AuditLog.use((log) => log.list(other, { limit: 10 }))).entries, [])
    }).pipe(Effect.provide(layer()))
  )

  it.effect("undoes a change whose entry cannot be written", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const endpoints = yield* WebhookEndpoints
      const keys = yield* ApiKeys
      const { endpoint } = yield* endpoints.add({ ...tenant, url: "https://shop.io/1" })
      yield* sql`ALTER TABLE paymux_audit RENAME TO elsewhere`
      assert.strictEqual((yield* Effect.flip(endpoints.disable(tenant, endpoint.id)))._tag, "StoreUnavailable")
      assert.strictEqual((yield* Effect.flip(keys.create(key)))._tag, "ApiKeysUnavailable")
      assert.deepStrictEqual(yield* endpoints.list(tenant), [endpoint])
      assert.deepStrictEqual(yield* keys.list("default"), [])
    }).pipe(Effect.provide(layer()))
  )

  it.effect(
    `has an entry for each of ${many} random writes, and a secret in none`,
    () =>
      Effect.gen(function* () {
        const endpoints = yield* WebhookEndpoints
        const keys = yield* ApiKeys
        const sql = yield* SqlClient.SqlClient
        const secrets: Array<string> = []
        const random = seeded(20_261_124)
        let writes = 0
        const ids: Array<string> = []
        const keyIds: Array<string> = []
        const pick = (from: ReadonlyArray<string>) => from[Math.floor(random() * from.length)] ?? ""
        while (writes < many) {
          const dice = random()
          if (dice < 0.1 && ids.length < 40) {
            const { endpoint, secret } = yield* endpoints.add({ ...tenant, url: `https://shop.io/${writes}` })
            ids.push(endpoint.id)
            secrets.push(Redacted.value(secret))
            writes += 1
          } else if (dice < 0.3) {
            const { key: text, record } = yield* keys.create({ ...key, name: `n${writes}` })
            keyIds.push(record.keyId)
            secrets.push(Redacted.value(text))
            writes += 1
          } else if (dice < 0.4) {
            writes += yield* Effect.match(keys.revoke(pick(keyIds)), { onSuccess: () => 1, onFailure: () => 0 })
          } else if (dice < 0.5) {
            const rotated = yield* Effect.option(keys.rotate(pick(keyIds)))
            if (rotated._tag === "Some") {
              secrets.push(Redacted.value(rotated.value.key))
              writes += 1
            }
          } else if (dice < 0.65) {
            const rotated = yield* endpoints.rotate(tenant, pick(ids), { overlap: 0 })
            if (rotated !== null) secrets.push(Redacted.value(rotated.secret))
            writes += rotated === null ? 0 : 1
          } else if (dice < 0.75) {
            writes += (yield* endpoints.disable(tenant, pick(ids))) ? 1 : 0
          } else if (dice < 0.85) {
            writes += (yield* endpoints.enable(tenant, pick(ids))) ? 1 : 0
          } else {
            writes += (yield* endpoints.update(tenant, pick(ids), { events: ["payment.failed"] })) === null ? 0 : 1
          }
        }
        const rows = yield* sql`SELECT * FROM paymux_audit`
        assert.strictEqual(rows.length, writes)
        const text = JSON.stringify(rows)
        assert.isAtLeast(secrets.length, many / 5)
        for (const secret of secrets) assert.isFalse(text.includes(secret))
      }).pipe(Effect.provide(layer()))
    // Ten thousand transactions, each written to the end.
  )

  it.effect("cannot be changed, not even by SQL", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* AuditLog.use((log) => log.append(entry("key_1")))
      const before = yield* all
      const error = yield* Effect.flip(sql`UPDATE paymux_audit SET actor_id = 'someone else'`)
      assert.strictEqual(error._tag, "SqlError")
      assert.deepStrictEqual(yield* all, before)
    }).pipe(Effect.provide(layer()))
  )

  it.effect("is read page after page, and filtered by action, actor, target, outcome and time", () =>
    Effect.gen(function* () {
      const log = yield* AuditLog
      const start = 1_700_000_000_000
      for (let n = 0; n < 25; n++) {
        yield* TestClock.setTime(start + n * 1000)
        yield* Effect.provideService(
          log.append(entry(`key_${n}`)),
          CurrentActor,
          n % 5 === 0 ? asha : { ...asha, id: "b" }
        )
      }
      const targets: Array<string | null> = []
      let page = yield* log.list(tenant, { limit: 10 })
      for (; page.next !== null; page = yield* log.list(tenant, { limit: 10, after: page.next })) {
        targets.push(...page.entries.map(({ target }) => target))
      }
      targets.push(...page.entries.map(({ target }) => target))
      assert.deepStrictEqual(
        targets,
        Array.from({ length: 25 }, (_n, n) => `key_${24 - n}`)
      )
      const count = (query: object) =>
        Effect.map(log.list(tenant, { limit: 100, ...query }), ({ entries }) => entries.length)
      assert.strictEqual(yield* count({ actorId: "usr_1" }), 5)
      assert.strictEqual(yield* count({ target: "key_7" }), 1)
      assert.strictEqual(yield* count({ action: "api_key.revoke" }), 0)
      assert.strictEqual(yield* count({ actorId: "usr_1", outcome: "done" }), 5)
      assert.strictEqual(yield* count({ outcome: "refused" }), 0)
      assert.strictEqual(yield* count({ from: start + 5000, until: start + 8000 }), 3)
      for (const after of ["", "0", "-1", "abc", "1.99999999999999999"]) {
        assert.strictEqual((yield* Effect.flip(log.list(tenant, { limit: 1, after })))._tag, "AuditCursorInvalid")
      }
    }).pipe(Effect.provide(layer()))
  )

  it.live("deletes what is too old, and nothing else", () =>
    Effect.gen(function* () {
      const log = yield* AuditLog
      const sql = yield* SqlClient.SqlClient
      const now = Date.now()
      for (let n = 0; n < 1200; n++) {
        const at = n < 1100 ? now - 10_000_000 : now
        yield* sql`INSERT INTO paymux_audit (at, account, livemode, actor_kind, actor_id, action, outcome)
          VALUES (${at}, ${tenant.account}, ${tenant.livemode}, ${"user"}, ${"u"}, ${"api_key.create"}, ${"done"})`
      }
      assert.strictEqual(yield* pruneAudit(1_000_000), 1100)
      assert.strictEqual(yield* pruneAudit(1_000_000), 0)
      assert.strictEqual((yield* log.list(tenant, { limit: 1000 })).entries.length, 100)
    }).pipe(Effect.provide(layer()))
  )
})

/** Numbers in [0, 1), the same in every run (mulberry32). */
const seeded = (seed: number) => {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** The tables of every package on PostgreSQL, and what each does with them. */
import { assert, describe, it } from "@effect/vitest"
import { Ids } from "@paymux/core"
import { MemoryStore } from "@paymux/testkit/memory-store"
import type { EventId, MigrationSet } from "@paymux/core/store"
import { ApiKeys, apiKeyMigrations } from "@paymux/http"
import { SandboxLedger, sandboxMigrations, SqlSandboxLedger } from "@paymux/sandbox"
import type { LedgerEntry } from "@paymux/sandbox"
import { coreMigrations, pendingMigrations, PostgresClient, runMigrations } from "@paymux/sql"
import { PaymentRecords } from "@paymux/test-suites"
import { WebhookDeliveries, WebhookEndpoints, webhookMigrations } from "@paymux/webhooks"
import { Effect, Layer, Redacted, Result } from "effect"
import { SqlClient } from "effect/sql"
import { installationCell, settingsMigrations } from "../packages/paymux/src/options/Settings.ts"
import { enter } from "../packages/paymux/src/secrets/openInstallation.ts"
import { withSecretsLocked } from "../packages/paymux/src/secrets/secretRows.ts"
import { temporaryDatabase } from "./support/PostgresDatabases.ts"

const { currency, operationId, paymentId, tenant } = PaymentRecords

const together = { concurrency: "unbounded" } as const

const everything = [coreMigrations, apiKeyMigrations, webhookMigrations, sandboxMigrations, settingsMigrations]

const client = (url: string) => PostgresClient.layer({ url: Redacted.make(url) })

const migrated = Layer.unwrap(Effect.map(temporaryDatabase(everything), client))

const names = (applied: Effect.Success<ReturnType<typeof runMigrations>>) =>
  applied.map(({ migration, owner }) => `${owner} ${migration.id}`)

describe("on PostgreSQL", () => {
  it.live("the tables of every package are made once, however many processes start at the same time", () =>
    Effect.gen(function* () {
      const url = yield* temporaryDatabase([])
      const start = Effect.provide(runMigrations(everything), Layer.fresh(client(url)), { local: true })
      const applied = yield* Effect.all([start, start, start, start], together)
      assert.deepStrictEqual(
        applied.map((made) => made.length).toSorted((a, b) => a - b),
        [0, 0, 0, everything.flatMap(({ migrations }) => migrations).length]
      )
      const pending = Effect.provide(pendingMigrations(everything), client(url), { local: true })
      assert.deepStrictEqual(yield* pending, [])
    })
  )

  it.live("a migration that fails is applied not at all, and a newer database is refused", () =>
    Effect.gen(function* () {
      const url = yield* temporaryDatabase([])
      const set = (...statements: ReadonlyArray<string>): MigrationSet => ({
        owner: "http",
        migrations: statements.map((sql, index) => ({ id: index + 1, name: `step ${index}`, sqlite: [sql] }))
      })
      const run = (sets: ReadonlyArray<MigrationSet>) =>
        Effect.provide(runMigrations(sets), client(url), { local: true })
      const [first, second, wrong] = ["CREATE TABLE a (n bigint)", "CREATE TABLE b (n bigint)", "CREATE TABLE b (oops"]
      assert.deepStrictEqual(names(yield* run([set(first)])), ["http 1"])
      const error = yield* Effect.flip(run([set(first, second, wrong)]))
      assert.include(error.message, "Migration http 3 (step 2) failed, nothing was applied: syntax error")
      assert.deepStrictEqual(names(yield* run([set(first, second)])), ["http 2"])
      const older = yield* Effect.flip(run([set(first)]))
      assert.strictEqual(older._tag === "MigrationError" ? older.reason : older._tag, "newer")
    })
  )

  it.live("API keys are made, found, counted and revoked", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const request = { account: "default", mode: "live", name: "shop" } as const
      const made = yield* Effect.all(
        [1, 2, 3, 4].map(() => Effect.exit(keys.create(request))),
        together
      )
      assert.strictEqual(made.filter(({ _tag }) => _tag === "Success").length, 2)
      const [record] = yield* keys.list("default")
      assert.isAtMost(Math.abs((record?.createdAt ?? 0) - Date.now()), 60_000)
      assert.isNull(record?.revokedAt)
      const readable = yield* keys.ensureReadableTestKey("default")
      assert.strictEqual(yield* keys.ensureReadableTestKey("default"), readable)
      const principal = yield* keys.authenticate(`Bearer ${readable}`)
      assert.deepInclude(principal, { account: "default", livemode: false })
      assert.isNotNull((yield* keys.revoke(principal.keyId)).revokedAt)
    }).pipe(Effect.provide(ApiKeys.layer().pipe(Layer.provide(migrated))))
  )

  it.live("endpoints are kept with their secrets, and each delivery is claimed by one worker", () =>
    Effect.gen(function* () {
      const endpoints = yield* WebhookEndpoints
      const deliveries = yield* WebhookDeliveries
      const { endpoint, secret } = yield* endpoints.add({
        ...tenant,
        url: "https://shop.io/",
        events: ["payment.failed"]
      })
      assert.deepStrictEqual(yield* endpoints.list(tenant), [endpoint])
      assert.isNotNull(yield* endpoints.target(endpoint.id))
      assert.match(Redacted.value(secret), /^whsec_/)
      const events = Array.from({ length: 700 }, (_, n) => PaymentRecords.eventId(n) satisfies EventId)
      const wanted = events.map((eventId) => ({
        ...tenant,
        eventId,
        endpointId: endpoint.id,
        happenedAt: 900,
        status: "pending" as const,
        order: null
      }))
      yield* Effect.all([deliveries.add(wanted, 1_000), deliveries.add(wanted, 1_000)], together)
      assert.deepStrictEqual(yield* deliveries.dueEndpoints(1_000), [{ id: endpoint.id, failing: false }])
      const claims = yield* Effect.forEach(
        Array.from({ length: 20 }, (_, n) => `worker-${n}`),
        (owner) => deliveries.claim({ endpoints: [{ id: endpoint.id, limit: 35 }], owner, now: 1_000, until: 9_000 }),
        together
      )
      const claimed = claims.flat()
      assert.strictEqual(new Set(claimed.map(({ eventId }) => eventId)).size, claimed.length)
      const [delivery] = claimed
      const ended = {
        status: "delivered",
        attempts: 1,
        deliverAt: 1,
        lastAt: 2,
        duration: 5,
        lastStatus: 200,
        lastError: null,
        lastAnswer: null
      } as const
      if (delivery === undefined) return assert.fail("nothing was claimed")
      assert.deepStrictEqual(yield* deliveries.settle([{ delivery, settlement: ended }]), new Set([delivery.id]))
      assert.deepStrictEqual(yield* deliveries.settle([{ delivery, settlement: ended }]), new Set())
      yield* endpoints.disableGone(tenant, endpoint.id)
      assert.deepStrictEqual(yield* deliveries.dueEndpoints(99_000), [])
      assert.isTrue(yield* endpoints.remove(tenant, endpoint.id))
    }).pipe(
      Effect.provide(
        Layer.merge(
          WebhookEndpoints.layer({ secrets: [Redacted.make("a secret of these tests")], allow: [] }),
          WebhookDeliveries.layer
        ).pipe(Layer.provide(Layer.mergeAll(migrated, Ids.layer, MemoryStore.layer)))
      )
    )
  )

  it.live("the book of the simulated providers is kept", () =>
    Effect.gen(function* () {
      const ledger = yield* SandboxLedger
      const entry: LedgerEntry = {
        provider: "acme",
        key: "key-1",
        reference: "ref_1",
        paymentId: paymentId(1),
        operationId: operationId(1),
        amount: { minorUnits: 5_000_000_000, currency: currency("INR") },
        method: "upi collect",
        captureMethod: "automatic",
        trigger: "payer",
        state: "pending",
        received: null,
        decline: null,
        steps: [{ at: 1_700_000_000_000, event: { kind: "succeeded", received: 5_000_000_000 } }],
        applied: 0,
        notified: 0,
        silent: false,
        description: "tea \u0000",
        returnUrl: null,
        createdAt: 1_700_000_000_000,
        revision: 1
      }
      const opened = yield* Effect.all(
        [1, 2, 3].map(() => ledger.open({ entry, movements: [] })),
        together
      )
      for (const standing of opened) assert.deepStrictEqual(standing, entry)
      assert.strictEqual(yield* ledger.nextDueAt("acme"), 1_700_000_000_000)
      const [due] = yield* ledger.due("acme", 1_700_000_000_000)
      assert.deepStrictEqual(due, entry)
      const movement = {
        provider: "acme",
        key: "key-1",
        operationId: null,
        paymentId: paymentId(1),
        kind: "capture" as const,
        minorUnits: 5_000_000_000,
        currency: currency("INR"),
        at: 1_700_000_000_000
      }
      const change = { entry: { ...entry, applied: 1, state: "approved" as const, revision: 2 }, movements: [movement] }
      assert.isTrue(yield* ledger.advance(entry, change))
      assert.isFalse(yield* ledger.advance(entry, change))
      assert.deepStrictEqual(yield* ledger.movements(paymentId(1)), [movement])
      assert.deepStrictEqual(yield* ledger.findByReference("acme", "ref_1"), change.entry)
    }).pipe(Effect.provide(SqlSandboxLedger.layer.pipe(Layer.provide(migrated))))
  )

  it.live("a database is of one cell, however many start with it at the same time", () =>
    Effect.gen(function* () {
      assert.isNull(yield* installationCell(null))
      const given = ["eu1", "us1", "eu1", "us1", "ap1"]
      const started = yield* Effect.all(
        given.map((cell) => Effect.result(installationCell(cell))),
        together
      )
      const cells = new Set(started.flatMap((each) => (Result.isSuccess(each) ? [each.success] : [])))
      assert.strictEqual(cells.size, 1)
      const [stored = null] = cells
      const refused = started.flatMap((each) => (Result.isFailure(each) ? [each.failure] : []))
      assert.lengthOf(refused, given.filter((cell) => cell !== stored).length)
      for (const error of [...refused, yield* Effect.flip(installationCell(null))]) {
        assert.strictEqual(error._tag === "CellMismatch" ? error.stored : error._tag, stored ?? "")
      }
    }).pipe(Effect.provide(migrated))
  )

  it.live("an installation keeps the secret that was made for it", () =>
    Effect.gen(function* () {
      const open = (given: Parameters<typeof enter>[0]) => withSecretsLocked(enter(given, null))
      const { secrets: first } = yield* open(null)
      assert.deepStrictEqual((yield* open(null)).secrets, first)
      const error = yield* Effect.flip(open([Redacted.make("another")]))
      assert.strictEqual(error._tag, "SecretMismatch")
      const sql = yield* SqlClient.SqlClient
      const [row] = yield* sql`SELECT created_at FROM paymux_settings LIMIT 1`
      assert.isNumber(row?.["created_at"])
    }).pipe(Effect.provide(migrated))
  )
})

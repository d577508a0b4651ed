/** Databases for engines in virtual time. Each is new and empty. */
import { PaymentStore } from "@paymux/core/store"
import { MemoryStore } from "@paymux/testkit/memory-store"
import {
  coreMigrations,
  PostgresClient,
  PostgresDatabase,
  PostgresPaymentStore,
  runMigrations,
  SqliteClient,
  SqlitePaymentStore
} from "@paymux/sql"
import { Context, Effect, Layer, Redacted } from "effect"
import type { Scope } from "effect"
import { randomUUID } from "node:crypto"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** A connection of one engine. It is closed with its scope, and commits stay. */
export type Connect = Effect.Effect<PaymentStore["Service"], never, Scope.Scope>

/** A new database, which is removed with the scope. */
export type Database = Effect.Effect<Connect, never, Scope.Scope>

export const memory: Database = Effect.sync(() => Effect.succeed(MemoryStore.make()))

export const sqlite: Database = Effect.gen(function* () {
  const directory = yield* Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "paymux-late-"))),
    (made) => Effect.sync(() => rmSync(made, { recursive: true, force: true }))
  )
  const client = SqliteClient.layer({ filename: join(directory, "payments.db") })
  yield* Effect.orDie(Effect.provide(runMigrations([coreMigrations]), client, { local: true }))
  return connecting(Layer.provide(SqlitePaymentStore.layer, client))
})

/** `server`: the address of a database of the server, as one who may create others. */
export const postgres = (server: string): Database =>
  Effect.gen(function* () {
    const name = `paymux_late_${randomUUID().slice(0, 8)}`
    yield* Effect.acquireRelease(administer(server, `CREATE DATABASE ${name} TEMPLATE template0`), () =>
      administer(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
    )
    const url = new URL(server)
    url.pathname = `/${name}`
    const client = PostgresClient.layer({ url: Redacted.make(url.href), deadlineMs: 60_000 })
    yield* Effect.orDie(Effect.provide(runMigrations([coreMigrations]), client, { local: true }))
    return connecting(Layer.provide(PostgresPaymentStore.layer, client))
  })

const administer = (server: string, sql: string) =>
  Effect.flatMap(PostgresDatabase, ({ query }) => query(sql, [])).pipe(
    Effect.provide(PostgresClient.layer({ url: Redacted.make(server), maxConnections: 1 }), { local: true }),
    Effect.orDie
  )

const connecting = (store: Layer.Layer<PaymentStore, unknown>): Connect =>
  Effect.map(Effect.orDie(Layer.build(Layer.fresh(store))), (built) => Context.get(built, PaymentStore))

import { assert, describe, it } from "@effect/vitest"
import type { Migration, MigrationSet } from "@paymux/core/store"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { readdirSync } from "node:fs"
import { dirname, join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { temporaryDatabase } from "../../../test/support/PostgresDatabases.ts"
import { PostgresClient } from "../src/index.ts"
import { pendingMigrations, runMigrations } from "../src/Migrations.ts"
import { layer } from "../src/sqlite/SqliteClient.ts"
import { moduleUrl, otherProcess, temporaryFile } from "./OnDisk.ts"

const accounts: Migration = {
  id: 1,
  name: "accounts",
  sqlite: ["CREATE TABLE accounts (id INTEGER PRIMARY KEY) STRICT"]
}
const emails: Migration = { id: 2, name: "emails", sqlite: ["ALTER TABLE accounts ADD COLUMN email TEXT"] }
const keys: Migration = {
  id: 1,
  name: "keys",
  sqlite: [
    "CREATE TABLE keys (account INTEGER REFERENCES accounts) STRICT",
    "CREATE INDEX keys_account ON keys (account)"
  ]
}

const core = (...migrations: ReadonlyArray<Migration>): MigrationSet => ({ owner: "core", migrations })
const http = (...migrations: ReadonlyArray<Migration>): MigrationSet => ({ owner: "http", migrations })

const run = (filename: string, ...sets: ReadonlyArray<MigrationSet>) =>
  runMigrations(sets).pipe(
    Effect.map((applied) => applied.map(({ migration, owner }) => `${owner} ${migration.id}`)),
    Effect.provide(layer({ filename }))
  )

const refusal = (filename: string, ...sets: ReadonlyArray<MigrationSet>) => Effect.flip(run(filename, ...sets))

const backups = (filename: string) =>
  readdirSync(dirname(filename))
    .filter((name) => name.includes("backup"))
    .toSorted()

const tablesOf = (filename: string) =>
  Effect.acquireUseRelease(
    Effect.sync(() => new DatabaseSync(filename)),
    (db) =>
      Effect.sync(() =>
        db
          .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
          .all()
          .map((row) => row["name"])
      ),
    (db) => Effect.sync(() => db.close())
  )

describe("runMigrations", () => {
  it.effect("applies what is missing, in the order of sets and ids, and a second run does nothing", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      assert.deepStrictEqual(yield* run(filename, core(accounts, emails), http(keys)), ["core 1", "core 2", "http 1"])
      assert.deepStrictEqual(yield* run(filename, core(accounts, emails), http(keys)), [])
    })
  )

  it.effect("goes on from an older schema, and each owner counts on its own", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      assert.deepStrictEqual(yield* run(filename, core(accounts)), ["core 1"])
      assert.deepStrictEqual(yield* run(filename, core(accounts, emails), http(keys)), ["core 2", "http 1"])
    })
  )

  it.effect("keeps what was applied and when", () =>
    Effect.gen(function* () {
      yield* runMigrations([core(accounts, { ...emails, compatibleWith: 1 })])
      const sql = yield* SqlClient.SqlClient
      const rows = yield* sql`SELECT * FROM paymux_migrations ORDER BY id`
      assert.deepStrictEqual(
        rows.map((row) => ({ ...row })),
        [
          { owner: "core", id: 1, name: "accounts", compatible_with: null, applied_at: 0 },
          { owner: "core", id: 2, name: "emails", compatible_with: 1, applied_at: 0 }
        ]
      )
    }).pipe(Effect.provide(layer({ filename: ":memory:" })))
  )

  it.effect("when one statement fails nothing of the run is kept, and the error names the migration", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      const broken: Migration = { id: 2, name: "broken", sqlite: ["CREATE TABLE fine (id INTEGER)", "CREATE TABEL"] }
      const error = yield* refusal(filename, core(accounts, broken), http(keys))
      assert.strictEqual(error._tag, "MigrationError")
      assert.match(error.message, /^Migration core 2 \(broken\) failed, nothing was applied: /)
      assert.deepStrictEqual(yield* tablesOf(filename), [])
    })
  )

  it.effect("a database made by a newer version is refused with a sentence", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      yield* run(filename, core(accounts, emails))
      const error = yield* refusal(filename, core(accounts))
      assert.strictEqual(
        error.message,
        "The database is at schema core 2 (emails), made by a newer version of Paymux, and this version knows only up to 1: start the newer version."
      )
    })
  )

  it.effect(
    "a newer schema that is marked compatible with ours is accepted, one marked for later versions is not",
    () =>
      Effect.gen(function* () {
        const filename = yield* temporaryFile
        const more: Migration = { id: 3, name: "more", sqlite: ["CREATE TABLE more (id INTEGER)"], compatibleWith: 2 }
        yield* run(filename, core(accounts, { ...emails, compatibleWith: 1 }, more))
        assert.deepStrictEqual(yield* run(filename, core(accounts, emails)), [])
        assert.deepInclude(yield* refusal(filename, core(accounts)), { reason: "newer" })
      })
  )

  it.live("a migration that is compatible on PostgreSQL alone is accepted there, and on SQLite refused", () =>
    Effect.gen(function* () {
      const first: Migration = { ...accounts, pg: ["CREATE TABLE accounts (id integer PRIMARY KEY)"] }
      const sets = [core(first, { ...emails, compatibleWith: { pg: 1 } })]
      const filename = yield* temporaryFile
      yield* run(filename, ...sets)
      assert.deepInclude(yield* refusal(filename, core(first)), { reason: "newer" })
      const url = yield* temporaryDatabase([])
      yield* Effect.gen(function* () {
        yield* runMigrations(sets)
        assert.deepStrictEqual(yield* pendingMigrations([core(first)]), [])
      }).pipe(Effect.provide(PostgresClient.layer({ url: Redacted.make(url) })))
    })
  )

  it.effect("an owner that this program does not use is left be", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      yield* run(filename, core(accounts), http(keys))
      assert.deepStrictEqual(yield* run(filename, core(accounts)), [])
    })
  )

  it.effect("another migration under a known id is refused", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      yield* run(filename, core(accounts))
      assert.deepInclude(yield* refusal(filename, core({ ...accounts, name: "users" })), { reason: "diverged" })
    })
  )

  it.effect("ids that do not count 1, 2, 3 are refused before anything is written", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      assert.deepInclude(yield* refusal(filename, core(accounts, { ...emails, id: 3 })), { reason: "malformed" })
      assert.deepInclude(yield* refusal(filename, core(accounts, accounts)), { reason: "malformed" })
      assert.deepStrictEqual(yield* tablesOf(filename), [])
    })
  )

  it.effect("pendingMigrations lists what is missing and writes nothing", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      const pending = yield* pendingMigrations([core(accounts, emails)]).pipe(Effect.provide(layer({ filename })))
      assert.deepStrictEqual(pending, [
        { owner: "core", migration: accounts },
        { owner: "core", migration: emails }
      ])
      assert.deepStrictEqual(yield* tablesOf(filename), [])
    })
  )

  it.effect("a file with a schema is copied as it was, only when there is something to apply", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      yield* run(filename, core(accounts))
      yield* run(filename, core(accounts))
      assert.deepStrictEqual(backups(filename), [])
      yield* run(filename, core(accounts), http(keys))
      assert.deepStrictEqual(backups(filename), ["payments.db.backup-1"])
      assert.deepStrictEqual(yield* tablesOf(`${filename}.backup-1`), ["accounts", "paymux_migrations"])
      yield* run(filename, core(accounts, emails), http(keys))
      assert.deepStrictEqual(backups(filename), ["payments.db.backup-1", "payments.db.backup-2"])
    })
  )

  it.live("a copy that a kill has cut short does not pass for a backup", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      yield* run(filename, core(accounts))
      const database = new DatabaseSync(filename)
      database.exec("CREATE TABLE large (value BLOB); BEGIN")
      for (let n = 0; n < 4_000; n++) database.exec("INSERT INTO large VALUES (randomblob(10000))")
      database.exec("COMMIT")
      database.close()
      const other = yield* otherProcess(migrate(filename, [core(accounts, emails)]))
      while (backups(filename).length === 0) yield* Effect.sleep(1)
      yield* other.kill
      yield* run(filename, core(accounts, emails), http(keys))
      const copies = backups(filename).filter((name) => !name.includes("partial"))
      assert.isNotEmpty(copies)
      for (const name of copies) assert.include(yield* tablesOf(join(dirname(filename), name)), "large")
    })
  )

  it.live("processes that migrate at the same time do no harm", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      yield* run(filename, core(accounts))
      const script = migrate(filename, [core(accounts, emails), http(keys)])
      const others = yield* Effect.forEach([1, 2, 3], () => otherProcess(script))
      for (const other of others) assert.strictEqual(yield* other.exitCode, 0)
      assert.deepStrictEqual(yield* run(filename, core(accounts, emails), http(keys)), [])
      assert.deepStrictEqual(yield* tablesOf(filename), ["accounts", "keys", "paymux_migrations"])
    })
  )
})

const migrate = (filename: string, sets: ReadonlyArray<MigrationSet>) => `
  import { Effect } from ${JSON.stringify(import.meta.resolve("effect"))}
  import { runMigrations } from ${moduleUrl("Migrations.ts")}
  import { layer } from ${moduleUrl("sqlite/SqliteClient.ts")}
  await Effect.runPromise(
    runMigrations(${JSON.stringify(sets)}).pipe(Effect.provide(layer({ filename: ${JSON.stringify(filename)} })))
  )
`

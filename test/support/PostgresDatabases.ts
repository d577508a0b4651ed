/** Databases for tests: each test has its own, made from a template that holds the tables. */
import type { MigrationSet } from "@paymux/core/store"
import { PostgresClient, PostgresDatabase, runMigrations } from "@paymux/sql"
import { Effect, Redacted } from "effect"
import { createHash, randomUUID } from "node:crypto"
import { connect } from "node:net"
import { inject } from "vitest"

/** The address of the server, started by the first test that asks. */
export const serverUrl: Effect.Effect<string> = Effect.promise(
  () =>
    new Promise<string>((resolve, reject) => {
      let answer = ""
      connect(inject("postgresDoor"))
        .on("data", (chunk) => {
          answer += String(chunk)
        })
        .on("error", reject)
        .on("close", () => {
          const { problem, url } = JSON.parse(answer) as { readonly url?: string; readonly problem?: string }
          if (url === undefined) reject(new Error(problem))
          else resolve(url)
        })
    })
)

/** The address of a new database with the tables of `sets`, which goes with the scope. */
export const temporaryDatabase = Effect.fnUntraced(function* (sets: ReadonlyArray<MigrationSet>) {
  const server = yield* serverUrl
  const template = yield* templateWith(server, sets)
  const name = `paymux_test_${randomUUID().replaceAll("-", "")}`
  // Its files are copied: that takes half the time of writing them to the log page by page.
  const copied = `CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`
  yield* Effect.acquireRelease(administer(server, copied), () =>
    Effect.orDie(administer(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`))
  )
  return databaseUrl(server, name)
})

/** For a database that is not used at that moment: connections that are left are closed. The copy is removed with the scope. */
export const copyOf = Effect.fnUntraced(function* (url: string) {
  const server = yield* serverUrl
  const name = new URL(url).pathname.slice(1)
  const copy = `${name}_copy`
  const replace = (from: string, to: string) =>
    Effect.gen(function* () {
      yield* administer(server, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${from}'`)
      yield* administer(server, `DROP DATABASE IF EXISTS ${to} WITH (FORCE)`)
      yield* administer(server, `CREATE DATABASE ${to} TEMPLATE ${from} STRATEGY FILE_COPY`)
    }).pipe(Effect.orDie)
  yield* Effect.addFinalizer(() => Effect.orDie(administer(server, `DROP DATABASE IF EXISTS ${copy} WITH (FORCE)`)))
  return { copy: replace(name, copy), goBack: replace(copy, name) }
})

const administer = (server: string, sql: string) =>
  Effect.flatMap(PostgresDatabase, ({ query }) => query(sql, [])).pipe(
    Effect.provide(client(server), { local: true }),
    Effect.asVoid
  )

const client = (url: string) => PostgresClient.layer({ url: Redacted.make(url), maxConnections: 1, deadlineMs: 60_000 })

/** Its name says which tables it has: the first test that needs it makes it, the others wait for that. */
const templateWith = Effect.fnUntraced(function* (server: string, sets: ReadonlyArray<MigrationSet>) {
  const digest = createHash("sha256").update(JSON.stringify(sets)).digest("hex").slice(0, 16)
  const name = `paymux_template_${digest}`
  if (known.has(name)) return name
  yield* Effect.gen(function* () {
    const { query } = yield* PostgresDatabase
    yield* query("SELECT pg_advisory_lock(7021458093120047)", [])
    const found = yield* query("SELECT 1 FROM pg_database WHERE datname = $1", [name])
    if (found.length > 0) return
    const making = `${name}_making`
    yield* query(`DROP DATABASE IF EXISTS ${making} WITH (FORCE)`, [])
    yield* query(`CREATE DATABASE ${making} TEMPLATE template0`, [])
    yield* runMigrations(sets).pipe(Effect.provide(client(databaseUrl(server, making)), { local: true }))
    yield* query(`ALTER DATABASE ${making} RENAME TO ${name}`, [])
  }).pipe(Effect.provide(client(server), { local: true }))
  known.add(name)
  return name
})

const known = new Set<string>()

const databaseUrl = (server: string, name: string): string => {
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
}

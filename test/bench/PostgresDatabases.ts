/**
 * The server that is measured, and a database on it for each contender. `DATABASE_URL` names the server; without it, one
 * of our own is started from the binaries in node_modules: that of the tests, but its commits wait for the disk. It is
 * gone when the bench ends.
 */
import { coreMigrations, PostgresClient, PostgresDatabase, runMigrations } from "@paymux/sql"
import { Effect, Redacted } from "effect"
import { randomUUID } from "node:crypto"
import { startPostgres } from "../support/PostgresServer.ts"

export interface PostgresDatabases {
  /** The server's version. */
  readonly version: string
  /** The address of a new database with the tables of the store, which `close` drops. */
  readonly create: (name: string) => Promise<string>
  readonly close: () => Promise<void>
}

/** How every contender reaches its database: the pool as it is by default. */
export const clientOn = (url: string) => PostgresClient.layer({ url: Redacted.make(url) })

/** Fails where commits do not wait for the disk: then it is something else that would be measured. */
export const openPostgres = async (): Promise<PostgresDatabases> => {
  const { stop, url } = await serverOf(process.env["DATABASE_URL"])
  const created: Array<string> = []
  const close = async () => {
    try {
      for (const name of created) await query(url, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
    } finally {
      await stop()
    }
  }
  const create = async (contender: string) => {
    const name = `paymux_bench_${contender}_${randomUUID().slice(0, 8)}`
    await query(url, `CREATE DATABASE ${name} TEMPLATE template0`)
    created.push(name)
    const address = addressOf(url, name)
    await Effect.runPromise(Effect.provide(runMigrations([coreMigrations]), clientOn(address)))
    return address
  }
  try {
    return { version: await durableVersion(url), create, close }
  } catch (cause) {
    await close()
    throw cause
  }
}

/** Runs one statement on a session of its own. */
export const query = (url: string, sql: string) =>
  Effect.runPromise(
    Effect.provide(
      Effect.flatMap(PostgresDatabase, (database) => database.query(sql, [])),
      PostgresClient.layer({ url: Redacted.make(url), maxConnections: 1, deadlineMs: 60_000 })
    )
  )

const serverOf = async (given: string | undefined) =>
  given === undefined || given === "" ? startPostgres({ durable: true }) : { url: given, stop: async () => undefined }

const durableVersion = async (url: string): Promise<string> => {
  const settings = await query(url, "SELECT name, setting FROM pg_settings")
  const of = (name: string) => String(settings.find((row) => row["name"] === name)?.["setting"])
  const lax = ["fsync", "full_page_writes", "synchronous_commit"].filter((name) => of(name) === "off")
  if (lax.length > 0) throw new Error(`The server does not keep what it acknowledges: ${lax.join(", ")} is off.`)
  return of("server_version")
}

const addressOf = (server: string, name: string): string => {
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
}

import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { temporaryDatabase } from "../../../../../test/support/PostgresDatabases.ts"
import { freePort } from "../../../../../test/support/freePort.ts"
import { startPostgres } from "../../../../../test/support/PostgresServer.ts"
import { PostgresClient, PostgresDatabase } from "../../../src/index.ts"

const client = (url: string) => PostgresClient.layer({ url: Redacted.make(url), maxConnections: 1 })

/** `hosts` in the place of the host of `url`. */
const withHosts = (url: string, ...hosts: ReadonlyArray<string>): string =>
  url.replace(/@[^/]+\//, `@${hosts.join(",")}/`)

const hostOf = (url: string): string => new URL(url).host

const refusalOf = (url: string) =>
  Effect.scoped(Effect.map(Effect.flip(Layer.build(client(url))), ({ _tag, message }) => `${_tag}: ${message}`))

const execute = (sql: string) => Effect.flatMap(PostgresDatabase, ({ query }) => query(sql, []))

describe("an address with several hosts", () => {
  it.live("a session goes to the host that accepts writes, past one that is down", () =>
    Effect.gen(function* () {
      const url = yield* temporaryDatabase([])
      const down = `127.0.0.1:${yield* Effect.promise(freePort)}`
      const several = withHosts(url, down, hostOf(url))
      const rows = yield* Effect.provide(execute("SELECT 1 AS one"), client(several), { local: true })
      assert.deepStrictEqual(rows, [{ one: 1 }])
    })
  )

  it.live(
    "the start is refused where no host answers, one does not exist, all are read-only, or two accept writes",
    () =>
      Effect.gen(function* () {
        const url = yield* temporaryDatabase([])
        const host = hostOf(url)
        const [first, second] = [yield* Effect.promise(freePort), yield* Effect.promise(freePort)]
        assert.match(
          yield* refusalOf(withHosts(url, `127.0.0.1:${first}`, `127.0.0.1:${second}`)),
          /^PostgresUnfit: No server of 127\.0\.0\.1:\d+,127\.0\.0\.1:\d+ accepts writes: .*ECONNREFUSED/
        )
        assert.match(
          yield* refusalOf(withHosts(url, host, "no-such-host.invalid:5432")),
          /^PostgresUnfit: The host no-such-host\.invalid:5432 was not found/
        )
        assert.match(
          yield* refusalOf(withHosts(url, host, host)),
          /^PostgresUnfit: More than one server accepts writes: 127/
        )
        const readOnly = new URL(url)
        readOnly.searchParams.set("options", "-c default_transaction_read_only=on")
        assert.match(
          yield* refusalOf(withHosts(readOnly.href, host, `127.0.0.1:${first}`)),
          /^PostgresUnfit: No server of .* accepts writes: 127\.0\.0\.1:\d+ is read-only; 127/
        )
      })
  )

  it.live("the start is refused where the hosts are of different clusters", () =>
    Effect.gen(function* () {
      const url = yield* temporaryDatabase([])
      const other = yield* Effect.acquireRelease(
        Effect.promise(() => startPostgres()),
        ({ stop }) => Effect.promise(stop)
      )
      const both = withHosts(new URL("/postgres", url).href, hostOf(url), hostOf(other.url))
      assert.match(yield* refusalOf(both), /^PostgresUnfit: 127\S+ and 127\S+ belong to different clusters/)
    })
  )

  it.live("a session of a server that was made read-only is replaced", () =>
    Effect.gen(function* () {
      const url = yield* temporaryDatabase([])
      const several = withHosts(url, `127.0.0.1:${yield* Effect.promise(freePort)}`, hostOf(url))
      const pid = Effect.map(execute("SELECT pg_backend_pid() AS pid"), ([row]) => row?.["pid"])
      const check = Effect.gen(function* () {
        const before = yield* pid
        yield* Effect.ignore(execute("SET default_transaction_read_only = on"))
        assert.notStrictEqual(yield* pid, before)
        yield* execute("CREATE TABLE written (n bigint)")
      })
      yield* Effect.provide(check, client(several), { local: true })
    })
  )

  it.live("a session whose write was refused as read-only is replaced, and its statement fails", () =>
    Effect.gen(function* () {
      const url = yield* temporaryDatabase([])
      const check = Effect.gen(function* () {
        yield* execute("SET default_transaction_read_only = on")
        const error = yield* Effect.flip(execute("CREATE TABLE written (n bigint)"))
        assert.match(String(error.reason.cause), /does not accept writes: it is a standby, or read-only$/)
        yield* Effect.flatMap(SqlClient.SqlClient, (sql) => sql`CREATE TABLE written (n bigint)`)
      })
      yield* Effect.provide(check, client(url), { local: true })
    })
  )
})

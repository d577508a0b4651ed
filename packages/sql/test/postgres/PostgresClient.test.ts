import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Exit, Fiber, Layer, Option, Redacted, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import { temporaryDatabase } from "../../../../test/support/PostgresDatabases.ts"
import { PostgresClient, PostgresDatabase } from "../../src/index.ts"
import { proxy } from "./Proxy.ts"

const together = { concurrency: "unbounded" } as const

const client = (url: string, options: { readonly maxConnections?: number; readonly deadlineMs?: number } = {}) =>
  PostgresClient.layer({ url: Redacted.make(url), ...options })

const withClient = <A, E>(
  url: string,
  effect: Effect.Effect<A, E, SqlClient.SqlClient | PostgresDatabase>,
  options: { readonly maxConnections?: number; readonly deadlineMs?: number } = {}
) => Effect.provide(effect, client(url, options), { local: true })

const one = Effect.flatMap(PostgresDatabase, ({ query }) => query("SELECT 1 AS one", []))

describe("PostgresClient", () => {
  it.live("sessions are in UTC, and wait neither for a statement nor for a lock for ever", () =>
    Effect.gen(function* () {
      const url = yield* temporaryDatabase([])
      const settings = Effect.flatMap(
        SqlClient.SqlClient,
        (sql) => sql`SELECT current_setting('TimeZone') AS zone, current_setting('statement_timeout') AS statement,
          current_setting('lock_timeout') AS lock, current_setting('idle_in_transaction_session_timeout') AS idle`
      )
      assert.deepStrictEqual(yield* withClient(url, settings), [
        { zone: "UTC", statement: "5333ms", lock: "2667ms", idle: "16s" }
      ])
    })
  )

  it.live("a server whose sessions are not in UTC is refused, in one sentence", () =>
    Effect.gen(function* () {
      const elsewhere = (bytes: Buffer) => Buffer.from(bytes.toString("latin1").replace("UTC", "MST"), "latin1")
      const { url } = yield* proxy(yield* temporaryDatabase([]), { startup: elsewhere })
      const error = yield* Effect.flip(Layer.build(client(url)))
      assert.strictEqual(error._tag, "PostgresUnfit")
      assert.match(error.message, /^PostgreSQL sessions are in the time zone MST although [^.]+\.$/)
    })
  )

  it.live("a server whose transactions are isolated in another way is refused, in one sentence", () =>
    Effect.gen(function* () {
      // As a pooler does that does not know the setting.
      const drop = (bytes: Buffer) =>
        Buffer.from(bytes.toString("latin1").replace("default_transaction_i", "default_transaction.i"), "latin1")
      const url = new URL((yield* proxy(yield* temporaryDatabase([]), { startup: drop })).url)
      url.searchParams.set("options", "-c default_transaction_isolation=serializable")
      const error = yield* Effect.flip(Layer.build(client(url.href)))
      assert.strictEqual(error._tag, "PostgresUnfit")
      assert.match(error.message, /^PostgreSQL sessions begin transactions as serializable although [^.]+\.$/)
    })
  )

  it.live("a server that reports no warnings is refused, because a canceled wait for the standby is one", () =>
    Effect.gen(function* () {
      const drop = (bytes: Buffer) =>
        Buffer.from(bytes.toString("latin1").replace("client_min_messages", "client.min_messages"), "latin1")
      const url = new URL((yield* proxy(yield* temporaryDatabase([]), { startup: drop })).url)
      url.searchParams.set("options", "-c client_min_messages=error")
      const error = yield* Effect.flip(Layer.build(client(url.href)))
      assert.strictEqual(error._tag, "PostgresUnfit")
      assert.match(error.message, /^PostgreSQL sessions do not report warnings [^.]+\.$/)
    })
  )

  it.live("a server that would lose what it acknowledged is refused", () =>
    Effect.gen(function* () {
      const url = new URL(yield* temporaryDatabase([]))
      url.searchParams.set("options", "-c synchronous_commit=off")
      const error = yield* Effect.flip(Layer.build(client(url.href)))
      assert.strictEqual(error._tag, "PostgresUnfit")
    })
  )

  it.live("numbers come as numbers, and text with any character comes back as it was", () =>
    Effect.gen(function* () {
      const url = yield* temporaryDatabase([])
      const check = Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const texts = ["", "\0", "a\u001ab", "\u001a0000", "\ud800", "x\udfff", "Zoë 🫖", "\0\ud800\u001a\ud83e\uded6"]
        const exact = [0, -1, Number.MAX_SAFE_INTEGER]
        yield* sql`CREATE TABLE kept (position bigint, text text, words text[], amount bigint)`
        for (const [position, text] of texts.entries()) {
          yield* sql`INSERT INTO kept VALUES (${position}, ${text}, ${texts}, ${exact[position % 3]})`
        }
        const rows = yield* sql`SELECT * FROM kept ORDER BY position`
        assert.deepStrictEqual(
          rows,
          texts.map((text, position) => ({ position, text, words: texts, amount: exact[position % 3] }))
        )
        for (const [position, text] of texts.entries()) {
          assert.deepStrictEqual(yield* sql`SELECT position FROM kept WHERE text = ${text}`, [{ position }])
        }
        assert.deepStrictEqual(yield* sql`SELECT count(*) AS count FROM kept`, [{ count: texts.length }])
      })
      yield* withClient(url, check)
    })
  )

  it.live("a server that goes away without a word fails what is asked of it, and serves again when it is back", () =>
    Effect.gen(function* () {
      const between = yield* proxy(yield* temporaryDatabase([]))
      const outage = Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* Effect.all([one, one], together)
        between.goSilent()
        const transaction = sql.withTransaction(Effect.andThen(sql`SELECT 1`, sql`SELECT 2`))
        const exits = yield* Effect.all([one, one, one, one, sql`SELECT 3`, transaction].map(Effect.exit), together)
        for (const exit of exits) {
          assert.isTrue(Exit.isFailure(exit) && !Cause.hasDies(exit.cause), String(exit))
        }
        between.comeBack()
        yield* Effect.retry(one, { schedule: Schedule.spaced("50 millis"), times: 200 })
        assert.deepStrictEqual(yield* Effect.all([one, one, one], together), [[{ one: 1 }], [{ one: 1 }], [{ one: 1 }]])
      })
      yield* withClient(between.url, outage, { maxConnections: 2, deadlineMs: 300 })
    })
  )

  it.live("a transaction in which the server goes away fails, and leaves no session behind that is within it", () =>
    Effect.gen(function* () {
      const between = yield* proxy(yield* temporaryDatabase([]))
      const outage = Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql`CREATE TABLE written (n bigint)`
        const cut = sql.withTransaction(
          Effect.gen(function* () {
            yield* sql`INSERT INTO written VALUES (1)`
            between.goSilent()
            yield* sql`INSERT INTO written VALUES (2)`
          })
        )
        const exit = yield* Effect.exit(cut)
        assert.isTrue(Exit.isFailure(exit) && !Cause.hasDies(exit.cause), String(exit))
        between.comeBack()
        const count = sql`SELECT count(*) AS count FROM written`
        const counted = yield* Effect.retry(count, { schedule: Schedule.spaced("50 millis"), times: 200 })
        assert.deepStrictEqual(counted, [{ count: 0 }])
      })
      yield* withClient(between.url, outage, { maxConnections: 1, deadlineMs: 300 })
    })
  )

  it.live("who gives up does not wait for a server that is silent, nor for its own transaction there", () =>
    Effect.gen(function* () {
      const between = yield* proxy(yield* temporaryDatabase([]))
      const impatient = Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* Effect.all([one, one], together)
        between.goSilent()
        const transaction = sql.withTransaction(sql`SELECT 1`)
        const exits = yield* Effect.forEach(
          [one, sql`SELECT 2`, transaction],
          (asked) => Effect.timeoutOption(asked, 50),
          together
        )
        assert.deepStrictEqual(exits.map(Option.isNone), [true, true, true])
      })
      // The deadline is beyond that of the test.
      yield* withClient(between.url, impatient, { deadlineMs: 600_000 })
    })
  )

  it.live("sessions that the server ends fail what they were asked, and others take their place", () =>
    Effect.gen(function* () {
      const url = yield* temporaryDatabase([])
      const restart = Effect.gen(function* () {
        const { query } = yield* PostgresDatabase
        const sql = yield* SqlClient.SqlClient
        const sleep = query("SELECT pg_sleep(60)", [])
        const transaction = sql.withTransaction(sql`SELECT pg_sleep(60)`)
        const end = withClient(
          url,
          Effect.flatMap(PostgresDatabase, ({ query: administer }) =>
            administer(
              `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                WHERE datname = current_database() AND query LIKE '%pg_sleep(60)' AND state = 'active'`,
              []
            )
          )
        )
        const failing = yield* Effect.forkChild(
          Effect.all([sleep, sleep, sleep, transaction].map(Effect.exit), together)
        )
        let ended = 0
        while (ended < 4) ended += (yield* end).length
        for (const exit of yield* Fiber.join(failing)) {
          assert.isTrue(Exit.isFailure(exit) && !Cause.hasDies(exit.cause), String(exit))
        }
        assert.deepStrictEqual(yield* Effect.all([one, one], together), [[{ one: 1 }], [{ one: 1 }]])
      })
      yield* withClient(url, restart, { maxConnections: 4 })
    })
  )

  it.live("a statement of a transaction that failed before cannot be committed", () =>
    Effect.gen(function* () {
      const url = yield* temporaryDatabase([])
      const failed = Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql`CREATE TABLE written (n bigint)`
        const swallowed = sql.withTransaction(
          Effect.andThen(sql`INSERT INTO written VALUES (1)`, Effect.ignore(sql`SELECT 1 / 0`))
        )
        assert.strictEqual((yield* Effect.flip(swallowed))._tag, "SqlError")
        assert.deepStrictEqual(yield* sql`SELECT n FROM written`, [])
      })
      yield* withClient(url, failed)
    })
  )

  it.live("a server that is not there is an SqlError at the start", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(Layer.build(client("postgres://unknown@127.0.0.1:1/nothing")))
      assert.strictEqual(error._tag, "SqlError")
    })
  )
})

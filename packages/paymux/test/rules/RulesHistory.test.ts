/** Which rules were in force, on both databases. */
import { assert, describe, it } from "@effect/vitest"
import { PostgresClient, runMigrations, SqliteClient } from "@paymux/sql"
import { Effect, Layer, Logger, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { SqlClient } from "effect/sql"
import { temporaryDatabase } from "../../../../test/support/PostgresDatabases.ts"
import { find, get, keep, list } from "../../src/rules/RulesHistory.ts"
import { settingsMigrations } from "../../src/options/Settings.ts"

const sqlite = Layer.provideMerge(
  Layer.effectDiscard(runMigrations([settingsMigrations])),
  SqliteClient.layer({ filename: ":memory:" })
)

const postgres = Layer.unwrap(
  Effect.map(temporaryDatabase([settingsMigrations]), (url) => PostgresClient.layer({ url: Redacted.make(url) }))
)

const named = (digit: string) => `sha256:${digit.repeat(64)}`
const json = (provider: string) => JSON.stringify({ version: 1, default: { priority: [provider] } })
const a = { ruleset: named("a"), json: json("a"), source: "routing.yaml", text: "# a\n" }
const b = { ruleset: named("b"), json: json("b"), source: "options", text: null }

const latest = (limit: number) => list({ ruleset: null, before: null, limit })
const listed = (version: number, { ruleset, source }: typeof a | typeof b, at: number) => ({
  version,
  ruleset,
  source,
  at,
  author: null,
  note: null,
  restores: null
})

const databases: ReadonlyArray<readonly [string, Layer.Layer<SqlClient.SqlClient>]> = [
  ["SQLite", Layer.orDie(sqlite)],
  ["PostgreSQL", Layer.orDie(postgres)]
]

for (const [database, layer] of databases) {
  describe(`the rules that were in force, on ${database}`, () => {
    const onDatabase = <A, E>(what: string, test: Effect.Effect<A, E, SqlClient.SqlClient>) =>
      it.effect(`the history ${what}`, () => Effect.provide(test, layer, { local: true }))

    onDatabase(
      "has each that was put in force, newest first, and what it was",
      Effect.gen(function* () {
        yield* TestClock.setTime(1_790_000_000_000)
        yield* keep(a)
        yield* TestClock.adjust("1 second")
        yield* keep(b)
        yield* keep(a)
        assert.deepStrictEqual(yield* latest(10), [
          listed(3, a, 1_790_000_001_000),
          listed(2, b, 1_790_000_001_000),
          listed(1, a, 1_790_000_000_000)
        ])
        assert.strictEqual((yield* latest(2)).length, 2)
        assert.deepStrictEqual(yield* find(a.ruleset), {
          _tag: "Found",
          kept: { ...listed(3, a, 1_790_000_001_000), config: a.json, text: "# a\n" }
        })
        assert.deepStrictEqual((yield* get(2))?.text, `${JSON.stringify(JSON.parse(b.json), null, 2)}\n`)
        assert.deepStrictEqual(yield* list({ ruleset: a.ruleset, before: 3, limit: 10 }), [
          listed(1, a, 1_790_000_000_000)
        ])
      })
    )

    onDatabase(
      "has one of many instances that start at once, and again",
      Effect.gen(function* () {
        const start = Effect.all(
          Array.from({ length: 20 }, () => keep(a)),
          { concurrency: "unbounded" }
        )
        yield* start
        yield* start
        assert.strictEqual((yield* latest(100)).length, 1)
      })
    )

    onDatabase(
      "loses none of many that are put in force at once",
      Effect.gen(function* () {
        const all = Array.from({ length: 12 }, (_, n) => ({ ...a, ruleset: named(n.toString(16)) }))
        yield* Effect.all(all.map(keep), { concurrency: "unbounded" })
        assert.sameMembers(
          (yield* latest(100)).map(({ ruleset }) => ruleset),
          all.map(({ ruleset }) => ruleset)
        )
      })
    )

    onDatabase(
      "is asked by a name or how it begins, where that is one",
      Effect.gen(function* () {
        const c = { ...b, ruleset: `sha256:a1${"0".repeat(62)}` }
        yield* Effect.forEach([a, b, c], keep)
        assert.deepInclude(yield* find("B"), { _tag: "Found" })
        assert.deepInclude(yield* find("sha256:a1"), { _tag: "Found" })
        assert.deepStrictEqual(yield* find("a"), { _tag: "Ambiguous", rulesets: [c.ruleset, a.ruleset] })
        for (const name of ["c", "", "sha256:", "%", "_", "a%", "md5:a", `${"a".repeat(64)}a`]) {
          assert.deepStrictEqual(yield* find(name), { _tag: "NotFound" }, name)
        }
      })
    )

    onDatabase(
      "that cannot be stored stops nothing, and is reported",
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql`DROP TABLE paymux_rulesets`
        const lines: Array<string> = []
        yield* keep(a).pipe(
          Effect.provide(Logger.layer([Logger.map(Logger.formatLogFmt, (line) => void lines.push(line))]))
        )
        assert.strictEqual(lines.length, 1)
        assert.include(lines[0], "level=ERROR")
        assert.include(lines[0], `Routing rules ${a.ruleset} are in force, but could not be kept in the history`)
      })
    )
  })
}

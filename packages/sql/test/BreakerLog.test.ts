/** The breakers of several processes on both databases, against a plain filter of everything that happened. */
import { assert, describe, it } from "@effect/vitest"
import { Breakers, OpossumBreaker } from "@paymux/core/engine"
import type { BreakerState } from "@paymux/core/engine"
import { Context, Effect, Layer, Redacted, Scope, Exit } from "effect"
import { TestClock } from "effect/testing"
import { SqlClient } from "effect/sql"
import { temporaryDatabase } from "../../../test/support/PostgresDatabases.ts"
import { historyStatement } from "../src/breakers/BreakerLog.ts"
import type { BreakerChange, BreakerHistoryQuery } from "../src/breakers/BreakerLog.ts"
import { BreakerLog, breakerStates, coreMigrations, PostgresClient, runMigrations, SqliteClient } from "../src/index.ts"
import { pruneTransitions } from "../src/breakers/pruneTransitions.ts"

const sqlite = (): Layer.Layer<SqlClient.SqlClient> =>
  Layer.effectDiscard(runMigrations([coreMigrations])).pipe(
    Layer.provideMerge(SqliteClient.layer({ filename: ":memory:" })),
    Layer.orDie
  )

const postgres = (): Layer.Layer<SqlClient.SqlClient> =>
  Layer.unwrap(
    Effect.map(temporaryDatabase([coreMigrations]), (url) => PostgresClient.layer({ url: Redacted.make(url) }))
  ).pipe(Layer.orDie)

/** A process with breakers of its own, which ends with its scope. */
const startProcess = (process: string, keepFor: number | null = null) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const scope = yield* Scope.make()
    const recording = BreakerLog.recordingLayer({
      process,
      host: `host-${process}`,
      pid: 7,
      isLive: (provider) => provider.startsWith("live"),
      keepFor
    })
    const context = yield* Layer.buildWithScope(
      Layer.provideMerge(recording, OpossumBreaker.layer()).pipe(
        Layer.provide(Layer.succeed(SqlClient.SqlClient, sql))
      ),
      scope
    )
    const open = (provider: string, operation = "create") =>
      Effect.sync(() => Context.get(context, Breakers).get({ provider, operation }).forceOpen("misconfigured"))
    return { open, log: Context.get(context, BreakerLog), scope, end: Scope.close(scope, Exit.void) }
  })

const untilSoon = Effect.fnUntraced(function* (check: Effect.Effect<boolean, unknown>) {
  for (let tries = 0; tries < 4000; tries++) {
    if (yield* check) return
    yield* Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 5)))
  }
  assert.fail("it did not happen")
})

const count = Effect.fnUntraced(function* (log: BreakerLog["Service"], livemode = false) {
  return (yield* log.history(livemode, { limit: 1000 })).data.length
})

const insertChange = (change: BreakerChange & { readonly livemode: boolean }, sequence: number) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { at, cause, from, host, livemode, operation, process, provider, to } = change
    yield* sql`INSERT INTO breaker_transitions
      (process, sequence, host, livemode, provider, operation, from_state, to_state, cause, at)
      VALUES (${process}, ${sequence}, ${host}, ${livemode}, ${provider}, ${operation}, ${from}, ${to}, ${cause}, ${at})`
  })

const start = 1_700_000_000_000

/** 60 transitions, several in one millisecond, and not in the order of their times. */
const past = Array.from({ length: 60 }, (_, n) => ({
  at: start + ((n * 37) % 40),
  provider: ["acme", "bolt", "live_acme"][n % 3] ?? "acme",
  operation: ["create", "refund"][n % 2] ?? "create",
  from: breakerStates[n % 3] ?? "closed",
  to: breakerStates[(n * 7 + 1) % 3] ?? "open",
  cause: "failure_rate" as const,
  process: `p${n % 4}`,
  host: "h",
  livemode: n % 5 === 0
}))

const read = Effect.fnUntraced(function* (livemode: boolean, query: Omit<BreakerHistoryQuery, "limit">, limit: number) {
  const log = yield* BreakerLog
  const found: Array<BreakerChange> = []
  let page = yield* log.history(livemode, { ...query, limit })
  for (; page.next !== null; page = yield* log.history(livemode, { ...query, limit, after: page.next })) {
    assert.strictEqual(page.data.length, limit)
    found.push(...page.data)
  }
  return [...found, ...page.data]
})

describe.each([
  ["SQLite", sqlite],
  ["PostgreSQL", postgres]
] as const)("the breakers of all processes on %s", (_, database) => {
  it.live("has each transition of a mode once, newest first, under every filter and page size", () =>
    Effect.gen(function* () {
      yield* Effect.forEach(past, insertChange)
      const filters: ReadonlyArray<Omit<BreakerHistoryQuery, "limit">> = [
        {},
        { provider: "acme" },
        { operation: "refund" },
        { state: "open" },
        { provider: "bolt", operation: "create" },
        { provider: "acme", state: "closed", from: start + 3, until: start + 30 },
        { operation: "create", state: "half_open" },
        { provider: "none" }
      ]
      for (const livemode of [false, true]) {
        for (const query of filters) {
          const { from = 0, operation, provider, state, until = Infinity } = query
          const expected = past
            .map((change, position) => ({ change, position }))
            .filter(({ change }) => change.livemode === livemode && change.at >= from && change.at < until)
            .filter(({ change }) => provider === undefined || change.provider === provider)
            .filter(({ change }) => operation === undefined || change.operation === operation)
            .filter(({ change }) => state === undefined || change.to === state)
            .toSorted((a, b) => b.change.at - a.change.at || b.position - a.position)
            .map(({ change: { livemode: _mode, ...change } }) => change)
          for (const limit of [3, 1000]) assert.deepStrictEqual(yield* read(livemode, query, limit), expected)
        }
      }
    }).pipe(Effect.provide(Layer.provideMerge(BreakerLog.layer, database())))
  )

  it.live("shows the breakers of every running process, and their transitions after they ended", () =>
    Effect.gen(function* () {
      const first = yield* startProcess("one")
      const second = yield* startProcess("two")
      yield* first.open("acme")
      yield* second.open("acme", "refund")
      yield* second.open("live_acme")
      yield* untilSoon(Effect.map(count(first.log), (all) => all === 2))
      yield* untilSoon(Effect.map(first.log.list(false), (all) => all.length === 2))

      const shown = yield* (yield* BreakerLog).list(false)
      assert.deepStrictEqual(
        shown.map(({ cause, host, operation, pid, process, state }) => ({
          cause,
          host,
          operation,
          pid,
          process,
          state
        })),
        [
          { cause: "misconfigured", host: "host-one", operation: "create", pid: 7, process: "one", state: "open" },
          { cause: "misconfigured", host: "host-two", operation: "refund", pid: 7, process: "two", state: "open" }
        ]
      )
      assert.strictEqual((yield* first.log.list(true)).length, 1)
      assert.deepStrictEqual(yield* first.log.list(false, { state: "closed" }), [])
      assert.strictEqual((yield* first.log.list(false, { operation: "refund", provider: "acme" })).length, 1)

      yield* second.end
      assert.deepStrictEqual((yield* first.log.list(true)).length, 0)
      assert.strictEqual(yield* count(first.log), 2)
      assert.strictEqual(yield* count(first.log, true), 1)
      yield* first.end
    }).pipe(Effect.provide(Layer.provideMerge(BreakerLog.layer, database())))
  )

  it.live("does not show a process that was killed as open for ever, and deletes its row", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const killed = yield* startProcess("killed")
      yield* killed.open("acme")
      const log = yield* BreakerLog
      yield* untilSoon(Effect.map(log.list(false), (all) => all.length === 1))
      for (const step of [-60_001, 3_600_000]) {
        // As if it had reported a minute ago, or before the clock was set back. The process of this test still runs: a report
        // that was under way is set back with the next update.
        yield* untilSoon(
          Effect.andThen(
            sql`UPDATE breaker_processes SET seen_at = seen_at + ${step}`,
            Effect.map(log.list(false), (all) => all.length === 0)
          )
        )
      }
      const other = yield* startProcess("other")
      yield* other.open("bolt")
      // The killed process still runs in this test and reports every 15 seconds: each of its reports is made old again.
      const silent = sql`UPDATE breaker_processes SET seen_at = seen_at - 60001 WHERE process = ${"killed"}`
      yield* untilSoon(
        Effect.andThen(
          silent,
          Effect.map(log.list(false), (all) => all.length === 1)
        )
      )
      yield* untilSoon(
        Effect.andThen(
          silent,
          Effect.map(sql<{ process: string }>`SELECT process FROM breaker_processes`, (rows) => rows.length === 1)
        )
      )
      yield* other.end
      yield* killed.end
    }).pipe(Effect.provide(Layer.provideMerge(BreakerLog.layer, database())))
  )

  it.live("records at the end of a process what it has not recorded yet", () =>
    Effect.gen(function* () {
      const process = yield* startProcess("one")
      for (let n = 0; n < 250; n++) yield* process.open(`p${n}`)
      yield* process.end
      const log = yield* BreakerLog
      assert.strictEqual(yield* count(log), 250)
      assert.deepStrictEqual(yield* log.list(false), [])
    }).pipe(Effect.provide(Layer.provideMerge(BreakerLog.layer, database())))
  )

  it.live("deletes transitions by age alone, in batches", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const old = past[0]
      if (old === undefined) return
      for (let n = 0; n < 1100; n++) yield* insertChange({ ...old, livemode: false }, 1000 + n)
      yield* insertChange({ ...old, at: Date.now() - 1000, livemode: false }, 1)
      assert.strictEqual(yield* pruneTransitions(sql, 60_000), 1100)
      assert.strictEqual(yield* count(yield* BreakerLog), 1)
    }).pipe(Effect.provide(Layer.provideMerge(BreakerLog.layer, database())))
  )

  it.live("refuses a cursor of another kind", () =>
    Effect.gen(function* () {
      const log = yield* BreakerLog
      for (const after of ["", "x", "1", "1.99999999999999999", "-1.1", "1.1.1"]) {
        const refusal = yield* Effect.flip(log.history(false, { limit: 1, after }))
        assert.strictEqual(refusal._tag, "BreakerCursorInvalid")
      }
    }).pipe(Effect.provide(Layer.provideMerge(BreakerLog.layer, database())))
  )
})

it.effect("records transitions when the database is back, and lets the breakers work meanwhile", () =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql`ALTER TABLE breaker_transitions RENAME TO elsewhere`
    const process = yield* startProcess("one")
    yield* process.open("acme")
    yield* TestClock.adjust("5 minutes")
    yield* process.open("bolt")
    yield* sql`ALTER TABLE elsewhere RENAME TO breaker_transitions`
    yield* TestClock.adjust("1 minute")
    assert.strictEqual(yield* count(process.log), 2)
    yield* process.end
  }).pipe(Effect.provide(sqlite()))
)

it.effect("keeps a running process in the list without a transition, by its reports", () =>
  Effect.gen(function* () {
    const process = yield* startProcess("one")
    yield* process.open("acme")
    for (let minute = 0; minute < 5; minute++) {
      yield* TestClock.adjust("1 minute")
      assert.strictEqual((yield* (yield* BreakerLog).list(false)).length, 1)
    }
    yield* process.end
  }).pipe(Effect.provide(Layer.provideMerge(BreakerLog.layer, sqlite())))
)

it.effect("walks one index for each state, under every filter, on SQLite", () =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const filters: ReadonlyArray<readonly [Partial<BreakerHistoryQuery>, string]> = [
      [{}, "by_state (livemode=? AND to_state=?"],
      [{ operation: "create" }, "by_operation (livemode=? AND operation=? AND to_state=?"],
      [{ provider: "acme", from: 5 }, "by_provider (livemode=? AND provider=? AND to_state=?"],
      [{ provider: "acme", operation: "create" }, "by_key (livemode=? AND provider=? AND operation=? AND to_state=?"],
      [
        { provider: "acme", state: "open" satisfies BreakerState },
        "by_provider (livemode=? AND provider=? AND to_state=?"
      ]
    ]
    for (const [query, index] of filters) {
      const [text, parameters] = historyStatement(sql, true, { limit: 20, ...query }, { at: 5, row: 5 }).compile()
      const plan = yield* sql.unsafe<{ detail: string }>(`EXPLAIN QUERY PLAN ${text}`, parameters)
      const steps = plan.map(({ detail }) => detail).filter((detail) => detail.includes("breaker_transitions"))
      assert.strictEqual(steps.length, query.state === undefined ? 3 : 1)
      for (const step of steps) assert.include(step, `USING INDEX breaker_transitions_${index}`)
    }
  }).pipe(Effect.provide(sqlite()))
)

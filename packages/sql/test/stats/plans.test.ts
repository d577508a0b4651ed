/** Charts read the sums that they show and no others, whatever PostgreSQL knows of the tables. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { temporaryDatabase } from "../../../../test/support/PostgresDatabases.ts"
import { coreMigrations, PostgresClient, statisticsSeries, stepMs } from "../../src/index.ts"

const until = Date.UTC(2026, 10, 1)
const days = 300

/** Hours and days of three facts: an index by time alone finds 75 times as many rows as a chart of days shows. */
const filled = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  for (const step of ["hour", "day"] as const) {
    const starts = `generate_series(${until - days * stepMs.day}::bigint, ${until - 1}, ${stepMs[step]}) AS starts (start)`
    yield* sql.unsafe(`INSERT INTO statistics_counts
      SELECT 1, 'one', false, fact, '${step}', start, 'acme', 'card', 'EUR', 'succeeded', '', 1, 0, 100, 0, 100
      FROM ${starts}, unnest(ARRAY['payment', 'attempt', 'refund']) AS facts (fact)`)
    yield* sql.unsafe(`INSERT INTO statistics_durations
      SELECT 1, 'one', false, '${step}', start, 'acme', 'card', 'EUR', '[40,1]' FROM ${starts}`)
  }
  yield* sql`ANALYZE statistics_counts, statistics_durations`
})

const scansByStart = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`SELECT pg_stat_force_next_flush()`
  return yield* sql<{ name: string; scans: number }>`SELECT indexrelname::text AS name, idx_scan AS scans
    FROM pg_stat_user_indexes WHERE indexrelname LIKE 'statistics%by_start' ORDER BY 1`
})

describe("charts on PostgreSQL", () => {
  it.live.each(["force_custom_plan", "force_generic_plan"])("never go by an index of time alone: %s", (mode) =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* filled
      yield* sql.unsafe(`SET plan_cache_mode = ${mode}`)
      for (const step of ["hour", "day"] as const) {
        for (const [from, to] of [
          [0, 30],
          [100, 101],
          [0, days]
        ] as const) {
          const range = { from: until - (step === "day" ? to : Math.min(to, from + 80)) * stepMs.day, step }
          const query = { ...range, of: "attempts", until: until - from * stepMs.day } as const
          const { points } = yield* statisticsSeries({ account: "one", livemode: false }, query)
          assert.strictEqual(points.length, (query.until - query.from) / stepMs[step])
        }
      }
      assert.deepStrictEqual(yield* scansByStart, [
        { name: "statistics_counts_by_start", scans: 0 },
        { name: "statistics_durations_by_start", scans: 0 }
      ])
    }).pipe(
      Effect.provide(
        Layer.unwrap(
          Effect.map(temporaryDatabase([coreMigrations]), (url) =>
            PostgresClient.layer({ url: Redacted.make(url), maxConnections: 1 })
          )
        )
      )
    )
  )
})

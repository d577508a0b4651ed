import { assert, describe, it } from "@effect/vitest"
import type { AdvanceCommit } from "@paymux/core/store"
import { PaymentRecords } from "@paymux/test-suites"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { temporaryDatabase } from "../../../../test/support/PostgresDatabases.ts"
import { coreMigrations, PostgresClient, PostgresDatabase } from "../../src/index.ts"
import { advanceCommit, beginCommit, parametersOf } from "../../src/postgres/commits.ts"
import type { Commit } from "../../src/postgres/commits.ts"

const { aBinding, anEntry, anEvent, aRecord, nextVersion } = PaymentRecords

const database = temporaryDatabase([coreMigrations])

const before = aRecord(1)
const binding = aBinding(1)

const advanced = (commit: AdvanceCommit): Commit => {
  const made = advanceCommit(commit)
  assert.isNotNull(made)
  return made
}

/** Changes a row of every table. */
const change: AdvanceCommit = {
  before,
  after: {
    ...nextVersion(before, { description: "other" }),
    attempts: before.attempts.map((attempt) => ({ ...attempt, status: "succeeded" })),
    operations: before.operations.map((operation) => ({ ...operation, reference: "reference" })),
    entries: [...before.entries, anEntry(1)]
  },
  events: [anEvent(before, "payment.pending", { sequence: 1 })],
  evidence: null,
  binding: null,
  answer: { ...binding, body: "answer" }
}

const replaced: AdvanceCommit = {
  ...change,
  before: { ...before, operations: before.operations.map((operation) => ({ ...operation, reference: "former" })) }
}

const commits: ReadonlyArray<readonly [string, Commit]> = [
  ["begin", beginCommit({ record: before, binding })],
  ["advance", advanced(change)],
  ["advance with a key", advanced({ ...change, binding: aBinding(2, { paymentId: before.payment.id }) })],
  ["advance with a replaced reference", advanced(replaced)],
  [
    "advance of what rarely changes",
    advanced({ ...change, after: { ...change.after, payment: { ...change.after.payment, account: "another" } } })
  ]
]

const oneSession = (url: string) =>
  PostgresClient.layer({ url: Redacted.make(url), maxConnections: 1, deadlineMs: 60_000 })

/** A session keeps the plan of a prepared statement. It is made here as for any values. */
const prepare = Effect.fnUntraced(function* (name: string, { rows, text }: Commit) {
  const sql = yield* SqlClient.SqlClient
  const types = rows.map(() => "json").join(", ")
  yield* sql.unsafe("SET plan_cache_mode = force_generic_plan").unprepared
  yield* sql.unsafe(`PREPARE ${name} (${types}) AS ${text}`).unprepared
})

const planOf = Effect.fnUntraced(function* (name: string, { rows }: Commit) {
  const sql = yield* SqlClient.SqlClient
  const none = rows.map(() => "'[]'").join(", ")
  const steps = yield* sql.unsafe<{ readonly "QUERY PLAN": string }>(`EXPLAIN EXECUTE ${name} (${none})`).unprepared
  return steps.map((step) => step["QUERY PLAN"]).join("\n")
})

/** Ten thousand payments, which PostgreSQL knows nothing of. */
const fill = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  for (const [table, ids] of [
    ["payments", "jsonb_build_object('id', 'pay_' || n)"],
    ["attempts", "jsonb_build_object('payment_id', 'pay_' || n)"],
    ["operations", "jsonb_build_object('payment_id', 'pay_' || n, 'id', 'op_' || n)"],
    ["idempotency_keys", "jsonb_build_object('payment_id', 'pay_' || n, 'key', 'key ' || n)"]
  ] as const) {
    yield* sql.unsafe(`ALTER TABLE ${table} SET (autovacuum_enabled = false)`).unprepared
    yield* sql.unsafe(`INSERT INTO ${table} SELECT (jsonb_populate_record(one, ${ids})).*
      FROM ${table} one, generate_series(1, 10000) n`).unprepared
  }
})

describe("The plans of commits", () => {
  it.live("read tables by their indexes, prepared when they were empty and when they are full but not analyzed", () =>
    Effect.gen(function* () {
      const url = yield* database
      const check = Effect.gen(function* () {
        const { query } = yield* PostgresDatabase
        const assertIndexed = Effect.fnUntraced(function* (time: string) {
          for (const [index, [name, commit]] of commits.entries()) {
            const plan = yield* planOf(`${time}_${index}`, commit)
            // The mark of a restored database is one row.
            assert.notMatch(plan, /Seq Scan(?! on restoration)|Bitmap Heap Scan/, `${name}, ${time}\n${plan}`)
            if (name !== "begin") {
              for (const key of ["payments_pkey", "attempts_pkey", "operations_id_key", "idempotency_keys"]) {
                assert.match(plan, new RegExp(`Index Scan using ${key}`), `${name}, ${time}\n${plan}`)
              }
            }
          }
        })
        // As PostgreSQL has it by default: pages in no order are dear.
        yield* query("SELECT set_config('random_page_cost', '4', false)", [])
        for (const [index, [, commit]] of commits.entries()) yield* prepare(`empty_${index}`, commit)
        yield* assertIndexed("empty")
        const begin = beginCommit({ record: before, binding })
        yield* query(begin.text, parametersOf([begin]))
        yield* fill
        yield* assertIndexed("empty")
        for (const [index, [, commit]] of commits.entries()) yield* prepare(`full_${index}`, commit)
        yield* assertIndexed("full")
      })
      yield* Effect.provide(check, oneSession(url), { local: true })
    })
  )
})

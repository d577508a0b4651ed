/**
 * Time and memory of a run over a statement with as many movements as there are payments, each by its operation and its
 * reference, and with every kind of difference once in each thousand. All must be found, and no other.
 *
 * `pnpm bench reconcile sqlite|postgres`
 * - `--payments <n>`: default 1,000,000.
 *
 * On SQLite another process fills the file (`--fill`), so that its memory is not counted.
 */
import type { StatementQuery } from "@paymux/core/statement"
import { PaymentStore } from "@paymux/core/store"
import { PostgresClient, PostgresPaymentStore, SqliteClient, SqlitePaymentStore, Statements } from "@paymux/sql"
import { Effect, Layer } from "effect"
import type { Redacted, Scope } from "effect"
import { SqlClient } from "effect/sql"
import { execFileSync } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { postgresWith, sqliteWith } from "./lists/databases.ts"
import { apart, first, idOf } from "./lists/payments.ts"
import { bookingsOf, plantedDifferences, refundsOf } from "./plantedStatement.ts"
import { openPostgres } from "./PostgresDatabases.ts"

const { positionals, values: options } = parseArgs({
  allowPositionals: true,
  options: { payments: { type: "string", default: "1000000" }, fill: { type: "string" } }
})
const [driver = "sqlite"] = positionals
const payments = Number(options.payments)
const provider = "acme"
/** Payments; some have two movements. */
const pageSize = 990
const hour = 60 * 60_000

const pageAt = ({ cursor }: Pick<StatementQuery, "cursor">) => {
  const start = Number(cursor ?? 0)
  const end = Math.min(start + pageSize, payments)
  const places = Array.from({ length: end - start }, (_, place) => start + place)
  return {
    movements: places.flatMap((n) => bookingsOf(n, payments)),
    next: end === payments ? null : String(end)
  }
}

/** All of them succeeded at one provider. */
const settled = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  for (let n = 0; n < payments; n++) yield* refund(n)
  yield* sql`UPDATE operations SET provider = ${provider}, status = 'succeeded', ended_at = created_at + 900`
  yield* sql.onDialectOrElse({ pg: () => sql`ANALYZE`, orElse: () => Effect.void })
})

const refund = Effect.fnUntraced(function* (n: number) {
  const refunds = refundsOf(n, provider)
  if (refunds.length === 0) return
  const store = yield* PaymentStore
  const before = yield* store.get(idOf(n))
  if (before === null) throw new Error(`Payment ${n} is not there`)
  const payment = { ...before.payment, version: before.payment.version + 1 }
  const after = { ...before, payment, operations: [...before.operations, ...refunds] }
  yield* store.advance({ before, after, events: [], evidence: null, binding: null, answer: null })
})

const filled = (directory: string) =>
  Effect.flatMap(sqliteWith(directory, payments), (filename) =>
    Effect.provide(settled, Layer.provideMerge(SqlitePaymentStore.layer, SqliteClient.layer({ filename })))
  )

const measured = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [{ livemode } = { livemode: false }] = yield* sql<{ readonly livemode: boolean | number }>`
    SELECT livemode FROM payments LIMIT 1`
  const statements = yield* Statements
  const since = first - hour
  const until = first + payments * apart + hour
  let run = yield* statements.begin({ provider, livemode: Boolean(livemode), source: "provider", since, until })
  const rules = { bookedWithin: 60_000, paymentsInParts: false }
  let most = 0
  const seen = () => (most = Math.max(most, process.memoryUsage().rss))
  const started = performance.now()
  const before = process.cpuUsage()
  while (run.state === "reading") {
    run = yield* statements.enter(run, pageAt(run), rules)
    seen()
  }
  const read = performance.now()
  const { system, user } = process.cpuUsage(before)
  while (run.state === "comparing") {
    run = yield* statements.compare(run, rules)
    seen()
  }
  const compared = performance.now()
  const { differences, matched } = run.counts
  console.log(
    `${driver}: ${payments} payments, ${matched} movements matched, ${JSON.stringify(differences)}, ` +
      `${((read - started) / 1000).toFixed(1)} s reading (${((system + user) / 1e6).toFixed(1)} s CPU here), ${((compared - read) / 1000).toFixed(1)} s comparing, ` +
      `${(most / 2 ** 20).toFixed(0)} MB at most`
  )
  const [found, planted] = [differences, plantedDifferences(payments)].map((kinds) =>
    JSON.stringify(Object.entries(kinds).toSorted(([one], [other]) => one.localeCompare(other)))
  )
  if (found !== planted) throw new Error(`Planted were ${planted}`)
})

const onSqlite = (directory: string) => {
  const child = [fileURLToPath(import.meta.url), "--payments", String(payments), "--fill", directory]
  execFileSync(process.execPath, child, { stdio: "inherit" })
  return Effect.provide(
    measured,
    Statements.layer.pipe(
      Layer.provideMerge(SqlitePaymentStore.layer),
      Layer.provideMerge(SqliteClient.layer({ filename: join(directory, `${payments}.db`) }))
    )
  )
}

const onPostgres: Effect.Effect<void, unknown, Scope.Scope> = Effect.gen(function* () {
  const server = yield* Effect.acquireRelease(Effect.promise(openPostgres), ({ close }) => Effect.promise(close))
  const url: Redacted.Redacted = yield* postgresWith(server, payments)
  yield* Effect.provide(
    Effect.andThen(settled, measured),
    Statements.layer.pipe(
      Layer.provideMerge(PostgresPaymentStore.layer),
      Layer.provideMerge(PostgresClient.layer({ url, deadlineMs: 600_000 }))
    )
  )
})

if (options.fill !== undefined) await Effect.runPromise(Effect.scoped(filled(options.fill)))
else {
  const directory = mkdtempSync(join(tmpdir(), "paymux-bench-reconcile-"))
  try {
    await Effect.runPromise(Effect.scoped(driver === "postgres" ? onPostgres : onSqlite(directory)))
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

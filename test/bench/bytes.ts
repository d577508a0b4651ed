/**
 * Bytes a payment in the SQLite file, with one event and with two, with and without an idempotency key.
 *
 * `pnpm bench bytes`
 * - `--payments <n>`: of each file; default 20,000. `--columns`: also the mean length of each column.
 */
import { decodeCreatePayment, Engine, Payments } from "@paymux/core"
import { coreMigrations, runMigrations, SqliteClient, SqlitePaymentStore } from "@paymux/sql"
import { Effect, Layer } from "effect"
import { randomUUID } from "node:crypto"
import { mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { parseArgs } from "node:util"
import * as NodeSha256 from "../../packages/paymux/src/NodeSha256.ts"
import { together } from "./EngineBench.ts"
import { instantProvider } from "./InstantProvider.ts"
import { request, tenant } from "./Sample.ts"
import { waitingProvider } from "./WaitingProvider.ts"

const { values: options } = parseArgs({
  options: {
    payments: { type: "string", default: "20000" },
    columns: { type: "boolean", default: false }
  }
})
const payments = Number(options.payments)

const cases = [
  { name: "one event", provider: instantProvider, hasKey: false },
  { name: "one event, with a key", provider: instantProvider, hasKey: true },
  { name: "two events", provider: waitingProvider, hasKey: false },
  { name: "two events, with a key", provider: waitingProvider, hasKey: true }
]

const payOne = (payment: Parameters<Payments["Service"]["create"]>[0], hasKey: boolean) =>
  Effect.flatMap(Payments, ({ complete, create }) => {
    const idempotency = hasKey ? { endpoint: "POST /v1/payments", key: randomUUID() } : null
    return Effect.flatMap(create(payment, { tenant, idempotency }), ({ record }) => {
      const { id, state } = record.payment
      const paid = state.status === "pending" ? complete(id, {}) : Effect.succeed(record)
      return Effect.map(paid, (last) => {
        if (last.payment.state.status !== "succeeded")
          throw new Error(`A payment ended as ${last.payment.state.status}`)
      })
    })
  })

const fill = (filename: string, { hasKey, provider }: (typeof cases)[number]) => {
  const database = Layer.effectDiscard(runMigrations([coreMigrations])).pipe(
    Layer.provideMerge(SqliteClient.layer({ filename }))
  )
  const store = Layer.provideMerge(SqlitePaymentStore.layer, database)
  const engine = Engine.layerLive({ providers: [provider], publicUrl: "http://localhost:4310" }).pipe(
    Layer.provideMerge(Layer.merge(store, NodeSha256.layer))
  )
  const load = Effect.flatMap(Effect.orDie(decodeCreatePayment(request)), (payment) =>
    Effect.forEach(Array.from({ length: payments }), () => payOne(payment, hasKey), {
      concurrency: together,
      discard: true
    })
  )
  return Effect.runPromise(Effect.provide(load, engine))
}

const report = (name: string, filename: string) => {
  const database = new DatabaseSync(filename)
  const all = database.prepare("SELECT name, sum(pgsize) AS bytes FROM dbstat GROUP BY name ORDER BY bytes DESC").all()
  const total = all.reduce((sum, { bytes }) => sum + Number(bytes), 0)
  console.log(`\n${name}: ${(total / payments).toFixed(0)} bytes a payment`)
  for (const { bytes, name: of } of all) {
    if (Number(bytes) > payments) console.log(`  ${(Number(bytes) / payments).toFixed(0).padStart(5)}  ${String(of)}`)
  }
  if (options.columns) for (const { name: of } of all) reportColumns(database, String(of))
  database.close()
}

const reportColumns = (database: DatabaseSync, table: string) => {
  const columns = database.prepare("SELECT name FROM pragma_table_info(?)").all(table)
  for (const { name } of columns) {
    const row = database.prepare(`SELECT sum(length(CAST("${String(name)}" AS BLOB))) AS bytes FROM "${table}"`).get()
    const bytes = Number(row?.["bytes"]) / payments
    if (bytes >= 1) console.log(`  ${bytes.toFixed(0).padStart(5)}  ${table}.${String(name)}`)
  }
}

mkdirSync(join(import.meta.dirname, ".data"), { recursive: true })
const directory = mkdtempSync(join(import.meta.dirname, ".data", "bytes-"))
try {
  for (const each of cases) {
    const filename = join(directory, `${each.name.replaceAll(/\W+/g, "-")}.db`)
    await fill(filename, each)
    report(each.name, filename)
  }
} finally {
  rmSync(directory, { recursive: true, force: true })
}

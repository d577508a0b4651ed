/** Databases that hold so many payments, written row by row as the store would, and in no time that a person would wait for. */
import type { PaymentRecord } from "@paymux/core"
import { PaymentStore } from "@paymux/core/store"
import {
  buildMetadataIndexes,
  coreMigrations,
  PostgresClient,
  PostgresPaymentStore,
  runMigrations,
  SqliteClient,
  SqlitePaymentStore
} from "@paymux/sql"
import { Context, Effect, Layer, Redacted } from "effect"
import type { Scope } from "effect"
import { SqlClient } from "effect/sql"
import { DatabaseSync } from "node:sqlite"
import { join } from "node:path"
import { attemptColumns, operationColumns, paymentColumns } from "../../../packages/sql/src/rows/columns.ts"
import { valuesOf } from "../../../packages/sql/src/rows/Column.ts"
import type { Columns, SqlValue } from "../../../packages/sql/src/rows/Column.ts"
import { insertAttempt, insertOperation, insertPayment } from "../../../packages/sql/src/sqlite/statements.ts"
import { openPostgres } from "../PostgresDatabases.ts"
import type { PostgresDatabases } from "../PostgresDatabases.ts"
import { aStored } from "./payments.ts"

/** Stores by how many payments they hold. */
export type Stores = Effect.Effect<ReadonlyArray<PaymentStore["Service"]>, unknown, Scope.Scope>

export const onSqlite = (directory: string, sizes: ReadonlyArray<number>): Stores =>
  Effect.forEach(sizes, (size) =>
    Effect.flatMap(sqliteWith(directory, size), (filename) =>
      storeIn(SqlitePaymentStore.layer.pipe(Layer.provide(SqliteClient.layer({ filename }))))
    )
  )

/** The file of a database with so many payments. */
export const sqliteWith = Effect.fnUntraced(function* (directory: string, size: number) {
  const filename = join(directory, `${size}.db`)
  yield* Effect.provide(tables, SqliteClient.layer({ filename }), { local: true })
  fillFile(filename, size)
  return filename
})

export const onPostgres = (sizes: ReadonlyArray<number>): Stores =>
  Effect.gen(function* () {
    const server = yield* Effect.acquireRelease(Effect.promise(openPostgres), ({ close }) => Effect.promise(close))
    return yield* Effect.forEach(sizes, (size) =>
      Effect.flatMap(postgresWith(server, size), (url) =>
        storeIn(PostgresPaymentStore.layer.pipe(Layer.provide(PostgresClient.layer({ url, deadlineMs: 8_000 }))))
      )
    )
  })

/** The address of a database with so many payments. */
export const postgresWith = Effect.fnUntraced(function* (server: PostgresDatabases, size: number) {
  const url = Redacted.make(yield* Effect.promise(() => server.create(`lists_${size}`)))
  yield* Effect.provide(
    Effect.andThen(fillServer(size), Effect.andThen(tables, vacuum)),
    PostgresClient.layer({ url, deadlineMs: 600_000 }),
    { local: true }
  )
  return url
})

const tables = Effect.gen(function* () {
  yield* runMigrations([coreMigrations])
  yield* buildMetadataIndexes(["order_id"])
})

// As autovacuum leaves it.
const vacuum = SqlClient.SqlClient.use(
  (sql) => sql.unsafe("VACUUM (ANALYZE) payments, attempts, operations").unprepared
)

const storeIn = <E>(layer: Layer.Layer<PaymentStore, E>) =>
  Effect.map(Layer.build(Layer.fresh(layer)), (context) => Context.get(context, PaymentStore))

const fillFile = (filename: string, size: number): void => {
  const database = new DatabaseSync(filename)
  // What is lost with the machine is made again.
  database.exec("PRAGMA synchronous = OFF; PRAGMA cache_size = -1048576;")
  const payment = database.prepare(insertPayment)
  const attempt = database.prepare(insertAttempt)
  const operation = database.prepare(insertOperation)
  for (let n = 0; n < size;) {
    database.exec("BEGIN")
    for (const end = Math.min(n + 50_000, size); n < end; n++) {
      const made = aStored(n, size)
      const { id } = made.payment
      payment.run(...valuesOf(paymentColumns, made.payment))
      for (const each of made.attempts) attempt.run(id, ...valuesOf(attemptColumns, each))
      for (const each of made.operations) operation.run(0, ...valuesOf(operationColumns, each))
    }
    database.exec("COMMIT")
  }
  database.exec("PRAGMA wal_checkpoint(TRUNCATE)")
  database.close()
}

const fillServer = Effect.fnUntraced(function* (size: number) {
  for (let n = 0; n < size; n += BATCH) {
    const made = Array.from({ length: Math.min(BATCH, size - n) }, (_, index) => aStored(n + index, size))
    yield* insertAll(
      "payments",
      [],
      paymentColumns,
      made.map(({ payment }) => payment)
    )
    yield* insertAll(
      "attempts",
      [["payment_id", "text", paymentIds(made)]],
      attemptColumns,
      made.flatMap(({ attempts }) => attempts)
    )
    yield* insertAll(
      "operations",
      [["position", "bigint", made.map(() => 0)]],
      operationColumns,
      made.flatMap(({ operations }) => operations)
    )
  }
})

const BATCH = 10_000

const paymentIds = (made: ReadonlyArray<PaymentRecord>) => made.map(({ payment }) => payment.id)

type Own = readonly [name: string, type: string, values: ReadonlyArray<SqlValue>]

/** One array for each column. */
const insertAll = Effect.fnUntraced(function* <A>(
  table: string,
  own: ReadonlyArray<Own>,
  columns: Columns<A>,
  rows: ReadonlyArray<A>
) {
  const values = rows.map((row) => valuesOf(columns, row))
  const all: ReadonlyArray<Own> = [
    ...own,
    ...columns.all.map(({ kind, name }, place): Own => [name, types[kind], values.map((row) => row[place] ?? null)])
    // The driver sends no array of NULL alone.
  ].filter(([, , written]) => written.some((value) => value !== null))
  const names = all.map(([name]) => name).join(", ")
  const cast = all.map(([name, type]) => `${name}::${type}`).join(", ")
  const arrays = all.map((_, index) => `$${index + 1}::text[]`).join(", ")
  const sql = yield* SqlClient.SqlClient
  yield* sql.unsafe(
    `INSERT INTO ${table} (${names}) SELECT ${cast} FROM unnest(${arrays}) AS row(${names})`,
    all.map(([, , written]) => written.map((value) => (value === null ? null : String(value))))
  )
})

const types = {
  text: "text",
  exact: "text",
  json: "text",
  "string[]": "text",
  number: "bigint",
  flag: "boolean"
} as const

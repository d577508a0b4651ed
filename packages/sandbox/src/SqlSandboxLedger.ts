/**
 * The ledger of the simulated providers on an `SqlClient`, in the tables of `sandboxMigrations`.
 *
 * @example
 * ```ts
 * const ledger = SqlSandboxLedger.layer.pipe(Layer.provide(SqliteClient.layer({ filename: "payments.db" })))
 * ```
 */
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { Statement } from "effect/sql"
import type { Movement } from "./LedgerEntry.ts"
import { changingColumns, entryOf, entryRow, movementOf, movementRow } from "./ledgerRows.ts"
import { LedgerUnavailable, SandboxLedger } from "./SandboxLedger.ts"

/** The ledger. The migrations `sandboxMigrations` must have run. */
export const layer: Layer.Layer<SandboxLedger, never, SqlClient.SqlClient> = Layer.effect(
  SandboxLedger,
  Effect.map(SqlClient.SqlClient, (sql) => make(sql))
)

const make = (sql: SqlClient.SqlClient): SandboxLedger["Service"] => {
  const entries = (condition: Statement.Fragment) =>
    Effect.map(mapSqlError(sql<object>`SELECT * FROM sandbox_payments WHERE ${condition}`), (rows) => rows.map(entryOf))

  const movementsWhere = (condition: Statement.Fragment) =>
    Effect.map(mapSqlError(sql<object>`SELECT * FROM sandbox_movements WHERE ${condition}`), (rows) =>
      rows.map(movementOf)
    )

  const writeMovements = Effect.fnUntraced(function* (movements: ReadonlyArray<Movement>) {
    for (const movement of movements) {
      yield* sql`INSERT INTO sandbox_movements ${sql.insert(movementRow(movement))}
        ON CONFLICT (provider, operation_key) DO NOTHING`
    }
  })

  return SandboxLedger.of({
    open: Effect.fnUntraced(
      function* ({ entry, movements }) {
        const inserted = yield* sql<object>`INSERT INTO sandbox_payments ${sql.insert(entryRow(entry))}
          ON CONFLICT (provider, operation_key) DO NOTHING RETURNING revision`
        if (inserted.length > 0) {
          yield* writeMovements(movements)
          return entry
        }
        const [stored] = yield* sql<object>`SELECT * FROM sandbox_payments
          WHERE provider = ${entry.provider} AND operation_key = ${entry.key}`
        return stored === undefined ? entry : entryOf(stored)
      },
      sql.withTransaction,
      mapSqlError
    ),
    advance: Effect.fnUntraced(
      function* (before, { entry, movements }) {
        const updated = yield* sql<object>`UPDATE sandbox_payments SET ${sql.update(changingColumns(entry))}
          WHERE provider = ${before.provider} AND operation_key = ${before.key} AND revision = ${before.revision}
          RETURNING revision`
        if (updated.length === 0) return false
        yield* writeMovements(movements)
        return true
      },
      sql.withTransaction,
      mapSqlError
    ),
    findByKey: (provider, key) =>
      Effect.map(entries(sql`provider = ${provider} AND operation_key = ${key}`), firstOrNull),
    findByReference: (provider, reference) =>
      Effect.map(entries(sql`provider = ${provider} AND reference = ${reference}`), firstOrNull),
    findByPayment: (id) => entries(sql`payment_id = ${id} ORDER BY created_at, reference`),
    due: (provider, now) => entries(sql`provider = ${provider} AND due_at <= ${now} ORDER BY due_at LIMIT 100`),
    nextDueAt: (provider) =>
      Effect.map(
        mapSqlError(sql<{ due_at: number | string | bigint }>`SELECT due_at FROM sandbox_payments
          WHERE provider = ${provider} AND due_at IS NOT NULL ORDER BY due_at LIMIT 1`),
        ([first]) => (first === undefined ? null : Number(first.due_at))
      ),
    movements: (id) => movementsWhere(sql`payment_id = ${id} ORDER BY moved_at, provider`),
    findMovement: (provider, key) =>
      Effect.map(movementsWhere(sql`provider = ${provider} AND operation_key = ${key}`), firstOrNull),
    booked: (provider, { after, limit, since, until }) => {
      const further = after === null ? sql`1 = 1` : sql`(m.moved_at, m.operation_key) > (${after.at}, ${after.key})`
      return Effect.map(
        mapSqlError(sql<object & { readonly reference: string }>`SELECT m.*, p.reference FROM sandbox_movements m
          JOIN sandbox_payments p ON p.payment_id = m.payment_id AND p.provider = m.provider
          WHERE m.provider = ${provider} AND m.kind <> 'cancel' AND m.moved_at >= ${since} AND m.moved_at < ${until}
            AND ${further}
          ORDER BY m.moved_at, m.operation_key LIMIT ${limit}`),
        (rows) => rows.map((row) => ({ ...movementOf(row), charge: row.reference }))
      )
    },
    forgetPayer: (id) =>
      mapSqlError(
        Effect.asVoid(sql`UPDATE sandbox_payments SET description = NULL, return_url = NULL, revision = revision + 1,
            method = CASE WHEN method LIKE 'upi collect %' THEN 'upi collect' ELSE method END
          WHERE payment_id = ${id}
            AND (description IS NOT NULL OR return_url IS NOT NULL OR method LIKE 'upi collect %')`)
      )
  })
}

const firstOrNull = <A>([first]: ReadonlyArray<A>): A | null => first ?? null

const mapSqlError = Effect.mapError((cause: unknown) => new LedgerUnavailable({ cause }))

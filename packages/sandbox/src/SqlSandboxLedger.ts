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
import type { LedgerChange, LedgerEntry, Movement } from "./LedgerEntry.ts"
import { changingColumns, entryOf, entryRow, movementOf, movementRow } from "./ledgerRows.ts"
import { LedgerUnavailable, SandboxLedger } from "./SandboxLedger.ts"

/** Requires that `sandboxMigrations` has run. */
export const layer: Layer.Layer<SandboxLedger, never, SqlClient.SqlClient> = Layer.effect(
  SandboxLedger,
  Effect.map(SqlClient.SqlClient, (sql) => make(sql))
)

const make = (sql: SqlClient.SqlClient): SandboxLedger["Service"] => {
  const readByKey = (provider: string, key: string) =>
    sql<object>`SELECT * FROM sandbox_payments WHERE provider = ${provider} AND operation_key = ${key}`

  const writeMovements = (movements: ReadonlyArray<Movement>) =>
    Effect.forEach(
      movements,
      (movement) =>
        sql`INSERT INTO sandbox_movements ${sql.insert(movementRow(movement))}
            ON CONFLICT (provider, operation_key) DO NOTHING`,
      { discard: true }
    )

  const open = ({ entry, movements }: LedgerChange) =>
    Effect.gen(function* () {
      const inserted = yield* sql<object>`INSERT INTO sandbox_payments ${sql.insert(entryRow(entry))}
        ON CONFLICT (provider, operation_key) DO NOTHING RETURNING revision`
      if (inserted.length > 0) yield* writeMovements(movements)
      const [stored] = yield* readByKey(entry.provider, entry.key)
      return stored === undefined ? entry : entryOf(stored)
    }).pipe(sql.withTransaction)

  const advance = (before: LedgerEntry, { entry, movements }: LedgerChange) =>
    Effect.gen(function* () {
      const updated = yield* sql<object>`UPDATE sandbox_payments SET ${sql.update(changingColumns(entry))}
        WHERE provider = ${before.provider} AND operation_key = ${before.key} AND revision = ${before.revision}
        RETURNING revision`
      if (updated.length === 0) return false
      yield* writeMovements(movements)
      return true
    }).pipe(sql.withTransaction)

  return SandboxLedger.of({
    open: (change) => guarded(open(change)),
    advance: (before, change) => guarded(advance(before, change)),
    findByKey: (provider, key) => guarded(Effect.map(readByKey(provider, key), firstEntry)),
    findByReference: (provider, reference) =>
      guarded(
        Effect.map(
          sql<object>`SELECT * FROM sandbox_payments WHERE provider = ${provider} AND reference = ${reference}`,
          firstEntry
        )
      ),
    findByPayment: (id) =>
      guarded(
        Effect.map(
          sql<object>`SELECT * FROM sandbox_payments WHERE payment_id = ${id} ORDER BY created_at, reference`,
          (rows) => rows.map(entryOf)
        )
      ),
    due: (provider, now) =>
      guarded(
        Effect.map(
          sql<object>`SELECT * FROM sandbox_payments WHERE provider = ${provider} AND due_at <= ${now}
            ORDER BY due_at LIMIT 100`,
          (rows) => rows.map(entryOf)
        )
      ),
    nextDueAt: (provider) =>
      guarded(
        Effect.map(
          sql<{ due_at: number | string | bigint }>`SELECT due_at FROM sandbox_payments
            WHERE provider = ${provider} AND due_at IS NOT NULL ORDER BY due_at LIMIT 1`,
          ([first]) => (first === undefined ? null : Number(first.due_at))
        )
      ),
    movements: (id) =>
      guarded(
        Effect.map(
          sql<object>`SELECT * FROM sandbox_movements WHERE payment_id = ${id} ORDER BY moved_at, provider`,
          (rows) => rows.map(movementOf)
        )
      ),
    findMovement: (provider, key) =>
      guarded(
        Effect.map(
          sql<object>`SELECT * FROM sandbox_movements WHERE provider = ${provider} AND operation_key = ${key}`,
          ([first]) => (first === undefined ? null : movementOf(first))
        )
      ),
    booked: (provider, { after, limit, since, until }) => {
      const further = after === null ? sql`1 = 1` : sql`(m.moved_at, m.operation_key) > (${after.at}, ${after.key})`
      return guarded(
        Effect.map(
          sql<object & { readonly reference: string }>`SELECT m.*, p.reference FROM sandbox_movements m
            JOIN sandbox_payments p ON p.payment_id = m.payment_id AND p.provider = m.provider
            WHERE m.provider = ${provider} AND m.kind <> 'cancel' AND m.moved_at >= ${since} AND m.moved_at < ${until}
              AND ${further}
            ORDER BY m.moved_at, m.operation_key LIMIT ${limit}`,
          (rows) => rows.map((row) => ({ ...movementOf(row), charge: row.reference }))
        )
      )
    },
    forgetPayer: (id) =>
      guarded(
        Effect.asVoid(sql`UPDATE sandbox_payments SET description = NULL, return_url = NULL, revision = revision + 1,
            method = CASE WHEN method LIKE 'upi collect %' THEN 'upi collect' ELSE method END
          WHERE payment_id = ${id}
            AND (description IS NOT NULL OR return_url IS NOT NULL OR method LIKE 'upi collect %')`)
      )
  })
}

const firstEntry = ([first]: ReadonlyArray<object>): LedgerEntry | null => (first === undefined ? null : entryOf(first))

const guarded = <A, E>(effect: Effect.Effect<A, E>): Effect.Effect<A, LedgerUnavailable> =>
  Effect.mapError(effect, (cause) => new LedgerUnavailable({ cause }))

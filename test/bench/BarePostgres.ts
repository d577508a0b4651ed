/**
 * What someone would write by hand on PostgreSQL instead of an engine: the same rows in the same two durable commits per
 * payment, one statement after the other, each prepared once per session. A payment asks the server twelve times:
 *
 * 1. `BEGIN`, insert the payment, its attempt and its operation, `COMMIT`;
 * 2. `BEGIN`, update the payment where its version is still the one written, its attempt and its operation, insert the
 *    entry and the event, `COMMIT`.
 *
 * Each transaction has a session of the pool of `PostgresClient` to itself, and runs its statements on it directly: no
 * spans, no templates. It is the yardstick, so it must be good, and honest: `SameRows` holds its tables against those of
 * the engine.
 */
import { Effect, ManagedRuntime } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlConnection } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { begunRows, draftOf, entryRow, eventRow, publicJson, send, succeededState } from "./BarePayment.ts"
import type { Draft } from "./BarePayment.ts"
import { clientOn } from "./PostgresDatabases.ts"
import { request as sample } from "./Sample.ts"
import type { SampleRequest } from "./Sample.ts"

export const openBarePostgres = (url: string) => {
  const runtime = ManagedRuntime.make(clientOn(url))
  return {
    /** `payments` payments, `concurrency` of them at a time. */
    run: (payments: number, concurrency: number) =>
      runtime.runPromise(
        Effect.flatMap(SqlClient.SqlClient, (sql) =>
          Effect.forEach(Array.from({ length: payments }), () => payOne(sql, sample), { concurrency, discard: true })
        )
      ),
    close: () => runtime.dispose()
  }
}

/** One payment, in two commits of its own. Answers the public JSON. */
const payOne = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, request: SampleRequest) {
  const draft = draftOf(request)
  yield* durably(sql, (connection) => begun(connection, draft))
  const reference = yield* Effect.promise(() => send(draft))
  return yield* durably(sql, (connection) => succeeded(connection, draft, reference))
})

type Connection = SqlConnection.Connection

const durably = <A>(sql: SqlClient.SqlClient, work: (connection: Connection) => Effect.Effect<A, SqlError>) =>
  Effect.scoped(
    Effect.flatMap(sql.reserve, (connection) =>
      Effect.gen(function* () {
        yield* connection.executeValues("BEGIN", [])
        const value = yield* work(connection)
        yield* connection.executeValues("COMMIT", [])
        return value
      }).pipe(Effect.onError(() => Effect.ignore(connection.execute("ROLLBACK", [], undefined))))
    )
  )

const begun = Effect.fnUntraced(function* (connection: Connection, draft: Draft) {
  const { attempts, operations, payments } = begunRows(draft, false)
  yield* connection.executeValues(insertPayment, parameters(payments))
  yield* connection.executeValues(insertAttempt, parameters(attempts))
  yield* connection.executeValues(insertOperation, parameters(operations))
})

const succeeded = Effect.fnUntraced(function* (connection: Connection, draft: Draft, reference: string) {
  const { id, operation, request } = draft
  const now = Date.now()
  const payment = ["succeeded", succeededState(), String(request.amount), "1", "2", String(now), id, "1"]
  const updated = yield* connection.executeValues(updatePayment, payment)
  if (updated.length !== 1) return yield* Effect.die(new Error(`Payment ${id} was changed by someone else`))
  yield* connection.executeValues(updateAttempt, ["succeeded", String(now), id, "1"])
  yield* connection.executeValues(updateOperation, ["succeeded", reference, String(now), operation])
  yield* connection.executeValues(insertEntry, parameters(entryRow(draft, reference, now)))
  const body = publicJson(draft, reference, now)
  yield* connection.executeValues(insertEvent, parameters(eventRow(draft, body, now, false)))
  return body
})

/** As text, which the statements cast: the driver would prepare anew for a small number and for a large one. */
const parameters = (row: object): ReadonlyArray<string> => Object.values(row).map(String)

const insertInto = (table: string, row: object): string => {
  const places = Object.values(row).map((value, index) => `$${index + 1}::${typeOf(value)}`)
  return `INSERT INTO ${table} (${Object.keys(row).join(", ")}) VALUES (${places.join(", ")})`
}

const typeOf = (value: unknown): string =>
  typeof value === "number" ? "bigint" : typeof value === "boolean" ? "boolean" : "text"

const anyDraft = draftOf(sample)
const anyRows = begunRows(anyDraft, false)
const insertPayment = insertInto("payments", anyRows.payments)
const insertAttempt = insertInto("attempts", anyRows.attempts)
const insertOperation = insertInto("operations", anyRows.operations)
const insertEntry = insertInto("entries", entryRow(anyDraft, "", 0))
const insertEvent = insertInto("payment_events", eventRow(anyDraft, "", 0, false))

const updatePayment = `UPDATE payments SET status = $1::text, state = $2::text, amount_captured = $3::bigint,
  event_sequence = $4::bigint, version = $5::bigint, updated_at = $6::bigint
  WHERE id = $7::text AND version = $8::bigint RETURNING 1`
const updateAttempt =
  "UPDATE attempts SET status = $1::text, ended_at = $2::bigint WHERE payment_id = $3::text AND seq = $4::bigint"
const updateOperation = `UPDATE operations SET status = $1::text, reference = $2::text, next_check_at = NULL,
  ended_at = $3::bigint WHERE id = $4::text`

/**
 * A payment script written by hand on PostgreSQL, the baseline of the engine: the same rows in the same two durable commits per
 * payment, which 32 payments share. Each commit is one statement, prepared once per session:
 *
 * 1. inserts the payments, their attempts and their operations;
 * 2. updates those whose version is still the one written, with their attempts and operations, and inserts their entries and
 *    events.
 *
 * The groups are known in advance, which no server has: it is an upper bound. Two lanes take turns: while one waits for the server, the other makes its rows. They have sessions of the pool of
 * `PostgresClient`, without spans or templates. It is the yardstick, so it must be good, and honest: `SameRows` holds its tables
 * against those of the engine.
 */
import { Effect, ManagedRuntime } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlConnection } from "effect/sql"
import { begunRows, draftOf, entryRow, eventRow, publicJson, send, succeededState } from "./BarePayment.ts"
import type { Draft } from "./BarePayment.ts"
import { clientOn } from "./PostgresDatabases.ts"
import { request as sample } from "./Sample.ts"

/** Payments in a commit. */
const group = 32
const lanes = 2

export const openBarePostgres = (url: string) => {
  const runtime = ManagedRuntime.make(clientOn(url))
  return {
    /** `payments` payments, in as many groups as they need. */
    run: (payments: number) => {
      const sizes = Array.from({ length: Math.ceil(payments / group) }, (_, index) =>
        Math.min(group, payments - index * group)
      )
      return runtime.runPromise(
        Effect.flatMap(SqlClient.SqlClient, (sql) =>
          Effect.forEach(sizes, (size) => payTogether(sql, size), { concurrency: lanes, discard: true })
        )
      )
    },
    close: () => runtime.dispose()
  }
}

/** Answers the public JSON of each. */
const payTogether = (sql: SqlClient.SqlClient, size: number) =>
  Effect.scoped(
    Effect.gen(function* () {
      const connection = yield* sql.reserve
      const drafts = Array.from({ length: size }, () => draftOf(sample))
      yield* begun(connection, drafts)
      const references = yield* Effect.promise(() => Promise.all(drafts.map(send)))
      return yield* succeeded(connection, drafts, references)
    })
  )

type Connection = SqlConnection.Connection

const begun = (connection: Connection, drafts: ReadonlyArray<Draft>) => {
  const rows = drafts.map((draft) => begunRows(draft, false))
  return connection.executeValues(insertBegun, [
    JSON.stringify(rows.map(({ payments }) => payments)),
    JSON.stringify(rows.map(({ attempts }) => attempts)),
    JSON.stringify(rows.map(({ operations }) => operations))
  ])
}

const succeeded = Effect.fnUntraced(function* (
  connection: Connection,
  drafts: ReadonlyArray<Draft>,
  references: ReadonlyArray<string>
) {
  const now = Date.now()
  const done = drafts.map((draft, index) => ({ draft, reference: references[index] ?? "" }))
  const bodies = done.map(({ draft, reference }) => publicJson(draft, reference, now))
  const updated = yield* connection.executeValues(updateSucceeded, [
    succeededState(),
    String(now),
    JSON.stringify(
      done.map(({ draft: { id, operation, request }, reference }) => ({
        id,
        operation,
        reference,
        amount: request.amount
      }))
    ),
    JSON.stringify(done.map(({ draft, reference }) => entryRow(draft, reference, now))),
    JSON.stringify(drafts.map((draft, index) => eventRow(draft, bodies[index] ?? "", now, false)))
  ])
  if (updated.length !== drafts.length) return yield* Effect.die(new Error("A payment was changed by someone else"))
  return bodies
})

/** From the rows that a parameter has as JSON. */
const insertInto = (table: string, row: object, parameter: number): string => {
  const columns = Object.keys(row).join(", ")
  return `INSERT INTO ${table} (${columns}) SELECT ${columns} FROM json_populate_recordset(NULL::${table}, $${parameter}::json)`
}

const anyDraft = draftOf(sample)
const anyRows = begunRows(anyDraft, false)

const insertBegun = `WITH
  payment AS (${insertInto("payments", anyRows.payments, 1)}),
  attempt AS (${insertInto("attempts", anyRows.attempts, 2)})
  ${insertInto("operations", anyRows.operations, 3)}`

const ofUpdated = "WHERE payment_id IN (SELECT id FROM updated)"

const updateSucceeded = `WITH
  done AS (SELECT * FROM json_to_recordset($3::json) AS done (id text, operation text, reference text, amount bigint)),
  updated AS (
    UPDATE payments SET status = 'succeeded', state = $1::text, amount_captured = done.amount, event_sequence = 1, version = 2,
      updated_at = $2::bigint
    FROM done WHERE payments.id = done.id AND payments.version = 1 RETURNING payments.id
  ),
  attempt AS (
    UPDATE attempts SET status = 'succeeded', ended_at = $2::bigint
    FROM updated WHERE attempts.payment_id = updated.id AND attempts.seq = 1
  ),
  operation AS (
    UPDATE operations SET status = 'succeeded', reference = done.reference, next_check_at = NULL, ended_at = $2::bigint
    FROM done JOIN updated USING (id) WHERE operations.id = done.operation
  ),
  entry AS (${insertInto("entries", entryRow(anyDraft, "", 0), 4)} ${ofUpdated}),
  event AS (${insertInto("payment_events", eventRow(anyDraft, "", 0, false), 5)} ${ofUpdated})
  SELECT id FROM updated`

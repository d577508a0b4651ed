/** Erasing a customer on SQLite: each payment is one unit of the group commit. */
import type { PaymentId } from "@paymux/core"
import { erasedWords } from "@paymux/core/store"
import type { EraseCommit, ErasureStore } from "@paymux/core/store"
import { Effect, Schedule } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { columnNames, eventColumns } from "../columns.ts"
import { readEvent, readPhoneStretch } from "../rows.ts"
import type { Prepares, SqliteAccess } from "./providerTables.ts"
import type { SqliteDatabase } from "./SqliteClient.ts"
import { attempt } from "./SqliteError.ts"
import { updatePayment } from "./statements.ts"

export const erasure = ({ prepare, read, write }: SqliteAccess): Omit<ErasureStore, "cutBack"> => ({
  eventsOf: (id) =>
    read(
      () => prepare(selectEventsOf).all(id),
      (rows) => rows.map(readEvent)
    ),
  erase: (commit) => write((database) => erase(database, commit)),
  forgetAnswers: (id) => write((database) => forgetAnswers(database, id)),
  withPhone: ({ account, livemode }, { after, limit, phone }) =>
    read(
      () =>
        prepare(selectWithPhone).all(`"phone":${JSON.stringify(phone)}`, account, livemode ? 1 : 0, after ?? "", limit),
      readPhoneStretch
    )
})

const erase = (database: Prepares, { after, before, events }: EraseCommit): boolean => {
  const { prepare } = database
  const { id, updatedAt, version } = before.payment
  const update = updatePayment(before.payment, after.payment)
  if (update === null || prepare(update.sql).run(...update.values, id, version, updatedAt).changes === 0) return false
  prepare(forgetReasons).run(id)
  for (const { id: event, payment, refund } of events) prepare(rewriteEvent).run(payment, refund, event)
  prepare(forgetEvidence).run(erasedWords, id)
  forgetAnswers(database, id)
  return true
}

const forgetAnswers = ({ prepare }: Prepares, id: PaymentId): void => {
  prepare(forgetAnswersOf).run(id)
}

/** The log still has the pages as they were: it is written back and truncated, unless a reader uses it all the time. */
export const cutBack = (database: SqliteDatabase["Service"]): Effect.Effect<void, SqlError> =>
  database
    .whenFree(attempt("checkpoint", () => isCutBack(database)))
    .pipe(Effect.repeat({ until: (done) => done, schedule: aWhile }), Effect.asVoid)

const aWhile = Schedule.spaced("100 millis").pipe(Schedule.upTo({ times: 20 }))

const isCutBack = ({ db }: SqliteDatabase["Service"]): boolean => {
  const timeout = Number(db.prepare("PRAGMA busy_timeout").get()?.["timeout"])
  // Another reader is not waited for here: that would block the event loop. A setting takes effect where it is compiled.
  db.exec("PRAGMA busy_timeout = 0")
  try {
    return db.prepare("PRAGMA wal_checkpoint(TRUNCATE)").get()?.["busy"] === 0
  } finally {
    db.exec(`PRAGMA busy_timeout = ${timeout}`)
  }
}

const selectEventsOf = `SELECT ${columnNames(eventColumns)} FROM payment_events WHERE payment_id = ? ORDER BY sequence`
const rewriteEvent = "UPDATE payment_events SET payment = ?, refund = ? WHERE id = ?"
const forgetReasons = "UPDATE operations SET reason = NULL WHERE payment_id = ? AND reason IS NOT NULL"
const forgetEvidence = "UPDATE evidence SET document = ? WHERE payment_id = ? AND source = 'operator'"
/** @internal Exported for the test of its query plan. */
export const forgetAnswersOf = "UPDATE idempotency_keys SET answer = NULL WHERE payment_id = ? AND answer IS NOT NULL"

// A customer is JSON as `JSON.stringify` writes it: within a text, the quotes of a member would be escaped.
const selectWithPhone = `SELECT id, created_at, instr(customer, ?) > 0 AS found
  FROM payments INDEXED BY payments_by_tenant WHERE account = ? AND livemode = ? AND id > ? ORDER BY id LIMIT ?`

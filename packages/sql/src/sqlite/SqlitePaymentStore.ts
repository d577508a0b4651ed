/**
 * Payments on SQLite. Every commit is one unit of a group commit: acknowledged means on the disk.
 *
 * Gotchas: one engine per file (see `EngineLock`). Reads see every acknowledged commit, whichever connection wrote it.
 */
import { PaymentStore } from "@paymux/core/store"
import type { Claim } from "@paymux/core/store"
import { Clock, Effect, Layer } from "effect"
import { listOf } from "../lists/resolveQuery.ts"
import { indexedKeys, sqliteIndexes } from "../lists/indexedKeys.ts"
import { unavailable } from "../dialect/unavailable.ts"
import { eachOf, text } from "../rows/ReadRow.ts"
import type { Row } from "../rows/ReadRow.ts"
import { commitHealth, holdProbed } from "../store/commitHealth.ts"
import { selectDue } from "../store/operations.ts"
import { readDue } from "../store/records.ts"
import { readRestoration, replaceMark, selectRestoration } from "../store/restoration.ts"
import { storeParts } from "../store/storeParts.ts"
import { advance, begin } from "./commits.ts"
import { cutBack } from "./cutBack.ts"
import { sqliteEventsAfter } from "./eventSequence.ts"
import { identityOf } from "./fileIdentity.ts"
import * as GroupCommit from "./GroupCommit.ts"
import { storedSpellings, walkedPage } from "./listWalk.ts"
import { defaultBusyTimeoutMs } from "./openDatabase.ts"
import { removeWebhooks } from "./removeWebhooks.ts"
import { SqliteDatabase } from "./SqliteClient.ts"
import { rowsOf, statementRunner } from "./statementRunner.ts"
import type { Prepares, SqliteAccess } from "./statementRunner.ts"
import * as Writer from "./writer/Writer.ts"

type Database = SqliteDatabase["Service"]

/**
 * The payment store on an open database that holds the tables of `coreMigrations`.
 *
 * @example
 * ```ts
 * const store = SqlitePaymentStore.layer.pipe(Layer.provide(SqliteClient.layer({ filename: "payments.db" })))
 * ```
 */
export const layer: Layer.Layer<PaymentStore, never, SqliteDatabase> = Layer.effect(
  PaymentStore,
  Effect.gen(function* () {
    const database = yield* SqliteDatabase
    const writer = yield* writerOf(database)
    return make(database, GroupCommit.make({ database, writer, fewestSent: database.options.writerThreadFrom }))
  })
)

/**
 * The longest duration of a batch, ms, without the time that a write waits for other processes. A batch usually takes
 * about 20 ms.
 */
const longestBatch = 10_000

/** Starts the thread that writes. It is closed with the scope, before the database is. */
const writerOf = ({ db, options }: Database) => {
  const { busyTimeoutMs = defaultBusyTimeoutMs, readOnly = false, writerThreadFrom } = options
  const filename = db.location()
  const file = filename === null ? null : identityOf(filename)
  const isWanted = !readOnly && writerThreadFrom !== Number.POSITIVE_INFINITY
  if (filename === null || file === null || !isWanted) return Effect.succeed(null)
  return Effect.acquireRelease(
    Effect.withFiber<Writer.Writer>(({ context }) =>
      Effect.sync(() =>
        Writer.make({
          filename,
          file,
          busyTimeoutMs,
          // Each batch of the thread may wait for another process, so the deadline covers all of them.
          deadlineMs: GroupCommit.mostSent * busyTimeoutMs + longestBatch,
          onLost: (reason) => Effect.runForkWith(context)(Effect.logWarning(lost, reason))
        })
      )
    ),
    ({ close }) => close
  )
}

const lost = "The writer thread of the database ended: the event loop writes until the next start"

/** Creates the store, for an application that shares one group commit among its stores. */
export const make = (database: Database, group: GroupCommit.GroupCommit): PaymentStore["Service"] => {
  const write = <A>(work: (database: Database) => A) => unavailable(group.submit(work))
  // Rows are decoded outside of `read`, so that a malformed row is a defect and not an outage.
  const read = <A>(work: () => A) => unavailable(database.read(work))
  const access: SqliteAccess = { prepare: database.prepare, read, write }
  const runner = statementRunner(access)
  const indexes = () => database.prepare(sqliteIndexes).all()
  const parts = storeParts(runner, {
    removeWebhooks: removeWebhooks(access),
    // The indexes are read from the file each time, since an index is created without a notification.
    indexed: Effect.map(read(indexes), indexedKeys)
  })
  const health = commitHealth()
  return PaymentStore.of({
    ...parts,
    singleEngine: true,
    slowestCommit: 0,
    // The engine and the database are one process on one machine: they share its clock.
    now: Clock.currentTimeMillis,
    ready: health.ready(holdProbed(parts.leases)),
    lost: Effect.sync(() => (database.files.lost() === null ? null : lostSentence)),
    begin: (commit) => health.watched(unavailable(group.submit(begin(commit)))),
    advance: (commit) => health.watched(unavailable(group.submit(advance(commit)))),
    getConfirmed: parts.get,
    list: listOf(runner, (tenant, emails) => storedSpellings(runner, tenant, emails), walkedPage(database, read)),
    claimDue: (claim) =>
      Effect.map(
        write((database) => claimRows(database, claim)),
        eachOf(readDue(runner.sql))
      ),
    eventsAfter: sqliteEventsAfter(runner),
    erasure: { ...parts.erasure, cutBack: () => unavailable(cutBack(database)) },
    restoration: {
      read: Effect.map(
        runner.read(() => selectRestoration),
        ([row]) => readRestoration(row)
      ),
      replace: replaceMark(runner)
    }
  })
}

const lostSentence =
  "The database file was deleted, moved, replaced or overwritten while the server was running. Stop the server, restore the file, and start the server again."

/** Claims due operations within a transaction: no other process claims the selected operations. */
const claimRows = (database: Prepares, claim: Claim): ReadonlyArray<Row> => {
  const due = rowsOf(database, (statement) => selectDue(statement, claim)).map((row) => text(row, "id"))
  if (due.length === 0) return []
  rowsOf(
    database,
    ({ bind, sql }) => `UPDATE operations SET claimed_by = ${bind(claim.owner)}, claimed_until = ${bind(claim.until)}
      WHERE ${sql.isOneOf("id", bind(due))}`
  )
  const claimed = rowsOf(
    database,
    ({ bind, sql }) => `SELECT o.id AS claimed, ${sql.record.whole}
      FROM operations AS o JOIN payments AS p ON p.id = o.payment_id
      WHERE ${sql.isOneOf("o.id", bind(due))} ORDER BY o.next_check_at, o.id`
  )
  // Fails, and claims nothing: otherwise the operation would be claimed again and again, and never be checked.
  if (claimed.length < due.length) throw new Error("A due operation has no payment")
  return claimed
}

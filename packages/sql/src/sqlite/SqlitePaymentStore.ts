/**
 * Payments on SQLite. Every commit is one unit of a group commit: acknowledged means on the disk.
 *
 * Gotchas: one engine per file (see `EngineLock`). Reads see what was acknowledged, whichever connection wrote it.
 */
import type { PaymentRecord } from "@paymux/core"
import { openOperationsOf, PaymentStore, StoreUnavailable } from "@paymux/core/store"
import type { AttemptCountQuery, DueOperation } from "@paymux/core/store"
import { Clock, Effect, Layer } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { readAttemptCount } from "../attemptCounts.ts"
import { readBacklog, selectBacklog } from "../backlog.ts"
import type { SqlValue } from "../columns.ts"
import { commitHealth, holdProbed } from "../commitHealth.ts"
import { correctionsOnSqlite } from "../dueCorrection.ts"
import {
  readCardDecline,
  readEvent,
  readEvidenceRow,
  readKey,
  readNewest,
  readVersion,
  readRecord,
  readRouted
} from "../rows.ts"
import type { RecordRows } from "../rows.ts"
import { markValues, readRestoration, selectRestoration, updateRestoration } from "../restoration.ts"
import { selectNewest } from "../selectNewest.ts"
import { numeral, text } from "../ReadRow.ts"
import { countEnded, countOpen } from "./attemptCounts.ts"
import type { CountStatement } from "./attemptCounts.ts"
import { advance, begin, checkpoint, keyValues } from "./commits.ts"
import { cutBack, erasure } from "./erase.ts"
import { eventsAfter } from "./eventSequence.ts"
import { identityOf } from "./fileIdentity.ts"
import * as GroupCommit from "./GroupCommit.ts"
import { defaultBusyTimeoutMs } from "./openDatabase.ts"
import { keptWebhooks } from "./keptWebhooks.ts"
import { listWalk } from "./listWalk.ts"
import { retention } from "./prune.ts"
import {
  claimRows,
  rowsByOperation,
  rowsByReference,
  rowsOf,
  rowsOfRouted,
  rowsOfTenant,
  snapshot
} from "./recordRows.ts"
import type { ClaimedRows } from "./recordRows.ts"
import { SqliteDatabase } from "./SqliteClient.ts"
import { inbox, leases, providerState } from "./providerTables.ts"
import type { SqliteAccess } from "./providerTables.ts"
import { orders } from "./orders.ts"
import * as Sql from "./statements.ts"
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

/** ms, beside the time that a write may wait for others: a batch takes some 20. */
const longestBatch = 10_000

/** Closed with the scope, before the database is. */
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
          // Each batch that it has may wait for another process.
          deadlineMs: GroupCommit.mostSent * busyTimeoutMs + longestBatch,
          onLost: (reason) => Effect.runForkWith(context)(Effect.logWarning(lost, reason))
        })
      )
    ),
    ({ close }) => close
  )
}

const lost = "The thread that writes payments was lost: the event loop writes until the next start"

/** For an application that shares one group commit among its stores. */
export const make = (database: Database, group: GroupCommit.GroupCommit): PaymentStore["Service"] => {
  const write = <A>(work: (database: Database) => A) => unavailable(group.submit(work))
  // Decoded outside of `read`, so that a row that cannot be read is a defect and not an outage.
  const read = <A, B>(work: () => A, decode: (rows: A) => B) => Effect.map(unavailable(database.read(work)), decode)
  const record = (work: () => RecordRows | null) => read(() => snapshot(database, work), recordOrNull)
  const access: SqliteAccess = { prepare: database.prepare, read, write }
  const leaseStore = leases(access)
  const health = commitHealth()
  const run = (sql: string, ...values: ReadonlyArray<SqlValue>) =>
    write(({ prepare }) => Number(prepare(sql).run(...values).changes))
  const counted = ({ by }: AttemptCountQuery, { sql, values }: CountStatement) =>
    read(
      () => database.prepare(sql).all(values),
      (rows) => rows.map(readAttemptCount(by, (word) => word))
    )
  return PaymentStore.of({
    singleEngine: true,
    slowestCommit: 0,
    // The engine and the database are one process on one machine: they share its clock.
    now: Clock.currentTimeMillis,
    ready: health.ready(holdProbed(leaseStore)),
    lost: Effect.sync(() => (database.files.lost() === null ? null : lostSentence)),
    begin: (commit) => health.watched(unavailable(group.commit(begin(commit)))),
    advance: (commit) => health.watched(unavailable(group.commit(advance(commit)))),
    get: (id) => record(() => rowsOf(database, id)),
    getConfirmed: (id) => record(() => rowsOf(database, id)),
    find: (tenant, id) => record(() => rowsOfTenant(database, tenant, id)),
    versions: (ids) =>
      read(
        () => database.prepare(Sql.selectVersions).all(JSON.stringify(ids)),
        (rows) => new Map(rows.map(readVersion))
      ),
    findByOperation: (id) => record(() => rowsByOperation(database, id)),
    findByReference: (provider, reference) => record(() => rowsByReference(database, provider, reference)),
    newest: read(
      () => database.prepare(selectNewest).get(),
      (row) => (row === undefined ? null : readNewest(row))
    ),
    list: listWalk(database, read),
    findKey: (tenant, endpoint, key) =>
      read(
        () => database.prepare(Sql.selectKey).get(...keyValues({ ...tenant, endpoint, key })),
        (row) => (row === undefined ? null : readKey(row))
      ),
    keepAnswer: (answer) =>
      write(({ prepare }) => {
        prepare(Sql.keepAnswer).run(answer.body, ...keyValues(answer))
        const kept = prepare(Sql.selectKey).get(...keyValues(answer))
        if (kept === undefined) {
          throw new Error(`No idempotency key is bound that could keep an answer at ${answer.endpoint}`)
        }
        return text(kept, "answer")
      }),
    checkpoint: (id, expected, reference) => write((database) => checkpoint(database, id, expected, reference)),
    remember: (id, reference) =>
      Effect.asVoid(write(({ prepare }) => prepare(Sql.rememberOtherReference).run({ id, reference }))),
    dueProviders: (now) =>
      read(
        () => database.prepare(Sql.dueProviders).all(now),
        (rows) => rows.map((row) => text(row, "provider"))
      ),
    openProviders: read(
      () => database.prepare(Sql.openProviders).all(),
      (rows) => rows.map((row) => text(row, "provider"))
    ),
    openOperations: (provider) =>
      read(
        () => database.prepare(Sql.openOperations).all(provider),
        ([row]) =>
          openOperationsOf(
            provider,
            row === undefined ? 0 : numeral(row, "total"),
            row === undefined ? 0 : numeral(row, "live")
          )
      ),
    claimDue: (claim) =>
      Effect.map(
        write((database) => claimRows(database, claim)),
        (claimed) => claimed.map(readDue)
      ),
    reschedule: ({ id, status }, checks, next) =>
      Effect.asVoid(write(({ prepare }) => prepare(Sql.reschedule).run({ checks, next, id, status }))),
    correctDueTimes: (correction) =>
      write(({ prepare }) =>
        correctionsOnSqlite.reduce((sum, { parameters, sql }) => {
          const { changes } = prepare(sql).run(parameters(correction))
          return sum + Number(changes)
        }, 0)
      ),
    releaseOrphans: (owner, now) => run(Sql.releaseOrphans, now, owner),
    attemptCounts: (query) => counted(query, countEnded(query)),
    openAttemptCounts: (query) => counted(query, countOpen(query)),
    cardDeclines: ({ account, livemode }, { fingerprint, limit, since }) =>
      read(
        () =>
          database
            .prepare(Sql.selectCardDeclines)
            .all(account, livemode ? 1 : 0, JSON.stringify(fingerprint), since, limit),
        (rows) => rows.map(readCardDecline)
      ),
    routed: (tenant, query) =>
      read(
        () => snapshot(database, () => rowsOfRouted(database, tenant, query)),
        (rows) => rows.map(readRouted)
      ),
    evidenceOf: (id, last = -1) =>
      read(
        () => database.prepare(Sql.selectEvidenceOf).all(id, last),
        (rows) => rows.map(readEvidenceRow).toReversed()
      ),
    undispatchedEvents: (limit) =>
      read(
        () => database.prepare(Sql.selectUndispatched).all(limit),
        (rows) => rows.map(readEvent)
      ),
    findEvent: (id) =>
      read(
        () => database.prepare(Sql.selectEvent).get(id),
        (row) => (row === undefined ? null : readEvent(row))
      ),
    findEvents: (ids) =>
      read(
        () => database.prepare(Sql.selectEventsById).all(JSON.stringify(ids)),
        (rows) => rows.map(readEvent)
      ),
    eventsAfter: eventsAfter(access),
    markDispatched: (ids, now) =>
      write(({ prepare }) => {
        for (const id of ids) prepare(Sql.markDispatched).run(now, id)
      }),
    backlog: (now) =>
      read(
        () => database.prepare(backlogStatement).get(now, now),
        (row) => readBacklog(row ?? {})
      ),
    orders: orders(access),
    inbox: inbox(access),
    keptWebhooks: keptWebhooks(access),
    leases: leaseStore,
    providerState: providerState(access),
    erasure: { ...erasure(access), cutBack: () => unavailable(cutBack(database)) },
    retention: retention(access),
    restoration: {
      read: read(() => database.prepare(selectRestoration).get(), readRestoration),
      replace: ({ version }, mark) =>
        Effect.map(run(updateRestoration, ...markValues(mark), version), (changes) => changes === 1)
    }
  })
}

const lostSentence =
  "The database file was deleted, moved, replaced or overwritten while the server was running. Stop the server, restore the file, and start the server again."

const backlogStatement = selectBacklog("?")

const unavailable = <A>(effect: Effect.Effect<A, SqlError>): Effect.Effect<A, StoreUnavailable> =>
  Effect.mapError(effect, (cause) => new StoreUnavailable({ cause }))

const recordOrNull = (rows: RecordRows | null): PaymentRecord | null => (rows === null ? null : readRecord(rows))

const readDue = ({ operation: id, rows }: ClaimedRows): DueOperation => {
  const record = readRecord(rows)
  const operation = record.operations.find((candidate) => candidate.id === id)
  if (operation === undefined) throw new Error(`There is no operation ${id}`)
  return { operation, record }
}

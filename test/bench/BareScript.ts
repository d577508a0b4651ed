/**
 * What someone would write by hand on `node:sqlite` instead of an engine: the same rows in the same two durable commits
 * per payment, prepared statements, no abstraction.
 *
 * It is the yardstick, so it must be good, and honest: `SameRows` holds its tables against those of the engine.
 */
import { coreMigrations } from "@paymux/sql"
import { DatabaseSync } from "node:sqlite"
import { begunRows, draftOf, entryRow, eventRow, publicJson, send, succeededState } from "./BarePayment.ts"
import type { Draft } from "./BarePayment.ts"
import { request as sample } from "./Sample.ts"
import type { SampleRequest } from "./Sample.ts"

export interface BareScript {
  /** One payment, in two commits of its own. Answers the public JSON. */
  readonly payOne: (request: SampleRequest) => Promise<string>
  /** As many payments as requests, in two commits together. */
  readonly payTogether: (requests: ReadonlyArray<SampleRequest>) => Promise<ReadonlyArray<string>>
  readonly database: DatabaseSync
  readonly close: () => void
}

export const openBareScript = (filename: string): BareScript => {
  const database = new DatabaseSync(filename)
  database.exec(pragmas)
  for (const { sqlite } of coreMigrations.migrations) for (const statement of sqlite) database.exec(statement)
  const begin = database.prepare("BEGIN IMMEDIATE")
  const commit = database.prepare("COMMIT")
  const rollback = database.prepare("ROLLBACK")
  const write = writers(database)

  const durably = <A>(work: () => A): A => {
    begin.run()
    try {
      const value = work()
      commit.run()
      return value
    } catch (cause) {
      rollback.run()
      throw cause
    }
  }

  const payOne = async (request: SampleRequest) => {
    const draft = draftOf(request)
    durably(() => write.begun(draft))
    const reference = await send(draft)
    return durably(() => write.succeeded(draft, reference))
  }

  const payTogether = async (requests: ReadonlyArray<SampleRequest>) => {
    const drafts = requests.map(draftOf)
    durably(() => {
      for (const draft of drafts) write.begun(draft)
    })
    const references = await Promise.all(drafts.map(send))
    return durably(() => drafts.map((draft, index) => write.succeeded(draft, references[index] ?? "")))
  }

  return { payOne, payTogether, database, close: () => database.close() }
}

/** Those of `SqliteClient`; `SameRows` compares them. */
const pragmas = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  PRAGMA foreign_keys = ON;
  PRAGMA temp_store = MEMORY;
  PRAGMA wal_autocheckpoint = 1000;
  PRAGMA journal_size_limit = 67108864;
  PRAGMA cache_size = -32768;
`

/** SQLite has no booleans. */
const off = 0

const writers = (database: DatabaseSync) => {
  const insert = (table: string, row: object) => {
    const columns = Object.keys(row)
    return database.prepare(
      `INSERT INTO ${table} (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`
    )
  }
  const draft = draftOf(sample)
  const first = begunRows(draft, off)
  const insertPayment = insert("payments", first.payments)
  const insertAttempt = insert("attempts", first.attempts)
  const insertOperation = insert("operations", first.operations)
  const insertEntry = insert("entries", entryRow(draft, "", 0))
  const insertEvent = insert("payment_events", eventRow(draft, "", 0, off))
  const updatePayment = database.prepare(`UPDATE payments SET status = ?, state = ?, amount_captured = ?,
    event_sequence = ?, version = ?, updated_at = ? WHERE id = ? AND version = ?`)
  const updateAttempt = database.prepare(
    "UPDATE attempts SET status = ?, ended_at = ? WHERE payment_id = ? AND seq = ?"
  )
  const updateOperation = database.prepare(
    "UPDATE operations SET status = ?, reference = ?, next_check_at = NULL, ended_at = ? WHERE id = ?"
  )

  const begun = (draft: Draft): void => {
    const { attempts, operations, payments } = begunRows(draft, off)
    insertPayment.run(...Object.values(payments))
    insertAttempt.run(...Object.values(attempts))
    insertOperation.run(...Object.values(operations))
  }

  const succeeded = (draft: Draft, reference: string): string => {
    const { id, operation, request } = draft
    const now = Date.now()
    if (updatePayment.run("succeeded", succeededState(), request.amount, 1, 2, now, id, 1).changes !== 1) {
      throw new Error(`Payment ${id} was changed by someone else`)
    }
    updateAttempt.run("succeeded", now, id, 1)
    updateOperation.run("succeeded", reference, now, operation)
    insertEntry.run(...Object.values(entryRow(draft, reference, now)))
    const body = publicJson(draft, reference, now)
    insertEvent.run(...Object.values(eventRow(draft, body, now, off)))
    return body
  }

  return { begun, succeeded }
}

/**
 * A payment script written by hand on `node:sqlite`, the baseline of the engine: the same rows in the same two durable
 * commits per payment, which payments of one moment share, prepared statements, no abstraction.
 *
 * It is the yardstick, so it must be good, and honest: `SameRows` holds its tables against those of the engine.
 */
import { coreMigrations } from "@paymux/sql"
import { DatabaseSync } from "node:sqlite"
import { begunRows, draftOf, entryRow, eventRow, keyRow, publicJson, send, succeededState } from "./BarePayment.ts"
import type { Draft, Idempotency } from "./BarePayment.ts"
import { request as sample, tenant } from "./Sample.ts"
import type { SampleRequest } from "./Sample.ts"

export interface BareScript {
  /** One payment, in two commits that it shares with those that come in the same turn of the event loop. Answers the public JSON. */
  readonly pay: (request: SampleRequest) => Promise<string>
  /**
   * `pay` with an idempotency key. A used key returns its first response. `null`: the key belongs to a different request, or to one
   * in progress.
   */
  readonly payOnce: (request: SampleRequest, idempotency: Idempotency) => Promise<string | null>
  readonly database: DatabaseSync
  readonly close: () => void
}

/** In place of an id: another request has the key. */
const taken = ""

/** Of one commit: the transaction of the others waits. */
const mostInCommit = 256

interface Waiting {
  readonly work: () => string
  readonly resolve: (body: string) => void
  readonly reject: (cause: unknown) => void
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

  const waiting: Array<Waiting> = []
  const commitTogether = () => {
    const group = waiting.splice(0, mostInCommit)
    if (waiting.length > 0) setImmediate(commitTogether)
    try {
      const bodies = durably(() => group.map(({ work }) => work()))
      for (const [index, { resolve }] of group.entries()) resolve(bodies[index] ?? "")
    } catch (cause) {
      for (const { reject } of group) reject(cause)
    }
  }
  const committed = (work: () => string): Promise<string> =>
    new Promise((resolve, reject) => {
      if (waiting.push({ work, resolve, reject }) === 1) setImmediate(commitTogether)
    })

  const pay = async (request: SampleRequest) => {
    const draft = draftOf(request)
    await committed(() => write.begun(draft))
    const reference = await send(draft)
    return committed(() => write.succeeded(draft, reference))
  }

  const payOnce = async (request: SampleRequest, idempotency: Idempotency) => {
    const former = write.underKey(idempotency)
    if (former !== null) return former.fingerprint === idempotency.fingerprint ? former.answer : null
    const draft = draftOf(request)
    const begun = await committed(() => (write.keyed(draft, idempotency) ? write.begun(draft) : taken))
    if (begun === taken) return null
    const reference = await send(draft)
    return committed(() => {
      const body = write.succeeded(draft, reference)
      write.answered(idempotency)
      return body
    })
  }

  return { pay, payOnce, database, close: () => database.close() }
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
  const insert = (table: string, row: object, onConflict = "") => {
    const columns = Object.keys(row)
    return database.prepare(
      `INSERT INTO ${table} (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")}) ${onConflict}`
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

  const begun = (draft: Draft): string => {
    const { attempts, operations, payments } = begunRows(draft, off)
    insertPayment.run(...Object.values(payments))
    insertAttempt.run(...Object.values(attempts))
    insertOperation.run(...Object.values(operations))
    return draft.id
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

  const insertKey = insert(
    "idempotency_keys",
    keyRow(draft, { key: "", fingerprint: "" }, off),
    "ON CONFLICT DO NOTHING"
  )
  const isKey = `account = '${tenant.account}' AND livemode = ${off} AND endpoint = 'POST /v1/payments' AND key = ?`
  const updateKey = database.prepare(`UPDATE idempotency_keys SET answer_event = 1 WHERE ${isKey}`)
  const selectKey = database.prepare(`SELECT fingerprint, payment AS answer FROM idempotency_keys AS keys
    LEFT JOIN payment_events AS event ON event.payment_id = keys.payment_id AND sequence = answer_event
    WHERE ${isKey.replace("account", "keys.account").replace("livemode", "keys.livemode")}`)
  return {
    begun,
    succeeded,
    /** `false`: another request has the key. */
    keyed: (draft: Draft, idempotency: Idempotency): boolean =>
      insertKey.run(...Object.values(keyRow(draft, idempotency, off))).changes === 1,
    answered: ({ key }: Idempotency) => void updateKey.run(key),
    /** `null`: the key is new. */
    underKey: ({ key }: Idempotency) => {
      const row = selectKey.get(key)
      return row === undefined
        ? null
        : { fingerprint: row["fingerprint"], answer: typeof row["answer"] === "string" ? row["answer"] : null }
    }
  }
}

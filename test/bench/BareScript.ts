/**
 * What someone would write by hand on `node:sqlite` instead of an engine: the same rows in the same two durable commits
 * per payment, prepared statements, no abstraction. No routing, no failover, no breaker, no recovery.
 *
 * It is the yardstick, so it must be good, and honest: `SameRows` holds its tables against those of the engine.
 */
import { coreMigrations } from "@paymux/sql"
import { randomBytes, randomUUID } from "node:crypto"
import { DatabaseSync } from "node:sqlite"
import { instantId } from "./InstantProvider.ts"
import type { SampleRequest } from "./Sample.ts"
import { tenant } from "./Sample.ts"

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

interface Draft {
  readonly request: SampleRequest
  readonly id: string
  readonly operation: string
  readonly key: string
  readonly now: number
}

const draftOf = (request: SampleRequest): Draft => ({
  request,
  id: newId("pay_"),
  operation: newId("op_"),
  key: randomUUID(),
  now: Date.now()
})

const send = async ({ operation }: Draft): Promise<string> => `ref_${operation}`

const writers = (database: DatabaseSync) => {
  const insertPayment = database.prepare(`INSERT INTO payments (id, account, livemode, status, state, rail, method,
    minor_units, currency, capture_method, description, customer, customer_email, metadata, client, return_url,
    amount_captured, amount_refunded, amount_received, review, provider, routing, pending_announced, event_sequence,
    deadline_at, version, created_at, updated_at)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`)
  const insertAttempt = database.prepare(`INSERT INTO attempts (payment_id, seq, provider, status, reason, action_shown,
    late, started_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`)
  const insertOperation =
    database.prepare(`INSERT INTO operations (payment_id, position, id, attempt_seq, provider, kind,
    minor_units, status, key, owner, unsettled, checks, deadline_at, next_check_at, created_at)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`)
  const updatePayment = database.prepare(`UPDATE payments SET status = ?, state = ?, amount_captured = ?,
    event_sequence = ?, version = ?, updated_at = ? WHERE id = ? AND version = ?`)
  const updateAttempt = database.prepare(
    "UPDATE attempts SET status = ?, ended_at = ? WHERE payment_id = ? AND seq = ?"
  )
  const updateOperation = database.prepare(
    "UPDATE operations SET status = ?, reference = ?, next_check_at = NULL WHERE id = ?"
  )
  const insertEvent = database.prepare(`INSERT INTO payment_events (id, payment_id, sequence, type, account, livemode,
    payment, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`)

  const begun = ({ id, key, now, operation, request }: Draft): void => {
    const state = JSON.stringify({ status: "pending", reason: "processing", nextAction: null })
    const method = JSON.stringify({ rail: "upi", flow: "intent", vpa: null })
    const { account } = tenant
    const { amount, currency, customer, description, metadata, payment_method: rail } = request
    insertPayment.run(
      id,
      account,
      0,
      "pending",
      state,
      rail,
      method,
      amount,
      currency,
      "automatic",
      description,
      JSON.stringify(customer),
      customer.email,
      JSON.stringify(metadata),
      null,
      null,
      0,
      0,
      null,
      null,
      instantId,
      JSON.stringify(routing),
      0,
      0,
      now + paymentDeadlineMs,
      1,
      now,
      now
    )
    insertAttempt.run(id, 1, instantId, "sending", "priority", 0, 0, now)
    const deadline = now + attemptDeadlineMs
    insertOperation.run(
      id,
      0,
      operation,
      1,
      instantId,
      "create",
      amount,
      "sending",
      key,
      engine,
      0,
      0,
      deadline,
      deadline + orphanGraceMs,
      now
    )
  }

  const succeeded = (draft: Draft, reference: string): string => {
    const { id, operation, request } = draft
    const now = Date.now()
    const state = JSON.stringify({ status: "succeeded", late: false })
    if (updatePayment.run("succeeded", state, request.amount, 1, 2, now, id, 1).changes !== 1) {
      throw new Error(`Payment ${id} was changed by someone else`)
    }
    updateAttempt.run("succeeded", now, id, 1)
    updateOperation.run("succeeded", reference, operation)
    const body = publicJson(draft, now)
    insertEvent.run(newId("evt_"), id, 1, "payment.succeeded", tenant.account, 0, body, now)
    return body
  }

  return { begun, succeeded }
}

const paymentDeadlineMs = 60_000
const attemptDeadlineMs = 30_000
const orphanGraceMs = 5_000

const routing = {
  rule: "default",
  ruleset: `sha256:${"0".repeat(64)}`,
  reason: "priority",
  candidates: [{ provider: instantId, reason: "priority" }],
  dropped: []
}

const publicJson = ({ id, now: createdAt, request }: Draft, now: number): string => {
  const created = new Date(createdAt).toISOString()
  const updated = new Date(now).toISOString()
  return JSON.stringify({
    id,
    object: "payment",
    livemode: false,
    status: "succeeded",
    pending_reason: null,
    amount: request.amount,
    amount_captured: request.amount,
    amount_refunded: 0,
    currency: request.currency,
    payment_method: request.payment_method,
    payment_method_details: { upi: { flow: "intent" } },
    capture_method: "automatic",
    description: request.description,
    customer: request.customer,
    metadata: request.metadata,
    return_url: null,
    next_action: null,
    failure: null,
    review: null,
    provider: instantId,
    routing: { rule: routing.rule, ruleset: routing.ruleset, reason: routing.reason },
    attempts: [
      {
        seq: 1,
        provider: instantId,
        status: "succeeded",
        reason: "priority",
        code: null,
        vendor_code: null,
        started_at: created,
        ended_at: updated
      }
    ],
    version: 2,
    created_at: created,
    updated_at: updated
  })
}

/** Ids sort by time, as the engine's do: random ones would spoil the locality of every index. */
const newId = (prefix: string): string => prefix + Date.now().toString(16).padStart(12, "0") + randomHex(14)

let pool = ""
let used = 0

const randomHex = (length: number): string => {
  if (used + length > pool.length) {
    pool = randomBytes(4096).toString("hex")
    used = 0
  }
  used += length
  return pool.slice(used - length, used)
}

const engine = newId("eng_")

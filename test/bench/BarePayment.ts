/**
 * What the scripts written by hand put into their databases for one payment: the rows of its two transactions, and its
 * public JSON. No routing, no failover, no breaker, no recovery.
 *
 * `SameRows` holds them against those of the engine.
 */
import { randomBytes, randomUUID } from "node:crypto"
import { instantId } from "./InstantProvider.ts"
import type { SampleRequest } from "./Sample.ts"
import { tenant } from "./Sample.ts"

export interface Draft {
  readonly request: SampleRequest
  readonly id: string
  readonly operation: string
  readonly key: string
  readonly now: number
}

export const draftOf = (request: SampleRequest): Draft => ({
  request,
  id: newId("pay_"),
  operation: newId("op_"),
  key: randomUUID(),
  now: Date.now()
})

/** The provider, which answers at once with its reference. */
export const send = async ({ operation }: Draft): Promise<string> => `ref_${operation}`

/** The rows of the first transaction, by column. `off` is how the database has `false`. */
export const begunRows = <Off>({ id, key, now, operation, request }: Draft, off: Off) => {
  const { amount, currency, customer, description, metadata, payment_method: rail } = request
  const deadline = now + attemptDeadlineMs
  return {
    payments: {
      id,
      account: tenant.account,
      livemode: off,
      status: "pending",
      state: JSON.stringify({ status: "pending", reason: "processing", nextAction: null }),
      rail,
      method: JSON.stringify({ rail: "upi", flow: "intent", vpa: null }),
      minor_units: amount,
      currency,
      capture_method: "automatic",
      description,
      customer: JSON.stringify(customer),
      customer_email: customer.email,
      metadata: JSON.stringify(metadata),
      amount_captured: 0,
      amount_refunded: 0,
      provider: instantId,
      routing: JSON.stringify(routing),
      pending_announced: off,
      event_sequence: 0,
      deadline_at: now + paymentDeadlineMs,
      version: 1,
      created_at: now,
      updated_at: now
    },
    attempts: {
      payment_id: id,
      seq: 1,
      provider: instantId,
      status: "sending",
      reason: "priority",
      action_shown: off,
      late: off,
      surplus: off,
      started_at: now
    },
    operations: {
      payment_id: id,
      position: 0,
      id: operation,
      attempt_seq: 1,
      provider: instantId,
      kind: "create",
      purpose: "requested",
      minor_units: amount,
      status: "sending",
      key,
      owner: engine,
      unsettled: off,
      checks: 0,
      deadline_at: deadline,
      next_check_at: deadline + orphanGraceMs,
      created_at: now
    }
  }
}

/** What the provider reported, which the second transaction adds to what it changes. */
export const entryRow = ({ id, operation, request }: Draft, reference: string, now: number) => ({
  payment_id: id,
  position: 0,
  attempt_seq: 1,
  operation_id: operation,
  kind: "captured",
  basis: "total",
  minor_units: request.amount,
  currency: request.currency,
  provider: instantId,
  reference,
  source: "reply",
  recorded_at: now
})

/** The event of the second transaction. */
export const eventRow = <Off>({ id }: Draft, body: string, now: number, off: Off) => ({
  id: newId("evt_"),
  payment_id: id,
  sequence: 1,
  type: "payment.succeeded",
  account: tenant.account,
  livemode: off,
  payment: body,
  created_at: now
})

export const succeededState = (): string => JSON.stringify({ status: "succeeded", late: false })

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

/** Of a payment that succeeded at `now`. */
export const publicJson = ({ id, now: createdAt, request }: Draft, reference: string, now: number): string => {
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
    hosted_url: null,
    failure: null,
    reviews: [],
    provider: instantId,
    routing: { rule: routing.rule, ruleset: routing.ruleset, reason: routing.reason, dropped: [] },
    attempts: [
      {
        seq: 1,
        provider: instantId,
        reference,
        status: "succeeded",
        reason: "priority",
        code: null,
        vendor_code: null,
        started_at: created,
        ended_at: updated
      }
    ],
    operations: [],
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

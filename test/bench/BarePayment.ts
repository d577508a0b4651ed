/**
 * What the scripts written by hand put into their databases for one payment: the rows of its two transactions, and its
 * public JSON. No routing, no failover, no breaker, no recovery.
 *
 * `SameRows` holds them against those of the engine.
 */
import { randomBytes, randomUUID } from "node:crypto"
import { instantId } from "./InstantProvider.ts"
import type { SampleCard, SampleRequest } from "./Sample.ts"
import { tenant } from "./Sample.ts"

export interface Draft {
  readonly request: SampleRequest
  readonly id: string
  readonly operation: string
  readonly key: string
  readonly now: number
  /** Omitted fields are `null`. */
  readonly customer: object
  readonly method: StoredMethod
}

type StoredMethod =
  | { readonly rail: "upi"; readonly flow: "intent" | "collect"; readonly vpa: string | null }
  | (Required<SampleCard> & { readonly rail: "card"; readonly tokens: object; readonly fingerprint: null })

export const draftOf = (request: SampleRequest): Draft => ({
  request,
  customer: customerOf(request),
  method: methodOf(request),
  id: newId("pay_"),
  operation: newId("op_"),
  key: randomUUID(),
  now: Date.now()
})

const customerOf = ({ customer: { address = null, email, name = null, phone } }: SampleRequest) => ({
  email,
  phone,
  name,
  address
})

const methodOf = ({ payment_method, payment_method_details = {} }: SampleRequest): StoredMethod => {
  if (payment_method === "upi") {
    const vpa = payment_method_details.upi?.vpa ?? null
    return { rail: "upi", flow: vpa === null ? "intent" : "collect", vpa }
  }
  const { bin = null, country = null, funding = null, network = null, token = null } = payment_method_details.card ?? {}
  return { rail: "card", token, tokens: {}, network, country, funding, bin, fingerprint: null }
}

/** As the API returns it: without the token, and without omitted fields. */
const publicMethod = (method: StoredMethod): object =>
  method.rail === "upi"
    ? { upi: { flow: method.flow, ...(method.vpa !== null && { vpa: method.vpa }) } }
    : {
        card: { network: method.network, country: method.country, funding: method.funding, bin: method.bin }
      }

/** The provider, which answers at once with its reference. */
export const send = async ({ operation }: Draft): Promise<string> => `ref_${operation}`

/** The rows of the first transaction, by column. `off` is how the database has `false`. */
export const begunRows = <Off>({ customer, id, key, method, now, operation, request }: Draft, off: Off) => {
  const { amount, currency, description = null, metadata = {}, return_url = null } = request
  const deadline = now + attemptDeadlineMs
  return {
    payments: {
      id,
      account: tenant.account,
      livemode: off,
      status: "pending",
      state: JSON.stringify({ status: "pending", reason: "processing", nextAction: null }),
      rail: method.rail,
      method: JSON.stringify(method),
      minor_units: amount,
      currency,
      capture_method: "automatic",
      description,
      customer: JSON.stringify(customer),
      customer_email: request.customer.email,
      metadata: JSON.stringify(metadata),
      return_url,
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

/** Of the first transaction, for a request with an idempotency key. Its answer is added by the second one. */
export const keyRow = <Off>({ id, now }: Draft, { fingerprint, key }: Idempotency, off: Off) => ({
  account: tenant.account,
  livemode: off,
  endpoint: "POST /v1/payments",
  key,
  fingerprint,
  payment_id: id,
  created_at: now
})

export interface Idempotency {
  readonly key: string
  /** SHA-256 of the request, in hexadecimal. */
  readonly fingerprint: string
}

/** Of a payment that succeeded at `now`. */
export const publicJson = (
  { customer, id, method, now: createdAt, request }: Draft,
  reference: string,
  now: number
): string => {
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
    payment_method_details: publicMethod(method),
    capture_method: "automatic",
    description: request.description ?? null,
    customer,
    metadata: request.metadata ?? {},
    return_url: request.return_url ?? null,
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
const newId = (prefix: string): string => prefix + timeLetters(Date.now()) + randomHex(16)

/** Base32 without i, l, o and u, as in the engine's ids: with other letters each payment would be in `payments_out_of_order`. */
const timeLetters = (time: number): string =>
  time
    .toString(32)
    .padStart(10, "0")
    .replaceAll(/[i-v]/g, (letter) => "jkmnpqrstvwxyz"["ijklmnopqrstuv".indexOf(letter)] ?? "")

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

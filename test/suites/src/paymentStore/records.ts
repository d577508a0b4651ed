/** Payments for the checks of stores: small, different from each other, and the same in every run. */
import type {
  Card,
  Currency,
  IdempotencyKey,
  OperationId,
  Payment,
  PaymentId,
  PaymentRecord,
  Tenant
} from "@paymux/core"
import type {
  Attempt,
  Entry,
  EventId,
  EventType,
  EvidenceRow,
  InboxEntry,
  KeyBinding,
  Operation,
  OutcomeStatus,
  PaymentEvent,
  Review,
  ReviewResolution
} from "@paymux/core/store"

export const tenant: Tenant = { account: "default", livemode: false }

// The brands of ids are given here as the port `Ids` gives them; these ids sort by their number.
const numbered = (prefix: string, n: number): string => `${prefix}${String(n).padStart(26, "0")}`
export const paymentId = (n: number): PaymentId => numbered("pay_", n) as PaymentId
export const operationId = (n: number, seq = 1): OperationId => numbered("op_", n * 10 + seq) as OperationId
export const eventId = (n: number): EventId => numbered("evt_", n) as EventId

/** A payment as its first commit makes it: one attempt and one operation, both `sending`. */
export const aRecord = (n: number, change: Partial<Payment> = {}): PaymentRecord => {
  const payment = aPayment(n, change)
  return {
    payment,
    attempts: [anAttempt(1, { provider: payment.provider })],
    operations: [anOperation(n, 1, { provider: payment.provider })],
    entries: []
  }
}

export const aPayment = (n: number, change: Partial<Payment> = {}): Payment => ({
  id: paymentId(n),
  account: tenant.account,
  livemode: tenant.livemode,
  amount: { minorUnits: 10_000, currency: currency("INR") },
  method: { rail: "upi", flow: "intent", vpa: null },
  captureMethod: "automatic",
  description: null,
  customer: { email: "payer@example.com", phone: "+919999999999", name: null, address: null },
  metadata: {},
  client: null,
  returnUrl: null,
  order: null,
  state: { status: "pending", reason: "processing", nextAction: null },
  amountCaptured: 0,
  amountRefunded: 0,
  amountReceived: null,
  reviews: [],
  resolutions: [],
  disputedAt: null,
  provider: "acme",
  routing: { rule: "default", ruleset: "sha256:00", reason: "priority", candidates: [], dropped: [] },
  pendingAnnounced: false,
  eventSequence: 0,
  deadlineAt: 46_000,
  version: 1,
  createdAt: 1_000 + n,
  updatedAt: 1_000 + n,
  ...change
})

/** A card of which nothing is known. */
export const aCard = (change: Partial<Card> = {}): Card => ({
  rail: "card",
  token: null,
  tokens: {},
  network: null,
  country: null,
  funding: null,
  bin: null,
  fingerprint: null,
  ...change
})

export const currency = (code: string): Currency.Currency => code as Currency.Currency

export const anAttempt = (seq: number, change: Partial<Attempt> = {}): Attempt => ({
  seq,
  provider: "acme",
  status: "sending",
  reason: "priority",
  code: null,
  vendorCode: null,
  actionShown: false,
  late: false,
  isOverpayment: false,
  startedAt: 1_000,
  endedAt: null,
  ...change
})

export const anOperation = (n: number, seq: number, change: Partial<Operation> = {}): Operation => ({
  id: operationId(n, seq),
  paymentId: paymentId(n),
  attemptSeq: seq,
  provider: "acme",
  kind: "create",
  purpose: "requested",
  minorUnits: 10_000,
  charge: null,
  reason: null,
  status: "sending",
  code: null,
  vendorCode: null,
  key: `key-${n}-${seq}` as IdempotencyKey,
  reference: null,
  owner: "engine-1",
  unsettled: false,
  isOverpayment: false,
  checks: 0,
  deadlineAt: 31_000,
  nextCheckAt: 36_000,
  createdAt: 1_000,
  endedAt: null,
  ...change
})

/** The charge of the payment's first operation, captured as asked. */
export const anEntry = (n: number, change: Partial<Entry> = {}): Entry => ({
  attemptSeq: 1,
  operationId: operationId(n),
  kind: "captured",
  basis: "total",
  minorUnits: 10_000,
  currency: "INR",
  provider: "acme",
  reference: `charge_${n}`,
  source: "reply",
  recordedAt: 2_000,
  ...change
})

export const aReview = (n: number, change: Partial<Review> = {}): Review => ({
  id: numbered("rev_", n),
  reason: "amount_mismatch",
  attemptSeq: 1,
  operationId: operationId(n),
  provider: "acme",
  reference: `charge_${n}`,
  minorUnits: 10_000,
  currency: "INR",
  since: 3_000,
  ...change
})

export const aResolution = (n: number, change: Partial<ReviewResolution> = {}): ReviewResolution => ({
  review: numbered("rev_", n),
  resolution: "dismissed",
  minorUnits: 10_000,
  resolvedAt: 4_000,
  ...change
})

export const anEvent = (record: PaymentRecord, type: EventType, change: Partial<PaymentEvent> = {}): PaymentEvent => ({
  id: eventId(Number(record.payment.id.slice(4)) * 100 + record.payment.eventSequence),
  paymentId: record.payment.id,
  account: record.payment.account,
  livemode: record.payment.livemode,
  sequence: record.payment.eventSequence,
  type,
  payment: JSON.stringify({ id: record.payment.id, version: record.payment.version }),
  refund: null,
  review: null,
  dispute: null,
  createdAt: record.payment.updatedAt,
  ...change
})

export const aBinding = (n: number, change: Partial<KeyBinding> = {}): KeyBinding => ({
  ...tenant,
  endpoint: "POST /v1/payments",
  key: `order-${n}`,
  fingerprint: `sha256:${n}`,
  paymentId: paymentId(n),
  operationId: null,
  createdAt: 1_000,
  ...change
})

export const anEvidence = (n: number, change: Partial<EvidenceRow> = {}): EvidenceRow => ({
  paymentId: paymentId(n),
  operationId: operationId(n),
  source: "webhook",
  kind: "succeeded",
  vendorCode: null,
  eventId: null,
  document: null,
  occurredAt: null,
  recordedAt: 7_000,
  ...change
})

/** A provider's report about the payment's first operation, due at once. */
export const anInboxEntry = (n: number, change: Partial<InboxEntry> = {}): InboxEntry => ({
  provider: "acme",
  eventKey: `event-${n}`,
  evidence: {
    source: "webhook",
    about: { operation: operationId(n) },
    outcome: { _tag: "Succeeded", amount: { minorUnits: 10_000, currency: currency("INR") } },

    eventId: `event-${n}`,
    occurredAt: null
  },
  document: null,
  status: "waiting",
  tries: 0,
  nextTryAt: 1_000,
  receivedAt: 1_000,
  livemode: false,
  disposition: null,
  ...change
})

/** The next version of a payment, with nothing else changed. */
export const nextVersion = (record: PaymentRecord, change: Partial<Payment> = {}): PaymentRecord => ({
  ...record,
  payment: { ...record.payment, version: record.payment.version + 1, ...change }
})

/** The payment succeeds: its last attempt and operation end, and one event is written. */
export const succeeded = (record: PaymentRecord): PaymentRecord =>
  ended(record, "succeeded", {
    state: { status: "succeeded", late: false },
    amountCaptured: record.payment.amount.minorUnits,
    eventSequence: record.payment.eventSequence + 1
  })

/** The last attempt and its operation end with `status`. */
export const ended = (record: PaymentRecord, status: OutcomeStatus, change: Partial<Payment> = {}): PaymentRecord => ({
  ...nextVersion(record, { updatedAt: record.payment.updatedAt + 1, ...change }),
  attempts: replaceLast(record.attempts, { status, endedAt: 2_000 }),
  operations: replaceLast(record.operations, { status, nextCheckAt: null })
})

const replaceLast = <A>(rows: ReadonlyArray<A>, change: Partial<A>): ReadonlyArray<A> =>
  rows.map((row, index) => (index === rows.length - 1 ? { ...row, ...change } : row))

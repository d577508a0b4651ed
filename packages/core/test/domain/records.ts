/** Records, evidence and steps for tests of the pure domain. Amounts are of a payment of 100. */
import type { Attempt } from "../../src/domain/Attempt.ts"
import { isCurrency } from "../../src/domain/Money.ts"
import { failure } from "../../src/domain/Decline.ts"
import type { IdempotencyKey, OperationId, PaymentId } from "../../src/domain/Ids.ts"
import type { Money } from "../../src/domain/Money.ts"
import type { Operation } from "../../src/domain/Operation.ts"
import type { Payment, PaymentRecord } from "../../src/domain/Payment.ts"
import type { Resolution, Review, ReviewReason } from "../../src/domain/Review.ts"
import { changed as change } from "../../src/domain/transition/change.ts"
import type { Changed, Transition } from "../../src/domain/transition/change.ts"
import { resolve } from "../../src/domain/books/resolve.ts"
import { questioned } from "../../src/domain/books/reviews.ts"
import type { Step } from "../../src/domain/Step.ts"
import { transition } from "../../src/domain/transition/transition.ts"
import type { Evidence, EvidenceSource } from "../../src/domain/Evidence.ts"
import type { Outcome } from "../../src/domain/Outcome.ts"

export const money = (minorUnits: number, currency = "EUR"): Money => {
  if (!isCurrency(currency)) throw new Error(currency)
  return { minorUnits, currency }
}

export const attempt = (seq: number, over: Partial<Attempt> = {}): Attempt => ({
  seq,
  provider: `p${seq}`,
  status: "sending",
  reason: "priority",
  code: null,
  vendorCode: null,
  actionShown: false,
  late: false,
  isOverpayment: false,
  startedAt: 0,
  endedAt: null,
  ...over
})

/** `id` is `op_<name>`; a create unless said otherwise. */
export const operation = (name: string | number, over: Partial<Operation> = {}): Operation => {
  const attemptSeq = over.attemptSeq ?? (typeof name === "number" ? name : 1)
  return {
    id: `op_${name}` as OperationId,
    paymentId: "pay_1" as PaymentId,
    attemptSeq,
    provider: `p${attemptSeq}`,
    kind: "create",
    purpose: "requested",
    minorUnits: 100,
    charge: null,
    reason: null,
    status: "sending",
    code: null,
    vendorCode: null,
    key: `key_${name}` as IdempotencyKey,
    reference: null,
    owner: "eng",
    unsettled: false,
    isOverpayment: false,
    checks: 0,
    deadlineAt: 30_000,
    nextCheckAt: 35_000,
    createdAt: 0,
    endedAt: null,
    ...over
  }
}

const payment: Payment = {
  id: "pay_1" as PaymentId,
  account: "default",
  livemode: false,
  amount: money(100),
  method: {
    rail: "card",
    tokens: {},
    token: null,
    network: null,
    country: null,
    funding: null,
    bin: null,
    fingerprint: null
  },
  captureMethod: "manual",
  description: null,
  customer: { email: "a@example.com", phone: "+919999999999", name: null, address: null },
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
  provider: "p1",
  routing: { rule: "default", ruleset: "sha256:0", reason: "priority", candidates: [], dropped: [] },
  pendingAnnounced: false,
  eventSequence: 0,
  deadlineAt: 45_000,
  version: 1,
  createdAt: 0,
  updatedAt: 0
}

export const begun: PaymentRecord = { payment, attempts: [attempt(1)], operations: [operation(1)], entries: [] }

export const step: Step = {
  now: 1000,
  next: null,
  failure: failure("provider_unavailable", true),
  nextCheckAt: 11_000,
  retryAt: 61_000,
  lateSuccess: "succeed",
  reports: "movement",
  canInquire: false,
  cancelIsFinal: false
}

export const evidence = (id: OperationId, outcome: Outcome, source: EvidenceSource = "webhook"): Evidence => ({
  source,
  about: { operation: id },
  outcome,

  eventId: null,
  occurredAt: null
})

export const find = (record: PaymentRecord, name: string | number): Operation => {
  const found = record.operations.find(({ id }) => id === `op_${name}`)
  if (found === undefined) throw new Error(`no operation ${name}`)
  return found
}

/** Who reports it and under which reference, beside what the step says. */
export interface Report extends Partial<Step> {
  readonly source?: EvidenceSource
  readonly reference?: string | null
  /** The report names this charge of p1, and no operation. */
  readonly charge?: string
}

/** What `claim` about operation `name` makes of `record`. */
export const apply = (
  record: PaymentRecord,
  name: string | number,
  outcome: Outcome,
  { charge, reference = charge ?? null, source, ...rest }: Report = {}
): Transition => {
  const subject = find(record, name)
  const report = evidence(subject.id, named(outcome, reference), source)
  const about = charge === undefined ? report.about : { provider: "p1", providerReference: charge }
  return transition(record, subject, { ...report, about }, { ...step, ...rest })
}

export const named = (outcome: Outcome, reference: string | null): Outcome =>
  reference === null ? outcome : { ...outcome, reference }

export const changed = (result: Transition | Changed | null): Changed => {
  if (result === null) throw new Error("null")
  if (result._tag !== "Changed") throw new Error(`unchanged: ${result.because}`)
  return result
}

/** Every claim one after the other; each must change something. */
export const after = (
  record: PaymentRecord,
  ...reported: ReadonlyArray<readonly [name: string | number, claim: Outcome, over?: Report]>
): PaymentRecord =>
  reported.reduce((so, [name, outcome, over]) => changed(apply(so, name, outcome, over)).record, record)

/** `record` with one more operation, as a commit would add it. */
export const asked = (record: PaymentRecord, name: string, over: Partial<Operation>): PaymentRecord => ({
  ...record,
  operations: [...record.operations, operation(name, over)]
})

/** `record` with a question about operation `name`, as the engine raises it. */
export const inReview = (record: PaymentRecord, reason: ReviewReason, name: string | number): PaymentRecord =>
  change(questioned(record, reason, find(record, name), 500), 500, {}, null).record

export const reasons = ({ payment }: PaymentRecord): ReadonlyArray<ReviewReason> =>
  payment.reviews.map(({ reason }) => reason)

export const reviewOf = ({ payment }: PaymentRecord, reason: ReviewReason): Review => {
  const found = payment.reviews.find((review) => review.reason === reason)
  if (found === undefined) throw new Error(`no review ${reason}`)
  return found
}

/** What an operator's answer to the review of this reason makes of `record`; `null`: it does not fit. */
export const answer = (record: PaymentRecord, reason: ReviewReason, resolution: Resolution): Changed | null =>
  resolve(record, reviewOf(record, reason), { resolution }, { now: 2000, lateSuccess: "succeed" })?.change ?? null

export const taken = (minorUnits: number, currency?: string): Outcome => ({
  _tag: "Captured",
  amount: money(minorUnits, currency)
})

export const givenBack = (minorUnits: number): Outcome => ({
  _tag: "RefundSucceeded",
  amount: money(minorUnits)
})

export const claims = {
  succeeded: { _tag: "Succeeded" },
  authorized: { _tag: "Authorized" },
  captured: { _tag: "Captured" },
  declined: { _tag: "Declined", code: "do_not_honor", retry: "same_later" },
  notExecuted: { _tag: "NotExecuted", reason: "not_sent" },
  notFound: { _tag: "NotFound" },
  unknown: { _tag: "Unknown", reason: "timeout" },
  pending: { _tag: "Pending" },
  expired: { _tag: "Expired" },
  canceled: { _tag: "Canceled" },
  captureFailed: { _tag: "CaptureFailed" },
  refundPending: { _tag: "RefundPending" },
  refundSucceeded: { _tag: "RefundSucceeded" },
  refundFailed: { _tag: "RefundFailed" },
  disputed: { _tag: "Disputed" },
  detected: { _tag: "Detected" },
  retracted: { _tag: "Retracted" }
} as const satisfies { readonly [name: string]: Outcome }

/** A payment on hold, one that was paid, one that was declined. */
export const held = after(begun, [1, claims.authorized])
export const paid = after(begun, [1, claims.succeeded])
export const failed = after(begun, [1, claims.declined])

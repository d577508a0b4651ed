/**
 * Rows of either database as the values they were written from.
 *
 * Written by hand: a Schema would cost more than the statement it serves. Reading is total all the same: a value that is not as
 * it was written throws `RowUnreadable` with the row's name, a defect for the reader.
 */
import { readNextAction } from "@paymux/core/engine"
import { rails } from "@paymux/core"
import type {
  CaptureMethod,
  Client,
  Currency,
  Customer,
  Evidence,
  IdempotencyKey,
  NextAction,
  OperationId,
  Payment,
  PaymentId,
  PaymentMethod,
  PaymentRecord,
  PaymentState
} from "@paymux/core"
import {
  decodeEvidence,
  encodeEvidence,
  eventTypes,
  failureCodes,
  operationKinds,
  operationPurposes,
  paymentStatuses,
  pendingReasons
} from "@paymux/core/store"
import type {
  Attempt,
  CardDecline,
  EventId,
  EventType,
  EvidenceRow,
  Failure,
  InboxEntry,
  InboxDisposition,
  InboxStatus,
  KeptKey,
  NewestPayment,
  Operation,
  OperationStatus,
  PaymentEvent,
  PhoneStretch,
  RoutedPayment,
  RoutingDecision,
  RefundedPayment
} from "@paymux/core/store"
import { readEntry, readResolutions, readReviews } from "./bookRows.ts"
import { forgotten } from "../migrations/forgetting.ts"
import { flag, numeral, numeralOrNull, object, oneOf, text, textOrNull, unreadable } from "./ReadRow.ts"
import type { Row } from "./ReadRow.ts"
import { every, evidenceSources, outcomeStatuses } from "./words.ts"

/** The rows of one payment, as they come from the database. */
export interface RecordRows {
  readonly payment: Row
  readonly attempts: ReadonlyArray<Row>
  readonly operations: ReadonlyArray<Row>
  readonly entries: ReadonlyArray<Row>
}

export const readRecord = ({ attempts, entries, operations, payment }: RecordRows): PaymentRecord => ({
  payment: readPayment(payment),
  attempts: attempts.map(readAttempt),
  operations: operations.map(readOperation),
  entries: entries.map(readEntry)
})

/** The rows of a payment and of its attempts: routing needs no more. */
export type RoutedRows = Pick<RecordRows, "payment" | "attempts">

export const readRouted = ({ attempts, payment }: RoutedRows): RoutedPayment => ({
  payment: readPayment(payment),
  attempts: attempts.map(readAttempt)
})

// The brands and the shapes of nested structures below are asserted, not checked: this module alone writes these
// columns, from values of the same types. Tags are checked, so that no unknown state gets into an exhaustive switch.

const readPayment = (row: Row): Payment => ({
  id: text(row, "id") as PaymentId,
  account: text(row, "account"),
  livemode: flag(row, "livemode"),
  amount: { minorUnits: numeral(row, "minor_units"), currency: readCurrency(row) },
  method: readMethod(row),
  captureMethod: oneOf(row, "capture_method", captureMethods),
  description: textOrNull(row, "description"),
  customer: { ...laterOfCustomer, ...(object(row, "customer") as unknown as Customer) },
  metadata: object(row, "metadata") as Payment["metadata"],
  client: row["client"] === null ? null : { ...laterOfClient, ...(object(row, "client") as unknown as Client) },
  returnUrl: textOrNull(row, "return_url"),
  order: textOrNull(row, "order_ref"),
  state: readState(row),
  amountCaptured: numeral(row, "amount_captured"),
  amountRefunded: numeral(row, "amount_refunded"),
  amountReceived: numeralOrNull(row, "amount_received"),
  reviews: readReviews(row),
  resolutions: readResolutions(row),
  disputedAt: numeralOrNull(row, "disputed_at"),
  provider: text(row, "provider"),
  routing: object(row, "routing") as unknown as RoutingDecision,
  pendingAnnounced: flag(row, "pending_announced"),
  eventSequence: numeral(row, "event_sequence"),
  deadlineAt: numeral(row, "deadline_at"),
  version: numeral(row, "version"),
  createdAt: numeral(row, "created_at"),
  updatedAt: numeral(row, "updated_at")
})

/** Rows of an earlier version do not have these members. */
const laterOfCustomer = { address: null } as const
const laterOfClient = { acceptHeader: null, language: null, timeZone: null, screen: null } as const

const captureMethods = every<CaptureMethod>({ automatic: true, manual: true })

const readCurrency = (row: Row): Currency.Currency => {
  const code = text(row, "currency")
  // A currency that has been withdrawn since is still that of the payment.
  return /^[A-Z]{3}$/.test(code) ? (code as Currency.Currency) : unreadable(row, "currency")
}

const readMethod = (row: Row): PaymentMethod => {
  const method = object(row, "method")
  return method["rail"] === oneOf(row, "rail", rails) ? (method as unknown as PaymentMethod) : unreadable(row, "method")
}

const readState = (row: Row): PaymentState => {
  const state = object(row, "state")
  const status = oneOf(row, "status", paymentStatuses)
  if (state["status"] !== status) return unreadable(row, "state")
  switch (status) {
    case "pending":
      return pendingReasons.some((reason) => reason === state["reason"])
        ? {
            status,
            reason: state["reason"] as (typeof pendingReasons)[number],
            nextAction: readAction(row, state),
            ...(typeof state["detected"] === "number" && { detected: state["detected"] })
          }
        : unreadable(row, "state")
    case "authorized":
    case "canceled":
      return { status }
    case "succeeded":
      return typeof state["late"] === "boolean" ? { status, late: state["late"] } : unreadable(row, "state")
    case "failed":
      return { status, failure: readFailure(row, state["failure"]) }
    default:
      return status satisfies never
  }
}

/** An earlier version stored actions of providers unchecked: one that no page may show is omitted. */
const readAction = (row: Row, state: { readonly [key: string]: unknown }): NextAction | null => {
  const action = state["nextAction"]
  if (typeof action !== "object") return unreadable(row, "state")
  const read = action === null ? null : readNextAction(action)
  return typeof read === "string" ? null : read
}

const readFailure = (row: Row, failure: unknown): Failure =>
  typeof failure === "object" &&
  failure !== null &&
  "code" in failure &&
  failureCodes.some((c) => c === failure.code) &&
  "retryable" in failure &&
  typeof failure.retryable === "boolean"
    ? (failure as Failure)
    : unreadable(row, "state")

const operationStatuses: ReadonlyArray<OperationStatus> = ["planned", ...outcomeStatuses]

const readAttempt = (row: Row): Attempt => ({
  seq: numeral(row, "seq"),
  provider: text(row, "provider"),
  status: oneOf(row, "status", outcomeStatuses),
  reason: text(row, "reason"),
  ...readFailing(row),
  actionShown: flag(row, "action_shown"),
  late: flag(row, "late"),
  isOverpayment: flag(row, "surplus"),
  startedAt: numeral(row, "started_at"),
  endedAt: numeralOrNull(row, "ended_at")
})

const readFailing = (row: Row): Pick<Attempt, "code" | "vendorCode"> => ({
  code: row["code"] === null ? null : oneOf(row, "code", failureCodes),
  vendorCode: textOrNull(row, "vendor_code")
})

const readOperation = (row: Row): Operation => ({
  id: text(row, "id") as OperationId,
  paymentId: text(row, "payment_id") as PaymentId,
  attemptSeq: numeral(row, "attempt_seq"),
  provider: text(row, "provider"),
  kind: oneOf(row, "kind", operationKinds),
  purpose: oneOf(row, "purpose", operationPurposes),
  minorUnits: numeral(row, "minor_units"),
  charge: textOrNull(row, "charge"),
  reason: textOrNull(row, "reason"),
  status: oneOf(row, "status", operationStatuses),
  ...readFailing(row),
  key: text(row, "key") as IdempotencyKey,
  reference: textOrNull(row, "reference"),
  owner: text(row, "owner"),
  unsettled: flag(row, "unsettled"),
  isOverpayment: flag(row, "surplus"),
  checks: numeral(row, "checks"),
  deadlineAt: numeral(row, "deadline_at"),
  nextCheckAt: numeralOrNull(row, "next_check_at"),
  createdAt: numeral(row, "created_at"),
  endedAt: numeralOrNull(row, "ended_at")
})

/** A refund of a list. */
export interface ListedRefund {
  readonly operation: Operation
  readonly payment: RefundedPayment
}

/** An operation with the parts of its payment that a refund needs. */
export const readRefund = (row: Row): ListedRefund => ({
  operation: readOperation(row),
  payment: {
    id: text(row, "payment_id") as PaymentId,
    livemode: flag(row, "livemode"),
    amount: { minorUnits: numeral(row, "payment_minor_units"), currency: readCurrency(row) }
  }
})

/** A decline, with the state of its payment. */
export const readCardDecline = (row: Row): CardDecline => {
  const code = oneOf(row, "code", failureCodes)
  const state = readState(row)
  return {
    code,
    isFinal: state.status === "failed" && state.failure.code === code && !state.failure.retryable,
    endedAt: numeral(row, "ended_at")
  }
}

export const readEvent = (row: Row): PaymentEvent => ({
  id: text(row, "id") as EventId,
  paymentId: text(row, "payment_id") as PaymentId,
  account: text(row, "account"),
  livemode: flag(row, "livemode"),
  sequence: numeral(row, "sequence"),
  type: oneOf<EventType>(row, "type", eventTypes),
  payment: text(row, "payment"),
  refund: textOrNull(row, "refund"),
  review: textOrNull(row, "review"),
  dispute: textOrNull(row, "dispute"),
  createdAt: numeral(row, "created_at")
})

export const readNewest = (row: Row): NewestPayment => ({
  id: text(row, "id") as PaymentId,
  createdAt: numeral(row, "created_at")
})

// Boundary, as above: the brand of an id.
export const readVersion = (row: Row): readonly [PaymentId, number] => [
  text(row, "id") as PaymentId,
  numeral(row, "version")
]

export const readKey = (row: Row): KeptKey => ({
  account: text(row, "account"),
  livemode: flag(row, "livemode"),
  endpoint: text(row, "endpoint"),
  key: text(row, "key"),
  fingerprint: text(row, "fingerprint"),
  paymentId: text(row, "payment_id") as PaymentId,
  // Boundary, as above: the brand of an id.
  operationId: textOrNull(row, "operation_id") as OperationId | null,
  answer: textOrNull(row, "answer"),
  createdAt: numeral(row, "created_at")
})

export const readEvidenceRow = (row: Row): EvidenceRow => ({
  paymentId: text(row, "payment_id") as PaymentId,
  operationId: text(row, "operation_id") as OperationId,
  source: oneOf(row, "source", evidenceSources),
  kind: text(row, "kind"),
  vendorCode: textOrNull(row, "vendor_code"),
  eventId: textOrNull(row, "event_id"),
  document: textOrNull(row, "document"),
  occurredAt: numeralOrNull(row, "occurred_at"),
  recordedAt: numeral(row, "recorded_at")
})

export const readInboxEntry = (row: Row): InboxEntry => ({
  provider: text(row, "provider"),
  eventKey: text(row, "event_key"),
  evidence: readEvidence(row),
  document: textOrNull(row, "document"),
  status: oneOf(row, "status", inboxStatuses),
  tries: numeral(row, "tries"),
  nextTryAt: numeralOrNull(row, "next_try_at"),
  receivedAt: numeral(row, "received_at"),
  livemode: row["livemode"] === null ? null : flag(row, "livemode"),
  disposition: row["disposition"] === null ? null : oneOf(row, "disposition", inboxDispositions)
})

/** The same, for an entry whose evidence may have been deleted: then the entry gets the evidence of the repeated report. */
export const readStandingEntry = (row: Row, received: InboxEntry): InboxEntry =>
  row["evidence"] === forgotten
    ? {
        ...readInboxEntry({ ...row, evidence: JSON.stringify(encodeEvidence(received.evidence)) }),
        evidence: received.evidence
      }
    : readInboxEntry(row)

/** Boundary, as above: the brand of an id. */
export const readPaymentId = (row: Row): PaymentId => text(row, "payment_id") as PaymentId

/** The scanned payments, in the order of their ids, each with whether it was `found`. */
export const readPhoneStretch = (rows: ReadonlyArray<Row>): PhoneStretch => {
  const last = rows.at(-1)
  // Boundary, as above: the brand of an id.
  const idOf = (row: Row) => text(row, "id") as PaymentId
  return {
    found: rows.filter((row) => flag(row, "found")).map(idOf),
    last: last === undefined ? null : { id: idOf(last), createdAt: numeral(last, "created_at") }
  }
}

const inboxDispositions = every<InboxDisposition>({ foreign: true, matched: true, dismissed: true })

const inboxStatuses = every<InboxStatus>({ waiting: true, applied: true, parked: true })

const readEvidence = (row: Row): Evidence => {
  const stored = object(row, "evidence")
  const evidence = decodeEvidence(stored)
  const isKnown = evidenceSources.some((word) => word === stored["source"]) && typeof stored["about"] === "object"
  return isKnown && evidence !== null ? evidence : unreadable(row, "evidence")
}

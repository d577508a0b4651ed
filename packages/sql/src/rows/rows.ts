/**
 * Reads rows of either database as the values from which they were written.
 *
 * The readers are written by hand, because a Schema would cost more than the statement that it serves. They are total
 * all the same: a value that is not as it was written throws `RowUnreadable` with the row's name, a defect for the
 * caller.
 */
import { readNextAction } from "@paymux/core/engine"
import { rails } from "@paymux/core"
import type {
  CaptureMethod,
  Client,
  Currency,
  Customer,
  Evidence,
  NextAction,
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
import {
  flag,
  inColumn,
  numeral,
  numeralOrNull,
  object,
  oneOf,
  orNull,
  reading,
  text,
  textOrNull,
  unreadable,
  word,
  wordOf,
  wordOrNull
} from "./ReadRow.ts"
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

/** Reads a payment with its attempts only, because routing needs no other parts. */
export const readRouted = ({ attempts, payment }: Pick<RecordRows, "payment" | "attempts">): RoutedPayment => ({
  payment: readPayment(payment),
  attempts: attempts.map(readAttempt)
})

// The brands and the shapes of nested structures below are asserted, not checked: this module alone writes these
// columns, from values of the same types. Tags are checked, so that no unknown state gets into an exhaustive switch.

/** The values of fields that rows of an earlier version do not have. */
const laterOfCustomer = { address: null } as const
const laterOfClient = { acceptHeader: null, language: null, timeZone: null, screen: null } as const

const readCurrency = (row: Row, column: string): Currency.Currency => {
  const code = text(row, column)
  // Only the form of the code is checked: a payment keeps its currency, even if the currency has been withdrawn since.
  return /^[A-Z]{3}$/.test(code) ? (code as Currency.Currency) : unreadable(row, column)
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

/**
 * Reads the payer's next action. An earlier version stored actions of providers unchecked: an action that no page may
 * show is read as `null`.
 */
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

const readPayment = reading<Payment>({
  id: word,
  account: text,
  livemode: flag,
  amount: (row) => ({ minorUnits: numeral(row, "minor_units"), currency: readCurrency(row, "currency") }),
  method: (row, column) => {
    const method = object(row, column)
    return method["rail"] === oneOf(row, "rail", rails) ? (method as unknown as PaymentMethod) : unreadable(row, column)
  },
  captureMethod: wordOf(every<CaptureMethod>({ automatic: true, manual: true })),
  description: textOrNull,
  customer: (row, column) => ({ ...laterOfCustomer, ...(object(row, column) as unknown as Customer) }),
  metadata: (row, column) => object(row, column) as Payment["metadata"],
  client: orNull((row, column) => ({ ...laterOfClient, ...(object(row, column) as unknown as Client) })),
  returnUrl: textOrNull,
  order: inColumn("order_ref", textOrNull),
  state: readState,
  amountCaptured: numeral,
  amountRefunded: numeral,
  amountReceived: numeralOrNull,
  reviews: readReviews,
  resolutions: readResolutions,
  disputedAt: numeralOrNull,
  provider: text,
  routing: (row, column) => object(row, column) as unknown as RoutingDecision,
  pendingAnnounced: flag,
  eventSequence: numeral,
  deadlineAt: numeral,
  version: numeral,
  createdAt: numeral,
  updatedAt: numeral
})

const failing = { code: orNull(wordOf(failureCodes)), vendorCode: textOrNull }

const readAttempt = reading<Attempt>({
  seq: numeral,
  provider: text,
  status: wordOf(outcomeStatuses),
  reason: text,
  ...failing,
  actionShown: flag,
  late: flag,
  isOverpayment: inColumn("surplus", flag),
  startedAt: numeral,
  endedAt: numeralOrNull
})

const readOperation = reading<Operation>({
  id: word,
  paymentId: word,
  attemptSeq: numeral,
  provider: text,
  kind: wordOf(operationKinds),
  purpose: wordOf(operationPurposes),
  minorUnits: numeral,
  charge: textOrNull,
  reason: textOrNull,
  status: wordOf<OperationStatus>(["planned", ...outcomeStatuses]),
  ...failing,
  key: word,
  reference: textOrNull,
  owner: text,
  unsettled: flag,
  isOverpayment: inColumn("surplus", flag),
  checks: numeral,
  deadlineAt: numeral,
  nextCheckAt: numeralOrNull,
  createdAt: numeral,
  endedAt: numeralOrNull
})

/** A refund for the list of refunds. */
export interface ListedRefund {
  readonly operation: Operation
  readonly payment: RefundedPayment
}

/** Reads a refund: an operation with the fields of its payment that the list shows. */
export const readRefund = (row: Row): ListedRefund => ({
  operation: readOperation(row),
  payment: {
    id: word(row, "payment_id"),
    livemode: flag(row, "livemode"),
    amount: { minorUnits: numeral(row, "payment_minor_units"), currency: readCurrency(row, "currency") }
  }
})

/** Reads a decline of a card, with the state of its payment. */
export const readCardDecline = (row: Row): CardDecline => {
  const code = oneOf(row, "code", failureCodes)
  const state = readState(row)
  return {
    code,
    isFinal: state.status === "failed" && state.failure.code === code && !state.failure.retryable,
    endedAt: numeral(row, "ended_at")
  }
}

export const readEvent = reading<PaymentEvent>({
  id: word,
  paymentId: word,
  account: text,
  livemode: flag,
  sequence: numeral,
  type: wordOf(eventTypes),
  payment: text,
  refund: textOrNull,
  review: textOrNull,
  dispute: textOrNull,
  createdAt: numeral
})

export const readNewest = reading<NewestPayment>({ id: word, createdAt: numeral })

export const readVersion = (row: Row): readonly [PaymentId, number] => [word(row, "id"), numeral(row, "version")]

export const readKey = reading<KeptKey>({
  account: text,
  livemode: flag,
  endpoint: text,
  key: text,
  fingerprint: text,
  paymentId: word,
  operationId: wordOrNull,
  answer: textOrNull,
  createdAt: numeral
})

export const readEvidenceRow = reading<EvidenceRow>({
  paymentId: word,
  operationId: word,
  source: wordOf(evidenceSources),
  kind: text,
  vendorCode: textOrNull,
  eventId: textOrNull,
  document: textOrNull,
  occurredAt: numeralOrNull,
  recordedAt: numeral
})

/**
 * Reads an inbox entry whose evidence may have been deleted: then the entry gets the evidence of the repeated report.
 */
export const readStandingEntry = (row: Row, received: InboxEntry): InboxEntry =>
  row["evidence"] === forgotten
    ? {
        ...readInboxEntry({ ...row, evidence: JSON.stringify(encodeEvidence(received.evidence)) }),
        evidence: received.evidence
      }
    : readInboxEntry(row)

export const readPaymentId = (row: Row): PaymentId => word(row, "payment_id")

/**
 * Reads a range of payments from a search by phone number, in the order of their ids: the ids that were `found`, and
 * the last payment of the range.
 */
export const readPhoneStretch = (rows: ReadonlyArray<Row>): PhoneStretch => {
  const last = rows.at(-1)
  return {
    found: rows.filter((row) => flag(row, "found")).map((row) => word(row, "id")),
    last: last === undefined ? null : readNewest(last)
  }
}

const inboxDispositions = every<InboxDisposition>({ foreign: true, matched: true, dismissed: true })

const inboxStatuses = every<InboxStatus>({ waiting: true, applied: true, parked: true })

const readEvidence = (row: Row, column: string): Evidence => {
  const stored = object(row, column)
  const evidence = decodeEvidence(stored)
  const isKnown = evidenceSources.some((word) => word === stored["source"]) && typeof stored["about"] === "object"
  return isKnown && evidence !== null ? evidence : unreadable(row, column)
}

export const readInboxEntry = reading<InboxEntry>({
  provider: text,
  eventKey: text,
  evidence: readEvidence,
  document: textOrNull,
  status: wordOf(inboxStatuses),
  tries: numeral,
  nextTryAt: numeralOrNull,
  receivedAt: numeral,
  livemode: orNull(flag),
  disposition: orNull(wordOf(inboxDispositions))
})

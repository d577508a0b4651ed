/**
 * Payments, attempts, operations and events as rows, and back.
 *
 * Written by hand: a Schema would cost more than the statement it serves. Reading is total all the same: what is not as
 * it was written throws `RowUnreadable` with the table and the id, a defect for whoever reads.
 */
import { eventTypes, failureCodes, operationKinds, paymentStatuses, pendingReasons, rails } from "@paymux/core"
import type {
  Attempt,
  CaptureMethod,
  Client,
  Currency,
  Customer,
  EventId,
  EventType,
  Failure,
  IdempotencyKey,
  KeptKey,
  NextAction,
  Operation,
  OperationId,
  OutcomeStatus,
  Payment,
  PaymentEvent,
  PaymentId,
  PaymentMethod,
  PaymentRecord,
  PaymentState,
  ReviewReason,
  RoutingDecision
} from "@paymux/core"
import { flag, numeral, numeralOrNull, object, oneOf, text, textOrNull, unreadable } from "./ReadRow.ts"
import type { Row } from "./ReadRow.ts"

export type SqlValue = string | number | null

/** A column: which part of the value it keeps, by identity, and how that is written. */
export interface Column<A> {
  readonly name: string
  readonly part: (value: A) => unknown
  readonly write: (value: A) => SqlValue
}

const plain = <A>(name: string, part: (value: A) => SqlValue): Column<A> => ({ name, part, write: part })

const bit = <A>(name: string, part: (value: A) => boolean): Column<A> => ({
  name,
  part,
  write: (value) => (part(value) ? 1 : 0)
})

const asJson = <A>(name: string, part: (value: A) => object | null): Column<A> => ({
  name,
  part,
  write: (value) => {
    const structure = part(value)
    return structure === null ? null : JSON.stringify(structure)
  }
})

export const paymentColumns: ReadonlyArray<Column<Payment>> = [
  plain("id", (payment) => payment.id),
  plain("account", (payment) => payment.account),
  bit("livemode", (payment) => payment.livemode),
  plain("status", (payment) => payment.state.status),
  asJson("state", (payment) => payment.state),
  plain("rail", (payment) => payment.method.rail),
  asJson("method", (payment) => payment.method),
  plain("minor_units", (payment) => payment.amount.minorUnits),
  plain("currency", (payment) => payment.amount.currency),
  plain("capture_method", (payment) => payment.captureMethod),
  plain("description", (payment) => payment.description),
  asJson("customer", (payment) => payment.customer),
  plain("customer_email", (payment) => payment.customer.email),
  asJson("metadata", (payment) => payment.metadata),
  asJson("client", (payment) => payment.client),
  plain("return_url", (payment) => payment.returnUrl),
  plain("amount_captured", (payment) => payment.amountCaptured),
  plain("amount_refunded", (payment) => payment.amountRefunded),
  plain("amount_received", (payment) => payment.amountReceived),
  plain("review", (payment) => payment.review?.reason ?? null),
  plain("provider", (payment) => payment.provider),
  asJson("routing", (payment) => payment.routing),
  bit("pending_announced", (payment) => payment.pendingAnnounced),
  plain("event_sequence", (payment) => payment.eventSequence),
  plain("deadline_at", (payment) => payment.deadlineAt),
  plain("version", (payment) => payment.version),
  plain("created_at", (payment) => payment.createdAt),
  plain("updated_at", (payment) => payment.updatedAt)
]

export const attemptColumns: ReadonlyArray<Column<Attempt>> = [
  plain("seq", (attempt) => attempt.seq),
  plain("provider", (attempt) => attempt.provider),
  plain("status", (attempt) => attempt.status),
  plain("reason", (attempt) => attempt.reason),
  plain("code", (attempt) => attempt.code),
  plain("vendor_code", (attempt) => attempt.vendorCode),
  bit("action_shown", (attempt) => attempt.actionShown),
  bit("late", (attempt) => attempt.late),
  plain("started_at", (attempt) => attempt.startedAt),
  plain("ended_at", (attempt) => attempt.endedAt)
]

export const operationColumns: ReadonlyArray<Column<Operation>> = [
  plain("payment_id", (operation) => operation.paymentId),
  plain("id", (operation) => operation.id),
  plain("attempt_seq", (operation) => operation.attemptSeq),
  plain("provider", (operation) => operation.provider),
  plain("kind", (operation) => operation.kind),
  plain("minor_units", (operation) => operation.minorUnits),
  plain("status", (operation) => operation.status),
  plain("key", (operation) => operation.key),
  plain("reference", (operation) => operation.reference),
  plain("owner", (operation) => operation.owner),
  bit("unsettled", (operation) => operation.unsettled),
  plain("checks", (operation) => operation.checks),
  plain("deadline_at", (operation) => operation.deadlineAt),
  plain("next_check_at", (operation) => operation.nextCheckAt),
  plain("created_at", (operation) => operation.createdAt)
]

/** The rows of one payment, as they come from the database. */
export interface RecordRows {
  readonly payment: Row
  readonly attempts: ReadonlyArray<Row>
  readonly operations: ReadonlyArray<Row>
}

export const readRecord = ({ attempts, operations, payment }: RecordRows): PaymentRecord => ({
  payment: readPayment(payment),
  attempts: attempts.map(readAttempt),
  operations: operations.map(readOperation)
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
  customer: object(row, "customer") as unknown as Customer,
  metadata: object(row, "metadata") as Payment["metadata"],
  client: row["client"] === null ? null : (object(row, "client") as unknown as Client),
  returnUrl: textOrNull(row, "return_url"),
  state: readState(row),
  amountCaptured: numeral(row, "amount_captured"),
  amountRefunded: numeral(row, "amount_refunded"),
  amountReceived: numeralOrNull(row, "amount_received"),
  review: row["review"] === null ? null : { reason: oneOf(row, "review", reviewReasons) },
  provider: text(row, "provider"),
  routing: object(row, "routing") as unknown as RoutingDecision,
  pendingAnnounced: flag(row, "pending_announced"),
  eventSequence: numeral(row, "event_sequence"),
  deadlineAt: numeral(row, "deadline_at"),
  version: numeral(row, "version"),
  createdAt: numeral(row, "created_at"),
  updatedAt: numeral(row, "updated_at")
})

/** Every word of a union: one that core gains and this file does not know is a type error. */
const every = <A extends string>(words: { readonly [word in A]: true }): ReadonlyArray<A> =>
  Object.keys(words) as Array<A>

const captureMethods = every<CaptureMethod>({ automatic: true, manual: true })

const reviewReasons = every<ReviewReason>({
  amount_mismatch: true,
  duplicate_capture: true,
  late_success_after_cancel: true,
  inquiries_exhausted: true
})

const readCurrency = (row: Row): Currency.Currency => {
  const code = text(row, "currency")
  // One that has been withdrawn since is still what the payment was made in.
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
        ? { status, reason: state["reason"] as (typeof pendingReasons)[number], nextAction: readAction(row, state) }
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

const readAction = (row: Row, state: { readonly [key: string]: unknown }): NextAction | null => {
  const action = state["nextAction"]
  return typeof action === "object" ? (action as NextAction | null) : unreadable(row, "state")
}

const readFailure = (row: Row, failure: unknown): Failure =>
  typeof failure === "object" && failure !== null && "code" in failure && failureCodes.some((c) => c === failure.code)
    ? (failure as Failure)
    : unreadable(row, "state")

const outcomeStatuses = every<OutcomeStatus>({
  sending: true,
  authorized: true,
  succeeded: true,
  pending: true,
  declined: true,
  not_executed: true,
  unknown: true,
  expired: true,
  canceled: true
})

const readAttempt = (row: Row): Attempt => ({
  seq: numeral(row, "seq"),
  provider: text(row, "provider"),
  status: oneOf(row, "status", outcomeStatuses),
  reason: text(row, "reason"),
  code: row["code"] === null ? null : oneOf(row, "code", failureCodes),
  vendorCode: textOrNull(row, "vendor_code"),
  actionShown: flag(row, "action_shown"),
  late: flag(row, "late"),
  startedAt: numeral(row, "started_at"),
  endedAt: numeralOrNull(row, "ended_at")
})

const readOperation = (row: Row): Operation => ({
  id: text(row, "id") as OperationId,
  paymentId: text(row, "payment_id") as PaymentId,
  attemptSeq: numeral(row, "attempt_seq"),
  provider: text(row, "provider"),
  kind: oneOf(row, "kind", operationKinds),
  minorUnits: numeral(row, "minor_units"),
  status: oneOf(row, "status", outcomeStatuses),
  key: text(row, "key") as IdempotencyKey,
  reference: textOrNull(row, "reference"),
  owner: text(row, "owner"),
  unsettled: flag(row, "unsettled"),
  checks: numeral(row, "checks"),
  deadlineAt: numeral(row, "deadline_at"),
  nextCheckAt: numeralOrNull(row, "next_check_at"),
  createdAt: numeral(row, "created_at")
})

export const readEvent = (row: Row): PaymentEvent => ({
  id: text(row, "id") as EventId,
  paymentId: text(row, "payment_id") as PaymentId,
  account: text(row, "account"),
  livemode: flag(row, "livemode"),
  sequence: numeral(row, "sequence"),
  type: oneOf<EventType>(row, "type", eventTypes),
  payment: text(row, "payment"),
  createdAt: numeral(row, "created_at")
})

export const readKey = (row: Row): KeptKey => ({
  account: text(row, "account"),
  livemode: flag(row, "livemode"),
  endpoint: text(row, "endpoint"),
  key: text(row, "key"),
  fingerprint: text(row, "fingerprint"),
  paymentId: text(row, "payment_id") as PaymentId,
  answer: textOrNull(row, "answer"),
  createdAt: numeral(row, "created_at")
})

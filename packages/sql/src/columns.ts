/**
 * Which column keeps which part of a value, for both databases.
 *
 * Written by hand: a Schema would cost more than the statement it serves.
 */
import type { Payment } from "@paymux/core"
import { encodeEvidence, heldOrder, normalEmail } from "@paymux/core/store"
import type { Attempt, Entry, EvidenceRow, InboxEntry, KeyBinding, Operation, PaymentEvent } from "@paymux/core/store"
import { toStorable } from "./storableText.ts"

export type SqlValue = string | number | null

/** How a column is kept: SQLite has no booleans, PostgreSQL has them. `json` is JSON text in both, `words` that of strings. */
export type ColumnKind = "text" | "number" | "flag" | "json" | "words"

/** A column: which part of the value it keeps, by identity, and how SQLite has it. */
export interface Column<A> {
  readonly name: string
  readonly kind: ColumnKind
  readonly part: (value: A) => unknown
  readonly write: (value: A) => SqlValue
}

const text = <A>(name: string, part: (value: A) => string | null): Column<A> => ({
  name,
  kind: "text",
  part,
  write: part
})

/** Text that SQLite must keep exactly too, lone surrogates included. On SQLite, read it with `fromStorable`. */
const exactText = <A>(name: string, part: (value: A) => string | null): Column<A> => ({
  name,
  kind: "text",
  part,
  write: (value) => {
    const given = part(value)
    return given === null ? null : toStorable(given)
  }
})

const number = <A>(name: string, part: (value: A) => number | null): Column<A> => ({
  name,
  kind: "number",
  part,
  write: part
})

const flag = <A>(name: string, part: (value: A) => boolean): Column<A> => ({
  name,
  kind: "flag",
  part,
  write: (value) => (part(value) ? 1 : 0)
})

const flagOrNull = <A>(name: string, part: (value: A) => boolean | null): Column<A> => ({
  name,
  kind: "flag",
  part,
  write: (value) => {
    const given = part(value)
    return given === null ? null : given ? 1 : 0
  }
})

const json = <A>(name: string, part: (value: A) => object | null, kind: "json" | "words" = "json"): Column<A> => ({
  name,
  kind,
  part,
  write: (value) => {
    const structure = part(value)
    return structure === null ? null : JSON.stringify(structure)
  }
})

/** Most payments have an empty list: their column is `NULL`. */
const listOrNull = <A>(list: ReadonlyArray<A>): ReadonlyArray<A> | null => (list.length === 0 ? null : list)

export const paymentColumns: ReadonlyArray<Column<Payment>> = [
  text("id", (payment) => payment.id),
  text("account", (payment) => payment.account),
  flag("livemode", (payment) => payment.livemode),
  text("status", (payment) => payment.state.status),
  json("state", (payment) => payment.state),
  text("rail", (payment) => payment.method.rail),
  json("method", (payment) => payment.method),
  number("minor_units", (payment) => payment.amount.minorUnits),
  text("currency", (payment) => payment.amount.currency),
  text("capture_method", (payment) => payment.captureMethod),
  text("description", (payment) => payment.description),
  json("customer", (payment) => payment.customer),
  // In its normal form; earlier code wrote it as it was given. The column is NOT NULL. No filter matches an empty text: see `listFilters.ts`.
  text("customer_email", (payment) => normalEmail(payment.customer.email ?? "")),
  json("metadata", (payment) => payment.metadata, "words"),
  json("client", (payment) => payment.client),
  text("return_url", (payment) => payment.returnUrl),
  text("order_ref", (payment) => payment.order),
  text("order_held", heldOrder),
  number("amount_captured", (payment) => payment.amountCaptured),
  number("amount_refunded", (payment) => payment.amountRefunded),
  number("amount_received", (payment) => payment.amountReceived),
  json("reviews", (payment) => listOrNull(payment.reviews)),
  json("resolutions", (payment) => listOrNull(payment.resolutions)),
  number("disputed_at", (payment) => payment.disputedAt),
  text("provider", (payment) => payment.provider),
  json("routing", (payment) => payment.routing),
  flag("pending_announced", (payment) => payment.pendingAnnounced),
  number("event_sequence", (payment) => payment.eventSequence),
  number("deadline_at", (payment) => payment.deadlineAt),
  number("version", (payment) => payment.version),
  number("created_at", (payment) => payment.createdAt),
  number("updated_at", (payment) => payment.updatedAt)
]

/** Without the payment's id, which an attempt does not name. */
export const attemptColumns: ReadonlyArray<Column<Attempt>> = [
  number("seq", (attempt) => attempt.seq),
  text("provider", (attempt) => attempt.provider),
  text("status", (attempt) => attempt.status),
  text("reason", (attempt) => attempt.reason),
  text("code", (attempt) => attempt.code),
  text("vendor_code", (attempt) => attempt.vendorCode),
  flag("action_shown", (attempt) => attempt.actionShown),
  flag("late", (attempt) => attempt.late),
  flag("surplus", (attempt) => attempt.isOverpayment),
  number("started_at", (attempt) => attempt.startedAt),
  number("ended_at", (attempt) => attempt.endedAt)
]

/** Without the place among the payment's operations. */
export const operationColumns: ReadonlyArray<Column<Operation>> = [
  text("payment_id", (operation) => operation.paymentId),
  text("id", (operation) => operation.id),
  number("attempt_seq", (operation) => operation.attemptSeq),
  text("provider", (operation) => operation.provider),
  text("kind", (operation) => operation.kind),
  text("purpose", (operation) => operation.purpose),
  number("minor_units", (operation) => operation.minorUnits),
  exactText("charge", (operation) => operation.charge),
  text("reason", (operation) => operation.reason),
  text("status", (operation) => operation.status),
  text("code", (operation) => operation.code),
  text("vendor_code", (operation) => operation.vendorCode),
  text("key", (operation) => operation.key),
  text("reference", (operation) => operation.reference),
  text("owner", (operation) => operation.owner),
  flag("unsettled", (operation) => operation.unsettled),
  flag("surplus", (operation) => operation.isOverpayment),
  number("checks", (operation) => operation.checks),
  number("deadline_at", (operation) => operation.deadlineAt),
  number("next_check_at", (operation) => operation.nextCheckAt),
  number("created_at", (operation) => operation.createdAt),
  number("ended_at", (operation) => operation.endedAt)
]

/** Without the payment's id and the position among its entries, which are not part of an entry. */
export const entryColumns: ReadonlyArray<Column<Entry>> = [
  number("attempt_seq", (entry) => entry.attemptSeq),
  text("operation_id", (entry) => entry.operationId),
  text("kind", (entry) => entry.kind),
  text("basis", (entry) => entry.basis),
  number("minor_units", (entry) => entry.minorUnits),
  text("currency", (entry) => entry.currency),
  text("provider", (entry) => entry.provider),
  exactText("reference", (entry) => entry.reference),
  text("source", (entry) => entry.source),
  number("recorded_at", (entry) => entry.recordedAt)
]

/** Without the answer, which comes later. */
export const keyColumns: ReadonlyArray<Column<KeyBinding>> = [
  text("account", (binding) => binding.account),
  flag("livemode", (binding) => binding.livemode),
  text("endpoint", (binding) => binding.endpoint),
  text("key", (binding) => binding.key),
  text("fingerprint", (binding) => binding.fingerprint),
  text("payment_id", (binding) => binding.paymentId),
  text("operation_id", (binding) => binding.operationId),
  number("created_at", (binding) => binding.createdAt)
]

export const eventColumns: ReadonlyArray<Column<PaymentEvent>> = [
  text("id", (event) => event.id),
  text("payment_id", (event) => event.paymentId),
  number("sequence", (event) => event.sequence),
  text("type", (event) => event.type),
  text("account", (event) => event.account),
  flag("livemode", (event) => event.livemode),
  text("payment", (event) => event.payment),
  text("refund", (event) => event.refund),
  text("review", (event) => event.review),
  text("dispute", (event) => event.dispute),
  number("created_at", (event) => event.createdAt)
]

export const evidenceColumns: ReadonlyArray<Column<EvidenceRow>> = [
  text("payment_id", (evidence) => evidence.paymentId),
  text("operation_id", (evidence) => evidence.operationId),
  text("source", (evidence) => evidence.source),
  text("kind", (evidence) => evidence.kind),
  text("vendor_code", (evidence) => evidence.vendorCode),
  text("event_id", (evidence) => evidence.eventId),
  text("document", (evidence) => evidence.document),
  number("occurred_at", (evidence) => evidence.occurredAt),
  number("recorded_at", (evidence) => evidence.recordedAt)
]

export const inboxColumns: ReadonlyArray<Column<InboxEntry>> = [
  text("provider", (entry) => entry.provider),
  text("event_key", (entry) => entry.eventKey),
  json("evidence", (entry) => encodeEvidence(entry.evidence)),
  text("document", (entry) => entry.document),
  text("status", (entry) => entry.status),
  number("tries", (entry) => entry.tries),
  number("next_try_at", (entry) => entry.nextTryAt),
  number("received_at", (entry) => entry.receivedAt),
  flagOrNull("livemode", (entry) => entry.livemode),
  text("disposition", (entry) => entry.disposition)
]

export const columnNames = (columns: ReadonlyArray<{ readonly name: string }>): string =>
  columns.map(({ name }) => name).join(", ")

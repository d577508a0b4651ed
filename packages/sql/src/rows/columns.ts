/** The columns of each table, for both databases. Statements, rows, changes and rows of JSON are made from these lists. */
import type { Payment } from "@paymux/core"
import { encodeEvidence, heldOrder, keptBytes, normalEmail } from "@paymux/core/store"
import type {
  Attempt,
  Entry,
  EvidenceRow,
  InboxEntry,
  KeyBinding,
  Operation,
  PaymentEvent,
  UnverifiedWebhook
} from "@paymux/core/store"
import { Buffer } from "node:buffer"
import { columnsOf } from "./Column.ts"

/** A list column, which is `NULL` for an empty list, since most payments have empty lists. */
const listOrNull = <A>(list: ReadonlyArray<A>): ReadonlyArray<A> | null => (list.length === 0 ? null : list)

export const paymentColumns = columnsOf<Payment>()(
  [
    "id",
    "account",
    ["livemode", "flag"],
    "status",
    ["state", "json"],
    "rail",
    ["method", "json"],
    ["minor_units", "number"],
    "currency",
    "capture_method",
    "description",
    ["customer", "json"],
    "customer_email",
    ["metadata", "string[]"],
    ["client", "json"],
    "return_url",
    "order_ref",
    "order_held",
    ["amount_captured", "number"],
    ["amount_refunded", "number"],
    ["amount_received", "number"],
    ["reviews", "json"],
    ["resolutions", "json"],
    ["disputed_at", "number"],
    "provider",
    ["routing", "json"],
    ["pending_announced", "flag"],
    ["event_sequence", "number"],
    ["deadline_at", "number"],
    ["version", "number"],
    ["created_at", "number"],
    ["updated_at", "number"]
  ],
  (payment) => [
    payment.id,
    payment.account,
    payment.livemode,
    payment.state.status,
    payment.state,
    payment.method.rail,
    payment.method,
    payment.amount.minorUnits,
    payment.amount.currency,
    payment.captureMethod,
    payment.description,
    payment.customer,
    // The e-mail address in its normal form; earlier code stored it as given. The column is NOT NULL. No filter matches an empty
    // text: see `listFilters.ts`.
    normalEmail(payment.customer.email ?? ""),
    payment.metadata,
    payment.client,
    payment.returnUrl,
    payment.order,
    heldOrder(payment),
    payment.amountCaptured,
    payment.amountRefunded,
    payment.amountReceived,
    listOrNull(payment.reviews),
    listOrNull(payment.resolutions),
    payment.disputedAt,
    payment.provider,
    payment.routing,
    payment.pendingAnnounced,
    payment.eventSequence,
    payment.deadlineAt,
    payment.version,
    payment.createdAt,
    payment.updatedAt
  ]
)

/** The columns of an attempt, without the payment's id, which an attempt does not contain. */
export const attemptColumns = columnsOf<Attempt>()(
  [
    ["seq", "number"],
    "provider",
    "status",
    "reason",
    "code",
    "vendor_code",
    ["action_shown", "flag"],
    ["late", "flag"],
    ["surplus", "flag"],
    ["started_at", "number"],
    ["ended_at", "number"]
  ],
  (attempt) => [
    attempt.seq,
    attempt.provider,
    attempt.status,
    attempt.reason,
    attempt.code,
    attempt.vendorCode,
    attempt.actionShown,
    attempt.late,
    attempt.isOverpayment,
    attempt.startedAt,
    attempt.endedAt
  ]
)

/** The columns of an operation, without its position among the payment's operations. */
export const operationColumns = columnsOf<Operation>()(
  [
    "payment_id",
    "id",
    ["attempt_seq", "number"],
    "provider",
    "kind",
    "purpose",
    ["minor_units", "number"],
    ["charge", "exact"],
    "reason",
    "status",
    "code",
    "vendor_code",
    "key",
    "reference",
    "owner",
    ["unsettled", "flag"],
    ["surplus", "flag"],
    ["checks", "number"],
    ["deadline_at", "number"],
    ["next_check_at", "number"],
    ["created_at", "number"],
    ["ended_at", "number"]
  ],
  (operation) => [
    operation.paymentId,
    operation.id,
    operation.attemptSeq,
    operation.provider,
    operation.kind,
    operation.purpose,
    operation.minorUnits,
    operation.charge,
    operation.reason,
    operation.status,
    operation.code,
    operation.vendorCode,
    operation.key,
    operation.reference,
    operation.owner,
    operation.unsettled,
    operation.isOverpayment,
    operation.checks,
    operation.deadlineAt,
    operation.nextCheckAt,
    operation.createdAt,
    operation.endedAt
  ]
)

/**
 * The columns of an entry, without the payment's id and the position among its entries, which are not part of an entry.
 */
export const entryColumns = columnsOf<Entry>()(
  [
    ["attempt_seq", "number"],
    "operation_id",
    "kind",
    "basis",
    ["minor_units", "number"],
    "currency",
    "provider",
    ["reference", "exact"],
    "source",
    ["recorded_at", "number"]
  ],
  (entry) => [
    entry.attemptSeq,
    entry.operationId,
    entry.kind,
    entry.basis,
    entry.minorUnits,
    entry.currency,
    entry.provider,
    entry.reference,
    entry.source,
    entry.recordedAt
  ]
)

/** The columns of an idempotency key, without the stored response, which is written later. */
export const keyColumns = columnsOf<KeyBinding>()(
  [
    "account",
    ["livemode", "flag"],
    "endpoint",
    "key",
    "fingerprint",
    "payment_id",
    "operation_id",
    ["created_at", "number"]
  ],
  (binding) => [
    binding.account,
    binding.livemode,
    binding.endpoint,
    binding.key,
    binding.fingerprint,
    binding.paymentId,
    binding.operationId,
    binding.createdAt
  ]
)

export const eventColumns = columnsOf<PaymentEvent>()(
  [
    "id",
    "payment_id",
    ["sequence", "number"],
    "type",
    "account",
    ["livemode", "flag"],
    "payment",
    "refund",
    "review",
    "dispute",
    ["created_at", "number"]
  ],
  (event) => [
    event.id,
    event.paymentId,
    event.sequence,
    event.type,
    event.account,
    event.livemode,
    event.payment,
    event.refund,
    event.review,
    event.dispute,
    event.createdAt
  ]
)

export const evidenceColumns = columnsOf<EvidenceRow>()(
  [
    "payment_id",
    "operation_id",
    "source",
    "kind",
    "vendor_code",
    "event_id",
    "document",
    ["occurred_at", "number"],
    ["recorded_at", "number"]
  ],
  (evidence) => [
    evidence.paymentId,
    evidence.operationId,
    evidence.source,
    evidence.kind,
    evidence.vendorCode,
    evidence.eventId,
    evidence.document,
    evidence.occurredAt,
    evidence.recordedAt
  ]
)

export const inboxColumns = columnsOf<InboxEntry>()(
  [
    "provider",
    "event_key",
    ["evidence", "json"],
    "document",
    "status",
    ["tries", "number"],
    ["next_try_at", "number"],
    ["received_at", "number"],
    ["livemode", "flag"],
    "disposition"
  ],
  (entry) => [
    entry.provider,
    entry.eventKey,
    encodeEvidence(entry.evidence),
    entry.document,
    entry.status,
    entry.tries,
    entry.nextTryAt,
    entry.receivedAt,
    entry.livemode,
    entry.disposition
  ]
)

/** The columns of a kept webhook. A kept webhook is due at once: `next_try_at` is the time of its receipt. */
export const keptWebhookColumns = columnsOf<UnverifiedWebhook>()(
  [
    "provider",
    ["livemode", "flag"],
    ["bytes", "number"],
    ["received_at", "number"],
    ["rejections", "number"],
    ["next_try_at", "number"],
    ["headers", "json"],
    "body"
  ],
  (webhook) => [
    webhook.provider,
    webhook.livemode,
    keptBytes(webhook),
    webhook.receivedAt,
    0,
    webhook.receivedAt,
    webhook.headers,
    // Base64, because a body can contain any bytes.
    Buffer.from(webhook.body).toString("base64")
  ]
)

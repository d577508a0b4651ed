/**
 * `@paymux/client`: calls of the Paymux API, and the check of its webhooks.
 *
 * @module
 */
export { Paymux } from "./Paymux.ts"
export type { CallOptions, Fetch, PaymuxOptions, PostOptions } from "./options.ts"
export type { Payments } from "./payments.ts"
export type { Refunds } from "./refunds.ts"
export type { Events } from "./events.ts"
export type { Listing } from "./Listing.ts"

export { webhooks } from "./webhooks.ts"
export type { VerifyOptions, WebhookBody, Webhooks } from "./webhooks.ts"
export type { SignedHeaders, WebhookHeaders } from "./webhookHeaders.ts"

export {
  PaymuxAbortError,
  PaymuxApiError,
  PaymuxAuthenticationError,
  PaymuxConflictError,
  PaymuxConnectionError,
  PaymuxError,
  PaymuxInvalidRequestError,
  PaymuxNotFoundError,
  PaymuxRateLimitError,
  PaymuxServerError,
  PaymuxTimeoutError,
  PaymuxUsageError,
  PaymuxWebhookError
} from "./PaymuxError.ts"
export type { ErrorCode, Issue } from "./PaymuxError.ts"

export type {
  CapturePayment,
  CreatePayment,
  CreateRefund,
  FollowEvents,
  ListEvents,
  ListPayments,
  Page,
  Payment,
  PaymentEvent,
  Refund,
  RefundEvent,
  ReviewEvent,
  WebhookEvent
} from "./wire.ts"

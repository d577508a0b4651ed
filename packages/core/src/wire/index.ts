/**
 * `@paymux/core/wire`: the public JSON. For servers: the decoders of requests, the reasons of refusals, and the
 * encoders of responses and events.
 *
 * @module
 */

// requests
export { CreatePaymentJson } from "./CreatePaymentJson.ts"
export {
  CancelPaymentJson,
  CapturePaymentJson,
  CreateRefundJson,
  decodeCancelPayment,
  decodeCapturePayment,
  decodeCreateRefund,
  decodeOperatorRefund,
  OperatorRefundJson
} from "./OperationJson.ts"
export { isEventId, isOperationId, isPaymentId, isRefundId } from "../domain/Ids.ts"
export { isForbiddenScheme } from "../domain/links.ts"
export { findRawCardData } from "../domain/RawCardData.ts"
export { OrderNumberKeys } from "./OrderNumberKeys.ts"
export { definedOnly } from "./definedOnly.ts"
export { describeIssues } from "./issues.ts"
export type { InputIssue } from "./issues.ts"

// the reasons of refusals
export {
  CardNotRetried,
  IdempotencyInFlight,
  IdempotencyKeyReused,
  InvalidPayment,
  NoProviderAvailable,
  Restoring,
  NoRoute,
  OperationRefused,
  orderNumberHint,
  Overloaded,
  paymentError,
  PaymentNotFound,
  PaymuxClosed,
  RawCardData,
  RefundExceedsAvailable,
  RefundNotFound,
  Unavailable,
  VersionConflict
} from "../domain/PaymentError.ts"

// the request's deadline, from which earlier steps subtract their time
export { spending } from "../execution/begin/RequestDeadlines.ts"

// responses and events
export { HostedPage, noHostedPage } from "./HostedPage.ts"
export type { HostedUrl } from "./HostedPage.ts"
export type { ServerSecrets } from "./ServerSecrets.ts"
export { iso } from "./fields.ts"
export { paymentBody, PaymentJson, paymentJson } from "./PaymentJson.ts"
export { refundBody, RefundJson, refundJson } from "./RefundJson.ts"
export { eventBody, EventJson } from "./EventJson.ts"

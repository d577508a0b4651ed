/**
 * `@paymux/webhooks`: sends signed events to merchants' endpoints, at least once, with the same id for every attempt.
 *
 * Exports in data-flow order: an endpoint is added, events are fanned out to deliveries, the sender posts them.
 *
 * @module
 */
export { webhookMigrations } from "./Migrations.ts"

// Part 1 of the exports: endpoints.
export { AllowListInvalid, allowListProblem, loopback } from "./endpoint/AddressPolicy.ts"
export { EndpointUrlRefused } from "./endpoint/EndpointUrl.ts"
export { sealedText } from "./SealedText.ts"
export type { SealedText } from "./SealedText.ts"
export { countColumn, resealColumn } from "./SealedColumn.ts"
export type { ResealedBatch, SealedColumn } from "./SealedColumn.ts"
export { endpointSecretColumns } from "./endpoint/endpointSecretColumns.ts"
export { EndpointSecretUnreadable } from "./endpoint/SecretBox.ts"
export { EndpointEventsInvalid, TooManyEndpoints, WebhookEndpoints } from "./endpoint/Endpoints.ts"
export type { EndpointChanges, EndpointsOptions, EndpointTarget, NewWebhookEndpoint } from "./endpoint/Endpoints.ts"
export type { DisabledReason, WebhookEndpoint } from "./endpoint/WebhookEndpoint.ts"
export { RotationRefused } from "./endpoint/FormerSecrets.ts"
export type { Rotated, Rotation } from "./endpoint/FormerSecrets.ts"

// Part 2 of the exports: deliveries.
export { WebhookDeliveries } from "./delivery/Deliveries.ts"
export type {
  ClaimedDelivery,
  DeliveryClaim,
  DeliveryStatus,
  DueEndpoint,
  EndedDelivery,
  HeldClaim,
  OrderedClaim,
  OrderedTries,
  NewDelivery,
  Pruned,
  PruneRange,
  Settlement
} from "./delivery/Delivery.ts"
export { deliveryBacklog } from "./delivery/Backlog.ts"
export type { DeliveryBacklog } from "./delivery/Backlog.ts"
export { WebhookDeliveryLog } from "./delivery/DeliveryLog.ts"
export type { AttemptRecord, ResendOutcome } from "./delivery/DeliveryLog.ts"
export { DeliveryCursorInvalid } from "./delivery/DeliveryList.ts"
export type { DeliveryPage, DeliveryQuery, DeliveryRecord } from "./delivery/DeliveryList.ts"
export { paymentDeliveries, paymentDeliveryAttempts } from "./delivery/PaymentDeliveries.ts"
export type { DeliveryRange, PaymentDelivery, PaymentDeliveryAttempt } from "./delivery/PaymentDeliveries.ts"
export { fanOut } from "./delivery/FanOut.ts"
export type { FannedOut } from "./delivery/FanOut.ts"

// Part 3 of the exports: the sender.
export { generateSecret, readSecret, sign, WebhookSecretInvalid } from "./endpoint/Signature.ts"
export type { SignatureHeaders, SigningKey } from "./endpoint/Signature.ts"
export { retryDelays } from "./delivery/RetrySchedule.ts"
export { WebhookHttp, WebhookHttpError } from "./WebhookHttp.ts"
export type { WebhookAnswer, WebhookRequest } from "./WebhookHttp.ts"
export * as NodeWebhookHttp from "./NodeWebhookHttp.ts"
export type { NodeWebhookHttpOptions } from "./NodeWebhookHttp.ts"
export { EventListenerFailed } from "./delivery/ListenerAttempt.ts"
export type { EventListener } from "./delivery/ListenerAttempt.ts"
export { EndpointDisabled, TooManyTestEvents, WebhookTestEvents } from "./delivery/TestEvents.ts"
export type { TestEventResult, TestEventsOptions } from "./delivery/TestEvents.ts"
export { WebhookSender } from "./delivery/Sender.ts"
export type { SenderOptions } from "./delivery/Sender.ts"

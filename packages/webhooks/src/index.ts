/**
 * `@paymux/webhooks`: sends signed events to merchants' endpoints, at least once, with the same id for every attempt.
 *
 * In data-flow order: an endpoint is added, events are fanned out to deliveries, the sender posts them.
 *
 * @module
 */
export { webhookMigrations } from "./Migrations.ts"

// endpoints
export { AllowListInvalid, allowListProblem, loopback } from "./AddressPolicy.ts"
export { EndpointUrlRefused } from "./EndpointUrl.ts"
export { EndpointSecretUnreadable } from "./SecretBox.ts"
export { EndpointEventsInvalid, WebhookEndpoints } from "./Endpoints.ts"
export type { EndpointsOptions, EndpointTarget, NewWebhookEndpoint } from "./Endpoints.ts"
export type { DisabledReason, WebhookEndpoint } from "./WebhookEndpoint.ts"
export { RotationRefused } from "./FormerSecrets.ts"
export type { Rotated, Rotation } from "./FormerSecrets.ts"

// deliveries
export { WebhookDeliveries } from "./Deliveries.ts"
export type {
  ClaimedDelivery,
  DeliveryClaim,
  DeliveryStatus,
  DueEndpoint,
  OrderedClaim,
  OrderedTries,
  NewDelivery,
  Pruned,
  PruneRange,
  Settlement
} from "./Delivery.ts"
export { deliveryBacklog } from "./Backlog.ts"
export type { DeliveryBacklog } from "./Backlog.ts"
export { WebhookDeliveryLog } from "./DeliveryLog.ts"
export type { DeliveryQuery, DeliveryRecord, ResendOutcome } from "./DeliveryLog.ts"
export { fanOut } from "./FanOut.ts"

// sender
export { generateSecret, readSecret, sign, WebhookSecretInvalid } from "./Signature.ts"
export type { SignatureHeaders, SigningKey } from "./Signature.ts"
export { retryDelays } from "./RetrySchedule.ts"
export { WebhookHttp, WebhookHttpError } from "./WebhookHttp.ts"
export type { WebhookAnswer, WebhookRequest } from "./WebhookHttp.ts"
export * as NodeWebhookHttp from "./NodeWebhookHttp.ts"
export type { NodeWebhookHttpOptions } from "./NodeWebhookHttp.ts"
export { EventListenerFailed } from "./ListenerAttempt.ts"
export type { EventListener } from "./ListenerAttempt.ts"
export { WebhookSender } from "./Sender.ts"
export type { SenderOptions } from "./Sender.ts"

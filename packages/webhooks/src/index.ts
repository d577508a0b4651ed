/**
 * `@paymux/webhooks`: tells merchants' endpoints what happened, signed, at least once, with the same id on every try.
 *
 * In the order in which an event flows: an endpoint is added, event rows are fanned out to deliveries, the sender posts
 * them.
 *
 * @module
 */
export { webhookMigrations } from "./Migrations.ts"

// endpoints: who is told
export { AllowListInvalid, allowListProblem, loopback } from "./AddressPolicy.ts"
export { EndpointUrlRefused } from "./EndpointUrl.ts"
export { EndpointSecretUnreadable } from "./SecretBox.ts"
export { EndpointEventsInvalid, WebhookEndpoints } from "./Endpoints.ts"
export type { EndpointsOptions, EndpointTarget, NewWebhookEndpoint } from "./Endpoints.ts"
export type { DisabledReason, WebhookEndpoint } from "./WebhookEndpoint.ts"
export { RotationRefused } from "./FormerSecrets.ts"
export type { Rotated, Rotation } from "./FormerSecrets.ts"

// deliveries: what is to be sent
export { WebhookDeliveries } from "./Deliveries.ts"
export type {
  ClaimedDelivery,
  DeliveryClaim,
  DeliveryStatus,
  DueEndpoint,
  LineClaim,
  LineTries,
  NewDelivery,
  Pruned,
  PruneStretch,
  Settlement
} from "./Delivery.ts"
export { deliveryBacklog } from "./Backlog.ts"
export type { DeliveryBacklog } from "./Backlog.ts"
export { WebhookDeliveryLog } from "./DeliveryLog.ts"
export type { DeliveryQuery, DeliveryRecord, ResendOutcome } from "./DeliveryLog.ts"
export { fanOut } from "./FanOut.ts"

// sender: how it is sent
export { generateSecret, readSecret, sign, WebhookSecretInvalid } from "./Signature.ts"
export type { SignatureHeaders, SigningKey } from "./Signature.ts"
export { retryDelays } from "./RetrySchedule.ts"
export { WebhookHttp, WebhookHttpError } from "./WebhookHttp.ts"
export type { WebhookAnswer, WebhookRequest } from "./WebhookHttp.ts"
export * as NodeWebhookHttp from "./NodeWebhookHttp.ts"
export type { NodeWebhookHttpOptions } from "./NodeWebhookHttp.ts"
export { EventNotTaken } from "./ProcessTry.ts"
export type { ProcessListener } from "./ProcessTry.ts"
export { WebhookSender } from "./Sender.ts"
export type { SenderOptions } from "./Sender.ts"

/** What `paymux.webhookEndpoints` and `paymux.webhookDeliveries` do. */
import type { Tenant } from "@paymux/core"
import { eventTypes } from "@paymux/core/store"
import type { EventType } from "@paymux/core/store"
import { WebhookDeliveryLog, WebhookEndpoints, WebhookSender, WebhookTestEvents } from "@paymux/webhooks"
import type {
  AttemptRecord,
  DeliveryPage,
  DeliveryQuery,
  ResendOutcome,
  TestEventResult,
  WebhookEndpoint
} from "@paymux/webhooks"
import { Effect, Redacted } from "effect"
import * as PaymentCalls from "./PaymentCalls.ts"

export interface NewEndpoint {
  readonly url: string
  /** Default: all. */
  readonly events?: readonly [EventType, ...ReadonlyArray<EventType>]
}

/** What is left out stays. `events: null`: all types. */
export interface EndpointEdit {
  readonly url?: string
  readonly events?: readonly [EventType, ...ReadonlyArray<EventType>] | null
}

export interface RotatedSecret {
  readonly secret: string
  /** ms UTC until which the former secret signs too; `null`: not at all. */
  readonly formerUntil: number | null
}

/** Webhook endpoints of one account and mode. `null` and `false`: no such id. */
export interface WebhookEndpointOperations {
  /** `secret` verifies what is sent there (Standard Webhooks); it is given this once. */
  readonly add: (endpoint: NewEndpoint) => Promise<WebhookEndpoint & { readonly secret: string }>
  readonly list: () => Promise<ReadonlyArray<WebhookEndpoint>>
  /** Applies to events sent from then on. The secret stays. */
  readonly update: (id: string, edit: EndpointEdit) => Promise<WebhookEndpoint | null>
  /** Cancels its pending deliveries; nothing is sent to it until it is enabled. */
  readonly disable: (id: string) => Promise<boolean>
  readonly enable: (id: string) => Promise<boolean>
  /** A new secret, given this once. The former one signs too for `overlapMs` (default 24 h; 0 if it has leaked). */
  readonly rotate: (id: string, options?: { readonly overlapMs?: number }) => Promise<RotatedSecret | null>
  /** Sends one signed event of the type `webhook.test`, and returns what the receiver answered. */
  readonly test: (id: string) => Promise<TestEventResult | null>
  readonly remove: (id: string) => Promise<boolean>
}

/** What was sent to the endpoints of one account and mode. */
export interface WebhookDeliveryOperations {
  /** By the time of the event, latest first; 20 unless `limit` says otherwise (at most 1000). */
  readonly list: (query?: Partial<DeliveryQuery>) => Promise<DeliveryPage>
  /** Every attempt to deliver an event to an endpoint, first to last. */
  readonly attempts: (eventId: string, endpointId: string) => Promise<ReadonlyArray<AttemptRecord>>
  /** Sends an event again under its id, to every endpoint it was for, or to one. Empty: it was for none. */
  readonly resend: (
    eventId: string,
    options?: { readonly endpointId?: string }
  ) => Promise<ReadonlyArray<{ readonly endpointId: string; readonly outcome: ResendOutcome }>>
  /** How many deliveries `resendSince` would send again. `since`: ms UTC. */
  readonly countSince: (since: number, options?: { readonly endpointId?: string }) => Promise<number>
  /** Sends again what was not delivered of the events since `since` (ms UTC). Returns the number of deliveries. */
  readonly resendSince: (since: number, options?: { readonly endpointId?: string }) => Promise<number>
}

export type WebhookServices = WebhookEndpoints | WebhookDeliveryLog | WebhookTestEvents | WebhookSender

type Run = <A, E>(effect: Effect.Effect<A, E, WebhookServices>) => Promise<A>

export const endpointOperations = (tenant: Tenant, run: Run): WebhookEndpointOperations => ({
  add: (endpoint) => run(add(tenant, endpoint)),
  list: () => run(WebhookEndpoints.use((endpoints) => endpoints.list(tenant))),
  update: (id, edit) => run(update(tenant, id, edit)),
  disable: (id) => run(WebhookEndpoints.use((endpoints) => endpoints.disable(tenant, id))),
  enable: (id) => run(WebhookEndpoints.use((endpoints) => endpoints.enable(tenant, id))),
  rotate: (id, options = {}) => run(rotate(tenant, id, options)),
  test: (id) => run(WebhookTestEvents.use((events) => events.send(tenant, id))),
  remove: (id) => run(WebhookEndpoints.use((endpoints) => endpoints.remove(tenant, id)))
})

export const deliveryOperations = (tenant: Tenant, run: Run): WebhookDeliveryOperations => ({
  list: (query = {}) => run(list(tenant, query)),
  attempts: (eventId, endpointId) => run(WebhookDeliveryLog.use((log) => log.attempts(tenant, eventId, endpointId))),
  resend: (eventId, options = {}) =>
    run(sentAgain((log) => log.resend(tenant, eventId, options.endpointId ?? null), options)),
  countSince: (since, options = {}) =>
    run(
      checked(options, since).pipe(
        Effect.andThen(WebhookDeliveryLog.use((log) => log.countSince(tenant, since, options.endpointId ?? null)))
      )
    ),
  resendSince: (since, options = {}) =>
    run(sentAgain((log) => log.resendSince(tenant, since, options.endpointId ?? null), options, since))
})

const add = Effect.fnUntraced(function* (tenant: Tenant, { events, url }: NewEndpoint) {
  yield* knownTypes(events)
  const { endpoint, secret } = yield* WebhookEndpoints.use((endpoints) =>
    endpoints.add({ ...tenant, url, ...(events === undefined ? {} : { events }) })
  )
  return { ...endpoint, secret: Redacted.value(secret) }
})

const update = Effect.fnUntraced(function* (tenant: Tenant, id: string, edit: EndpointEdit) {
  yield* PaymentCalls.onlyKnown(edit, ["url", "events"])
  yield* knownTypes(edit.events ?? undefined)
  return yield* WebhookEndpoints.use((endpoints) => endpoints.update(tenant, id, edit))
})

const rotate = Effect.fnUntraced(function* (tenant: Tenant, id: string, options: { readonly overlapMs?: number }) {
  // A misspelled option for a leaked secret must not fall back to the default.
  yield* PaymentCalls.onlyKnown(options, ["overlapMs"])
  const { overlapMs } = options
  const rotated = yield* WebhookEndpoints.use((endpoints) =>
    endpoints.rotate(tenant, id, overlapMs === undefined ? {} : { overlap: overlapMs })
  )
  return rotated === null ? null : { secret: Redacted.value(rotated.secret), formerUntil: rotated.formerUntil }
})

const list = Effect.fnUntraced(function* (tenant: Tenant, query: Partial<DeliveryQuery>) {
  yield* PaymentCalls.onlyKnown(query, [
    "endpointId",
    "status",
    "eventId",
    "paymentId",
    "types",
    "from",
    "until",
    "after",
    "limit"
  ])
  const limit = yield* PaymentCalls.asLimit(query.limit)
  const statuses = ["pending", "delivered", "dead", "canceled", "failed"]
  if (query.status !== undefined && !statuses.includes(query.status)) {
    return yield* PaymentCalls.invalid("/status", `must be one of ${statuses.join(", ")}`)
  }
  yield* PaymentCalls.asEventTypes(query.types, "/types")
  for (const name of ["from", "until"] as const) yield* PaymentCalls.asTime(query[name], `/${name}`)
  for (const name of ["endpointId", "eventId", "paymentId", "after"] as const) {
    yield* PaymentCalls.asText(query[name], `/${name}`)
  }
  return yield* WebhookDeliveryLog.use((log) => log.list(tenant, { ...query, limit }))
})

/** Wakes the sender, which would otherwise find them at its next poll. */
const sentAgain = <A, E>(
  again: (log: WebhookDeliveryLog["Service"]) => Effect.Effect<A, E>,
  options: { readonly endpointId?: string },
  since?: number
) =>
  checked(options, since).pipe(
    Effect.andThen(WebhookDeliveryLog.use(again)),
    Effect.tap(WebhookSender.use((sender) => sender.nudge))
  )

const checked = Effect.fnUntraced(function* (options: { readonly endpointId?: string }, since?: number) {
  yield* PaymentCalls.onlyKnown(options, ["endpointId"])
  yield* PaymentCalls.asText(options.endpointId, "/endpointId")
  yield* PaymentCalls.asTime(since, "/since")
})

const knownTypes = Effect.fnUntraced(function* (events: ReadonlyArray<EventType> | undefined) {
  const misspelt = events?.findIndex((event) => !eventTypes.includes(event)) ?? -1
  if (misspelt >= 0) yield* PaymentCalls.invalid(`/events/${misspelt}`, `must be one of ${eventTypes.join(", ")}`)
})

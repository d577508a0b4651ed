/** The handlers of webhook endpoints. */
import type { Tenant } from "@paymux/core"
import type { StoreUnavailable } from "@paymux/core/store"
import { ApiProblem } from "@paymux/http"
import { WebhookEndpoints, WebhookTestEvents } from "@paymux/webhooks"
import { Effect, Redacted } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { CurrentTenant } from "../../access/AccessControl.ts"
import { ControlApi } from "../ControlApi.ts"
import { bodyOf, control, invalid, missing } from "../controlHandler.ts"
import { EndpointEdit, NewEndpoint, SecretRotation } from "./EndpointsGroup.ts"

type Endpoints = WebhookEndpoints["Service"]

export const endpointsHandlers = HttpApiBuilder.group(ControlApi, "endpoints", (handlers) =>
  Effect.gen(function* () {
    const endpoints = yield* WebhookEndpoints
    const tests = yield* WebhookTestEvents
    return handlers
      .handle("list", () => control(Effect.map(inTenant(endpoints.list), (data) => ({ data }))))
      .handleRaw("add", () => control(add(endpoints)))
      .handleRaw("update", ({ params }) => control(update(endpoints, params.id)))
      .handle("enable", ({ params }) => control(changed((tenant) => endpoints.enable(tenant, params.id))))
      .handle("disable", ({ params }) => control(changed((tenant) => endpoints.disable(tenant, params.id))))
      .handleRaw("rotate", ({ params }) => control(rotate(endpoints, params.id)))
      .handle("test", ({ params }) => control(sendTest(tests, params.id)))
      .handle("remove", ({ params }) => control(changed((tenant) => endpoints.remove(tenant, params.id))))
  })
)

const inTenant = <A, E, R>(read: (tenant: Tenant) => Effect.Effect<A, E, R>) => Effect.flatMap(CurrentTenant, read)

const noSuchEndpoint = missing("webhook endpoint")

/** `false`: the tenant has no such endpoint. */
const changed = (change: (tenant: Tenant) => Effect.Effect<boolean, StoreUnavailable>) =>
  Effect.flatMap(inTenant(change), (found) => (found ? Effect.void : Effect.fail(noSuchEndpoint)))

const at =
  (pointer: string) =>
  ({ message }: { readonly message: string }) =>
    Effect.fail(invalid({ pointer, message }))

const notNow = ({ message }: { readonly message: string }) =>
  Effect.fail(new ApiProblem({ code: "conflict", detail: message }))

const add = Effect.fnUntraced(function* (endpoints: Endpoints) {
  const endpoint = yield* bodyOf(NewEndpoint)
  const added = yield* endpoints.add({ ...endpoint, ...(yield* CurrentTenant) }).pipe(
    Effect.catchTags({
      EndpointUrlRefused: at("/url"),
      EndpointEventsInvalid: at("/events"),
      TooManyEndpoints: notNow,
      WebhookSecretInvalid: notNow
    })
  )
  return { ...added.endpoint, secret: Redacted.value(added.secret) }
})

const update = Effect.fnUntraced(function* (endpoints: Endpoints, id: string) {
  const changes = yield* bodyOf(EndpointEdit)
  const updated = yield* endpoints
    .update(yield* CurrentTenant, id, changes)
    .pipe(Effect.catchTags({ EndpointUrlRefused: at("/url"), EndpointEventsInvalid: at("/events") }))
  return updated ?? (yield* noSuchEndpoint)
})

const rotate = Effect.fnUntraced(function* (endpoints: Endpoints, id: string) {
  const { overlapMs } = yield* bodyOf(SecretRotation)
  const rotated = yield* endpoints
    .rotate(yield* CurrentTenant, id, overlapMs === undefined ? {} : { overlap: overlapMs })
    .pipe(
      Effect.catchTags({
        RotationRefused: (refusal) => (refusal.reason === "overlap" ? at("/overlapMs")(refusal) : notNow(refusal)),
        WebhookSecretInvalid: notNow,
        EndpointSecretUnreadable: notNow
      })
    )
  if (rotated === null) return yield* noSuchEndpoint
  return { secret: Redacted.value(rotated.secret), formerUntil: rotated.formerUntil }
})

const sendTest = Effect.fnUntraced(function* (tests: WebhookTestEvents["Service"], id: string) {
  const result = yield* tests.send(yield* CurrentTenant, id).pipe(
    Effect.catchTags({
      EndpointDisabled: notNow,
      EndpointSecretUnreadable: notNow,
      TooManyTestEvents: ({ message }) => Effect.fail(new ApiProblem({ code: "rate_limited", detail: message }))
    })
  )
  return result ?? (yield* noSuchEndpoint)
})

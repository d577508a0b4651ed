/** The handlers of webhook deliveries. */
import type { Tenant } from "@paymux/core"
import type { PaymentStore } from "@paymux/core/store"
import { findLoggedEvents } from "@paymux/sql"
import { WebhookDeliveryLog, WebhookSender } from "@paymux/webhooks"
import type { DeliveryRecord } from "@paymux/webhooks"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import type { SqlClient } from "effect/sql"
import { CurrentTenant } from "../../access/AccessControl.ts"
import { ControlApi } from "../ControlApi.ts"
import { bodyOf, control, invalidCursor, missing } from "../controlHandler.ts"
import { findEvent } from "../events/findEvent.ts"
import { defaultLimit } from "../fields.ts"
import { Resend, ResendSince } from "./DeliveriesGroup.ts"

export const deliveriesHandlers = HttpApiBuilder.group(ControlApi, "deliveries", (handlers) =>
  Effect.gen(function* () {
    const log = yield* WebhookDeliveryLog
    const sender = yield* WebhookSender
    const services = yield* Effect.context<PaymentStore | SqlClient.SqlClient>()
    const inTenant = <A, E, R>(act: (tenant: Tenant) => Effect.Effect<A, E, R>) => Effect.flatMap(CurrentTenant, act)
    /** The sender would otherwise find them at its next poll. */
    const sent = <A, E, R>(resend: Effect.Effect<A, E, R>) => Effect.tap(resend, sender.nudge)

    const ofEvent = Effect.fnUntraced(function* (id: string) {
      const tenant = yield* CurrentTenant
      const found = yield* Effect.provideContext(findEvent(tenant, id), services)
      return found === null ? yield* missing("event") : tenant
    })

    return handlers
      .handle("list", ({ query }) =>
        control(
          inTenant((tenant) => log.list(tenant, { limit: defaultLimit, ...query })).pipe(
            Effect.flatMap(({ next, records }) => Effect.map(withEvents(records), (data) => ({ data, next }))),
            Effect.catchTag("DeliveryCursorInvalid", invalidCursor),
            Effect.provideContext(services)
          )
        )
      )
      .handle("attempts", ({ params, query }) =>
        control(
          Effect.map(
            Effect.flatMap(ofEvent(params.id), (tenant) => log.attempts(tenant, params.id, query.endpointId)),
            (data) => ({ data })
          )
        )
      )
      .handleRaw("resend", ({ params }) =>
        control(
          Effect.flatMap(bodyOf(Resend), ({ endpointId = null }) =>
            Effect.flatMap(ofEvent(params.id), (tenant) =>
              Effect.map(sent(log.resend(tenant, params.id, endpointId)), (data) => ({ data }))
            )
          )
        )
      )
      .handle("countSince", ({ query: { endpointId = null, since } }) =>
        control(
          Effect.map(
            inTenant((tenant) => log.countSince(tenant, since, endpointId)),
            (count) => ({ count })
          )
        )
      )
      .handleRaw("resendSince", () =>
        control(
          Effect.flatMap(bodyOf(ResendSince), ({ endpointId = null, since }) =>
            Effect.map(sent(inTenant((tenant) => log.resendSince(tenant, since, endpointId))), (count) => ({ count }))
          )
        )
      )
  })
)

const withEvents = Effect.fnUntraced(function* (records: ReadonlyArray<DeliveryRecord>) {
  const events = yield* findLoggedEvents([...new Set(records.map(({ eventId }) => eventId))])
  const byId = new Map<string, (typeof events)[number]>(events.map((event) => [event.id, event]))
  return records.map((record) => {
    const event = byId.get(record.eventId)
    return { ...record, type: event?.type ?? null, paymentId: event?.paymentId ?? null }
  })
})

/** Tries of webhook deliveries, counted by how they ended, and each post over HTTP as one span. */
import { annotated, MetricFamily, spanned } from "@paymux/core/telemetry"
import type { MetricDescription } from "@paymux/core/telemetry"
import { WebhookDeliveries, WebhookHttp } from "@paymux/webhooks"
import type { ClaimedDelivery, Settlement } from "@paymux/webhooks"
import { Context, Effect, Layer, Metric } from "effect"

const deliveries = MetricFamily.counter(
  "paymux_webhook_deliveries_total",
  "Completed delivery attempts, to endpoints and to onEvent.",
  ["outcome"]
)

export const deliveryMetricDescriptions: ReadonlyArray<MetricDescription> = [deliveries]

/**
 * `failed`: it is tried again. `postponed`: it could not be sent, which is no try.
 *
 * @internal Exported for its own test.
 */
export const outcomeOf = ({ attempts }: ClaimedDelivery, { attempts: after, status }: Settlement): string =>
  status === "pending" ? (after > attempts ? "failed" : "postponed") : status

export const counted = Layer.effect(
  WebhookDeliveries,
  Effect.gen(function* () {
    const service = yield* WebhookDeliveries
    const registry = Context.make(Metric.MetricRegistry, yield* Metric.MetricRegistry)
    return WebhookDeliveries.of({
      ...service,
      settle: (ended) =>
        Effect.map(service.settle(ended), (settled) => {
          for (const { delivery, settlement } of ended) {
            if (settled.has(delivery.id)) MetricFamily.count(deliveries.of(outcomeOf(delivery, settlement)), registry)
          }
          return settled
        })
    })
  })
)

export const traced = Layer.effect(
  WebhookHttp,
  Effect.map(WebhookHttp, (http) =>
    WebhookHttp.of({
      post: (request) =>
        http.post(request).pipe(
          Effect.tap(({ status }) => annotated(() => ({ "http.response.status_code": status }))),
          spanned(
            "paymux.webhook.try",
            () => ({ "http.request.method": "POST", "paymux.event.id": request.headers["webhook-id"] ?? "" }),
            "client"
          )
        )
    })
  )
)

/** Attempts of webhook deliveries: how they are counted, and that an endpoint learns nothing of a trace. */
import { assert, describe, it } from "@effect/vitest"
import { PaymentRecords } from "@paymux/test-suites"
import { WebhookHttp } from "@paymux/webhooks"
import type { ClaimedDelivery, DeliveryStatus, Settlement, WebhookRequest } from "@paymux/webhooks"
import { Effect, Layer, Tracer } from "effect"
import { outcomeOf, traced } from "../../src/telemetry/DeliveryTelemetry.ts"

const delivery: ClaimedDelivery = {
  id: 1,
  eventId: PaymentRecords.eventId(1),
  endpointId: "we_1",
  attempts: 2,
  attemptsBefore: 0,
  owner: "engine-1",
  until: 30_000,
  line: null
}

const settlement = (status: DeliveryStatus, attempts: number): Settlement => ({
  status,
  attempts,
  deliverAt: 0,
  lastAt: 0,
  duration: 5,
  lastStatus: null,
  lastError: null,
  lastAnswer: null
})

describe("a try of a delivery", () => {
  it("counts by how it left the delivery", () => {
    const ends = [
      ["delivered", 3, "delivered"],
      ["pending", 3, "failed"],
      ["pending", 2, "postponed"],
      ["dead", 3, "dead"],
      ["canceled", 2, "canceled"]
    ] as const
    for (const [status, attempts, outcome] of ends) {
      assert.strictEqual(outcomeOf(delivery, settlement(status, attempts)), outcome)
    }
  })

  it.effect("is one span, which the request to the endpoint does not carry", () =>
    Effect.gen(function* () {
      const posted: Array<WebhookRequest> = []
      const http = WebhookHttp.layerMemory((request) =>
        Effect.sync(() => {
          posted.push(request)
          return { status: 204, retryAfter: null }
        })
      )
      const spans: Array<Tracer.NativeSpan> = []
      const tracer = Tracer.make({
        span: (options) => {
          const span = new Tracer.NativeSpan(options)
          spans.push(span)
          return span
        }
      })
      const request: WebhookRequest = {
        url: "https://shop.example/hook?token=secret",
        livemode: false,
        headers: { "webhook-id": delivery.eventId },
        body: "{}"
      }
      yield* WebhookHttp.use(({ post }) => post(request)).pipe(
        Effect.provide(Layer.provide(traced, http)),
        Effect.provideService(Tracer.Tracer, tracer)
      )
      assert.deepStrictEqual(posted, [request])
      assert.deepStrictEqual(
        spans.map(({ attributes, kind, name }) => ({ name, kind, attributes: Object.fromEntries(attributes) })),
        [
          {
            name: "paymux.webhook.try",
            kind: "client",
            attributes: {
              "http.request.method": "POST",
              "paymux.event.id": delivery.eventId,
              "http.response.status_code": 204
            }
          }
        ]
      )
    })
  )
})

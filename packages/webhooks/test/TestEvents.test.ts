/** A test event, as a developer sends it from a page or the command line. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { WebhookEndpoints, WebhookHttp, WebhookHttpError, WebhookTestEvents } from "../src/index.ts"
import type { WebhookAnswer, WebhookRequest } from "../src/index.ts"
import { signer } from "./signer.ts"
import { addEndpoint, deliveryRows, environment, knownSecret, tenant } from "./TestEnvironment.ts"

const received: Array<WebhookRequest> = []

const layer = (answer: Effect.Effect<WebhookAnswer, WebhookHttpError>) =>
  Layer.provideMerge(
    WebhookTestEvents.layer({ version: "1.2.3" }),
    Layer.merge(
      environment(),
      WebhookHttp.layerMemory((request) => {
        received.push(request)
        return answer
      })
    )
  )

const send = (id: string, owner = tenant) => WebhookTestEvents.use((service) => service.send(owner, id))
const ok = Effect.succeed({ status: 204, retryAfter: null })

describe("a test event", () => {
  it.effect("is signed like any other, sent once, and not kept", () =>
    Effect.gen(function* () {
      received.length = 0
      const { id } = yield* addEndpoint("https://shop.io/hooks", { secret: knownSecret })
      assert.deepInclude(yield* send(id), { delivered: true, status: 204, error: null, answer: null })
      const [request, ...others] = received
      assert.deepStrictEqual(others, [])
      if (request === undefined) return assert.fail("nothing was sent")
      const { "webhook-id": eventId = "", "webhook-signature": signature, "webhook-timestamp": at } = request.headers
      const expected = signer(Redacted.value(knownSecret))(eventId, Number(at), request.body)
      assert.strictEqual(signature, expected["webhook-signature"])
      const body = JSON.parse(request.body)
      assert.strictEqual(body.type, "webhook.test")
      assert.strictEqual(body.data.id, eventId)
      assert.deepStrictEqual(yield* deliveryRows, [])
    }).pipe(Effect.provide(layer(ok)))
  )

  it.effect("shows what the receiver answered", () =>
    Effect.gen(function* () {
      const { id } = yield* addEndpoint("https://shop.io/hooks")
      assert.deepInclude(yield* send(id), { delivered: false, status: 500, answer: "no such\\u001b[2J table" })
    }).pipe(
      Effect.provide(
        layer(Effect.succeed({ status: 500, retryAfter: null, firstBytes: Buffer.from("no such\u001b[2J table") }))
      )
    )
  )

  it.effect("shows why no response came", () =>
    Effect.gen(function* () {
      const { id } = yield* addEndpoint("https://shop.io/hooks")
      assert.deepInclude(yield* send(id), { delivered: false, status: null, error: "ECONNREFUSED" })
    }).pipe(Effect.provide(layer(Effect.fail(new WebhookHttpError({ code: "ECONNREFUSED" })))))
  )

  it.effect("goes to no endpoint of another account, and to none that is disabled", () =>
    Effect.gen(function* () {
      received.length = 0
      const { id } = yield* addEndpoint("https://shop.io/hooks")
      assert.isNull(yield* send(id, { ...tenant, account: "other" }))
      assert.isNull(yield* send(id, { ...tenant, livemode: !tenant.livemode }))
      assert.isNull(yield* send("we_none"))
      const listener = yield* WebhookEndpoints.use((endpoints) => endpoints.addProcess(tenant))
      assert.isNull(yield* send(listener.id))
      yield* WebhookEndpoints.use((endpoints) => endpoints.disable(tenant, id))
      assert.strictEqual((yield* Effect.flip(send(id)))._tag, "EndpointDisabled")
      assert.deepStrictEqual(received, [])
    }).pipe(Effect.provide(layer(ok)))
  )

  it.effect("is refused after 20 in a minute", () =>
    Effect.gen(function* () {
      const { id } = yield* addEndpoint("https://shop.io/hooks")
      for (let sent = 0; sent < 20; sent++) assert.isTrue((yield* send(id))?.delivered)
      assert.strictEqual((yield* Effect.flip(send(id)))._tag, "TooManyTestEvents")
      yield* TestClock.adjust("1 minute")
      assert.isTrue((yield* send(id))?.delivered)
    }).pipe(Effect.provide(layer(ok)))
  )
})

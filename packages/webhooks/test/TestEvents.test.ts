/** A test event, as a developer sends it from a page or the command line. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Redacted, Result } from "effect"
import { TestClock } from "effect/testing"
import { WebhookEndpoints, WebhookHttp, WebhookHttpError, WebhookTestEvents } from "../src/index.ts"
import type { WebhookAnswer, WebhookRequest } from "../src/index.ts"
import { signer } from "./signer.ts"
import { addEndpoint, deliveryRows, environment, knownSecret, postgresEnvironment, tenant } from "./TestEnvironment.ts"

const received: Array<WebhookRequest> = []

/** SQLite or PostgreSQL: their errors are defects here. */
type Database = ReturnType<typeof environment> | ReturnType<typeof postgresEnvironment>

const layer = (answer: Effect.Effect<WebhookAnswer, WebhookHttpError>, database: Database = environment()) =>
  Layer.provideMerge(
    WebhookTestEvents.layer({ version: "1.2.3" }),
    Layer.merge(
      database,
      WebhookHttp.layerMemory((request) => {
        received.push(request)
        return answer
      })
    )
  )

const databases = [
  ["SQLite", () => environment()],
  ["PostgreSQL", () => postgresEnvironment()]
] as const
const start = 1_700_000_000_000

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

  it.effect.each(databases)("is refused after 20 in a minute of all processes together, on %s", ([, database]) =>
    Effect.gen(function* () {
      yield* TestClock.setTime(start)
      const { id } = yield* addEndpoint("https://shop.io/hooks")
      const other = { ...tenant, account: "other" }
      const elsewhere = yield* WebhookEndpoints.use((endpoints) => endpoints.add({ ...other, url: "https://shop.io/" }))
      // A second process: its service shares nothing but the database.
      const another = Effect.provide(send(id), WebhookTestEvents.layer({ version: "1.2.3" }), { local: true })
      const results = yield* Effect.all(
        Array.from({ length: 15 }, () => [Effect.result(send(id)), Effect.result(another)]).flat(),
        { concurrency: "unbounded" }
      )
      assert.lengthOf(results.filter(Result.isSuccess), 20)
      assert.strictEqual((yield* Effect.flip(send(id)))._tag, "TooManyTestEvents")
      assert.strictEqual((yield* Effect.flip(another))._tag, "TooManyTestEvents")
      assert.isTrue((yield* send(elsewhere.endpoint.id, other))?.delivered)
      // The clock of a process is set back: the minute begins anew, and is not longer than a minute.
      yield* TestClock.setTime(start - 3_600_000)
      assert.strictEqual((yield* Effect.flip(send(id)))._tag, "TooManyTestEvents")
      yield* TestClock.adjust("1 minute")
      assert.isTrue((yield* another)?.delivered)
    }).pipe(Effect.provide(layer(ok, database())))
  )
})

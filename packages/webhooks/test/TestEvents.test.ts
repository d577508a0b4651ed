/** A test event, as a developer sends it from a page or the command line. */
import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Layer, Redacted, Result } from "effect"
import { TestClock } from "effect/testing"
import * as fc from "fast-check"
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

/** Its service shares nothing but the database. */
const inAnotherProcess = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.provide(effect, WebhookTestEvents.layer({ version: "1.2.3" }), { local: true })

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

  it.effect.each(databases)("is refused after 10 at once of all processes together, on %s", ([, database]) =>
    Effect.gen(function* () {
      yield* TestClock.setTime(start)
      const { id } = yield* addEndpoint("https://shop.io/hooks")
      const other = { ...tenant, account: "other" }
      const elsewhere = yield* WebhookEndpoints.use((endpoints) => endpoints.add({ ...other, url: "https://shop.io/" }))
      const another = inAnotherProcess(send(id))
      const results = yield* Effect.all(
        Array.from({ length: 15 }, () => [Effect.result(send(id)), Effect.result(another)]).flat(),
        { concurrency: "unbounded" }
      )
      assert.lengthOf(results.filter(Result.isSuccess), 10)
      assert.strictEqual((yield* Effect.flip(send(id)))._tag, "TooManyTestEvents")
      assert.strictEqual((yield* Effect.flip(another))._tag, "TooManyTestEvents")
      assert.isTrue((yield* send(elsewhere.endpoint.id, other))?.delivered)
      // The clock of another process is behind: the places are taken for it, too.
      yield* TestClock.setTime(start - 10_000)
      assert.strictEqual((yield* Effect.flip(another))._tag, "TooManyTestEvents")
      // The clock of a process is set back: one more, and the next after the usual time.
      yield* TestClock.setTime(start - 3_600_000)
      assert.isTrue((yield* another)?.delivered)
      assert.strictEqual((yield* Effect.flip(send(id)))._tag, "TooManyTestEvents")
      yield* TestClock.adjust("6 seconds")
      assert.isTrue((yield* another)?.delivered)
      assert.strictEqual((yield* Effect.flip(send(id)))._tag, "TooManyTestEvents")
    }).pipe(Effect.provide(layer(ok, database())))
  )

  it.effect.each(databases)(
    "is sent at most 20 times in any minute, and is not refused for longer than 6 s, on %s",
    ([, database]) =>
      Effect.gen(function* () {
        const { id } = yield* addEndpoint("https://shop.io/hooks")
        const step = fc.record({ pause: fc.nat(20_000), tries: fc.nat(14), elsewhere: fc.boolean() })
        const runs = fc.sample(fc.array(step, { minLength: 5, maxLength: 20 }), { numRuns: 15, seed: 15 })
        for (const [n, steps] of runs.entries()) {
          yield* TestClock.setTime(start + n * 3_600_000)
          const sent: Array<number> = []
          for (const { elsewhere, pause, tries } of steps) {
            yield* TestClock.adjust(pause)
            const now = yield* Clock.currentTimeMillis
            for (let tried = 0; tried < tries; tried++) {
              const result = yield* elsewhere ? Effect.result(inAnotherProcess(send(id))) : Effect.result(send(id))
              if (Result.isSuccess(result)) sent.push(now)
              else assert.isAbove(sent.at(-1) ?? 0, now - 6000)
            }
          }
          for (const at of sent) assert.isAtMost(sent.filter((each) => each >= at && each <= at + 60_000).length, 20)
        }
      }).pipe(Effect.provide(layer(ok, database())))
  )
})

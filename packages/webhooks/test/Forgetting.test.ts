/** What receivers answered to a payment's events is forgotten, on both databases, with payments in the same one. */
import { assert, describe, it } from "@effect/vitest"
import { Ids, PaymentWriter } from "@paymux/core"
import type { PaymentEvent, PaymentStore } from "@paymux/core"
import { Effect, Layer, Redacted } from "effect"
import type { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { temporaryDatabase } from "../../../test/support/PostgresDatabases.ts"
import {
  coreMigrations,
  PostgresClient,
  PostgresPaymentStore,
  runMigrations,
  SqliteClient,
  SqlitePaymentStore
} from "../../sql/src/index.ts"
import { fanOut, WebhookDeliveries, WebhookDeliveryLog, WebhookEndpoints, webhookMigrations } from "../src/index.ts"
import { receiver, started } from "./Receiver.ts"
import { addEndpoint, deliveryRows, happens, serverSecret, tenant } from "./World.ts"

const tables = [coreMigrations, webhookMigrations]

type Database = Layer.Layer<SqlClient.SqlClient | PaymentStore>

const sqlite = (): Database =>
  SqlitePaymentStore.layer.pipe(
    Layer.provideMerge(Layer.effectDiscard(runMigrations(tables))),
    Layer.provideMerge(SqliteClient.layer({ filename: ":memory:" })),
    Layer.orDie
  )

const postgres = (): Database =>
  Layer.unwrap(
    Effect.map(temporaryDatabase(tables), (url) =>
      Layer.provideMerge(PostgresPaymentStore.layer, PostgresClient.layer({ url: Redacted.make(url) }))
    )
  ).pipe(Layer.orDie)

const webhooks = Layer.mergeAll(
  WebhookEndpoints.layer({ secret: serverSecret, allow: [] }),
  WebhookDeliveries.layer,
  WebhookDeliveryLog.layer,
  PaymentWriter.layer
).pipe(Layer.provideMerge(Ids.layer))

const forget = ({ paymentId }: PaymentEvent) => WebhookDeliveryLog.use((log) => log.forgetPayment(paymentId))

const answers = Effect.map(deliveryRows, (rows) => rows.map((row) => [row.status, row.attempts, row.last_answer]))

describe.each([
  ["SQLite", () => Layer.provideMerge(webhooks, sqlite())],
  ["PostgreSQL", () => Layer.provideMerge(webhooks, postgres())]
] as const)("forgetPayment on %s", (_, layer) => {
  it.effect("empties what receivers answered, whatever became of it, and leaves other payments be", () =>
    Effect.gen(function* () {
      const { sender } = receiver(({ url }) =>
        Effect.succeed({
          status: url.endsWith("/well") ? 200 : 410,
          retryAfter: null,
          firstBytes: Buffer.from("no such customer: jane@example.com")
        })
      )
      yield* addEndpoint("https://shop.io/well")
      yield* addEndpoint("https://shop.io/gone")
      const [one, two] = [yield* happens(1, "payment.succeeded"), yield* happens(2, "payment.succeeded")]
      yield* Effect.scoped(started(sender))
      yield* TestClock.adjust("1 hour")
      const said = "no such customer: jane@example.com"
      const before = yield* answers
      assert.strictEqual(
        before.filter(([, , answer]) => answer === said).length,
        before.filter(([, n]) => n === 1).length
      )
      assert.isAtLeast(before.filter(([, , answer]) => answer === said).length, 3)
      yield* forget(one)
      yield* forget(one)
      const ofTwo = (yield* deliveryRows).filter(({ event_id }) => event_id === two.id)
      const ofOne = (yield* deliveryRows).filter(({ event_id }) => event_id === one.id)
      assert.deepStrictEqual(
        ofOne.map((row) => row.last_answer),
        [null, null]
      )
      assert.isTrue(ofTwo.some((row) => row.last_answer === said))
      assert.deepStrictEqual(
        (yield* answers).map(([status, attempts]) => [status, attempts]),
        before.map(([status, attempts]) => [status, attempts])
      )
    }).pipe(Effect.provide(layer()))
  )

  it.effect("a post that is under way writes no answer any more, and is made again", () =>
    Effect.gen(function* () {
      const deliveries = yield* WebhookDeliveries
      const endpoint = yield* addEndpoint("https://shop.io")
      const event = yield* happens(1, "payment.succeeded")
      yield* fanOut(10)
      const claim = (owner: string, now: number) =>
        deliveries.claim({ endpointId: endpoint.id, owner, now, until: now + 30_000, limit: 1 })
      const [held] = yield* claim("one", 0)
      if (held === undefined) return assert.fail("nothing was claimed")
      yield* forget(event)
      const ended = {
        status: "delivered",
        attempts: 1,
        deliverAt: 10,
        lastAt: 10,
        lastStatus: 200,
        lastError: null,
        lastAnswer: "thank you, jane@example.com"
      } as const
      assert.isFalse(yield* deliveries.settle(held, ended))
      assert.deepStrictEqual(yield* answers, [["pending", 0, null]])
      assert.strictEqual((yield* claim("two", 11)).length, 1)
    }).pipe(Effect.provide(layer()))
  )

  it.effect("a call in the process keeps its place: nothing comes between it and the next event", () =>
    Effect.gen(function* () {
      const deliveries = yield* WebhookDeliveries
      const { id: endpointId } = yield* WebhookEndpoints.use((endpoints) => endpoints.addProcess(tenant))
      const event = yield* happens(1, "payment.succeeded")
      yield* fanOut(10)
      const claim = deliveries.claimInLine({
        endpointId,
        owner: "one",
        now: 0,
        until: 30_000,
        limit: 1,
        tries: "first"
      })
      assert.strictEqual((yield* claim).length, 1)
      yield* forget(event)
      assert.deepStrictEqual(yield* claim, [])
    }).pipe(Effect.provide(layer()))
  )
})

/** What receivers answered to a payment's events is forgotten, on both databases, with payments in the same one. */
import { assert, describe, it } from "@effect/vitest"
import { Ids } from "@paymux/core"
import { PaymentWriter } from "@paymux/core/engine"
import { PaymentStore } from "@paymux/core/store"
import type { PaymentEvent } from "@paymux/core/store"
import { PaymentRecords } from "@paymux/test-suites"
import { Deferred, Effect, Fiber, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
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
import { addEndpoint, deliveryRows, eventually, happens, serverSecret, settle, tenant } from "./TestEnvironment.ts"

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
  WebhookEndpoints.layer({ secrets: [serverSecret], allow: [] }),
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
        deliveries.claim({ endpoints: [{ id: endpoint.id, limit: 1 }], owner, now, until: now + 30_000 })
      const [held] = yield* claim("one", 0)
      if (held === undefined) return assert.fail("nothing was claimed")
      yield* forget(event)
      const ended = {
        status: "delivered",
        attempts: 1,
        deliverAt: 10,
        lastAt: 10,
        duration: 5,
        lastStatus: 200,
        lastError: null,
        lastAnswer: "thank you, jane@example.com"
      } as const
      assert.isFalse(yield* settle(held, ended))
      assert.deepStrictEqual(yield* answers, [["pending", 0, null]])
      // Often by the same worker, while that post still runs.
      const [again] = yield* claim("one", 11)
      if (again === undefined) return assert.fail("it is not made again")
      assert.isFalse(yield* settle(held, ended))
      assert.isTrue(yield* settle(again, { ...ended, lastAnswer: "thank you" }))
      assert.deepStrictEqual(yield* answers, [["delivered", 1, "thank you"]])
      const log = yield* WebhookDeliveryLog
      const attempts = Effect.map(log.attempts(tenant, event.id, endpoint.id), (all) => all.map(({ answer }) => answer))
      assert.deepStrictEqual(yield* attempts, ["thank you"])
      yield* forget(event)
      assert.deepStrictEqual(yield* attempts, [null])
    }).pipe(Effect.provide(layer()))
  )

  it.effect("an endpoint that is disabled meanwhile holds it up, and neither of them fails", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const waits = sql.onDialectOrElse({
        pg: () => sql`SELECT 1 FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))`,
        // It has one connection, which the transaction holds.
        orElse: () => sql`SELECT 1`
      })
      yield* addEndpoint("https://shop.io")
      const store = yield* PaymentStore
      const before = PaymentRecords.succeeded(PaymentRecords.aRecord(1))
      const after = PaymentRecords.succeeded(before)
      yield* happens(1, "payment.pending")
      const event = PaymentRecords.anEvent(after, "payment.succeeded")
      yield* store.advance({ before, after, events: [event], evidence: null, binding: null, answer: null })
      yield* fanOut(10)
      yield* sql`UPDATE webhook_deliveries SET last_answer = 'thank you'`
      const ids = (yield* sql<{ id: number }>`SELECT id FROM webhook_deliveries ORDER BY id`).map(({ id }) => id)
      assert.isAbove(ids.length, 1)
      const cancel = (id: number) => sql`UPDATE webhook_deliveries SET status = 'canceled' WHERE id = ${id}`
      const begun = yield* Deferred.make<void>()
      const forgetting = yield* Effect.forkChild(Effect.andThen(Deferred.await(begun), forget(event)))
      // The last of the payment's first: the order in which an endpoint's deliveries are canceled is the database's.
      yield* sql.withTransaction(
        Effect.forEach(ids.toReversed(), (id, nth) =>
          Effect.gen(function* () {
            yield* cancel(id)
            if (nth > 0) return
            yield* Deferred.succeed(begun, undefined)
            yield* eventually(Effect.map(waits, (rows) => rows.length > 0))
          })
        )
      )
      yield* Fiber.join(forgetting)
      for (const row of yield* deliveryRows) assert.deepStrictEqual([row.status, row.last_answer], ["canceled", null])
    }).pipe(Effect.provide(layer()))
  )

  it.effect("a call in the process keeps its place: nothing comes between it and the next event", () =>
    Effect.gen(function* () {
      const deliveries = yield* WebhookDeliveries
      const { id: endpointId } = yield* WebhookEndpoints.use((endpoints) => endpoints.addProcess(tenant))
      const event = yield* happens(1, "payment.succeeded")
      yield* fanOut(10)
      const claim = deliveries.claimOrdered({
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

/** Webhooks on a real SQLite file, with payments in memory. */
import { Ids } from "@paymux/core"
import type { Payment } from "@paymux/core"
import { makeIds, PaymentWriter } from "@paymux/core/engine"
import { PaymentStore, StoreUnavailable } from "@paymux/core/store"
import { MemoryStore } from "@paymux/testkit/memory-store"
import type { EventType, PaymentEvent } from "@paymux/core/store"
import { PaymentRecords } from "@paymux/test-suites"
import { Clock, Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { runMigrations } from "../../sql/src/Migrations.ts"
import * as SqliteClient from "../../sql/src/sqlite/SqliteClient.ts"
import { temporaryDatabase } from "../../../test/support/PostgresDatabases.ts"
import { PostgresClient } from "../../sql/src/index.ts"
import { loopback, WebhookDeliveries, WebhookDeliveryLog, WebhookEndpoints, webhookMigrations } from "../src/index.ts"
import type { ClaimedDelivery, EndpointsOptions, Settlement } from "../src/index.ts"

export const { tenant } = PaymentRecords
export const serverSecret = Redacted.make("the server's secret of these tests")
/** The published example of Standard Webhooks. */
export const knownSecret = Redacted.make("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")

export interface EnvironmentOptions extends Partial<EndpointsOptions> {
  readonly filename?: string
  /** Another database than SQLite. */
  readonly client?: Layer.Layer<SqlClient.SqlClient>
  /** Changes what the payment store does, to inject a fault. */
  readonly faulty?: (store: PaymentStore["Service"]) => PaymentStore["Service"]
}

export const environment = (options: EnvironmentOptions = {}) => {
  const { allow = loopback, faulty = (store) => store, filename = ":memory:", secrets = [serverSecret] } = options
  const payments = Layer.provideMerge(
    PaymentWriter.layer,
    Layer.merge(
      Layer.sync(PaymentStore, () => faulty(MemoryStore.make())),
      Layer.effect(Ids, Effect.suspend(countedIds))
    )
  )
  const database = Layer.provideMerge(
    Layer.effectDiscard(runMigrations([webhookMigrations])),
    options.client ?? SqliteClient.layer({ filename })
  )
  return Layer.mergeAll(
    WebhookEndpoints.layer({ allow, secrets }),
    WebhookDeliveries.layer,
    WebhookDeliveryLog.layer
  ).pipe(Layer.provideMerge(Layer.merge(payments, database)))
}

/** The same on a PostgreSQL database of its own. */
export const postgresEnvironment = (options: EnvironmentOptions = {}) =>
  Layer.unwrap(
    Effect.map(temporaryDatabase([webhookMigrations]), (url) =>
      environment({ ...options, client: Layer.orDie(PostgresClient.layer({ url: Redacted.make(url) })) })
    )
  )

/** Ids that sort by the order in which they were made, also within a millisecond. */
const countedIds = () => {
  let made = 0
  const counted = (length: number) => {
    const bytes = Buffer.alloc(length)
    bytes.writeUInt32BE(++made, 2)
    return bytes
  }
  return Effect.map(Clock.Clock, (clock) => makeIds(counted, () => clock.currentTimeMillisUnsafe()))
}

/** A payment is begun and changes with one event, whose row is then to be fanned out. `n` numbers the payments. */
export const happens = Effect.fnUntraced(function* (n: number, type: EventType, change: Partial<Payment> = {}) {
  const store = yield* PaymentStore
  const record = PaymentRecords.aRecord(n, change)
  yield* store.begin({ record, binding: null })
  const after = PaymentRecords.succeeded(record)
  const event = PaymentRecords.anEvent(after, type)
  yield* store.advance({ before: record, after, events: [event], evidence: null, binding: null, answer: null })
  return event
})

export const many = (count: number, type: EventType = "payment.succeeded") =>
  Effect.forEach(
    Array.from({ length: count }, (_, index) => index + 1),
    (n) => happens(n, type)
  )

export const addEndpoint = (url: string, options: Partial<Parameters<WebhookEndpoints["Service"]["add"]>[0]> = {}) =>
  Effect.flatMap(WebhookEndpoints, (endpoints) => endpoints.add({ ...tenant, url, ...options })).pipe(
    Effect.map(({ endpoint }) => endpoint)
  )

/** Whether the worker still held it. */
export const settle = (delivery: ClaimedDelivery, settlement: Settlement) =>
  WebhookDeliveries.use((deliveries) =>
    Effect.map(deliveries.settle([{ delivery, settlement }]), (settled) => settled.has(delivery.id))
  )

export interface DeliveryRow {
  readonly event_id: string
  readonly endpoint_id: string
  readonly account: string
  readonly livemode: number
  readonly attempts: number
  readonly status: string
  readonly deliver_at: number
  readonly claimed_by: string | null
  readonly claimed_until: number | null
  readonly last_status: number | null
  readonly last_error: string | null
  readonly last_answer: string | null
  readonly delivered_at: number | null
}

/** Every delivery, oldest first, as the database has it. */
export const deliveryRows = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return (yield* sql<DeliveryRow>`SELECT * FROM webhook_deliveries ORDER BY id`).map((row) => ({ ...row }))
})

/** Looks again, one turn of the event loop after the other, until it holds. Fails after 20 s: the limit of a test is minutes. */
export const eventually = <E, R>(holds: Effect.Effect<boolean, E, R>): Effect.Effect<void, E, R> =>
  Effect.suspend(() => {
    const end = performance.now() + 20_000
    const look: Effect.Effect<void, E, R> = Effect.flatMap(holds, (done) => {
      if (done) return Effect.void
      return performance.now() < end ? Effect.andThen(nextTurn, look) : Effect.die(new Error("It did not hold in 20 s"))
    })
    return look
  })

const nextTurn = Effect.promise(() => new Promise<void>((resolve) => setImmediate(resolve)))

export const idsOf = (events: ReadonlyArray<PaymentEvent>) => events.map(({ id }) => id)

/** Deliveries whose first release of claims fails, and how many releases there were. */
export const firstReleaseFails = Effect.map(WebhookDeliveries, (deliveries) => {
  let releases = 0
  const faulty = WebhookDeliveries.of({
    ...deliveries,
    release: (claims) =>
      claims.length > 0 && releases++ < 1
        ? Effect.fail(new StoreUnavailable({ cause: "gone" }))
        : deliveries.release(claims)
  })
  return { faulty: Layer.succeed(WebhookDeliveries, faulty), releases: () => releases }
})

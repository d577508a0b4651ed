/** Deliveries by the type of their event, on both databases, against a plain filter of all of them. */
import { assert, describe, it } from "@effect/vitest"
import { PaymentStore } from "@paymux/core/store"
import type { EventType } from "@paymux/core/store"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { fanOut, WebhookDeliveryLog } from "../src/index.ts"
import type { DeliveryQuery, DeliveryRecord, DeliveryStatus } from "../src/index.ts"
import { addEndpoint, environment, happens, postgresEnvironment, tenant } from "./TestEnvironment.ts"

const types: ReadonlyArray<EventType> = ["payment.succeeded", "payment.failed", "payment.disputed"]
const statuses: ReadonlyArray<DeliveryStatus> = ["delivered", "dead", "pending", "canceled"]

/** What of core's table is read here: the payments of these tests are in memory. */
const events = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const store = yield* PaymentStore
  yield* sql`CREATE TABLE payment_events (id text PRIMARY KEY, payment_id text, account text, livemode boolean,
    type text, created_at bigint, position bigint)`
  for (let n = 1; n <= 24; n++) {
    const { id } = yield* happens(n, types[(n * n) % 5 === 0 ? 2 : n % 2] ?? "payment.failed")
    const event = yield* store.findEvent(id)
    if (event === null) return yield* Effect.die(new Error("There is no such event."))
    yield* sql`INSERT INTO payment_events (id, payment_id, account, livemode, type, created_at, position)
      VALUES (${id}, ${event.paymentId}, ${event.account}, ${event.livemode}, ${event.type}, ${event.createdAt}, ${n})`
  }
})

const typeOf = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ id: string; type: EventType }>`SELECT id, type FROM payment_events`
  return new Map<string, EventType>(rows.map(({ id, type }) => [id, type]))
})

const readAll = Effect.fnUntraced(function* (query: Omit<DeliveryQuery, "limit">) {
  const log = yield* WebhookDeliveryLog
  const read: Array<DeliveryRecord> = []
  let page = yield* log.list(tenant, { ...query, limit: 5 })
  for (; page.next !== null; page = yield* log.list(tenant, { ...query, limit: 5, after: page.next })) {
    read.push(...page.records)
  }
  return [...read, ...page.records]
})

describe.each([
  ["SQLite", () => environment()],
  ["PostgreSQL", () => postgresEnvironment()]
] as const)("the types of deliveries on %s", (_, layer) => {
  it.live("select as a filter of all of them does, page after page", () =>
    Effect.gen(function* () {
      const one = yield* addEndpoint("https://shop.io/1")
      yield* addEndpoint("https://shop.io/2")
      yield* events
      yield* fanOut(1_000)
      const sql = yield* SqlClient.SqlClient
      for (const [n, status] of statuses.entries()) {
        yield* sql`UPDATE webhook_deliveries SET status = ${status}, attempts = 1 WHERE id % 4 = ${n}`
      }
      const type = yield* typeOf
      const all = yield* readAll({})
      assert.lengthOf(all, 48)
      const happened = all.map(({ happenedAt }) => happenedAt).toSorted((a, b) => a - b)
      const shared: ReadonlyArray<Omit<DeliveryQuery, "limit" | "types">> = [
        {},
        { endpointId: one.id },
        { status: "delivered" },
        { status: "dead" },
        { status: "pending" },
        { status: "failed" },
        { from: happened[10] ?? 0, until: happened[40] ?? 0 },
        { eventId: all[7]?.eventId ?? "" }
      ]
      for (const query of shared) {
        const unfiltered = yield* readAll(query)
        for (const chosen of [types.slice(0, 1), types.slice(1), ["refund.failed"] as const, types]) {
          const expected = unfiltered.filter(({ eventId }) => chosen.some((each) => each === type.get(eventId)))
          assert.deepStrictEqual(yield* readAll({ ...query, types: [...chosen, ...chosen] }), expected)
        }
      }
      const other = yield* WebhookDeliveryLog.use((log) =>
        log.list({ account: "other", livemode: tenant.livemode }, { types, limit: 100 })
      )
      assert.deepStrictEqual(other.records, [])
    }).pipe(Effect.provide(layer()))
  )
})

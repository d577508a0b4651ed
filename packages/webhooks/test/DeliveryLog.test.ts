/** What an operator sees and sends again, on both databases. */
import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { fanOut, WebhookDeliveries, WebhookDeliveryLog, WebhookEndpoints } from "../src/index.ts"
import type { DeliveryQuery, DeliveryStatus } from "../src/index.ts"
import { addEndpoint, idsOf, many, postgresEnvironment, settle, tenant, environment } from "./TestEnvironment.ts"

const other = { account: "other", livemode: false }
const all: DeliveryQuery = { limit: 100 }

const list = (query: Partial<DeliveryQuery> = {}, owner = tenant) =>
  Effect.map(
    WebhookDeliveryLog.use((log) => log.list(owner, { ...all, ...query })),
    ({ records }) => records
  )

const claim = Effect.fnUntraced(function* (endpointId: string, limit = 100) {
  const now = yield* Clock.currentTimeMillis
  return yield* WebhookDeliveries.use((deliveries) =>
    deliveries.claim({ endpoints: [{ id: endpointId, limit }], owner: "worker", now, until: now + 60_000 })
  )
})

/** The due deliveries of an endpoint are tried, one for each of these, with this end. */
const end = Effect.fnUntraced(function* (endpointId: string, ...statuses: ReadonlyArray<DeliveryStatus>) {
  const now = yield* Clock.currentTimeMillis
  for (const [index, delivery] of (yield* claim(endpointId, statuses.length)).entries()) {
    const status = statuses[index] ?? "dead"
    yield* settle(delivery, {
      status,
      attempts: delivery.attempts + 1,
      deliverAt: status === "pending" ? now + 3_600_000 : now,
      lastAt: now,
      duration: 5,
      lastStatus: status === "delivered" ? 200 : 500,
      lastError: null,
      lastAnswer: status === "delivered" ? null : "down"
    })
  }
})

const statuses = (endpointId: string) =>
  Effect.map(list({ endpointId }), (records) => records.map(({ status }) => status).toReversed())

describe.each([
  ["SQLite", () => environment()],
  ["PostgreSQL", () => postgresEnvironment()]
] as const)("WebhookDeliveryLog on %s", (_, layer) => {
  it.live("lists the latest first, of one endpoint, or what failed, and of its own account and mode", () =>
    Effect.gen(function* () {
      const one = yield* addEndpoint("https://shop.io/1")
      const two = yield* addEndpoint("https://shop.io/2")
      const events = idsOf(yield* many(4))
      yield* fanOut(100)
      yield* end(one.id, "delivered", "dead", "pending")
      assert.strictEqual((yield* list()).length, 8)
      assert.strictEqual((yield* list({ limit: 3 })).length, 3)
      for (const owner of [other, { ...tenant, livemode: !tenant.livemode }]) {
        assert.deepStrictEqual(yield* list({}, owner), [])
        assert.deepStrictEqual(yield* list({ endpointId: one.id, status: "failed" }, owner), [])
      }
      const ofOne = yield* list({ endpointId: one.id })
      assert.deepStrictEqual(
        ofOne.map(({ eventId }) => eventId),
        events.toReversed()
      )
      const failed = yield* list({ status: "failed" })
      assert.deepStrictEqual(
        failed.map((record) => [record.eventId, record.status, record.attempts, record.lastStatus, record.lastAnswer]),
        [
          [events[2] ?? "", "pending", 1, 500, "down"],
          [events[1] ?? "", "dead", 1, 500, "down"]
        ]
      )
      assert.isNull(failed[1]?.nextTryAt)
      assert.strictEqual((failed[0]?.nextTryAt ?? 0) - (failed[0]?.lastAt ?? 0), 3_600_000)
      assert.deepStrictEqual(yield* list({ status: "failed", endpointId: two.id }), [])
    }).pipe(Effect.provide(layer()))
  )

  it.live("reads page after page, each delivery once, also while others are added", () =>
    Effect.gen(function* () {
      const log = yield* WebhookDeliveryLog
      const endpoint = yield* addEndpoint("https://shop.io/1")
      const events = idsOf(yield* many(25))
      yield* fanOut(100)
      yield* end(
        endpoint.id,
        ...events.map((_, n) => (["delivered", "dead", "canceled", "pending"] as const)[n % 4] ?? "dead")
      )
      for (const status of [undefined, "failed", "dead", "pending", "delivered"] as const) {
        const query = { ...(status === undefined ? {} : { status }), limit: 4 }
        const read: Array<string> = []
        let page = yield* log.list(tenant, query)
        for (; page.next !== null; page = yield* log.list(tenant, { ...query, after: page.next })) {
          assert.strictEqual(page.records.length, 4)
          read.push(...page.records.map(({ eventId }) => eventId))
        }
        read.push(...page.records.map(({ eventId }) => eventId))
        const expected = yield* list(status === undefined ? {} : { status })
        assert.deepStrictEqual(
          read,
          expected.map(({ eventId }) => eventId)
        )
        assert.strictEqual(
          new Set(read).size,
          { failed: 18, dead: 6, pending: 6, delivered: 7, all: 25 }[status ?? "all"]
        )
      }
    }).pipe(Effect.provide(layer()))
  )

  it.live("filters by event and time, and refuses a cursor of another kind", () =>
    Effect.gen(function* () {
      const log = yield* WebhookDeliveryLog
      yield* addEndpoint("https://shop.io/1")
      yield* addEndpoint("https://shop.io/2")
      const events = yield* many(5)
      yield* fanOut(100)
      const [, second, , fourth] = events
      const of = (query: Partial<DeliveryQuery>) =>
        Effect.map(list(query), (records) => new Set(records.map(({ eventId }) => eventId)))
      assert.deepStrictEqual(
        yield* of({ eventId: second?.id ?? "" }),
        new Set(idsOf(second === undefined ? [] : [second]))
      )
      const times = { from: second?.createdAt ?? 0, until: fourth?.createdAt ?? 0 }
      assert.deepStrictEqual(
        yield* of(times),
        new Set(idsOf(events.filter(({ createdAt }) => createdAt >= times.from && createdAt < times.until)))
      )
      for (const after of ["", "x", "1", "1.2".repeat(9000), "1.99999999999999999"]) {
        const refused = yield* Effect.flip(log.list(tenant, { limit: 1, after }))
        assert.strictEqual(refused._tag, "DeliveryCursorInvalid")
      }
    }).pipe(Effect.provide(layer()))
  )

  it.live("keeps every attempt, for its own account and mode only", () =>
    Effect.gen(function* () {
      const log = yield* WebhookDeliveryLog
      const endpoint = yield* addEndpoint("https://shop.io/1")
      const [event = ""] = idsOf(yield* many(1))
      yield* fanOut(100)
      assert.deepStrictEqual(yield* log.attempts(tenant, event, endpoint.id), [])
      yield* end(endpoint.id, "dead")
      yield* log.resend(tenant, event, null)
      yield* end(endpoint.id, "delivered")
      const attempts = yield* log.attempts(tenant, event, endpoint.id)
      assert.deepStrictEqual(
        attempts.map(({ answer, attempt, duration, error, status }) => [attempt, status, duration, error, answer]),
        [
          [1, 500, 5, null, "down"],
          [2, 200, 5, null, null]
        ]
      )
      assert.deepStrictEqual(yield* log.attempts(other, event, endpoint.id), [])
      assert.deepStrictEqual(yield* log.attempts(tenant, event, "we_none"), [])
    }).pipe(Effect.provide(layer()))
  )

  it.live("an event is sent again to every endpoint it was for, or to one, whatever became of it", () =>
    Effect.gen(function* () {
      const log = yield* WebhookDeliveryLog
      const [one, two, gone, off] = yield* Effect.forEach([1, 2, 3, 4], (n) => addEndpoint(`https://shop.io/${n}`))
      const [event = ""] = idsOf(yield* many(1))
      yield* fanOut(100)
      yield* end(one?.id ?? "", "delivered")
      yield* end(two?.id ?? "", "dead")
      const endpoints = yield* WebhookEndpoints
      yield* endpoints.remove(tenant, gone?.id ?? "")
      yield* endpoints.disableGone(tenant, off?.id ?? "")
      assert.deepStrictEqual(yield* log.resend(tenant, event, two?.id ?? ""), [
        { endpointId: two?.id ?? "", outcome: "resent" }
      ])
      assert.deepStrictEqual(yield* statuses(one?.id ?? ""), ["delivered"])
      assert.deepStrictEqual(
        (yield* log.resend(tenant, event, null)).map(({ outcome }) => outcome),
        ["resent", "resent", "endpoint_removed", "endpoint_disabled"]
      )
      const [again] = yield* claim(two?.id ?? "")
      // The schedule begins anew; the count of tries goes on.
      assert.deepStrictEqual([again?.attempts, again?.attemptsBefore], [1, 1])
      assert.deepStrictEqual(yield* log.resend(tenant, event, two?.id ?? ""), [
        { endpointId: two?.id ?? "", outcome: "in_flight" }
      ])
      for (const [owner, id] of [
        [other, event],
        [tenant, "evt_none"],
        [tenant, "' OR 1=1 --"]
      ] as const) {
        assert.deepStrictEqual(yield* log.resend(owner, id, null), [])
      }
    }).pipe(Effect.provide(layer()))
  )

  it.live("all that did not arrive since a time is sent again: dead, canceled, and now what waits", () =>
    Effect.gen(function* () {
      const log = yield* WebhookDeliveryLog
      const endpoints = yield* WebhookEndpoints
      const one = yield* addEndpoint("https://shop.io/1")
      const off = yield* addEndpoint("https://shop.io/2")
      // One a millisecond.
      yield* many(1200)
      yield* Effect.forEach(Array.from({ length: 12 }), () => fanOut(100), { discard: true })
      const ends = Array.from({ length: 1200 }, (_, n) => (["delivered", "dead", "pending"] as const)[n % 3] ?? "dead")
      yield* end(one.id, ...ends)
      yield* endpoints.disableGone(tenant, off.id)
      const since = 1 + Math.min(...(yield* happenedAt))
      assert.strictEqual(yield* log.countSince(tenant, since, null), 800)
      assert.strictEqual(yield* log.countSince(tenant, since, off.id), 0)
      // 400 dead and 400 that wait; none is the first, which was delivered.
      assert.strictEqual(yield* log.resendSince(tenant, since, null), 800)
      assert.strictEqual(yield* log.resendSince(tenant, since, null), 0)
      assert.strictEqual((yield* claim(one.id, 5000)).length, 800)
      assert.isTrue(yield* endpoints.enable(tenant, off.id))
      // The first event is older than that.
      assert.strictEqual(yield* log.resendSince(tenant, since, off.id), 1199)
      assert.strictEqual(yield* log.resendSince(other, 0, null), 0)
    }).pipe(Effect.provide(layer()))
  )
})

it.live("what was sent again, and has failed since, is not sent again twice by the same command", () =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { id } = yield* addEndpoint("https://shop.io/1")
    yield* many(2)
    yield* fanOut(100)
    yield* end(id, "pending", "pending")
    // As a sender leaves it that tried it after the command began.
    yield* sql`UPDATE webhook_deliveries SET last_at = last_at + 60000 WHERE id = 1`
    assert.strictEqual(yield* WebhookDeliveryLog.use((log) => log.resendSince(tenant, 0, null)), 1)
  }).pipe(Effect.provide(environment()))
)

const happenedAt = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ happened_at: number | string }>`SELECT happened_at FROM webhook_deliveries`
  return rows.map((row) => Number(row.happened_at))
})

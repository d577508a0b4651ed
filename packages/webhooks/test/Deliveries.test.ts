/** The lease of a worker on a delivery, and claims and results in sets. */
import { assert, describe, it } from "@effect/vitest"
import type { EventId } from "@paymux/core/store"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { WebhookDeliveries, WebhookEndpoints } from "../src/index.ts"
import type { ClaimedDelivery, Settlement } from "../src/delivery/Delivery.ts"
import * as DeliveryResults from "../src/delivery/DeliveryResults.ts"
import { addEndpoint, deliveryRows, environment, postgresEnvironment, settle, tenant } from "./TestEnvironment.ts"

const delivered: Settlement = {
  status: "delivered",
  attempts: 1,
  deliverAt: 30,
  lastAt: 30,
  duration: 5,
  lastStatus: 200,
  lastError: null,
  lastAnswer: null
}

for (const [database, environmentOf] of Object.entries({ SQLite: environment, PostgreSQL: postgresEnvironment })) {
  describe(`a lease on ${database}`, () => {
    it.effect("that has expired settles nothing, also if the same worker has claimed the delivery again", () =>
      Effect.gen(function* () {
        const { add, claim } = yield* WebhookDeliveries
        const { id: endpointId } = yield* addEndpoint("https://shop.io")
        // Boundary of a test: no event is read.
        const eventId = "evt_1" as EventId
        yield* add([{ eventId, endpointId, ...tenant, happenedAt: 0, status: "pending", order: null }], 0)
        const claimed = (owner: string, now: number) =>
          claim({ endpoints: [{ id: endpointId, limit: 1 }], owner, now, until: now + 10, except: [] })
        const [first] = yield* claimed("a", 0)
        const [second] = yield* claimed("a", 20)
        const [third] = yield* claimed("b", 40)
        if (first === undefined || second === undefined || third === undefined)
          return assert.fail("nothing was claimed")
        assert.isFalse(yield* settle(second, delivered))
        const [again] = yield* claimed("a", 60)
        if (again === undefined) return assert.fail("nothing was claimed")
        for (const expired of [first, second, third]) assert.isFalse(yield* settle(expired, delivered))
        assert.strictEqual((yield* deliveryRows)[0]?.status, "pending")
        assert.isTrue(yield* settle(again, delivered))
        assert.strictEqual((yield* deliveryRows)[0]?.status, "delivered")
      }).pipe(Effect.provide(environmentOf()))
    )
  })

  describe(`sets of deliveries on ${database}`, () => {
    const events = (from: number, before: number) =>
      // Boundary of a test: no event is read.
      Array.from({ length: before - from }, (_, n) => `evt_${from + n}` as EventId)
    const added = Effect.fnUntraced(function* (at: number, ...each: ReadonlyArray<readonly [string, number, number]>) {
      const deliveries = yield* WebhookDeliveries
      const rows = each.flatMap(([endpointId, from, before]) =>
        events(from, before).map((eventId) => ({
          eventId,
          endpointId,
          ...tenant,
          happenedAt: at,
          status: "pending" as const,
          order: null
        }))
      )
      yield* deliveries.add(rows, at)
      return deliveries
    })
    const claim = { owner: "a", now: 100, until: 200 }
    const named = (claimed: ReadonlyArray<ClaimedDelivery>) =>
      claimed.map(({ endpointId, eventId }) => `${endpointId} ${eventId}`)

    it.effect("of each endpoint the oldest are claimed, up to its own limit, and none twice", () =>
      Effect.gen(function* () {
        yield* added(2, ["we_1", 0, 5], ["we_2", 0, 5], ["we_3", 0, 5])
        const deliveries = yield* added(1, ["we_2", 5, 6])
        const endpoints = [
          { id: "we_1", limit: 2 },
          { id: "we_2", limit: 3 },
          { id: "we_4", limit: 9 }
        ]
        const first = yield* deliveries.claim({ ...claim, endpoints })
        assert.sameMembers(named(first), ["we_1 evt_0", "we_1 evt_1", "we_2 evt_5", "we_2 evt_0", "we_2 evt_1"])
        const second = yield* deliveries.claim({ ...claim, owner: "b", endpoints })
        assert.sameMembers(named(second), ["we_1 evt_2", "we_1 evt_3", "we_2 evt_2", "we_2 evt_3", "we_2 evt_4"])
        const held = [...first, ...second].map(({ id }) => id)
        const again = yield* deliveries.claim({ ...claim, now: 200, until: 300, endpoints, except: held })
        assert.deepStrictEqual(named(again), ["we_1 evt_4"])
        assert.deepStrictEqual(yield* deliveries.claim({ ...claim, endpoints: [] }), [])
      }).pipe(Effect.provide(environmentOf()))
    )

    it.effect("results are stored together; of a delivery that is no longer held, neither result nor attempt is", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const deliveries = yield* added(1, ["we_1", 0, 3])
        const claimed = yield* deliveries.claim({ ...claim, endpoints: [{ id: "we_1", limit: 3 }] })
        const [first, lost, third] = claimed
        if (first === undefined || lost === undefined || third === undefined) return assert.fail("nothing was claimed")
        yield* sql`UPDATE webhook_deliveries SET claimed_by = 'b' WHERE id = ${lost.id}`
        const failed: Settlement = {
          ...delivered,
          status: "pending",
          deliverAt: 500,
          lastStatus: null,
          lastError: "timeout",
          lastAnswer: 'no "such" \\u0000 order'
        }
        const settled = yield* deliveries.settle([
          { delivery: first, settlement: delivered },
          { delivery: lost, settlement: delivered },
          { delivery: third, settlement: failed }
        ])
        assert.deepStrictEqual(settled, new Set([first.id, third.id]))
        const rows = (yield* deliveryRows).map((row) => [
          row.status,
          row.attempts,
          row.claimed_by,
          row.last_error,
          row.last_answer,
          row.delivered_at
        ])
        assert.deepStrictEqual(rows, [
          ["delivered", 1, null, null, null, 30],
          ["pending", 0, "b", null, null, null],
          ["pending", 1, null, "timeout", 'no "such" \\u0000 order', null]
        ])
        const attempts = yield* sql<{ id: number | string }>`SELECT delivery_id AS id FROM webhook_attempts ORDER BY 1`
        assert.deepStrictEqual(
          attempts.map(({ id }) => Number(id)),
          [first.id, third.id]
        )
      }).pipe(Effect.provide(environmentOf()))
    )

    it.effect("claims that are given back are free; one that another worker has made since stands", () =>
      Effect.gen(function* () {
        const deliveries = yield* added(1, ["we_1", 0, 2])
        const endpoints = [{ id: "we_1", limit: 2 }]
        const claimed = yield* deliveries.claim({ ...claim, endpoints })
        yield* deliveries.release(claimed.slice(0, 1))
        const again = yield* deliveries.claim({ owner: "b", now: 101, until: 201, endpoints })
        assert.deepStrictEqual(named(again), ["we_1 evt_0"])
        yield* deliveries.release(claimed)
        assert.deepStrictEqual(
          (yield* deliveryRows).map((row) => row.claimed_by),
          ["b", null]
        )
      }).pipe(Effect.provide(environmentOf()))
    )

    it.effect("are added in one statement for hundreds, and those that are there stay as they are", () =>
      Effect.gen(function* () {
        yield* added(1, ["we_1", 0, 700])
        yield* added(2, ["we_1", 0, 701])
        const due = (yield* deliveryRows).map((row) => row.deliver_at)
        assert.deepStrictEqual([due.length, due.filter((at) => at === 1).length], [701, 700])
      }).pipe(Effect.provide(environmentOf()))
    )
  })

  describe(`results on ${database}`, () => {
    const one = Effect.fnUntraced(function* (endpointId: string, n: number) {
      const { add, claim } = yield* WebhookDeliveries
      // Boundary of a test: no event is read.
      const eventId = `evt_${n}` as EventId
      yield* add([{ eventId, endpointId, ...tenant, happenedAt: 0, status: "pending", order: null }], 0)
      return Effect.fnUntraced(function* (now: number, until: number) {
        const [claimed] = yield* claim({ endpoints: [{ id: endpointId, limit: 1 }], owner: "a", now, until })
        return claimed ?? assert.fail("nothing was claimed")
      })
    })
    const attempts = Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const rows = yield* sql<{ id: number | string; at: number | string }>`
        SELECT delivery_id AS id, ended_at AS at FROM webhook_attempts ORDER BY delivery_id`
      return rows.map(({ at, id }) => [Number(id), Number(at)])
    })
    const states = Effect.map(deliveryRows, (rows) => rows.map(({ status }) => status))

    it.effect.each([
      ["ends later", 1000, 2000],
      ["ends earlier, as after a clock was set back", 2000, 1000]
    ] as const)("of two claims of one delivery, only that which stands counts, also if it %s", ([, before, after]) =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const results = yield* DeliveryResults.make(1)
        const endpoint = yield* addEndpoint("https://shop.io")
        const other = yield* addEndpoint("https://other.io")
        const claim = yield* one(endpoint.id, 1)
        const stale = yield* claim(0, before)
        yield* sql`UPDATE webhook_deliveries SET claimed_by = NULL, claimed_until = NULL`
        const standing = yield* claim(1, after)
        const others = yield* (yield* one(other.id, 2))(1, 2000)
        const gone = { endpoint, how: "gone", at: 20, pausedUntil: null } as const
        results.add({ delivery: stale, settlement: { ...delivered, status: "dead", lastAt: 20 }, result: gone })
        results.add({ delivery: standing, settlement: delivered, result: { ...gone, how: "succeeded" } })
        results.add({ delivery: others, settlement: delivered, result: null })
        assert.strictEqual(yield* results.store, 3)
        assert.deepStrictEqual(yield* states, ["delivered", "delivered"])
        assert.deepStrictEqual(yield* attempts, [
          [standing.id, 30],
          [others.id, 30]
        ])
        const listed = yield* WebhookEndpoints.use((endpoints) => endpoints.list(tenant))
        assert.deepStrictEqual(
          listed.map(({ disabledAt }) => disabledAt),
          [null, null]
        )
        assert.strictEqual(yield* results.store, 0)
      }).pipe(Effect.provide(environmentOf()))
    )

    it.effect("one that the database refuses holds back no other, and is stored once it can", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const results = yield* DeliveryResults.make(1)
        const [first, bad, third, later] = yield* Effect.forEach([1, 2, 3, 4], (n) =>
          Effect.flatMap(one(`we_${n}`, n), (claim) => claim(0, 1000))
        )
        if (first === undefined || bad === undefined || third === undefined || later === undefined)
          return assert.fail("nothing was claimed")
        yield* sql`INSERT INTO webhook_attempts (delivery_id, attempt, ended_at, duration) VALUES (${bad.id}, 1, 7, 1)`
        for (const delivery of [first, bad, third]) results.add({ delivery, settlement: delivered, result: null })
        yield* results.store
        assert.deepStrictEqual(yield* states, ["delivered", "pending", "delivered", "pending"])
        results.add({ delivery: later, settlement: delivered, result: null })
        assert.strictEqual(yield* results.store, 2)
        assert.deepStrictEqual(yield* states, ["delivered", "pending", "delivered", "delivered"])
        yield* sql`DELETE FROM webhook_attempts WHERE delivery_id = ${bad.id}`
        assert.strictEqual(yield* results.store, 1)
        assert.deepStrictEqual(yield* states, ["delivered", "delivered", "delivered", "delivered"])
        assert.strictEqual(yield* results.store, 0)
      }).pipe(Effect.provide(environmentOf()))
    )

    it.effect("one that the database refuses is dropped once its lease has ended", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const results = yield* DeliveryResults.make(1)
        const delivery = yield* (yield* one("we_1", 1))(0, 1000)
        yield* sql`INSERT INTO webhook_attempts (delivery_id, attempt, ended_at, duration) VALUES (${delivery.id}, 1, 7, 1)`
        results.add({ delivery, settlement: delivered, result: null })
        assert.strictEqual(yield* results.store, 1)
        yield* TestClock.setTime(1000)
        assert.strictEqual(yield* results.store, 1)
        assert.strictEqual(yield* results.store, 0)
      }).pipe(Effect.provide(environmentOf()))
    )

    it.effect("whose endpoint's state cannot be stored hold back no other endpoint's", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const results = yield* DeliveryResults.make(1)
        yield* sql`CREATE UNIQUE INDEX broken ON webhook_endpoints (failing_since)`
        for (const [n, how] of (["failed", "failed", "gone"] as const).entries()) {
          const endpoint = yield* addEndpoint(`https://shop${n}.io`)
          const delivery = yield* (yield* one(endpoint.id, n))(0, 1000)
          results.add({ delivery, settlement: delivered, result: { endpoint, how, at: 20, pausedUntil: null } })
        }
        assert.strictEqual(yield* results.store, 3)
        const listed = yield* sql<{ failing: number | string | null; reason: string | null }>`
          SELECT failing_since AS failing, disabled_reason AS reason FROM webhook_endpoints ORDER BY url`
        assert.deepStrictEqual(
          listed.map(({ failing, reason }) => [failing === null ? null : Number(failing), reason]),
          [
            [20, null],
            [null, null],
            [null, "gone"]
          ]
        )
      }).pipe(Effect.provide(environmentOf()))
    )
  })
}

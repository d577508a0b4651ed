/** The lease of a worker on a delivery, and claims and results in sets. */
import { assert, describe, it } from "@effect/vitest"
import type { EventId } from "@paymux/core/store"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { WebhookDeliveries } from "../src/index.ts"
import type { ClaimedDelivery, Settlement } from "../src/delivery/Delivery.ts"
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
}

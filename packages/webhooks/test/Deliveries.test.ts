/** The lease of a worker on a delivery. */
import { assert, describe, it } from "@effect/vitest"
import type { EventId } from "@paymux/core/store"
import { Effect } from "effect"
import { WebhookDeliveries } from "../src/index.ts"
import type { Settlement } from "../src/delivery/Delivery.ts"
import { addEndpoint, deliveryRows, environment, postgresEnvironment, tenant } from "./TestEnvironment.ts"

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
        const { add, claim, settle } = yield* WebhookDeliveries
        const { id: endpointId } = yield* addEndpoint("https://shop.io")
        // Boundary of a test: no event is read.
        const eventId = "evt_1" as EventId
        yield* add([{ eventId, endpointId, ...tenant, happenedAt: 0, status: "pending", order: null }], 0)
        const claimed = (owner: string, now: number) =>
          claim({ endpointId, owner, now, until: now + 10, limit: 1, except: [] })
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
}

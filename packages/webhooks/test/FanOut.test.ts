import { assert, describe, it } from "@effect/vitest"
import { PaymentStore, StoreUnavailable } from "@paymux/core/store"
import { Effect } from "effect"
import { fanOut, WebhookEndpoints } from "../src/index.ts"
import { addEndpoint, deliveryRows, happens, idsOf, many, tenant, environment } from "./TestEnvironment.ts"

const pairs = Effect.map(deliveryRows, (rows) => rows.map((row) => [row.event_id, row.endpoint_id]))
const all = Effect.map(fanOut(100), ({ events }) => events)

describe("fanOut", () => {
  it.effect("each event becomes one delivery for each endpoint, oldest event first", () =>
    Effect.gen(function* () {
      const one = yield* addEndpoint("https://shop.io/1")
      const two = yield* addEndpoint("https://shop.io/2")
      const [first, second] = idsOf(yield* many(2))
      assert.strictEqual(yield* all, 2)
      assert.deepStrictEqual(yield* pairs, [
        [first, one.id],
        [first, two.id],
        [second, one.id],
        [second, two.id]
      ])
      assert.strictEqual(yield* all, 0)
    }).pipe(Effect.provide(environment()))
  )

  it.effect("takes the oldest first, and no more than it was asked to", () =>
    Effect.gen(function* () {
      yield* addEndpoint("https://shop.io")
      const events = idsOf(yield* many(5))
      assert.deepStrictEqual(yield* fanOut(3), { events: 3, deliveries: 3 })
      assert.deepStrictEqual(
        (yield* deliveryRows).map((row) => row.event_id),
        events.slice(0, 3)
      )
    }).pipe(Effect.provide(environment()))
  )

  it.effect("a crash between writing and marking makes no delivery twice and loses none", () =>
    Effect.gen(function* () {
      const one = yield* addEndpoint("https://shop.io/1")
      const [event] = idsOf(yield* many(1))
      yield* Effect.flip(all)
      assert.deepStrictEqual(yield* pairs, [[event, one.id]])
      // In the time between, another endpoint has come.
      const two = yield* addEndpoint("https://shop.io/2")
      assert.strictEqual(yield* all, 1)
      assert.deepStrictEqual(yield* pairs, [
        [event, one.id],
        [event, two.id]
      ])
    }).pipe(Effect.provide(environment({ faulty: crashesAtFirstMark })))
  )

  it.effect("an endpoint with a filter gets events of its types only", () =>
    Effect.gen(function* () {
      const failed = yield* addEndpoint("https://shop.io/1", { events: ["payment.failed"] })
      const both = yield* addEndpoint("https://shop.io/2", { events: ["payment.failed", "payment.pending"] })
      const every = yield* addEndpoint("https://shop.io/3")
      const types = ["payment.pending", "payment.succeeded", "payment.failed"] as const
      const events = yield* Effect.forEach(types, (type, index) => happens(index + 1, type))
      const [pending, succeeded, failure] = idsOf(events)
      yield* all
      assert.deepStrictEqual(yield* pairs, [
        [pending, both.id],
        [pending, every.id],
        [succeeded, every.id],
        [failure, failed.id],
        [failure, both.id],
        [failure, every.id]
      ])
    }).pipe(Effect.provide(environment()))
  )

  it.effect("no event reaches another account or mode", () =>
    Effect.gen(function* () {
      const tenants = [tenant, { account: "default", livemode: true }, { account: "other", livemode: false }]
      const endpoints = yield* Effect.forEach(tenants, (owner) => addEndpoint("https://shop.io", owner))
      const events = yield* Effect.forEach(tenants, (owner, index) => happens(index + 1, "payment.failed", owner))
      yield* all
      assert.deepStrictEqual(
        (yield* deliveryRows).map((row) => [row.event_id, row.endpoint_id, row.account, row.livemode]),
        tenants.map(({ account, livemode }, n) => [events[n]?.id, endpoints[n]?.id, account, livemode ? 1 : 0])
      )
    }).pipe(Effect.provide(environment()))
  )

  it.effect("a new delivery to an enabled endpoint is pending, without an error", () =>
    Effect.gen(function* () {
      yield* addEndpoint("https://shop.io")
      yield* many(1)
      yield* all
      assert.deepStrictEqual(
        (yield* deliveryRows).map((row) => [row.status, row.attempts, row.last_error]),
        [["pending", 0, null]]
      )
    }).pipe(Effect.provide(environment()))
  )

  it.effect("events for a disabled endpoint are kept until it is enabled", () =>
    Effect.gen(function* () {
      const endpoint = yield* addEndpoint("https://shop.io")
      yield* Effect.flatMap(WebhookEndpoints, (endpoints) => endpoints.disableGone(tenant, endpoint.id))
      yield* many(1)
      assert.strictEqual(yield* all, 1)
      const [row, ...others] = yield* deliveryRows
      assert.deepStrictEqual(others, [])
      assert.deepStrictEqual([row?.status, row?.attempts, row?.last_error], ["canceled", 0, "endpoint_inactive"])
    }).pipe(Effect.provide(environment()))
  )
})

const crashesAtFirstMark = (store: PaymentStore["Service"]): PaymentStore["Service"] => {
  let marks = 0
  return PaymentStore.of({
    ...store,
    markDispatched: (ids, now) =>
      Effect.suspend(() =>
        marks++ === 0 ? Effect.fail(new StoreUnavailable({ cause: "crash" })) : store.markDispatched(ids, now)
      )
  })
}

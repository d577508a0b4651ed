/** What tries tell of an endpoint, and what becomes of it. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Logger } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { failingDays } from "../src/delivery/DeliveryResult.ts"
import { endpointChange } from "../src/delivery/EndpointHealth.ts"
import type { EndpointResult } from "../src/delivery/EndpointHealth.ts"
import { fanOut } from "../src/delivery/FanOut.ts"
import { WebhookDeliveries, WebhookDeliveryLog, WebhookEndpoints } from "../src/index.ts"
import { ok, receiver, started, status } from "./Receiver.ts"
import {
  addEndpoint,
  deliveryRows,
  eventually,
  happens,
  many,
  postgresEnvironment,
  tenant,
  environment
} from "./TestEnvironment.ts"

const day = 86_400_000
const poll = 3_600_000

const listed = Effect.map(
  WebhookEndpoints.use((endpoints) => endpoints.list(tenant)),
  ([endpoint]) => endpoint
)

/** What is logged as an error. */
const reported = () => {
  const lines: Array<string> = []
  const logger = Logger.make(({ logLevel, message }) => {
    if (logLevel === "Error") lines.push(String(message))
  })
  return { lines, layer: Logger.layer([logger]) }
}

describe("an endpoint", () => {
  it.effect("that fails at every try for five days is disabled, and it is said so once", () =>
    Effect.gen(function* () {
      const { layer, lines } = reported()
      const { received, sender } = receiver(() => status(500), { poll })
      const endpoint = yield* addEndpoint("https://shop.io")
      yield* many(1)
      yield* started(Layer.provideMerge(sender, layer))
      assert.strictEqual((yield* listed)?.failingSince, 0)
      yield* TestClock.adjust(5 * day - 1000)
      // The first event is dead by now, which disables nothing; the endpoint would get another.
      assert.isNull((yield* listed)?.disabledAt)
      assert.deepStrictEqual([received.length, lines], [10, []])
      yield* happens(2, "payment.failed")
      yield* happens(3, "payment.failed")
      yield* TestClock.adjust(2 * poll)
      assert.strictEqual((yield* listed)?.disabledReason, "failing")
      assert.deepStrictEqual((yield* deliveryRows).map((row) => row.status).toSorted(), [
        "canceled",
        "canceled",
        "dead"
      ])
      assert.strictEqual(lines.length, 1)
      assert.include(lines.join(), `paymux webhooks enable ${endpoint.id}`)
      assert.notInclude(lines.join(), "shop.io")
    }).pipe(Effect.provide(environment()))
  )

  it.effect("that failed once before the server was down for a week is not disabled by its next failure", () =>
    Effect.gen(function* () {
      const { received, sender } = receiver(() => status(500), { poll })
      yield* addEndpoint("https://shop.io")
      yield* many(20)
      yield* Effect.scoped(started(sender))
      yield* TestClock.adjust(7 * day)
      assert.isAtLeast(received.length, 4)
      const before = received.length
      yield* started(sender)
      yield* TestClock.adjust(2 * poll)
      assert.isAbove(received.length, before)
      assert.deepStrictEqual([(yield* listed)?.failingSince, (yield* listed)?.disabledAt], [0, null])
      // But by those of some days more.
      yield* TestClock.adjust(4 * day)
      assert.strictEqual((yield* listed)?.disabledReason, "failing")
    }).pipe(Effect.provide(environment()))
  )

  it("that fails for as long as the limit is disabled only by failures on one day more than that, at most four", () => {
    assert.deepStrictEqual(
      [0.5, 1, 2, 3, 5, 30].map((days) => failingDays(days * day)),
      [1, 2, 3, 4, 4, 4]
    )
  })

  it.effect("that has just answered well is not disabled by an older try that fails after it", () =>
    Effect.gen(function* () {
      const { received, sender } = receiver(
        (_, nth) =>
          nth <= 10 ? status(500) : nth === 11 ? Effect.delay(status(200), 500) : Effect.delay(status(500), 1000),
        { poll }
      )
      yield* addEndpoint("https://shop.io")
      yield* many(1)
      yield* started(sender)
      yield* TestClock.adjust(5 * day)
      assert.strictEqual(received.length, 10)
      const [well] = [yield* happens(2, "payment.failed"), yield* happens(3, "payment.failed")]
      yield* TestClock.adjust(poll + 1000)
      assert.isAtLeast(received.length, 12)
      assert.strictEqual(received[10]?.headers["webhook-id"], well?.id)
      assert.isNull((yield* listed)?.disabledAt)
      assert.deepStrictEqual(
        (yield* deliveryRows).map((row) => row.status),
        ["dead", "delivered", "pending"]
      )
    }).pipe(Effect.provide(environment()))
  )

  it.effect("that events are sent again to is not disabled by the next failure, however long it had failed", () =>
    Effect.gen(function* () {
      const log = yield* WebhookDeliveryLog
      const { received, sender } = receiver(() => status(500), { poll })
      yield* addEndpoint("https://shop.io")
      const [event] = yield* many(1)
      for (const again of [log.resendSince(tenant, 0, null), log.resend(tenant, event?.id ?? "", null)]) {
        const tried = received.length
        yield* Effect.scoped(Effect.andThen(started(sender), TestClock.adjust(6 * day)))
        assert.strictEqual(received.length, tried + 10)
        yield* again
      }
      yield* Effect.scoped(Effect.andThen(started(sender), TestClock.adjust(poll)))
      assert.isAbove(received.length, 20)
      assert.isNull((yield* listed)?.disabledAt)
    }).pipe(Effect.provide(environment()))
  )

  it.effect("that answers well now and then is never disabled", () =>
    Effect.gen(function* () {
      const { sender } = receiver((_, nth) => status(nth % 3 === 0 ? 200 : 500), { poll })
      yield* addEndpoint("https://shop.io")
      yield* started(sender)
      for (let n = 1; n <= 20; n++) {
        yield* happens(n, "payment.failed")
        yield* TestClock.adjust(day)
      }
      assert.isNull((yield* listed)?.disabledAt)
    }).pipe(Effect.provide(environment()))
  )

  it.effect("that is enabled again gets what it missed once that is sent again, and then what happens", () =>
    Effect.gen(function* () {
      const { received, sender } = receiver((_, nth) => status(nth === 1 ? 410 : 200), { poll: 1000 })
      const { id } = yield* addEndpoint("https://shop.io")
      yield* started(sender)
      for (const n of [1, 2]) {
        yield* happens(n, "payment.succeeded")
        yield* TestClock.adjust(1000)
      }
      assert.strictEqual(received.length, 1)
      assert.isTrue(yield* WebhookEndpoints.use((endpoints) => endpoints.enable(tenant, id)))
      yield* happens(3, "payment.succeeded")
      yield* TestClock.adjust(1000)
      assert.strictEqual(received.length, 2)
      assert.strictEqual(yield* WebhookDeliveryLog.use((log) => log.resendSince(tenant, 0, null)), 2)
      yield* TestClock.adjust(1000)
      const ids = received.map(({ headers }) => headers["webhook-id"])
      assert.deepStrictEqual([received.length, new Set(ids).size], [4, 3])
      assert.deepStrictEqual([...new Set((yield* deliveryRows).map((row) => row.status))], ["delivered"])
      assert.isNull((yield* listed)?.failingSince)
    }).pipe(Effect.provide(environment()))
  )

  it.effect("that asks us to wait is sent nothing else either until then; others are", () =>
    Effect.gen(function* () {
      const { received, sender } = receiver(({ url }, nth) =>
        url.endsWith("/busy") && nth === 1 ? status(503, "3600") : Effect.succeed(ok)
      )
      yield* addEndpoint("https://shop.io/busy")
      yield* many(1)
      yield* started(sender)
      yield* addEndpoint("https://shop.io/well")
      yield* happens(2, "payment.failed")
      yield* TestClock.adjust(3_599_000)
      assert.deepStrictEqual(
        received.map(({ url }) => url),
        ["https://shop.io/busy", "https://shop.io/well"]
      )
      yield* TestClock.adjust(3_600_000 * 0.1 + 2000)
      assert.strictEqual(received.filter(({ url }) => url.endsWith("/busy")).length, 3)
    }).pipe(Effect.provide(environment()))
  )

  it.effect("that asked us to wait is sent events again as soon as it is enabled again", () =>
    Effect.gen(function* () {
      const endpoints = yield* WebhookEndpoints
      const { dueEndpoints } = yield* WebhookDeliveries
      const { id } = yield* addEndpoint("https://shop.io")
      yield* happens(1, "payment.failed")
      yield* fanOut(10)
      yield* endpoints.failed(id, 0, 3_600_000)
      assert.deepStrictEqual(yield* dueEndpoints(0), [])
      assert.isTrue(yield* endpoints.enable(tenant, id))
      assert.deepStrictEqual(yield* dueEndpoints(0), [{ id, failing: false }])
    }).pipe(Effect.provide(environment()))
  )

  it.effect("that hangs with 1,000 events keeps none of 100 from another, and no time passes meanwhile", () =>
    Effect.gen(function* () {
      const { received, sender } = receiver(({ url }) => (url.endsWith("/hangs") ? Effect.never : Effect.succeed(ok)), {
        grace: 0
      })
      yield* addEndpoint("https://shop.io/hangs")
      yield* many(1000)
      yield* started(sender)
      yield* eventually(Effect.map(deliveryRows, (rows) => rows.length === 1000))
      yield* addEndpoint("https://shop.io/well")
      yield* Effect.forEach(Array.from({ length: 100 }), (_, n) => happens(1001 + n, "payment.succeeded"))
      yield* TestClock.adjust(1000)
      yield* eventually(Effect.sync(() => received.filter(({ url }) => url.endsWith("/well")).length === 100))
      assert.strictEqual(received.length, 108)
    }).pipe(Effect.provide(environment()))
  )

  it.effect("is notified within five seconds beside as many that hang as hold every attempt", () =>
    Effect.gen(function* () {
      const { received, sender } = receiver(({ url }) => (url.endsWith("/well") ? Effect.succeed(ok) : Effect.never), {
        grace: 0,
        concurrency: 16,
        poll: 500
      })
      yield* Effect.forEach(Array.from({ length: 4 }), (_, n) => addEndpoint(`https://shop.io/hangs/${n}`))
      yield* many(10)
      yield* started(sender)
      assert.strictEqual(received.length, 16)
      yield* addEndpoint("https://shop.io/well")
      yield* happens(11, "payment.succeeded")
      yield* TestClock.adjust(2000)
      assert.strictEqual(received.filter(({ url }) => url.endsWith("/well")).length, 0)
      yield* TestClock.adjust(2500)
      assert.strictEqual(received.filter(({ url }) => url.endsWith("/well")).length, 1)
    }).pipe(Effect.provide(environment()))
  )

  it.effect("its last answer is kept: status, and first bytes on one line", () =>
    Effect.gen(function* () {
      const { sender } = receiver(() =>
        Effect.succeed({ status: 422, retryAfter: null, firstBytes: Buffer.from("no\u001b[2J such\norder") })
      )
      yield* addEndpoint("https://shop.io")
      yield* many(1)
      yield* started(sender)
      const log = yield* WebhookDeliveryLog
      const {
        records: [record]
      } = yield* log.list(tenant, { status: "failed", limit: 1 })
      assert.deepStrictEqual(
        [record?.lastStatus, record?.lastAnswer, record?.attempts],
        [422, "no\\u001b[2J such\\norder", 1]
      )
    }).pipe(Effect.provide(environment()))
  )
})

describe.each([
  ["SQLite", () => environment()],
  ["PostgreSQL", () => postgresEnvironment()]
] as const)("the days on which an endpoint failed, on %s", (_, layer) => {
  it.effect("are counted 24 hours apart, and from the first again after a success", () =>
    Effect.gen(function* () {
      const endpoints = yield* WebhookEndpoints
      const { id } = yield* addEndpoint("https://shop.io")
      const failures = (...times: ReadonlyArray<number>) =>
        Effect.forEach(times, (time) => endpoints.failed(id, time, null), { discard: true })
      const disabled = (since: number, days: number) => endpoints.disableFailing(tenant, id, since, days)
      yield* failures(1, 2, day, 1.5 * day, 2 * day)
      assert.isFalse(yield* disabled(1, 3))
      yield* endpoints.succeeded(id)
      yield* failures(3 * day, 4 * day, 9 * day, 9 * day + 1)
      assert.isFalse(yield* disabled(3 * day, 4))
      assert.isFalse(yield* disabled(1, 1))
      yield* failures(10 * day)
      assert.isTrue(yield* disabled(3 * day, 4))
      yield* endpoints.enable(tenant, id)
      yield* failures(11 * day)
      assert.isFalse(yield* disabled(11 * day, 2))
    }).pipe(Effect.provide(layer()))
  )

  it.effect("of one that had failed before days were counted, are counted from then on", () =>
    Effect.gen(function* () {
      const endpoints = yield* WebhookEndpoints
      const sql = yield* SqlClient.SqlClient
      const { id } = yield* addEndpoint("https://shop.io")
      yield* sql`UPDATE webhook_endpoints SET failing_since = ${5 * day} WHERE id = ${id}`
      yield* endpoints.failed(id, 6 * day, null)
      yield* endpoints.failed(id, 7 * day, 8 * day)
      assert.isFalse(yield* endpoints.disableFailing(tenant, id, 5 * day, 3))
      assert.isTrue(yield* endpoints.disableFailing(tenant, id, 5 * day, 2))
    }).pipe(Effect.provide(layer()))
  )
})

describe("the results of an endpoint that are stored together", () => {
  const result = (change: Partial<EndpointResult>): EndpointResult => ({
    endpoint: { ...tenant, id: "we_1", url: "https://shop.io", events: null, createdAt: 0, ...well },
    how: "failed",
    at: 0,
    pausedUntil: null,
    ...change
  })
  const well = { failingSince: null, disabledAt: null, disabledReason: null }
  const succeeded = (at: number) => result({ how: "succeeded", at })
  const failed = (at: number, pausedUntil: number | null = null) => result({ at, pausedUntil })
  const unchanged = { isGone: false, recovered: false, failed: null }

  it("count as a failure since the first one after the last success", () => {
    assert.deepStrictEqual(endpointChange([succeeded(1), failed(2), failed(3)]).failed, { at: 2, pausedUntil: null })
    assert.deepStrictEqual(endpointChange([failed(1), failed(2), succeeded(3)]), unchanged)
    assert.deepStrictEqual(endpointChange([succeeded(1)]), unchanged)
  })

  it("keep the longest pause that the endpoint asked for, also if an attempt beside it succeeded", () => {
    assert.deepStrictEqual(endpointChange([failed(1, 90), failed(2, 60), succeeded(3)]), {
      ...unchanged,
      failed: { at: 1, pausedUntil: 90 }
    })
  })

  it("are a recovery only of an endpoint that was failing", () => {
    const { endpoint } = result({})
    const recovered = result({ endpoint: { ...endpoint, failingSince: 5 }, how: "succeeded", at: 7 })
    assert.deepStrictEqual(endpointChange([failed(6), recovered]), { ...unchanged, recovered: true })
    assert.isTrue(endpointChange([succeeded(1), result({ how: "gone" })]).isGone)
  })
})

describe.each([
  ["asks us to wait", status(429, "3600")],
  ["is gone", status(410)]
] as const)("an endpoint that %s", (_, answer) => {
  it.effect("is sent nothing more of what was claimed for it", () =>
    Effect.gen(function* () {
      let from = Infinity
      const { received, sender } = receiver((_, nth) => Effect.delay(nth < from ? status(200) : answer, 10), {
        gather: 25,
        isBusy: () => false,
        grace: 0
      })
      yield* addEndpoint("https://shop.io")
      yield* many(90)
      yield* started(sender)
      while (received.length < 17) yield* TestClock.adjust(5)
      from = received.length + 1
      yield* TestClock.adjust("1 minute")
      // Those that ran, and those that began when they ended well.
      assert.isBelow(received.length, from + 8)
      assert.isBelow(received.length, 48)
      const claimed = (yield* deliveryRows).filter((row) => row.claimed_by !== null)
      assert.deepStrictEqual(claimed, [])
    }).pipe(Effect.provide(environment()))
  )
})

describe("an endpoint at which three of eight attempts fail", () => {
  it.effect("gets its first attempts as fast as one without failures", () =>
    Effect.gen(function* () {
      const counts = new Map<string, number>()
      const { sender } = receiver(
        ({ url }) => {
          const nth = (counts.get(url) ?? 0) + 1
          counts.set(url, nth)
          return Effect.delay(status(url.endsWith("/fails") && nth % 8 >= 5 ? 500 : 200), 20)
        },
        { gather: 25, isBusy: () => false, grace: 0 }
      )
      yield* addEndpoint("https://shop.io/well")
      yield* addEndpoint("https://shop.io/fails")
      yield* many(200)
      yield* started(sender)
      yield* TestClock.adjust(25)
      while ((counts.get("https://shop.io/well") ?? 0) < 180) yield* TestClock.adjust(10)
      const [well = 0, fails = 0] = ["well", "fails"].map((path) => counts.get(`https://shop.io/${path}`))
      assert.isAtLeast(fails, well - 8)
    }).pipe(Effect.provide(environment()))
  )
})

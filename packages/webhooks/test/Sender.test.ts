import { assert, describe, it } from "@effect/vitest"
import { PaymentWriter } from "@paymux/core/engine"
import { PaymentStore, StoreUnavailable } from "@paymux/core/store"
import type { EventId } from "@paymux/core/store"
import { PaymentRecords } from "@paymux/test-suites"
import { Clock, Effect, Fiber, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import {
  fanOut,
  retryDelays,
  WebhookDeliveries,
  WebhookEndpoints,
  WebhookHttpError,
  WebhookSender
} from "../src/index.ts"
import type { WebhookRequest } from "../src/index.ts"
import { ok, receiver, started, status, settledNow } from "./Receiver.ts"
import {
  addEndpoint,
  deliveryRows,
  eventually,
  firstReleaseFails,
  happens,
  idsOf,
  many,
  settle,
  tenant,
  environment
} from "./TestEnvironment.ts"

/** Longest that jitter makes a step. */
const atMost = (delay: number) => Math.ceil(delay * 1.1)

describe("WebhookSender", () => {
  it.effect("posts the event as it was written, named, signed and dated", () =>
    Effect.gen(function* () {
      const { received, sender } = receiver(() => Effect.succeed(ok))
      yield* addEndpoint("https://shop.io/hook")
      yield* TestClock.setTime(1_700_000_000_999)
      const event = yield* happens(1, "payment.succeeded")
      yield* started(sender)
      const [request] = received
      assert.strictEqual(received.length, 1)
      assert.strictEqual(request?.url, "https://shop.io/hook")
      assert.strictEqual(request?.headers["webhook-id"], event.id)
      assert.strictEqual(request?.headers["webhook-timestamp"], "1700000000")
      assert.strictEqual(request?.headers["user-agent"], "Paymux/1.2.3")
      assert.strictEqual(request?.headers["content-type"], "application/json")
      assert.deepStrictEqual(JSON.parse(request?.body ?? ""), {
        type: "payment.succeeded",
        timestamp: "1970-01-01T00:00:01.002Z",
        data: { id: event.id, sequence: 1, payment: JSON.parse(event.payment) }
      })
      const [row] = yield* deliveryRows
      assert.strictEqual(row?.status, "delivered")
      assert.strictEqual(row?.attempts, 1)
      assert.strictEqual(row?.delivered_at, 1_700_000_000_999)
      assert.isNull(row?.claimed_by)
    }).pipe(Effect.provide(environment()))
  )

  it.effect("endpoints that always have more to send leave the others their turn", () =>
    Effect.gen(function* () {
      const { received, sender } = receiver(() => Effect.delay(status(200), 10), { concurrency: 1, poll: 1000 })
      yield* many(5)
      for (const host of ["a", "b", "c"]) yield* addEndpoint(`https://${host}.io`)
      yield* started(sender)
      for (let n = 1; n <= 15; n++) {
        yield* eventually(Effect.sync(() => received.length === n))
        yield* TestClock.adjust(10)
      }
      for (let n = 0; n < 15; n += 3)
        assert.strictEqual(new Set(received.slice(n, n + 3).map(({ url }) => url)).size, 3)
    }).pipe(Effect.provide(environment()))
  )

  it.effect("an event that cannot be read keeps no delivery waiting that is due", () => {
    let unreadable = false
    const faulty = (store: PaymentStore["Service"]) => ({
      ...store,
      undispatchedEvents: (limit: number) =>
        unreadable ? Effect.die(new Error("no event type: payment.flown")) : store.undispatchedEvents(limit)
    })
    return Effect.gen(function* () {
      const { received, sender } = receiver((_, nth) => status(nth === 1 ? 500 : 200), { poll: 1000 })
      yield* addEndpoint("https://shop.io")
      yield* many(1)
      yield* started(sender)
      unreadable = true
      yield* TestClock.adjust(10_000)
      assert.strictEqual(received.length, 2)
      assert.strictEqual((yield* deliveryRows)[0]?.status, "delivered")
    }).pipe(Effect.provide(environment({ faulty })))
  })

  it.effect("an event is sent at the next poll without a notification, and only once", () =>
    Effect.gen(function* () {
      const { received, sender } = receiver(() => Effect.succeed(ok), { poll: 1000 })
      yield* addEndpoint("https://shop.io")
      yield* started(sender)
      yield* many(1)
      yield* TestClock.adjust(999)
      assert.strictEqual(received.length, 0)
      yield* TestClock.adjust(1)
      assert.strictEqual(received.length, 1)
      yield* TestClock.adjust("1 hour")
      assert.strictEqual(received.length, 1)
    }).pipe(Effect.provide(environment()))
  )

  it.effect("a nudge sends without waiting for the poll", () =>
    Effect.gen(function* () {
      const { received, sender } = receiver(() => Effect.succeed(ok), { poll: 3_600_000 })
      yield* addEndpoint("https://shop.io")
      const context = yield* started(sender)
      yield* many(1)
      yield* Effect.flatMap(WebhookSender, ({ nudge }) => nudge).pipe(Effect.provide(context))
      yield* settledNow
      assert.strictEqual(received.length, 1)
    }).pipe(Effect.provide(environment()))
  )

  it.effect("an event that the engine writes is sent without waiting for the poll", () =>
    Effect.gen(function* () {
      const { received, sender } = receiver(() => Effect.succeed(ok), { poll: 3_600_000 })
      yield* addEndpoint("https://shop.io")
      yield* started(sender)
      const writer = yield* PaymentWriter
      const before = PaymentRecords.aRecord(1)
      yield* Effect.flatMap(PaymentStore, (store) => store.begin({ record: before, binding: null }))
      const change = {
        _tag: "Changed",
        record: PaymentRecords.succeeded(before),
        event: "payment.succeeded",
        refund: null
      } as const
      yield* writer.write(before, change, { cause: null, binding: null })
      yield* settledNow
      assert.strictEqual(received.length, 1)
    }).pipe(Effect.provide(environment()))
  )

  it.effect("an endpoint that always fails is tried by the schedule, under one id, then never again; it stays", () =>
    Effect.gen(function* () {
      const times: Array<number> = []
      const poll = 60_000
      const { received, sender } = receiver(
        () =>
          Effect.andThen(
            Effect.map(Clock.currentTimeMillis, (now) => times.push(now)),
            status(500)
          ),
        { poll }
      )
      const endpoint = yield* addEndpoint("https://shop.io")
      const [id] = idsOf(yield* many(1))
      yield* started(sender)
      for (const delay of retryDelays) yield* TestClock.adjust(atMost(delay) + poll)
      assert.strictEqual(received.length, 10)
      assert.deepStrictEqual([...new Set(received.map(({ headers }) => headers["webhook-id"]))], [id])
      for (const [index, delay] of retryDelays.entries()) {
        if (index === 0) continue
        const waited = (times[index] ?? NaN) - (times[index - 1] ?? NaN)
        assert.isAtLeast(waited, delay)
        assert.isAtMost(waited, atMost(delay) + poll)
      }
      yield* TestClock.adjust("2 days")
      assert.strictEqual(received.length, 10)
      const [row] = yield* deliveryRows
      assert.deepStrictEqual([row?.status, row?.attempts, row?.last_status], ["dead", 10, 500])
      const [listed] = yield* Effect.flatMap(WebhookEndpoints, (endpoints) => endpoints.list(tenant))
      assert.deepStrictEqual(listed, { ...endpoint, failingSince: times[0] ?? null })
    }).pipe(Effect.provide(environment()))
  )

  it.effect("each try is dated and signed anew", () =>
    Effect.gen(function* () {
      const { received, sender } = receiver((_, nth) => status(nth === 1 ? 500 : 200))
      yield* addEndpoint("https://shop.io")
      yield* many(1)
      yield* started(sender)
      yield* TestClock.adjust(10_000)
      const [first, second] = received.map(({ headers }) => headers)
      assert.strictEqual(received.length, 2)
      assert.strictEqual(first?.["webhook-id"], second?.["webhook-id"])
      assert.notStrictEqual(first?.["webhook-timestamp"], second?.["webhook-timestamp"])
      assert.notStrictEqual(first?.["webhook-signature"], second?.["webhook-signature"])
    }).pipe(Effect.provide(environment()))
  )

  it.effect("410 disables the endpoint and cancels what else was for it, and for it alone", () =>
    Effect.gen(function* () {
      const { received, sender } = receiver(({ url }) => status(url.endsWith("/gone") ? 410 : 500), {
        concurrencyPerEndpoint: 1,
        poll: 60_000
      })
      const gone = yield* addEndpoint("https://shop.io/gone")
      const stays = yield* addEndpoint("https://shop.io/stays")
      yield* many(3)
      yield* started(sender)
      const [listed] = yield* Effect.flatMap(WebhookEndpoints, (endpoints) => endpoints.list(tenant))
      assert.deepStrictEqual([listed?.id, listed?.disabledReason], [gone.id, "gone"])
      const statuses = (id: string) =>
        Effect.map(deliveryRows, (rows) => rows.filter((row) => row.endpoint_id === id).map((row) => row.status))
      assert.deepStrictEqual(yield* statuses(gone.id), ["canceled", "canceled", "canceled"])
      assert.deepStrictEqual(yield* statuses(stays.id), ["pending", "pending", "pending"])
      yield* TestClock.adjust("1 day")
      assert.strictEqual(received.filter(({ url }) => url.endsWith("/gone")).length, 1)
    }).pipe(Effect.provide(environment()))
  )

  it.effect.each([429, 503])("%d with Retry-After waits as long as it asks, up to a day", (code) =>
    Effect.gen(function* () {
      const { received, sender } = receiver((_, nth) => status(code, nth === 1 ? "3600" : "999999999"), {
        poll: 10_000
      })
      yield* addEndpoint("https://shop.io")
      yield* many(1)
      yield* started(sender)
      yield* TestClock.adjust(3_599_000)
      assert.strictEqual(received.length, 1)
      yield* TestClock.adjust(atMost(3_600_000) - 3_599_000 + 10_000)
      assert.strictEqual(received.length, 2)
      yield* TestClock.adjust("23 hours")
      assert.strictEqual(received.length, 2)
      yield* TestClock.adjust("4 hours")
      assert.strictEqual(received.length, 3)
    }).pipe(Effect.provide(environment()))
  )

  it.effect("a try without an answer is over after 15 s and counts as failed", () =>
    Effect.gen(function* () {
      const { received, sender } = receiver((_, nth) => (nth === 1 ? Effect.never : Effect.succeed(ok)))
      yield* addEndpoint("https://shop.io")
      yield* many(1)
      yield* started(sender)
      yield* TestClock.adjust(14_999)
      assert.strictEqual((yield* deliveryRows)[0]?.attempts, 0)
      yield* TestClock.adjust(1)
      const [row] = yield* deliveryRows
      assert.deepStrictEqual([row?.attempts, row?.last_error, row?.status], [1, "timeout", "pending"])
      yield* TestClock.adjust(7000)
      assert.strictEqual(received.length, 2)
      assert.strictEqual((yield* deliveryRows)[0]?.status, "delivered")
    }).pipe(Effect.provide(environment()))
  )

  it.effect.each([
    ["ECONNREFUSED", null, Effect.fail(new WebhookHttpError({ code: "ECONNREFUSED" }))],
    ["redirect_not_followed", 302, status(302)],
    [null, 404, status(404)]
  ] as const)("%s / %s is written down, and tried again", ([error, code, answer]) =>
    Effect.gen(function* () {
      const { sender } = receiver(() => answer)
      yield* addEndpoint("https://shop.io")
      yield* many(1)
      yield* started(sender)
      const [row] = yield* deliveryRows
      assert.deepStrictEqual([row?.status, row?.last_error, row?.last_status], ["pending", error, code])
    }).pipe(Effect.provide(environment()))
  )

  it.effect("no more tries run at one time than is set, over all and to one endpoint", () =>
    Effect.gen(function* () {
      const running = new Map<string, number>()
      let most = 0
      let mostToOne = 0
      const hold = ({ url }: WebhookRequest) =>
        Effect.acquireUseRelease(
          Effect.sync(() => {
            running.set(url, (running.get(url) ?? 0) + 1)
            most = Math.max(
              most,
              [...running.values()].reduce((sum, n) => sum + n, 0)
            )
            mostToOne = Math.max(mostToOne, ...running.values())
          }),
          () => Effect.as(Effect.sleep(100), ok),
          () => Effect.sync(() => void running.set(url, (running.get(url) ?? 0) - 1))
        )
      const { received, sender } = receiver(hold, { concurrency: 5, concurrencyPerEndpoint: 2, poll: 3_600_000 })
      yield* Effect.forEach([1, 2, 3, 4], (n) => addEndpoint(`https://shop.io/${n}`))
      yield* many(50)
      yield* started(sender)
      yield* TestClock.adjust("1 minute")
      assert.strictEqual(received.length, 200)
      assert.deepStrictEqual([most, mostToOne], [5, 2])
    }).pipe(Effect.provide(environment()))
  )

  it.effect("an endpoint that hangs does not keep events from another", () =>
    Effect.gen(function* () {
      const { received, sender } = receiver(({ url }) => (url.endsWith("/hangs") ? Effect.never : Effect.succeed(ok)), {
        grace: 0
      })
      yield* addEndpoint("https://shop.io/hangs")
      yield* addEndpoint("https://shop.io/well")
      yield* many(100)
      yield* started(sender)
      yield* eventually(Effect.sync(() => received.filter(({ url }) => url.endsWith("/well")).length === 100))
      assert.strictEqual(received.length, 108)
    }).pipe(Effect.provide(environment()))
  )

  it.effect("what a dead worker held is sent under the same id once its lease is over", () =>
    Effect.gen(function* () {
      const deliveries = yield* WebhookDeliveries
      const endpoint = yield* addEndpoint("https://shop.io")
      const [id] = idsOf(yield* many(1))
      yield* fanOut(10)
      yield* deliveries.claim({ endpoints: [{ id: endpoint.id, limit: 10 }], owner: "dead", now: 0, until: 30_000 })
      const { received, sender } = receiver(() => Effect.succeed(ok))
      yield* started(sender)
      yield* TestClock.adjust(29_999)
      assert.strictEqual(received.length, 0)
      yield* TestClock.adjust(1001)
      assert.deepStrictEqual(
        received.map(({ headers }) => headers["webhook-id"]),
        [id]
      )
    }).pipe(Effect.provide(environment()))
  )

  it.effect("a worker that lost its lease writes nothing", () =>
    Effect.gen(function* () {
      const deliveries = yield* WebhookDeliveries
      const { id: endpointId } = yield* addEndpoint("https://shop.io")
      yield* many(1)
      yield* fanOut(10)
      const claim = (owner: string, now: number) =>
        deliveries.claim({ endpoints: [{ id: endpointId, limit: 1 }], owner, now, until: now + 10 })
      const [late] = yield* claim("one", 0)
      assert.deepStrictEqual(yield* claim("two", 9), [])
      const [held] = yield* claim("two", 10)
      assert.isDefined(late)
      assert.isDefined(held)
      const settlement = {
        status: "dead",
        attempts: 1,
        deliverAt: 0,
        lastAt: 0,
        duration: 5,
        lastStatus: 500,
        lastError: null,
        lastAnswer: null
      } as const
      assert.isFalse(late !== undefined && (yield* settle(late, settlement)))
      assert.strictEqual((yield* deliveryRows)[0]?.status, "pending")
      assert.isTrue(held !== undefined && (yield* settle(held, { ...settlement, status: "delivered" })))
      assert.isFalse(held !== undefined && (yield* settle(held, settlement)))
    }).pipe(Effect.provide(environment()))
  )

  it.effect("a try that has begun may end while the layer closes; one that does not is left to its lease", () =>
    Effect.gen(function* () {
      const { sender } = receiver(({ url }) =>
        url.endsWith("/slow") ? Effect.as(Effect.sleep(2000), ok) : Effect.never
      )
      yield* addEndpoint("https://shop.io/slow")
      yield* addEndpoint("https://shop.io/hangs")
      yield* many(1)
      const closed = yield* Effect.forkChild(Effect.scoped(Effect.andThen(Layer.build(sender), Effect.sleep(500))))
      yield* TestClock.adjust(3499)
      assert.isUndefined(closed.pollUnsafe())
      yield* TestClock.adjust(1)
      yield* Fiber.join(closed)
      const rows = yield* deliveryRows
      assert.deepStrictEqual(
        rows.map((row) => [row.status, row.attempts, row.claimed_until === null]),
        [
          ["delivered", 1, true],
          ["pending", 0, false]
        ]
      )
    }).pipe(Effect.provide(environment()))
  )

  it.effect("a secret that does not open costs the endpoint no try", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { received, sender } = receiver(() => Effect.succeed(ok))
      yield* addEndpoint("https://shop.io")
      const [kept] = yield* sql<{ secret: string }>`SELECT secret FROM webhook_endpoints`
      yield* sql`UPDATE webhook_endpoints SET secret = 'v1.AAAA'`
      yield* many(1)
      yield* started(sender)
      yield* TestClock.adjust("1 hour")
      const [row] = yield* deliveryRows
      assert.deepStrictEqual([row?.status, row?.attempts, row?.last_error], ["pending", 0, "not_sendable"])
      yield* sql`UPDATE webhook_endpoints SET secret = ${kept?.secret ?? ""}`
      yield* TestClock.adjust("2 minutes")
      assert.strictEqual(received.length, 1)
    }).pipe(Effect.provide(environment({ secrets: [Redacted.make("one")] })))
  )

  it.effect("the events of a round are read together, each once for all endpoints", () => {
    const reads: Array<ReadonlyArray<string>> = []
    const faulty = (store: PaymentStore["Service"]) => ({
      ...store,
      findEvents: (ids: ReadonlyArray<EventId>) => {
        reads.push(ids)
        return store.findEvents(ids)
      }
    })
    return Effect.gen(function* () {
      const { received, sender } = receiver(() => Effect.succeed(ok))
      for (let n = 0; n < 10; n++) yield* addEndpoint(`https://shop.io/${n}`)
      const events = idsOf(yield* many(5))
      yield* started(sender)
      assert.strictEqual(received.length, 50)
      const bodies = new Set(received.map(({ body, headers }) => `${headers["webhook-id"]} ${body}`))
      assert.strictEqual(bodies.size, 5)
      assert.deepStrictEqual(reads, [events])
    }).pipe(Effect.provide(environment({ faulty })))
  })

  it.effect("an event that cannot be read holds back none that is read with it", () => {
    const faulty = (store: PaymentStore["Service"]) => ({
      ...store,
      findEvents: () => Effect.die(new Error("no event type: payment.flown")),
      findEvent: (id: EventId) => (id === unreadable ? Effect.die(new Error("no event type")) : store.findEvent(id))
    })
    let unreadable = ""
    return Effect.gen(function* () {
      const { received, sender } = receiver(() => Effect.succeed(ok))
      yield* addEndpoint("https://shop.io")
      const [first = "", ...others] = idsOf(yield* many(3))
      unreadable = first
      yield* started(sender)
      assert.deepStrictEqual(
        received.map(({ headers }) => headers["webhook-id"]),
        others
      )
      unreadable = ""
      yield* TestClock.adjust("31 seconds")
      assert.strictEqual(received.length, 3)
    }).pipe(Effect.provide(environment({ faulty })))
  })

  it.effect("results that cannot be stored are stored once they can, and nothing is sent again", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { received, sender } = receiver(() => Effect.succeed(ok), { poll: 1000 })
      yield* addEndpoint("https://shop.io")
      yield* many(3)
      yield* sql`CREATE TRIGGER broken BEFORE INSERT ON webhook_attempts BEGIN SELECT RAISE(FAIL, 'disk'); END`
      yield* started(sender)
      yield* TestClock.adjust("10 seconds")
      assert.deepStrictEqual(
        (yield* deliveryRows).map((row) => row.status),
        ["pending", "pending", "pending"]
      )
      yield* sql`DROP TRIGGER broken`
      yield* TestClock.adjust("2 seconds")
      assert.deepStrictEqual(
        (yield* deliveryRows).map((row) => row.status),
        ["delivered", "delivered", "delivered"]
      )
      yield* TestClock.adjust("1 hour")
      assert.strictEqual(received.length, 3)
    }).pipe(Effect.provide(environment()))
  )

  it.effect("an endpoint that answers quickly gets its backlog within a few rounds, eight at a time", () =>
    Effect.gen(function* () {
      const { received, sender } = receiver(() => Effect.succeed(ok), { gather: 25, isBusy: () => false })
      yield* addEndpoint("https://shop.io")
      yield* many(90)
      yield* started(sender)
      for (let round = 0; round < 5; round++) {
        yield* TestClock.adjust(25)
        yield* settledNow
      }
      // 8, 16, 32 and 34: with eight in each round it would be 40.
      assert.strictEqual(received.length, 90)
    }).pipe(Effect.provide(environment()))
  )

  it.effect("while the process is busy, a round follows after four times the delay", () =>
    Effect.gen(function* () {
      const { received, sender } = receiver(() => Effect.succeed(ok), { gather: 25, isBusy: () => true })
      yield* addEndpoint("https://shop.io")
      yield* many(1)
      yield* started(sender)
      yield* TestClock.adjust(99)
      assert.strictEqual(received.length, 0)
      yield* TestClock.adjust(1)
      yield* settledNow
      assert.strictEqual(received.length, 1)
    }).pipe(Effect.provide(environment()))
  )

  it.effect("what waits behind attempts that hang is given back, and another worker sends it", () =>
    Effect.gen(function* () {
      let hangs = false
      const { received, sender } = receiver(() => (hangs ? Effect.never : Effect.as(Effect.sleep(10), ok)), {
        gather: 25,
        grace: 0
      })
      const { id } = yield* addEndpoint("https://shop.io")
      yield* many(60)
      yield* started(sender)
      while (received.length < 10) yield* TestClock.adjust(5)
      hangs = true
      yield* TestClock.adjust(5000)
      yield* settledNow
      const deliveries = yield* WebhookDeliveries
      const now = yield* Clock.currentTimeMillis
      const free = yield* deliveries.claim({
        endpoints: [{ id, limit: 100 }],
        owner: "other",
        now,
        until: now + 30_000
      })
      assert.strictEqual(free.length, 60 - received.length)
      assert.isAtMost(received.length, 24)
    }).pipe(Effect.provide(environment()))
  )

  it.effect("40 endpoints that hang leave a quick one as many deliveries in a round as it takes", () =>
    Effect.gen(function* () {
      const { received, sender } = receiver(({ url }) => (url.endsWith("/well") ? Effect.succeed(ok) : Effect.never), {
        gather: 25,
        grace: 0,
        isBusy: () => false
      })
      for (let n = 0; n < 40; n++) yield* addEndpoint(`https://shop.io/${n}`, { events: ["payment.failed"] })
      yield* addEndpoint("https://shop.io/well", { events: ["payment.succeeded"] })
      yield* many(10, "payment.failed")
      yield* started(sender)
      yield* TestClock.adjust("5 seconds")
      yield* Effect.forEach(Array.from({ length: 90 }), (_, n) => happens(n + 11, "payment.succeeded"))
      yield* TestClock.adjust(1000)
      for (let round = 0; round < 5; round++) {
        yield* TestClock.adjust(25)
        yield* settledNow
      }
      assert.strictEqual(received.filter(({ url }) => url.endsWith("/well")).length, 90)
    }).pipe(Effect.provide(environment()))
  )

  it.effect("what waits for an endpoint whose secret does not open any more is postponed, not canceled", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      let takes = 10
      const { received, sender } = receiver(() => Effect.suspend(() => Effect.as(Effect.sleep(takes), ok)), {
        gather: 25,
        isBusy: () => false
      })
      yield* addEndpoint("https://shop.io")
      yield* many(60)
      yield* started(sender)
      while (received.length < 10) yield* TestClock.adjust(5)
      // Longer than a poll: a round reads the secret while others wait.
      takes = 1500
      yield* TestClock.adjust(50)
      const [kept] = yield* sql<{ secret: string }>`SELECT secret FROM webhook_endpoints`
      yield* sql`UPDATE webhook_endpoints SET secret = 'v1.AAAA'`
      yield* TestClock.adjust("10 seconds")
      const rows = yield* deliveryRows
      assert.deepStrictEqual([...new Set(rows.map((row) => row.status))].toSorted(), ["delivered", "pending"])
      const waits = rows.filter((row) => row.status === "pending")
      assert.deepStrictEqual([...new Set(waits.map((row) => row.last_error))], ["not_sendable"])
      yield* sql`UPDATE webhook_endpoints SET secret = ${kept?.secret ?? ""}`
      yield* TestClock.adjust("2 minutes")
      assert.strictEqual(received.length, 60)
    }).pipe(Effect.provide(environment()))
  )

  it.effect("what was claimed while the endpoints could not be read is given back, and sent once they can", () =>
    Effect.gen(function* () {
      const endpoints = yield* WebhookEndpoints
      let fails = true
      const faulty = WebhookEndpoints.of({
        ...endpoints,
        targets: (ids) => (fails ? Effect.fail(new StoreUnavailable({ cause: "gone" })) : endpoints.targets(ids))
      })
      const { received, sender } = receiver(() => Effect.succeed(ok), { poll: 1000 })
      yield* addEndpoint("https://shop.io")
      yield* many(8)
      yield* started(Layer.provide(sender, Layer.succeed(WebhookEndpoints, faulty)))
      fails = false
      yield* TestClock.adjust("2 seconds")
      assert.strictEqual(received.length, 8)
    }).pipe(Effect.provide(environment()))
  )

  it.effect("claims that could not be given back are given back in the next round", () =>
    Effect.gen(function* () {
      const { faulty, releases } = yield* firstReleaseFails
      let hangs = false
      const { received, sender } = receiver(() => (hangs ? Effect.never : Effect.as(Effect.sleep(10), ok)), {
        gather: 25,
        grace: 0
      })
      yield* addEndpoint("https://shop.io")
      yield* many(60)
      yield* started(Layer.provide(sender, faulty))
      while (received.length < 10) yield* TestClock.adjust(5)
      hangs = true
      yield* TestClock.adjust(6000)
      assert.isAbove(releases(), 1)
      const rows = yield* deliveryRows
      const held = rows.filter((row) => row.status === "pending" && row.claimed_by !== null)
      assert.strictEqual(held.length, 8)
    }).pipe(Effect.provide(environment()))
  )

  it.effect("an event whose body cannot be made holds back none that is sent with it", () => {
    let damaged = ""
    const faulty = (store: PaymentStore["Service"]) => ({
      ...store,
      findEvents: (ids: ReadonlyArray<EventId>) =>
        Effect.map(store.findEvents(ids), (events) =>
          events.map((event) => (event.id === damaged ? { ...event, createdAt: 9e15 } : event))
        )
    })
    return Effect.gen(function* () {
      const { received, sender } = receiver(() => Effect.succeed(ok))
      yield* addEndpoint("https://shop.io")
      const [first = "", ...others] = idsOf(yield* many(3))
      damaged = first
      yield* started(sender)
      assert.deepStrictEqual(
        received.map(({ headers }) => headers["webhook-id"]),
        others
      )
    }).pipe(Effect.provide(environment({ faulty })))
  })

  it.effect("an endpoint that is disabled gets nothing more that was claimed before", () =>
    Effect.gen(function* () {
      const { received, sender } = receiver(() => Effect.as(Effect.sleep(100), ok), { gather: 25, isBusy: () => false })
      const { id } = yield* addEndpoint("https://shop.io")
      yield* many(60)
      yield* started(sender)
      while (received.length < 20) yield* TestClock.adjust(25)
      const endpoints = yield* WebhookEndpoints
      yield* endpoints.disable(tenant, id)
      const before = received.length
      yield* TestClock.adjust(25)
      yield* settledNow
      yield* TestClock.adjust("1 minute")
      assert.isAtMost(received.length, before + 8)
      const statuses = new Set((yield* deliveryRows).map((row) => row.status))
      assert.deepStrictEqual([...statuses].toSorted(), ["canceled", "delivered"])
    }).pipe(Effect.provide(environment()))
  )
})

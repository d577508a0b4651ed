/** The program itself as a listener. */
import { assert, describe, it } from "@effect/vitest"
import { PaymentStore } from "@paymux/core/store"
import type { EventId } from "@paymux/core/store"
import type { EventJson } from "@paymux/core/wire"
import { PaymentRecords } from "@paymux/test-suites"
import { Clock, Effect, Layer, Logger } from "effect"
import { TestClock } from "effect/testing"
import {
  EventListenerFailed,
  fanOut,
  WebhookDeliveries,
  WebhookDeliveryLog,
  WebhookEndpoints,
  WebhookHttp,
  WebhookSender
} from "../src/index.ts"
import type { SenderOptions } from "../src/index.ts"
import {
  deliveryRows,
  eventually,
  firstReleaseFails,
  happens,
  idsOf,
  many,
  postgresEnvironment,
  settle,
  tenant,
  environment
} from "./TestEnvironment.ts"
import { settledNow, started } from "./Receiver.ts"

/** Records its events; `take` may refuse one. */
const listener = (
  take: (event: EventJson, nth: number) => Effect.Effect<void, EventListenerFailed> = () => Effect.void,
  poll = 1000,
  options: Partial<SenderOptions> = {}
) => {
  const reported: Array<string> = []
  const handle = (event: EventJson) =>
    Effect.suspend(() => {
      reported.push(event.data.id)
      return take(event, reported.length)
    })
  const sender = WebhookSender.layer({
    version: "0.0.0",
    gather: 0,
    grace: 0,
    poll,
    ...options,
    listener: { tenant, handle }
  }).pipe(Layer.provide(WebhookHttp.layerMemory(() => Effect.die("nothing goes over the network"))))
  return { reported, sender }
}

const refused = Effect.fail(new EventListenerFailed({ cause: new Error("the shop's database is down") }))

/** A payment of which `count` events happened, oldest first. */
const history = Effect.fnUntraced(function* (n: number, count: number) {
  const store = yield* PaymentStore
  let record = PaymentRecords.aRecord(n)
  yield* store.begin({ record, binding: null })
  const events = []
  for (let step = 0; step < count; step++) {
    const after = PaymentRecords.succeeded(record)
    const event = PaymentRecords.anEvent(after, "payment.pending")
    yield* store.advance({ before: record, after, events: [event], evidence: null, binding: null, answer: null })
    events.push(event)
    record = after
  }
  return idsOf(events)
})

describe("the listener in the process", () => {
  it.effect("gets an event as in the HTTP body, once, and nothing is sent over the network", () =>
    Effect.gen(function* () {
      const seen: Array<EventJson> = []
      const { sender, reported } = listener((event) => Effect.sync(() => void seen.push(event)), 60_000)
      yield* started(sender)
      const event = yield* happens(1, "payment.succeeded")
      yield* TestClock.adjust("1 hour")
      assert.deepStrictEqual(reported, [event.id])
      assert.deepStrictEqual(seen[0], {
        type: "payment.succeeded",
        timestamp: "1970-01-01T00:00:01.002Z",
        data: { id: event.id, sequence: 1, payment: JSON.parse(event.payment) }
      })
    }).pipe(Effect.provide(environment()))
  )

  it.effect("a listener that takes events quickly gets its backlog within a few rounds", () =>
    Effect.gen(function* () {
      const { sender, reported } = listener(undefined, 1000, { gather: 25, isBusy: () => false })
      yield* started(sender)
      yield* many(90)
      yield* TestClock.adjust(1000)
      for (let round = 0; round < 4; round++) {
        yield* TestClock.adjust(25)
        yield* settledNow
      }
      // 8, 16, 32 and 34: with eight in each round it would be 40.
      assert.strictEqual(new Set(reported).size, 90)
    }).pipe(Effect.provide(environment()))
  )

  it.effect("events of a payment come in order: the next waits until the one before was taken, others do not", () =>
    Effect.gen(function* () {
      const ready = { is: false }
      const { sender, reported } = listener(({ data }) => (data.id === first && !ready.is ? refused : Effect.void))
      yield* started(sender)
      const stuck = yield* history(1, 3)
      const [first = ""] = stuck
      const well = yield* history(2, 3)
      yield* TestClock.adjust("10 seconds")
      assert.deepStrictEqual(
        reported.filter((id) => id !== first),
        well
      )
      ready.is = true
      yield* TestClock.adjust("2 minutes")
      const [, ...rest] = stuck
      assert.deepStrictEqual(reported.slice(-3), [first, ...rest])
    }).pipe(Effect.provide(environment()))
  )

  it.effect("what it refuses comes again after 1 s, 5 s, 30 s, 2 m, 10 m, 30 m, then each hour", () =>
    Effect.gen(function* () {
      const times: Array<number> = []
      const note = Effect.map(Clock.currentTimeMillis, (now) => void times.push(now))
      const within = (poll: number) => started(listener(() => Effect.andThen(note, refused), poll).sender)
      // By the second at first, then by the minute: three hours of seconds take seconds of the machine's time.
      yield* Effect.scoped(
        Effect.gen(function* () {
          yield* within(1000)
          yield* history(1, 1)
          yield* TestClock.adjust("157 seconds")
        })
      )
      yield* within(60_000)
      yield* TestClock.adjust("3 hours")
      const waits = times.slice(1).map((time, n) => Math.floor((time - (times[n] ?? 0)) / 1000))
      assert.deepStrictEqual(waits, [1, 5, 30, 120, 600, 1800, 3600, 3600])
    }).pipe(Effect.provide(environment()))
  )

  it.effect("what it refuses is never given up", () =>
    Effect.gen(function* () {
      const { sender, reported } = listener(() => refused, 3_600_000)
      yield* started(sender)
      yield* history(1, 1)
      yield* TestClock.adjust("60 days")
      assert.isAtLeast(reported.length, 60 * 24 - 10)
      assert.strictEqual((yield* deliveryRows)[0]?.status, "pending")
    }).pipe(Effect.provide(environment()))
  )

  it.effect("a call that never ends counts as failed after 30 s, and holds up no other payment", () =>
    Effect.gen(function* () {
      const { sender, reported } = listener((_, nth) => (nth === 1 ? Effect.never : Effect.void))
      yield* started(sender)
      const [hangs = ""] = yield* history(1, 1)
      yield* TestClock.adjust(1000)
      const others = idsOf(yield* Effect.forEach([2, 3, 4], (n) => happens(n, "payment.failed")))
      yield* TestClock.adjust(1000)
      assert.deepStrictEqual(reported, [hangs, ...others])
      yield* TestClock.adjust(32_000)
      assert.deepStrictEqual(reported, [hangs, ...others, hangs])
    }).pipe(Effect.provide(environment()))
  )

  it.effect("as many calls that hang as run at a time keep others' events for two seconds, not for thirty", () =>
    Effect.gen(function* () {
      const { sender, reported } = listener(({ data }) => (hanging.has(data.id) ? Effect.never : Effect.void))
      const hanging = new Set<string>(idsOf(yield* many(8)))
      yield* started(sender)
      assert.strictEqual(reported.length, 8)
      const well = yield* happens(9, "payment.failed")
      yield* TestClock.adjust(1900)
      assert.strictEqual(reported.length, 8)
      yield* TestClock.adjust(1100)
      assert.deepStrictEqual(reported.slice(8), [well.id])
    }).pipe(Effect.provide(environment()))
  )

  it.effect("40 payments whose calls hang for ever hold up no other payment's, once they have failed", () =>
    Effect.gen(function* () {
      const { sender, reported } = listener(({ data }) => (hanging.has(data.id) ? Effect.never : Effect.void))
      const hanging = new Set<string>(idsOf(yield* many(40)))
      yield* started(sender)
      yield* TestClock.adjust("1 minute")
      for (let n = 41; n <= 100; n++) {
        const { id } = yield* happens(n, "payment.failed")
        yield* TestClock.adjust("10 seconds")
        assert.include(reported, id)
      }
      // Nor are they given up.
      for (const id of hanging) assert.isAbove(reported.filter((each) => each === id).length, 1)
    }).pipe(Effect.provide(environment()))
  )

  it.effect("claims that could not be given back are given back in the next round", () =>
    Effect.gen(function* () {
      const { faulty, releases } = yield* firstReleaseFails
      let hangs = false
      const handle = () => Effect.suspend(() => (hangs ? Effect.never : Effect.sleep(10)))
      const { reported, sender } = listener(handle, 1000, { gather: 25, isBusy: () => false })
      yield* many(200)
      yield* started(Layer.provide(sender, faulty))
      while (reported.length < 60) yield* TestClock.adjust(5)
      hangs = true
      yield* TestClock.adjust(12_000)
      assert.isAbove(releases(), 1)
      const begun = new Set<string>(reported)
      const held = (yield* deliveryRows).filter((row) => row.status === "pending" && row.claimed_by !== null)
      assert.deepStrictEqual(
        held.filter((row) => !begun.has(row.event_id)),
        []
      )
    }).pipe(Effect.provide(environment()))
  )

  it.effect("calls that all hang are not begun without end", () =>
    Effect.gen(function* () {
      const { sender, reported } = listener(() => Effect.never)
      yield* many(200)
      yield* started(sender)
      yield* TestClock.adjust(29_000)
      assert.strictEqual(new Set(reported).size, 64)
      yield* TestClock.adjust("1 hour")
      assert.strictEqual(new Set(reported).size, 200)
    }).pipe(Effect.provide(environment()))
  )

  it.effect("a listener that comes later gets what happened meanwhile, in order, and nothing twice", () =>
    Effect.gen(function* () {
      const first = listener()
      yield* Effect.scoped(started(first.sender))
      const events = yield* history(1, 3)
      // Another process, without a listener.
      yield* fanOut(100)
      const second = listener()
      yield* Effect.scoped(Effect.andThen(started(second.sender), TestClock.adjust("5 seconds")))
      const third = listener()
      yield* Effect.scoped(Effect.andThen(started(third.sender), TestClock.adjust("5 seconds")))
      assert.deepStrictEqual([first.reported, second.reported, third.reported], [[], events, []])
    }).pipe(Effect.provide(environment()))
  )

  it.effect("what happened before there was a listener is not delivered; removing it ends delivery", () =>
    Effect.gen(function* () {
      yield* many(1)
      yield* fanOut(10)
      const { sender, reported } = listener()
      yield* Effect.scoped(started(sender))
      const endpoints = yield* WebhookEndpoints
      const [endpoint] = yield* endpoints.list(tenant)
      assert.deepStrictEqual([endpoint?.id, endpoint?.url], ["process_default_test", "process:"])
      assert.isTrue(yield* endpoints.remove(tenant, endpoint?.id ?? ""))
      yield* happens(2, "payment.failed")
      yield* fanOut(10)
      assert.deepStrictEqual([reported, yield* deliveryRows], [[], []])
    }).pipe(Effect.provide(environment()))
  )

  it.effect("that was removed while the program listens is added again, and it is said so", () =>
    Effect.gen(function* () {
      const lines: Array<string> = []
      const logger = Logger.make(({ logLevel, message }) => {
        if (logLevel === "Warn") lines.push(String(message))
      })
      const ready = { is: false }
      const { sender, reported } = listener(() => (ready.is ? Effect.void : refused))
      yield* started(Layer.provideMerge(sender, Logger.layer([logger])))
      const [waited = ""] = yield* history(1, 1)
      yield* TestClock.adjust(1000)
      assert.deepStrictEqual(reported, [waited])
      lines.length = 0
      const endpoints = yield* WebhookEndpoints
      const [endpoint] = yield* endpoints.list(tenant)
      assert.isTrue(yield* endpoints.remove(tenant, endpoint?.id ?? ""))
      ready.is = true
      reported.length = 0
      yield* TestClock.adjust(2000)
      const [later = ""] = yield* history(2, 1)
      yield* TestClock.adjust("1 hour")
      assert.deepStrictEqual(reported, [later])
      assert.deepStrictEqual([lines.length, lines.join().includes(endpoint?.id ?? "none")], [1, true])
      // What was canceled with it is not lost.
      yield* WebhookDeliveryLog.use((log) => log.resendSince(tenant, 0, null))
      yield* TestClock.adjust(1000)
      assert.deepStrictEqual(reported, [later, waited])
    }).pipe(Effect.provide(environment()))
  )

  it.effect("does not get events of another account or mode", () =>
    Effect.gen(function* () {
      const { sender, reported } = listener()
      yield* started(sender)
      yield* happens(1, "payment.failed", { account: "other" })
      yield* happens(2, "payment.failed", { livemode: true })
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(reported, [])
    }).pipe(Effect.provide(environment()))
  )

  it.effect("an event that is sent again is delivered again", () =>
    Effect.gen(function* () {
      const { sender, reported } = listener()
      yield* started(sender)
      const [event = ""] = yield* history(1, 1)
      yield* TestClock.adjust(1000)
      yield* WebhookDeliveryLog.use((log) => log.resend(tenant, event, null))
      yield* TestClock.adjust(1000)
      assert.deepStrictEqual(reported, [event, event])
    }).pipe(Effect.provide(environment()))
  )

  it.live("two processes at once: each event is claimed by one of them, and of a payment in order", () =>
    Effect.gen(function* () {
      const deliveries = yield* WebhookDeliveries
      const { id: endpointId } = yield* WebhookEndpoints.use((endpoints) => endpoints.addProcess(tenant))
      const payments = yield* Effect.forEach([1, 2, 3, 4, 5], (n) => history(n, 4))
      yield* fanOut(100)
      const taken: Array<EventId> = []
      const now = 9e12
      const worker = Effect.fnUntraced(function* (owner: string) {
        while (taken.length < 20) {
          const claimed = yield* deliveries.claimOrdered({
            endpointId,
            owner,
            now,
            until: now + 1000,
            limit: 3,
            tries: "first"
          })
          for (const delivery of claimed) {
            taken.push(delivery.eventId)
            yield* settle(delivery, {
              status: "delivered",
              attempts: 1,
              deliverAt: now,
              lastAt: now,
              duration: 5,
              lastStatus: null,
              lastError: null,
              lastAnswer: null
            })
          }
        }
      })
      yield* Effect.all([worker("one"), worker("two"), worker("three")], { concurrency: "unbounded" })
      assert.strictEqual(new Set(taken).size, 20)
      for (const events of payments)
        assert.deepStrictEqual(
          taken.filter((id) => events.includes(id)),
          events
        )
      yield* eventually(Effect.map(deliveryRows, (rows) => rows.every(({ status }) => status === "delivered")))
    }).pipe(Effect.provide(postgresEnvironment()))
  )
})

/** A standby takes over without the last commits while a request is at the provider: its reply is not lost. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import { createHmac, randomBytes } from "node:crypto"
import * as Ids from "../../src/domain/Ids.ts"
import { NameDigest } from "../../src/domain/NameDigest.ts"
import { changed } from "../../src/domain/transition/change.ts"
import type { PaymentRecord } from "../../src/domain/Payment.ts"
import { restoreLost } from "../../src/execution/restore/restoreLost.ts"
import * as Outcome from "../../src/domain/Outcome.ts"
import { MemoryStore } from "@paymux/testkit/memory-store"
import { everyPayment } from "../../src/store/PaymentStore.ts"
import { card, cardOnHold, keyed, laterIdempotent, plain, read, scripted, start, tenant } from "./fixtures.ts"
import type { Store } from "./fixtures.ts"

/** A database that can be put back to a state in which it holds only these payments. */
const database = () => {
  let current = MemoryStore.make()
  return {
    store: new Proxy(current, { get: (_, name: keyof Store) => current[name] }),
    restore: (...records: ReadonlyArray<PaymentRecord>) => {
      current = MemoryStore.make()
      return Effect.forEach(records, (record) => current.begin({ record, binding: null }))
    }
  }
}

const later = <A>(outcome: A) => Effect.as(Effect.sleep("1 second"), outcome)
/** A request is hashed outside of the fibers, so that it takes any number of turns until it is sent. */
const untilSent = (sends: ReadonlyArray<string>, count: number): Effect.Effect<void> =>
  Effect.suspend(() =>
    sends.length >= count
      ? Effect.void
      : Effect.andThen(
          Effect.promise(() => new Promise<void>((resolve) => setImmediate(resolve))),
          untilSent(sends, count)
        )
  )

const only = (store: Store) =>
  Effect.map(store.list(tenant, everyPayment), ({ records }) => {
    const [record, ...others] = records
    assert.isEmpty(others)
    return record ?? assert.fail("There is no payment")
  })

/** Declines each payment, and keeps it as it was begun. */
const declining = (id: string, store: Store, states: Array<PaymentRecord>) => {
  const declined = Outcome.declined({ code: "do_not_honor", retry: "other_provider" })
  return scripted(id, {
    create: () => Effect.orDie(Effect.map(only(store), (begun) => (states.push(begun), declined)))
  })
}

describe("a database that lost the row of what is being sent", () => {
  it.effect("gets a refund again, under its key, before the refund is acknowledged", () =>
    Effect.gen(function* () {
      const { restore, store } = database()
      const sends: Array<string> = []
      const engine = yield* start(store, [
        scripted("a", {
          create: () => Effect.succeed(Outcome.succeeded()),
          refund: ({ id }) => Effect.suspend(() => (sends.push(id), later(Outcome.succeeded())))
        })
      ])
      const paid = yield* engine.create()
      const refund = () =>
        engine.payments.refund(paid.payment.id, { minorUnits: 500, reason: null }, keyed("refunds", "once"))
      const first = yield* Effect.forkChild(refund(), { startImmediately: true })
      yield* untilSent(sends, 1)
      yield* restore(paid)
      yield* TestClock.adjust("2 seconds")
      const { body, operation } = yield* Fiber.join(first)
      const now = yield* read(store, paid)
      assert.strictEqual(now.payment.amountRefunded, 500)
      assert.strictEqual(now.operations.find(({ id }) => id === operation.id)?.status, "succeeded")
      const again = yield* refund()
      assert.deepStrictEqual([again.replayed, again.body, sends.length], [true, body, 1])
    })
  )

  it.effect("gets a payment again, under its key: a repeat is not a second charge", () =>
    Effect.gen(function* () {
      const { restore, store } = database()
      const sends: Array<string> = []
      const engine = yield* start(store, [
        scripted("a", { create: ({ id }) => Effect.suspend(() => (sends.push(id), later(Outcome.succeeded()))) })
      ])
      const asked = yield* card
      const create = () => engine.payments.create(asked, keyed("payments", "once"))
      const first = yield* Effect.forkChild(create(), { startImmediately: true })
      yield* untilSent(sends, 1)
      yield* restore()
      yield* TestClock.adjust("2 seconds")
      const { body } = yield* Fiber.join(first)
      assert.strictEqual((yield* only(store)).payment.state.status, "succeeded")
      const again = yield* create()
      assert.deepStrictEqual([again.replayed, again.body, sends.length], [true, body, 1])
    })
  )

  it.effect("gets a payment again as canceled if another one took its order meanwhile, and the money is returned", () =>
    Effect.gen(function* () {
      const { restore, store } = database()
      const sends: Array<string> = []
      const provider = scripted("a", {
        create: ({ id }) => Effect.suspend(() => (sends.push(id), later(Outcome.succeeded({ reference: id })))),
        inquire: ({ reference }) => Effect.succeed(Outcome.succeeded({ reference: reference ?? "" })),
        refund: ({ id }) => Effect.sync(() => (sends.push(`refund ${id}`), Outcome.succeeded()))
      })
      const engine = yield* start(store, [provider])
      const ordered = Effect.map(card, (asked) => ({ ...asked, order: "1001" }))
      const create = Effect.flatMap(ordered, (asked) => engine.payments.create(asked, keyed("payments", "once")))
      const first = yield* Effect.forkChild(create, { startImmediately: true })
      yield* untilSent(sends, 1)
      yield* restore()
      yield* TestClock.adjust("100 millis")
      const other = yield* Effect.forkChild(engine.create(ordered), { startImmediately: true })
      yield* TestClock.adjust("2 seconds")
      const { payment } = yield* Fiber.join(other)
      const { body, record } = yield* Fiber.join(first)
      assert.deepStrictEqual([record.payment.state.status, payment.state.status], ["canceled", "succeeded"])
      const next = yield* start(store, [provider], { reconciler: { every: 10_000 } })
      yield* TestClock.adjust("5 minutes")
      const now = yield* read(store, record)
      assert.deepStrictEqual(
        now.operations.map(({ kind, purpose, status }) => `${purpose} ${kind} ${status}`),
        ["requested create succeeded", "reversal refund succeeded"]
      )
      assert.strictEqual(now.payment.reviews.length, 0)
      const types = (yield* store.undispatchedEvents(100)).flatMap(({ paymentId, type }) =>
        paymentId === record.payment.id ? [type] : []
      )
      assert.deepStrictEqual(types, ["payment.canceled", "payment.late_reversed"])
      assert.deepStrictEqual([(yield* create).body, sends.length], [body, 3])
      yield* next.end
    })
  )

  it.effect("asks the provider about a payment that is there as canceled again, if its reply says nothing", () =>
    Effect.gen(function* () {
      const { restore, store } = database()
      const sends: Array<string> = []
      const provider = scripted("a", {
        create: ({ id }) =>
          Effect.suspend((): Effect.Effect<Outcome.SendOutcome> => {
            sends.push(id)
            const isFirst = sends.length === 1
            return isFirst ? later(Outcome.unknown({ reason: "timeout" })) : Effect.succeed(Outcome.pending())
          }),
        inquire: ({ id }) =>
          Effect.sync(() => (id === sends[0] ? Outcome.succeeded({ reference: id }) : Outcome.pending())),
        refund: () => Effect.succeed(Outcome.succeeded())
      })
      const engine = yield* start(store, [provider])
      const ordered = Effect.map(card, (asked) => ({ ...asked, order: "1001" }))
      const first = yield* Effect.forkChild(engine.create(ordered), { startImmediately: true })
      yield* untilSent(sends, 1)
      yield* restore()
      // Ids of the same millisecond are in any order.
      yield* TestClock.adjust("100 millis")
      const other = yield* engine.create(ordered)
      assert.strictEqual(other.payment.state.status, "pending")
      yield* TestClock.adjust("11 seconds")
      const lost = yield* Fiber.join(first)
      assert.strictEqual(lost.payment.state.status, "canceled")
      yield* start(store, [provider], { reconciler: { every: 10_000 } })
      yield* TestClock.adjust("10 minutes")
      const now = yield* read(store, lost)
      assert.deepStrictEqual(
        now.operations.map(({ kind, purpose, status }) => `${purpose} ${kind} ${status}`),
        ["requested create succeeded", "reversal refund succeeded"]
      )
      assert.strictEqual((yield* read(store, other)).payment.state.status, "pending")
    })
  )

  it.effect("gets both again where the request is answered before the provider has answered", () =>
    Effect.gen(function* () {
      const { restore, store } = database()
      const sends: Array<string> = []
      const slow = ({ id }: { readonly id: string }) =>
        Effect.suspend(() => (sends.push(id), Effect.as(Effect.sleep("12 seconds"), Outcome.succeeded())))
      const engine = yield* start(store, [scripted("a", { create: slow, refund: slow })])
      const asked = yield* card
      const create = () => engine.payments.create(asked, keyed("payments", "once"))
      const first = yield* Effect.forkChild(create(), { startImmediately: true })
      yield* untilSent(sends, 1)
      yield* restore()
      yield* TestClock.adjust("11 seconds")
      const { body, record } = yield* Fiber.join(first)
      assert.strictEqual(record.payment.state.status, "pending")
      assert.strictEqual((yield* create()).body, body)
      yield* TestClock.adjust("2 seconds")
      const paid = yield* read(store, record)
      assert.strictEqual(paid.payment.state.status, "succeeded")
      const refund = () =>
        engine.payments.refund(paid.payment.id, { minorUnits: 500, reason: null }, keyed("refunds", "once"))
      const second = yield* Effect.forkChild(refund(), { startImmediately: true })
      yield* untilSent(sends, 2)
      yield* restore(paid)
      yield* TestClock.adjust("11 seconds")
      const answered = yield* Fiber.join(second)
      assert.strictEqual((yield* refund()).body, answered.body)
      yield* TestClock.adjust("2 seconds")
      assert.deepStrictEqual([(yield* read(store, paid)).payment.amountRefunded, sends.length], [500, 2])
    })
  )

  it.effect(
    "leaves the payment alone that the repeated request has begun meanwhile, which gets the reply as well",
    () =>
      Effect.gen(function* () {
        const { restore, store } = database()
        const sends: Array<string> = []
        const create = ({ key }: { readonly key: string }) =>
          Effect.suspend(() => (sends.push(key), later(Outcome.succeeded())))
        const names = Layer.succeed(NameDigest, (text) => createHmac("sha256", "one").update(text).digest())
        const engineOf = () => start(store, [scripted("a", { create })], {}, names)
        const [one, other] = [yield* engineOf(), yield* engineOf()]
        const asked = yield* card
        const first = yield* Effect.forkChild(one.payments.create(asked, keyed("payments", "once")), {
          startImmediately: true
        })
        yield* untilSent(sends, 1)
        yield* restore()
        const repeated = yield* Effect.forkChild(other.payments.create(asked, keyed("payments", "once")), {
          startImmediately: true
        })
        yield* untilSent(sends, 2)
        yield* TestClock.adjust("10 seconds")
        const { record } = yield* Fiber.join(repeated)
        yield* Fiber.await(first)
        const kept = yield* only(store)
        assert.deepStrictEqual([kept.payment.id, kept.payment.state.status], [record.payment.id, "succeeded"])
        assert.strictEqual(new Set(sends).size, 1)
      })
  )

  it.effect("is not written again without its key, if the repeated request has begun another payment with it", () =>
    Effect.gen(function* () {
      const engine = yield* start(MemoryStore.make(), [
        scripted("a", { create: () => Effect.succeed(Outcome.succeeded()) })
      ])
      const known = yield* engine.create()
      const [operation] = known.operations
      const store = MemoryStore.make()
      const services = { store, ids: Ids.make(randomBytes, () => 0), hostedUrl: () => null }
      const id = services.ids.payment(null)
      const operations = known.operations.map((each) => ({ ...each, paymentId: id }))
      const repeated = { ...known, payment: { ...known.payment, id }, operations }
      yield* store.begin({ record: repeated, binding: null })
      assert.isNull(yield* restoreLost(services, known, operation?.id, null))
      assert.strictEqual((yield* only(store)).payment.id, repeated.payment.id)
    })
  )

  it.effect("books the capture that a refund in flight belongs to, once that is repeated", () =>
    Effect.gen(function* () {
      const { restore, store } = database()
      const sends: Array<string> = []
      const engine = yield* start(store, [
        scripted("a", {
          create: () => Effect.succeed(Outcome.authorized()),
          capture: ({ id }) => Effect.sync(() => (sends.push(id), Outcome.succeeded())),
          refund: ({ id }) => Effect.suspend(() => (sends.push(id), later(Outcome.succeeded()))),
          later: laterIdempotent
        })
      ])
      const held = yield* engine.payments.create(yield* cardOnHold, keyed("payments", "1"))
      const { id } = held.record.payment
      const capture = engine.payments.capture(id, { minorUnits: 700 }, keyed("captures", "1"))
      yield* capture
      const refund = () => engine.payments.refund(id, { minorUnits: 700, reason: null }, keyed("refunds", "1"))
      const first = yield* Effect.forkChild(refund(), { startImmediately: true })
      yield* untilSent(sends, 2)
      yield* restore(held.record)
      yield* TestClock.adjust("2 seconds")
      yield* Fiber.await(first)
      yield* Effect.exit(capture)
      yield* TestClock.adjust("2 seconds")
      const { operations, payment } = yield* read(store, held.record)
      assert.deepInclude(payment, { amountCaptured: 700, amountRefunded: 700, reviews: [] })
      assert.deepStrictEqual(operations.map(({ kind, status }) => `${kind} ${status}`).toSorted(), [
        "capture succeeded",
        "create succeeded",
        "refund succeeded"
      ])
    })
  )

  it.effect("keeps what has changed since under the number of a version that was lost", () =>
    Effect.gen(function* () {
      const { restore, store } = database()
      const sends: Array<string> = []
      const engine = yield* start(store, [
        scripted("a", {
          create: () => Effect.succeed(Outcome.succeeded()),
          refund: ({ id }) => Effect.suspend(() => (sends.push(id), later(Outcome.succeeded())))
        })
      ])
      const paid = yield* engine.create()
      const refund = engine.payments.refund(paid.payment.id, { minorUnits: 500, reason: null }, plain)
      const first = yield* Effect.forkChild(refund, { startImmediately: true })
      yield* untilSent(sends, 1)
      yield* restore(paid)
      const { record: after } = changed(paid, paid.payment.updatedAt + 1, { disputedAt: 7 }, null)
      yield* store.advance({ before: paid, after, events: [], evidence: null, binding: null, answer: null })
      yield* TestClock.adjust("2 seconds")
      yield* Fiber.join(first)
      const now = yield* read(store, paid)
      assert.deepStrictEqual([now.payment.disputedAt, now.payment.amountRefunded], [7, 500])
    })
  )

  it.effect("gets the failover again that was lost with a capture", () =>
    Effect.gen(function* () {
      const { restore, store } = database()
      const sends: Array<string> = []
      const states: Array<PaymentRecord> = []
      const engine = yield* start(store, [
        declining("a", store, states),
        scripted("b", {
          create: () => Effect.succeed(Outcome.authorized()),
          capture: ({ id }) => Effect.suspend(() => (sends.push(id), later(Outcome.succeeded())))
        })
      ])
      const { record } = yield* engine.payments.create(yield* cardOnHold, keyed("payments", "1"))
      assert.strictEqual(record.payment.provider, "b")
      const [begun] = states
      if (begun === undefined) return assert.fail("nothing was sent")
      const capture = engine.payments.capture(record.payment.id, { minorUnits: null }, keyed("captures", "1"))
      const first = yield* Effect.forkChild(capture, { startImmediately: true })
      yield* untilSent(sends, 1)
      yield* restore(begun)
      yield* TestClock.adjust("2 seconds")
      yield* Fiber.join(first)
      const { attempts, operations, payment } = yield* read(store, begun)
      assert.deepInclude(payment, { provider: "b", amountCaptured: 1200, reviews: [] })
      assert.deepStrictEqual(
        attempts.map(({ provider, status }) => `${provider} ${status}`),
        ["a declined", "b succeeded"]
      )
      assert.deepStrictEqual(
        operations.map(({ attemptSeq, kind, status }) => `${attemptSeq} ${kind} ${status}`),
        ["1 create declined", "2 create succeeded", "2 capture succeeded"]
      )
    })
  )

  for (const isWhole of [false, true]) {
    it.effect(
      `gets the second attempt again that ${isWhole ? "was lost with its payment" : "was lost"} and takes longer than its request: it is not sent twice`,
      () =>
        Effect.gen(function* () {
          const { restore, store } = database()
          const sends: Array<string> = []
          const states: Array<PaymentRecord> = []
          const engine = yield* start(store, [
            declining("a", store, states),
            scripted("b", {
              create: ({ id }) =>
                Effect.suspend(() => (sends.push(id), Effect.as(Effect.sleep("12 seconds"), Outcome.succeeded())))
            })
          ])
          const asked = yield* card
          const creating = engine.payments.create(asked, keyed("payments", "once"))
          const first = yield* Effect.forkChild(creating, { startImmediately: true })
          yield* untilSent(sends, 1)
          yield* isWhole ? restore() : restore(...states)
          yield* TestClock.adjust("11 seconds")
          const { record } = yield* Fiber.join(first)
          assert.strictEqual(record.payment.state.status, "pending")
          yield* TestClock.adjust("2 seconds")
          yield* TestClock.adjust("2 minutes")
          const { attempts, payment } = yield* read(store, record)
          assert.deepInclude(payment, { provider: "b", amountCaptured: 1200, reviews: [] })
          assert.deepStrictEqual(
            attempts.map(({ provider, status }) => `${provider} ${status}`),
            ["a declined", "b succeeded"]
          )
          assert.lengthOf(sends, 1)
        })
    )
  }
})

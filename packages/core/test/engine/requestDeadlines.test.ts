/** One deadline over all steps of a request: refused before a send, answered with the payment after one. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer, Logger } from "effect"
import { TestClock } from "effect/testing"
import { hash } from "node:crypto"
import type { PaymentError } from "../../src/domain/PaymentError.ts"
import { Sha256 } from "../../src/domain/sha256.ts"
import { spending } from "../../src/execution/begin/RequestDeadlines.ts"
import * as Outcome from "../../src/domain/Outcome.ts"
import { MemoryStore } from "@paymux/testkit/memory-store"
import { everyPayment, StoreUnavailable } from "../../src/store/PaymentStore.ts"
import { card, cardOnHold, keyed, plain, scripted, start, tenant } from "./fixtures.ts"
import type { Store } from "./fixtures.ts"

const create = keyed("POST /v1/payments", "k")

/** A store whose steps take as long as `takes` says, in ms. A step that is lost at the end fails. */
interface Slowness {
  takes: Partial<Record<"findKey" | "begin" | "advance" | "keepAnswer" | "get" | "getConfirmed" | "find", number>>
  lost: string | null
}

const slowStore = () => {
  const inner = MemoryStore.make()
  const slow: Slowness = { takes: {}, lost: null }
  const after = <A, E>(step: keyof Slowness["takes"], work: Effect.Effect<A, E>) =>
    Effect.suspend(() => {
      const ms = slow.takes[step]
      return ms === undefined ? work : Effect.andThen(Effect.sleep(ms), work)
    })
  const store: Store = {
    ...inner,
    lost: Effect.sync(() => slow.lost),
    findKey: (...asked) => after("findKey", inner.findKey(...asked)),
    begin: (commit) => after("begin", inner.begin(commit)),
    advance: (commit) => after("advance", inner.advance(commit)),
    keepAnswer: (answer) => after("keepAnswer", inner.keepAnswer(answer)),
    get: (id) => after("get", inner.get(id)),
    getConfirmed: (id) => after("getConfirmed", inner.getConfirmed(id)),
    find: (...asked) => after("find", inner.find(...asked))
  }
  return { inner, slow, store }
}

/** How a request has ended after `ms`; `null`: not yet. */
const endAfter = <A>(request: Fiber.Fiber<A, PaymentError>, ms: number) =>
  Effect.map(TestClock.adjust(ms), () => {
    const exit = request.pollUnsafe()
    if (exit === undefined) return null
    return exit._tag === "Success" ? ("answered" as const) : ("refused" as const)
  })

const reason = <A>(request: Fiber.Fiber<A, PaymentError>) =>
  Effect.map(Effect.flip(Fiber.join(request)), (error) => error.reason._tag)

const inBackground = <A, E, R>(request: Effect.Effect<A, E, R>) => Effect.forkChild(request, { startImmediately: true })

const setUp = Effect.gen(function* () {
  const { inner, slow, store } = slowStore()
  const sends = { create: 0, capture: 0, refund: 0, cancel: 0 }
  const send = (kind: keyof typeof sends) => () =>
    Effect.sync(() => {
      sends[kind]++
      return Outcome.succeeded()
    })
  const engine = yield* start(store, [
    scripted("a", {
      create: ({ captureMethod }) =>
        Effect.sync(() => {
          sends.create++
          return captureMethod === "manual" ? Outcome.authorized() : Outcome.succeeded()
        }),
      capture: send("capture"),
      refund: send("refund"),
      cancel: send("cancel")
    })
  ])
  return { inner, slow, store, sends, ...engine }
})

/** Without logs, and with digests that take no real time: the virtual time would pass meanwhile. */
const quiet = Effect.provide(
  Layer.merge(
    Logger.layer([]),
    Layer.succeed(Sha256, (content) => Effect.sync(() => hash("sha256", content, "hex")))
  )
)

describe("before anything is sent", () => {
  it.effect("the look-up of the key and the first commit share 8 s: the request is refused then, and never sent", () =>
    Effect.gen(function* () {
      const { inner, payments, sends, slow } = yield* setUp
      slow.takes = { findKey: 5_000, begin: 6_000 }
      const request = yield* inBackground(payments.create(yield* card, create))
      assert.isNull(yield* endAfter(request, 7_900))
      assert.strictEqual(yield* endAfter(request, 200), "refused")
      assert.strictEqual(yield* reason(request), "Unavailable")
      // The commit is made after all: nothing is sent for it then.
      yield* TestClock.adjust("10 seconds")
      assert.strictEqual(sends.create, 0)
      assert.lengthOf((yield* inner.list(tenant, everyPayment)).records, 1)
    }).pipe(quiet)
  )

  it.effect("a payment whose commit comes after the refusal has failed, and no other provider gets it", () =>
    Effect.gen(function* () {
      const { inner, slow, store } = slowStore()
      const sends: Array<string> = []
      const provider = (id: string) =>
        scripted(id, {
          create: () => Effect.sync(() => (sends.push(id), Outcome.succeeded())),
          inquire: () => Effect.succeed(Outcome.notFound())
        })
      const { payments } = yield* start(store, [provider("a"), provider("b")])
      slow.takes = { begin: 9_000 }
      const request = yield* inBackground(payments.create(yield* card, create))
      assert.strictEqual(yield* endAfter(request, 8_100), "refused")
      slow.takes = {}
      yield* TestClock.adjust("10 minutes")
      assert.deepStrictEqual(sends, [])
      const { records } = yield* inner.list(tenant, everyPayment)
      assert.deepStrictEqual(
        records.map(({ payment: { state } }) => state.status === "failed" && state.failure.code),
        ["provider_unavailable"]
      )
      // The same request again is answered with it, and not sent either.
      const again = yield* payments.create(yield* card, create)
      assert.strictEqual(again.record.payment.state.status, "failed")
      assert.deepStrictEqual(sends, [])
    }).pipe(quiet)
  )

  it.effect("a look-up that does not end is given up, and no commit follows it", () =>
    Effect.gen(function* () {
      const { inner, payments, sends, slow } = yield* setUp
      slow.takes = { findKey: 60_000 }
      const request = yield* inBackground(payments.create(yield* card, create))
      assert.strictEqual(yield* endAfter(request, 8_100), "refused")
      yield* TestClock.adjust("2 minutes")
      assert.strictEqual(sends.create, 0)
      assert.lengthOf((yield* inner.list(tenant, everyPayment)).records, 0)
    }).pipe(quiet)
  )

  it.effect("a commit without a reply and the read after it are within the deadline", () =>
    Effect.gen(function* () {
      const { inner, sends, slow, store } = yield* setUp
      const lost: Store = {
        ...store,
        begin: () => Effect.andThen(Effect.sleep(5_000), Effect.fail(new StoreUnavailable({ cause: "no reply" })))
      }
      slow.takes = { getConfirmed: 6_000 }
      const { payments } = yield* start(lost, [scripted("a", { create: () => Effect.succeed(Outcome.succeeded()) })])
      const request = yield* inBackground(payments.create(yield* card, plain))
      assert.isNull(yield* endAfter(request, 7_900))
      assert.strictEqual(yield* endAfter(request, 200), "refused")
      yield* TestClock.adjust("10 seconds")
      assert.strictEqual(sends.create, 0)
      assert.lengthOf((yield* inner.list(tenant, everyPayment)).records, 0)
    }).pipe(quiet)
  )

  it.effect("what a step before the service has taken counts", () =>
    Effect.gen(function* () {
      const { payments, sends, slow } = yield* setUp
      slow.takes = { begin: 3_000 }
      const payment = yield* card
      const request = yield* inBackground(spending(Effect.sleep(6_000), () => payments.create(payment, create)))
      assert.isNull(yield* endAfter(request, 7_900))
      assert.strictEqual(yield* endAfter(request, 200), "refused")
      yield* TestClock.adjust("10 seconds")
      assert.strictEqual(sends.create, 0)
    }).pipe(quiet)
  )

  it.effect("a place that was taken for a refused request is free again", () =>
    Effect.gen(function* () {
      const { payments, sends, slow } = yield* setUp
      const payment = yield* card
      slow.takes = { begin: 9_000 }
      // A bulkhead has 256 places.
      const refused = yield* Effect.forEach(Array.from({ length: 250 }), () =>
        inBackground(Effect.flip(payments.create(payment, plain)))
      )
      yield* TestClock.adjust("10 seconds")
      yield* Effect.forEach(refused, Fiber.join)
      slow.takes = {}
      for (let count = 0; count < 20; count++) yield* payments.create(payment, plain)
      assert.strictEqual(sends.create, 20)
    }).pipe(quiet)
  )

  for (const kind of ["capture", "refund", "cancel"] as const) {
    it.effect(`a ${kind} is refused after 8 s, and never sent`, () =>
      Effect.gen(function* () {
        const { inner, payments, sends, slow } = yield* setUp
        const { record } = yield* payments.create(yield* kind === "refund" ? card : cardOnHold, plain)
        slow.takes = { find: 5_000, advance: 6_000 }
        const { id } = record.payment
        const options = keyed(`POST ${kind}`, "k")
        const request = yield* inBackground(
          kind === "capture"
            ? payments.capture(id, { minorUnits: null }, options)
            : kind === "refund"
              ? payments.refund(id, { minorUnits: null, reason: null }, options)
              : payments.cancel(id, options)
        )
        assert.isNull(yield* endAfter(request, 7_900))
        assert.strictEqual(yield* endAfter(request, 200), "refused")
        slow.takes = {}
        yield* TestClock.adjust("10 minutes")
        assert.strictEqual(sends[kind], 0)
        const after = (yield* inner.get(id)) ?? assert.fail()
        assert.strictEqual(after.operations[1]?.status, "not_executed")
      }).pipe(quiet)
    )
  }
})

describe("after a send", () => {
  const dead = 10 * 60_000

  for (const [what, options] of [
    ["with a key", create],
    ["without a key", plain]
  ] as const) {
    it.effect(`the answer is the payment, ${what}, although the database takes nothing any more`, () =>
      Effect.gen(function* () {
        const { payments, sends, slow } = yield* setUp
        slow.takes = { begin: 3_000, advance: dead, keepAnswer: dead, get: dead, getConfirmed: dead }
        const request = yield* inBackground(payments.create(yield* card, options))
        assert.isNull(yield* endAfter(request, 10_000))
        assert.strictEqual(yield* endAfter(request, 2_200), "answered")
        const { body, record } = yield* Fiber.join(request)
        assert.strictEqual(JSON.parse(body).status, "pending")
        assert.strictEqual(sends.create, 1)
        if (options.idempotency === null) return
        // Later, the same key gives the same payment, which was charged once.
        slow.takes = {}
        yield* TestClock.adjust("30 minutes")
        const again = yield* payments.create(yield* card, options)
        assert.strictEqual(again.record.payment.id, record.payment.id)
        assert.strictEqual(sends.create, 1)
      }).pipe(quiet)
    )
  }

  it.effect("a refund with a key is answered, although the database takes nothing any more", () =>
    Effect.gen(function* () {
      const { inner, payments, sends, slow, store } = yield* setUp
      const { record } = yield* payments.create(yield* card, plain)
      let advances = 0
      const engine = yield* start(
        { ...store, advance: (commit) => (advances++ === 0 ? inner.advance(commit) : store.advance(commit)) },
        [
          scripted("a", {
            create: () => Effect.never,
            refund: () => Effect.sync(() => (sends.refund++, Outcome.succeeded()))
          })
        ]
      )
      slow.takes = { advance: dead, keepAnswer: dead, get: dead, getConfirmed: dead }
      const request = yield* inBackground(
        engine.payments.refund(record.payment.id, { minorUnits: null, reason: null }, keyed("POST refunds", "k"))
      )
      assert.isNull(yield* endAfter(request, 9_900))
      assert.strictEqual(yield* endAfter(request, 2_300), "answered")
      const { body } = yield* Fiber.join(request)
      assert.strictEqual(JSON.parse(body).status, "pending")
      assert.strictEqual(sends.refund, 1)
    }).pipe(quiet)
  )

  it.effect("what a restart would not find is not acknowledged", () =>
    Effect.gen(function* () {
      const { payments, slow } = yield* setUp
      slow.takes = { advance: dead, keepAnswer: dead, get: dead, getConfirmed: dead }
      slow.lost = "The file is gone."
      const requests = yield* Effect.forEach([create, plain], (options) =>
        Effect.flatMap(card, (payment) => inBackground(payments.create(payment, options)))
      )
      yield* TestClock.adjust("13 seconds")
      for (const request of requests) assert.strictEqual(yield* reason(request), "Unavailable")
    }).pipe(quiet)
  )

  it.effect("a payment that waits for its provider is answered 10 s after its request began", () =>
    Effect.gen(function* () {
      const { slow, store } = yield* setUp
      slow.takes = { findKey: 2_000, begin: 4_000 }
      const engine = yield* start(store, [scripted("a", { create: () => Effect.never })])
      const request = yield* inBackground(engine.payments.create(yield* card, create))
      assert.isNull(yield* endAfter(request, 9_800))
      assert.strictEqual(yield* endAfter(request, 400), "answered")
    }).pipe(quiet)
  )

  it.effect("a refund that waits for its provider is answered 10 s after its request began", () =>
    Effect.gen(function* () {
      const { payments, slow, store } = yield* setUp
      const { record } = yield* payments.create(yield* card, plain)
      const engine = yield* start(store, [scripted("a", { create: () => Effect.never, refund: () => Effect.never })])
      slow.takes = { findKey: 2_000, advance: 4_000 }
      const asked = { minorUnits: null, reason: null }
      const request = yield* inBackground(engine.payments.refund(record.payment.id, asked, keyed("POST refunds", "k")))
      assert.isNull(yield* endAfter(request, 9_800))
      assert.strictEqual(yield* endAfter(request, 400), "answered")
    }).pipe(quiet)
  )
})

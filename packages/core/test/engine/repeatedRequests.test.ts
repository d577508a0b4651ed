/** A request repeated with its idempotency key: at another engine, or before its first response was stored. */
import { assert, describe, it } from "@effect/vitest"
import { Context, Deferred, Effect, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import { refundId } from "../../src/domain/Refund.ts"
import { Retention } from "../../src/execution/records/Retention.ts"
import * as Outcome from "../../src/domain/Outcome.ts"
import { MemoryStore } from "@paymux/testkit/memory-store"
import { PaymentStore, StoreUnavailable } from "../../src/store/PaymentStore.ts"
import { card, createOf, keyed, plain, scripted, start, tenant } from "./fixtures.ts"
import type { Script, Store } from "./fixtures.ts"

const succeeds = () => Effect.succeed(Outcome.succeeded())
const pends = () => Effect.succeed(Outcome.pending({}))
const key = keyed("POST /v1/payments", "k")
const part = { minorUnits: 500, reason: null }

/** As PostgreSQL is: for many engines at once. */
const shared = (): Store => ({ ...MemoryStore.make(), singleEngine: false })

/** Its engine ends before the first response is stored. */
const withoutAnswers = (store: Store): Store => ({
  ...store,
  advance: (commit) => store.advance({ ...commit, answer: null }),
  keepAnswer: () => Effect.fail(new StoreUnavailable({ cause: "away" }))
})

/** A key is digested by the platform, which takes real time: the clock is moved once the request was sent. */
const announced = <A, E>(answer: Effect.Effect<A, E>) => {
  const sent = Deferred.makeUnsafe<void>()
  return { sent: Deferred.await(sent), perform: () => Effect.andThen(Deferred.succeed(sent, undefined), answer) }
}

const engineOn = (store: Store, script: Partial<Script> = {}) =>
  start(store, [scripted("a", { create: succeeds, refund: succeeds, ...script })], { reconciler: { every: 3_600_000 } })

describe("a repeat at another engine", () => {
  it.effect("is in flight while the first engine may be sending, and gets a response after that", () =>
    Effect.gen(function* () {
      const store = shared()
      const { perform, sent } = announced(Effect.never)
      const one = yield* engineOn(withoutAnswers(store), { create: perform })
      const two = yield* engineOn(store)
      const payment = yield* card
      yield* Effect.forkChild(Effect.ignore(one.payments.create(payment, key)))
      yield* sent
      yield* TestClock.adjust("1 second")
      yield* one.end
      const repeat = two.payments.create(payment, key)
      assert.strictEqual((yield* Effect.flip(repeat)).reason._tag, "IdempotencyInFlight")
      yield* TestClock.adjust("33 seconds")
      assert.strictEqual((yield* Effect.flip(repeat)).reason._tag, "IdempotencyInFlight")
      yield* TestClock.adjust("2 seconds")
      assert.strictEqual((yield* repeat).record.payment.state.status, "pending")
    })
  )

  it.effect("gets the current state if the first engine ended before it stored its response", () =>
    Effect.gen(function* () {
      const store = shared()
      const one = yield* engineOn(withoutAnswers(store), { create: pends })
      const two = yield* engineOn(store)
      const payment = yield* card
      yield* Effect.exit(one.payments.create(payment, key))
      const answer = yield* two.payments.create(payment, key)
      assert.deepStrictEqual(
        answer.record.attempts.map(({ status }) => status),
        ["pending"]
      )
    })
  )

  it.effect("depends on its own refund: in flight while that is being sent", () =>
    Effect.gen(function* () {
      const store = shared()
      const { perform, sent } = announced(Effect.never)
      const one = yield* engineOn(store, { refund: perform })
      const two = yield* engineOn(store)
      const { payment } = yield* one.create()
      yield* Effect.forkChild(Effect.ignore(one.payments.refund(payment.id, part, key)))
      yield* sent
      const error = yield* Effect.flip(two.payments.refund(payment.id, part, key))
      assert.strictEqual(error.reason._tag, "IdempotencyInFlight")
    })
  )

  it.effect("depends on its own refund: not in flight while another refund is being sent", () =>
    Effect.gen(function* () {
      const store = shared()
      const dying = yield* engineOn(withoutAnswers(store))
      const { perform, sent } = announced(Effect.never)
      const one = yield* engineOn(store, { refund: perform })
      const two = yield* engineOn(store)
      const { payment } = yield* one.create()
      yield* Effect.exit(dying.payments.refund(payment.id, part, key))
      yield* Effect.forkChild(Effect.ignore(one.payments.refund(payment.id, part, plain)))
      yield* sent
      const { body, operation } = yield* two.payments.refund(payment.id, part, key)
      assert.strictEqual(operation.status, "succeeded")
      assert.deepInclude(JSON.parse(body), { object: "refund", amount: 500, status: "succeeded" })
    })
  )
})

describe("a repeat at the same engine", () => {
  it.effect("gets the same bytes, even while the payment is still being sent", () =>
    Effect.gen(function* () {
      const store = shared()
      const { perform, sent } = announced(Effect.delay(succeeds(), "15 seconds"))
      const engine = yield* engineOn(store, { create: perform })
      const payment = yield* card
      const caller = yield* Effect.forkChild(engine.payments.create(payment, key))
      yield* sent
      yield* TestClock.adjust("11 seconds")
      const { body } = yield* Fiber.join(caller)
      assert.strictEqual((yield* engine.payments.create(payment, key)).body, body)
    })
  )

  it.effect("is not in flight once this engine has stopped sending, even if the outcome could not be written", () =>
    Effect.gen(function* () {
      const inner = shared()
      const store: Store = { ...inner, advance: () => Effect.fail(new StoreUnavailable({ cause: "away" })) }
      const { perform, sent } = announced(succeeds())
      const engine = yield* engineOn(store, { create: perform })
      const payment = yield* card
      const caller = yield* Effect.forkChild(engine.payments.create(payment, key))
      yield* sent
      yield* TestClock.adjust("15 seconds")
      yield* Effect.exit(Fiber.join(caller))
      const answer = yield* engine.payments.create(payment, key)
      assert.strictEqual(answer.record.operations[0]?.status, "sending")
    })
  )
})

describe("a refund", () => {
  it.effect("is new the first time and replayed afterwards", () =>
    Effect.gen(function* () {
      const { create, payments } = yield* engineOn(shared())
      const { payment } = yield* create()
      const replayed = Effect.map(payments.refund(payment.id, part, key), (answer) => answer.replayed)
      assert.deepStrictEqual([yield* replayed, yield* replayed, yield* replayed], [false, true, true])
    })
  )

  it.effect("at a provider that is no longer configured is refused; nothing is written", () =>
    Effect.gen(function* () {
      const store = shared()
      const { payment } = yield* (yield* engineOn(store)).create()
      const { payments } = yield* start(store, [scripted("b", { create: succeeds, refund: succeeds })])
      const { reason } = yield* Effect.flip(payments.refund(payment.id, { ...part, minorUnits: null }, plain))
      assert.deepInclude(reason, { _tag: "OperationRefused", reason: "not_configured" })
      assert.lengthOf((yield* store.get(payment.id))?.operations ?? [], 1)
    })
  )

  it.effect("is not found under the id of another operation", () =>
    Effect.gen(function* () {
      const { create, payments } = yield* engineOn(shared())
      const { reason } = yield* Effect.flip(payments.findRefund(tenant, refundId(createOf(yield* create()))))
      assert.strictEqual(reason._tag, "RefundNotFound")
    })
  )

  it.effect("with an invalid or excessive amount is refused with the reason", () =>
    Effect.gen(function* () {
      const { create, payments } = yield* engineOn(shared())
      const { payment } = yield* create()
      for (const [minorUnits, message] of [
        [0, "must be a positive integer of the smallest unit"],
        [1201, "must be at most 1200, the remaining amount"]
      ] as const) {
        const { reason } = yield* Effect.flip(payments.refund(payment.id, { ...part, minorUnits }, plain))
        assert.deepStrictEqual(reason._tag === "InvalidPayment" && reason.errors, [{ pointer: "/amount", message }])
      }
    })
  )
})

describe("a retention pass", () => {
  it.effect("reports how many stored responses it emptied", () =>
    Effect.gen(function* () {
      const store = MemoryStore.make()
      const engine = yield* engineOn(store)
      for (const name of ["k", "l", "m"]) yield* engine.payments.create(yield* card, keyed("POST /v1/payments", name))
      const settings = { answers: 86_400_000, inbox: null }
      const build = Layer.build(Layer.provide(Retention.layer(settings), Layer.succeed(PaymentStore, store)))
      // The layer makes its own first pass a minute after it is built.
      const emptied = Effect.flatMap(build, (context) => Context.get(context, Retention).pass)
      yield* TestClock.adjust("3 days")
      assert.deepStrictEqual(yield* emptied, { answers: 3, inbox: 0, keptWebhooks: 0 })
      assert.deepStrictEqual(yield* emptied, { answers: 0, inbox: 0, keptWebhooks: 0 })
    })
  )
})

import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { Reconciler } from "../../src/execution/recover/Reconciler.ts"
import { Payments } from "../../src/Payments.ts"
import * as Outcome from "../../src/domain/Outcome.ts"
import { invalidRequest, misconfigured } from "../../src/provider/ProviderError.ts"
import { everyPayment, PaymentStore } from "../../src/store/PaymentStore.ts"
import { card, engine, inquiryOnly, scripted, tenant } from "./fixtures.ts"

const options = { tenant, idempotency: null }
const keyed = (key: string) => ({ tenant, idempotency: { endpoint: "POST /v1/payments", key } })

const create = Effect.gen(function* () {
  const payments = yield* Payments
  return (yield* payments.create(yield* card, options)).record
})

const statuses = (record: {
  readonly attempts: ReadonlyArray<{ readonly provider: string; readonly status: string }>
}) => record.attempts.map(({ provider, status }) => `${provider} ${status}`)

describe("the engine", () => {
  it.effect("takes a payment in two commits and writes one event", () =>
    Effect.gen(function* () {
      const record = yield* create
      assert.deepStrictEqual(record.payment.state, { status: "succeeded", late: false })
      assert.strictEqual(record.payment.version, 2)
      const events = yield* (yield* PaymentStore).undispatchedEvents(10)
      assert.deepStrictEqual(
        events.map(({ sequence, type }) => [sequence, type]),
        [[1, "payment.succeeded"]]
      )
    }).pipe(Effect.provide(engine([scripted("a", { create: () => Effect.succeed(Outcome.succeeded()) })])))
  )

  it.effect("fails over when it is proven that nothing was sent", () =>
    Effect.gen(function* () {
      const record = yield* create
      assert.deepStrictEqual(statuses(record), ["a not_executed", "b succeeded"])
      assert.strictEqual(record.payment.provider, "b")
    }).pipe(
      Effect.provide(
        engine([
          scripted("a", { create: () => Effect.succeed(Outcome.notExecuted({ reason: "not_sent" })) }),
          scripted("b", { create: () => Effect.succeed(Outcome.succeeded()) })
        ])
      )
    )
  )

  it.effect("never fails over on a timeout: it holds, inquires and finds out", () => {
    const calls = { a: 0, b: 0 }
    return Effect.gen(function* () {
      const payments = yield* Payments
      const fiber = yield* Effect.forkChild(create)
      yield* TestClock.adjust("10 seconds")
      const answered = yield* Fiber.join(fiber)
      assert.strictEqual(answered.payment.state.status, "pending")
      yield* TestClock.adjust("25 seconds")
      const held = yield* payments.get(tenant, answered.payment.id)
      assert.deepStrictEqual(statuses(held), ["a unknown"])
      yield* TestClock.adjust("2 minutes")
      const settled = yield* payments.get(tenant, answered.payment.id)
      assert.deepStrictEqual(statuses(settled), ["a succeeded"])
      assert.strictEqual(settled.payment.state.status, "succeeded")
      assert.deepStrictEqual(calls, { a: 1, b: 0 })
      const events = yield* (yield* PaymentStore).undispatchedEvents(10)
      assert.deepStrictEqual(
        events.map((event) => event.type),
        ["payment.pending", "payment.succeeded"]
      )
    }).pipe(
      Effect.provide(
        engine([
          scripted(
            "a",
            {
              create: () => Effect.suspend(() => (calls.a++, Effect.never)),
              inquire: () => Effect.succeed(Outcome.succeeded())
            },
            inquiryOnly
          ),
          scripted("b", { create: () => Effect.sync(() => (calls.b++, Outcome.succeeded())) })
        ])
      )
    )
  })

  it.effect("sends again under the same key where the provider is idempotent, and never under another", () => {
    const keys: Array<string> = []
    return Effect.gen(function* () {
      const fiber = yield* Effect.forkChild(create)
      yield* TestClock.adjust("10 seconds")
      const record = yield* Fiber.join(fiber)
      assert.deepStrictEqual(statuses(record), ["a succeeded"])
      assert.strictEqual(keys.length, 3)
      assert.strictEqual(new Set(keys).size, 1)
    }).pipe(
      Effect.provide(
        engine([
          scripted("a", {
            create: ({ key }) =>
              Effect.sync(() =>
                keys.push(key) < 3 ? Outcome.unknown({ reason: "server_error" }) : Outcome.succeeded()
              )
          })
        ])
      )
    )
  })

  it.effect("a refusal after an unknown send settles nothing", () => {
    let sends = 0
    return Effect.gen(function* () {
      const fiber = yield* Effect.forkChild(create)
      yield* TestClock.adjust("10 seconds")
      const record = yield* Fiber.join(fiber)
      assert.deepStrictEqual(statuses(record), ["a unknown"])
    }).pipe(
      Effect.provide(
        engine([
          scripted("a", {
            create: () =>
              Effect.suspend(() =>
                sends++ === 0
                  ? Effect.succeed(Outcome.unknown({ reason: "timeout" }))
                  : Effect.fail(misconfigured("401"))
              )
          }),
          scripted("b", { create: () => Effect.succeed(Outcome.succeeded()) })
        ])
      )
    )
  })

  it.effect("an invalid request fails the payment and is tried nowhere else", () =>
    Effect.gen(function* () {
      const record = yield* create
      assert.deepStrictEqual(statuses(record), ["a not_executed"])
      assert.strictEqual(
        record.payment.state.status === "failed" && record.payment.state.failure.code,
        "request_rejected"
      )
    }).pipe(
      Effect.provide(
        engine([
          scripted("a", { create: () => Effect.fail(invalidRequest("amount")) }),
          scripted("b", { create: () => Effect.succeed(Outcome.succeeded()) })
        ])
      )
    )
  )

  it.effect("an adapter that breaks leaves the outcome unknown", () =>
    Effect.gen(function* () {
      const record = yield* create
      assert.deepStrictEqual(statuses(record), ["a unknown"])
    }).pipe(
      Effect.provide(
        engine([
          scripted("a", { create: () => Effect.die(new Error("a bug")) }, inquiryOnly),
          scripted("b", { create: () => Effect.succeed(Outcome.succeeded()) })
        ])
      )
    )
  )

  it.effect("a caller that goes away interrupts no send", () =>
    Effect.gen(function* () {
      const payments = yield* Payments
      const store = yield* PaymentStore
      const sent = yield* Deferred.make<void>()
      const fiber = yield* Effect.forkChild(create)
      yield* TestClock.adjust("500 millis")
      yield* Fiber.interrupt(fiber)
      yield* Deferred.succeed(sent, undefined)
      yield* TestClock.adjust("1 second")
      const page = yield* store.list(tenant, everyPayment)
      const id = page.records[0]?.payment.id
      if (id === undefined) throw new Error("the payment was lost")
      assert.strictEqual((yield* payments.get(tenant, id)).payment.state.status, "succeeded")
    }).pipe(
      Effect.provide(
        engine([scripted("a", { create: () => Effect.as(Effect.sleep("1 second"), Outcome.succeeded()) })])
      )
    )
  )

  it.effect("no provider admits: refused before anything is written, no key used", () =>
    Effect.gen(function* () {
      const payments = yield* Payments
      // The open circuit of the only candidate.
      for (let i = 0; i < 2; i++) yield* create
      const error = yield* Effect.flip(payments.create(yield* card, keyed("k1")))
      assert.strictEqual(error.reason._tag, "NoProviderAvailable")
      const key = yield* (yield* PaymentStore).findKey(tenant, "POST /v1/payments", "k1")
      assert.isNull(key)
    }).pipe(
      Effect.provide(
        engine([scripted("a", { create: () => Effect.succeed(Outcome.notExecuted({ reason: "not_sent" })) })], {
          breaker: { minimumCalls: 2 }
        })
      )
    )
  )

  it.effect("the same key and request answer the same payment and the same bytes; another request is refused", () =>
    Effect.gen(function* () {
      const payments = yield* Payments
      const payment = yield* card
      const first = yield* payments.create(payment, keyed("k"))
      const again = yield* payments.create(payment, keyed("k"))
      assert.strictEqual(again.record.payment.id, first.record.payment.id)
      assert.strictEqual(again.body, first.body)
      assert.isTrue(again.replayed)
      const other = yield* Effect.flip(payments.create({ ...payment, description: "other" }, keyed("k")))
      const { id } = first.record.payment
      assert.deepInclude(other.reason, { _tag: "IdempotencyKeyReused", paymentId: id, pointer: "/description" })
    }).pipe(Effect.provide(engine([scripted("a", { create: () => Effect.succeed(Outcome.succeeded()) })])))
  )

  it.effect("fifty concurrent requests under one key make one payment", () => {
    let sends = 0
    return Effect.gen(function* () {
      const payments = yield* Payments
      const payment = yield* card
      const results = yield* Effect.forEach(
        Array.from({ length: 50 }),
        () => Effect.result(payments.create(payment, keyed("k"))),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(sends, 1)
      for (const result of results) {
        if (result._tag === "Failure") assert.strictEqual(result.failure.reason._tag, "IdempotencyInFlight")
      }
      const ids = results.flatMap((result) => (result._tag === "Success" ? [result.success.record.payment.id] : []))
      assert.strictEqual(new Set(ids).size, 1)
    }).pipe(
      Effect.provide(engine([scripted("a", { create: () => Effect.sync(() => (sends++, Outcome.succeeded())) })]))
    )
  })

  it.effect("a test payment never reaches a live instance", () =>
    Effect.gen(function* () {
      const payments = yield* Payments
      const error = yield* Effect.flip(payments.create(yield* card, options))
      assert.deepInclude(error.reason, { _tag: "NoRoute", candidates: [{ provider: "a", reason: "mode_mismatch" }] })
    }).pipe(
      Effect.provide(engine([scripted("a", { create: () => Effect.succeed(Outcome.succeeded()) }, undefined, "live")]))
    )
  )

  it.effect("an emitted event goes through the one door, also before our own commit", () =>
    Effect.gen(function* () {
      const record = yield* create
      assert.strictEqual(record.payment.state.status, "succeeded")
      assert.strictEqual(record.payment.eventSequence, 1)
    }).pipe(
      Effect.provide(
        engine([
          scripted("a", {
            create: (operation, context) =>
              Effect.as(
                context.emit({
                  source: "webhook",
                  about: { operation: operation.id },
                  outcome: { _tag: "Succeeded", amount: operation.amount, reference: "ref_1" },

                  eventId: "e1",
                  occurredAt: null
                }),
                Outcome.succeeded({ reference: "ref_1" })
              )
          })
        ])
      )
    )
  )

  it.effect("a checkpoint is kept over the send and handed back to the inquiry", () => {
    const seen: Array<string | null> = []
    return Effect.gen(function* () {
      const reconciler = yield* Reconciler
      const record = yield* create
      assert.deepStrictEqual(statuses(record), ["a unknown"])
      yield* TestClock.adjust("5 minutes")
      yield* reconciler.tick
      assert.deepStrictEqual(seen, ["order_1"])
    }).pipe(
      Effect.provide(
        engine([
          scripted(
            "a",
            {
              create: (operation, context) =>
                Effect.as(context.checkpoint(operation, "order_1"), Outcome.unknown({ reason: "reset" })),
              inquire: ({ reference }) => Effect.sync(() => (seen.push(reference), Outcome.succeeded()))
            },
            inquiryOnly
          )
        ])
      )
    )
  })
})

import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import type { PaymentId } from "../../src/domain/Ids.ts"
import * as Outcome from "../../src/domain/Outcome.ts"
import type { InquiryOutcome } from "../../src/domain/Outcome.ts"
import { MemoryStore } from "@paymux/testkit/memory-store"
import { card, eventsOf, inquiryOnly, read, scripted, start, summary, tenant } from "./fixtures.ts"
import type { Script } from "./fixtures.ts"

const shown = () =>
  Effect.succeed(
    Outcome.pending({ reference: "pi_1", nextAction: { type: "redirect", url: "https://x.test", expiresAt: null } })
  )

const environment = Effect.fnUntraced(function* (script: Partial<Script>) {
  const store = MemoryStore.make()
  const engine = yield* start(store, [scripted("a", { create: shown, ...script }, inquiryOnly)], {
    returnAddress: (operation, { id }) => `https://pay.test/return/${operation}/${id}`
  })
  const record = yield* engine.create()
  const { id } = record.payment
  return { ...engine, record, id, now: Effect.map(read(store, record), summary), events: eventsOf(store, id) }
})

describe("the shopper's return", () => {
  it.effect("is settled by what the provider says, once, however often the shopper comes back", () =>
    Effect.gen(function* () {
      const seen: Array<unknown> = []
      const { events, id, payments, record } = yield* environment({
        complete: ({ kind, reference, returnUrl }, query) =>
          Effect.sync(() => (seen.push([kind, reference, returnUrl, query]), Outcome.succeeded()))
      })
      for (let i = 0; i < 3; i++) {
        const { payment } = yield* payments.complete(id, { code: "1" })
        assert.strictEqual(payment.state.status, "succeeded")
      }
      assert.deepStrictEqual(seen, [
        ["create", "pi_1", `https://pay.test/return/${record.operations[0]?.id}/${id}`, { code: "1" }]
      ])
      assert.deepStrictEqual(yield* events, ["payment.pending", "payment.succeeded"])
    })
  )

  it.effect("that is repeated while the provider is asked shares one call", () =>
    Effect.gen(function* () {
      const queries: Array<unknown> = []
      const answered = yield* Deferred.make<InquiryOutcome>()
      const { id, payments } = yield* environment({
        complete: (_, query) => Effect.suspend(() => (queries.push(query), Deferred.await(answered)))
      })
      const returns = yield* Effect.forEach(Array.from({ length: 400 }), () =>
        Effect.forkChild(payments.complete(id, { code: "1" }), { startImmediately: true })
      )
      // Its first caller goes away.
      yield* Fiber.interrupt(returns[0] ?? (yield* Effect.die("none")))
      // A forged query does not keep the shopper's own from the provider.
      yield* Effect.forkChild(payments.complete(id, { code: "2" }), { startImmediately: true })
      yield* TestClock.adjust("1 milli")
      yield* Deferred.succeed(answered, Outcome.succeeded())
      for (const one of returns.slice(1)) {
        assert.strictEqual((yield* Fiber.join(one)).payment.state.status, "succeeded")
      }
      assert.deepStrictEqual(queries, [{ code: "1" }, { code: "2" }])
    })
  )

  it.effect("with many different queries at once asks the provider about a few of them", () =>
    Effect.gen(function* () {
      let calls = 0
      const answered = yield* Deferred.make<InquiryOutcome>()
      const { id, payments, record } = yield* environment({
        complete: () => Effect.suspend(() => (calls++, Deferred.await(answered)))
      })
      const returns = yield* Effect.forEach(
        Array.from({ length: 100 }, (_, n) => n),
        (n) => Effect.forkChild(payments.complete(id, { code: String(n) }), { startImmediately: true })
      )
      yield* TestClock.adjust("1 milli")
      const last = returns.at(-1)
      assert.deepStrictEqual(last === undefined ? null : yield* Fiber.join(last), record)
      assert.strictEqual(calls, 4)
      yield* Deferred.succeed(answered, Outcome.succeeded())
      yield* Fiber.joinAll(returns)
      assert.strictEqual((yield* payments.complete(id, { code: "again" })).payment.state.status, "succeeded")
    })
  )

  it.effect("does not trust the query: a success in it changes nothing", () =>
    Effect.gen(function* () {
      const { id, payments } = yield* environment({})
      const record = yield* payments.complete(id, { status: "succeeded", redirect_status: "succeeded" })
      assert.strictEqual(record.payment.state.status, "pending")
    })
  )

  it.effect("with a decline ends the payment; no other provider is tried", () =>
    Effect.gen(function* () {
      const { id, now, payments } = yield* environment({
        complete: () => Effect.succeed(Outcome.declined({ code: "authentication_failed", retry: "other_provider" }))
      })
      yield* payments.complete(id, {})
      assert.strictEqual((yield* now).state, "failed")
    })
  )

  for (const [what, answer] of [
    ["not found", Outcome.notFound()],
    ["not sent", Outcome.notExecuted({ reason: "not_sent" })],
    ["unknown", Outcome.unknown({ reason: "timeout" })]
  ] as ReadonlyArray<readonly [string, InquiryOutcome]>) {
    it.effect(`to a provider that answers "${what}" changes nothing`, () =>
      Effect.gen(function* () {
        const { id, payments, record } = yield* environment({ complete: () => Effect.succeed(answer) })
        assert.deepStrictEqual(yield* payments.complete(id, {}), record)
      })
    )
  }

  it.effect("to an adapter that throws, breaks, answers garbage or never returns changes nothing", () =>
    Effect.gen(function* () {
      for (const complete of [
        () => {
          throw new Error("a bug")
        },
        () => Effect.die(new Error("a bug")),
        // The cast is the point: this is what a JavaScript adapter can do.
        () => Effect.succeed({ _tag: "Paid" } as unknown as InquiryOutcome),
        () => Effect.never
      ]) {
        const { id, payments, record } = yield* environment({ complete })
        const caller = yield* Effect.forkChild(payments.complete(id, {}))
        yield* TestClock.adjust("11 seconds")
        assert.deepStrictEqual((yield* Fiber.join(caller)).payment.state, record.payment.state)
      }
    })
  )

  it.effect("while the create is still being sent waits for nothing and sends no inquiry", () =>
    Effect.gen(function* () {
      let asked = 0
      const store = MemoryStore.make()
      let id: PaymentId | null = null
      const { create, payments } = yield* start(store, [
        scripted("a", {
          create: ({ paymentId }) => Effect.suspend(() => ((id = paymentId), Effect.never)),
          complete: () => Effect.sync(() => (asked++, Outcome.succeeded()))
        })
      ])
      yield* Effect.forkChild(create())
      yield* TestClock.adjust("1 second")
      if (id === null) throw new Error("nothing was sent")
      assert.strictEqual((yield* payments.complete(id, {})).payment.state.status, "pending")
      assert.strictEqual(asked, 0)
    })
  )

  it.effect("of a shopper who goes away returns its slot when the provider answers", () =>
    Effect.gen(function* () {
      let asked = 0
      const { id, payments } = yield* environment({
        complete: () => Effect.suspend(() => (asked++, Effect.delay(Effect.succeed(Outcome.pending()), "1 second")))
      })
      // 80 calls: more than there are slots for inquiries.
      for (let round = 1; round <= 20; round++) {
        const gone = yield* Effect.forEach([1, 2, 3, 4], (code) =>
          Effect.forkChild(payments.complete(id, { code: String(code) }), { startImmediately: true })
        )
        yield* TestClock.adjust("1 milli")
        yield* Effect.forEach(gone, Fiber.interrupt)
        yield* TestClock.adjust("2 seconds")
        assert.strictEqual(asked, 4 * round)
      }
    })
  )
})

describe("the merchant's own address", () => {
  it.effect("is a public one in live mode, and may be of this machine in test mode", () =>
    Effect.gen(function* () {
      const providers = (["test", "live"] as const).map((mode) => scripted(mode, { create: shown }, inquiryOnly, mode))
      const { payments } = yield* start(MemoryStore.make(), providers, { publicUrl: "https://pay.test.example" })
      const asked = yield* card
      const create = (returnUrl: string, livemode: boolean) =>
        payments.create({ ...asked, returnUrl }, { tenant: { ...tenant, livemode }, idempotency: null })
      const ofThisMachine = [
        "http://localhost",
        "http://localhost:3000/back",
        "http://127.0.0.1:3000",
        "HTTP://LOCALHOST/"
      ]
      for (const address of ofThisMachine) {
        const { reason } = yield* Effect.flip(create(address, true))
        assert.deepStrictEqual(
          reason._tag === "InvalidPayment" && reason.errors,
          [{ pointer: "/return_url", message: "must be https in live mode" }],
          address
        )
      }
      for (const [address, livemode] of [
        ...ofThisMachine.map((address) => [address, false] as const),
        ["https://shop.example/localhost?http://localhost", true] as const
      ]) {
        assert.strictEqual((yield* create(address, livemode)).record.payment.returnUrl, address)
      }
    })
  )
})

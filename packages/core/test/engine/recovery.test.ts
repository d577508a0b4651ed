import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Exit, Layer, Scope } from "effect"
import { TestClock } from "effect/testing"
import * as Engine from "../../src/Engine.ts"
import { Ids } from "../../src/domain/Ids.ts"
import type { PaymentId } from "../../src/domain/Ids.ts"
import { Payments } from "../../src/Payments.ts"
import * as Outcome from "../../src/domain/Outcome.ts"
import type { InquiryOutcome } from "../../src/domain/Outcome.ts"
import type { Provider } from "../../src/provider/Provider.ts"
import { MemoryStore } from "@paymux/testkit/memory-store"
import { everyPayment, PaymentStore } from "../../src/store/PaymentStore.ts"
import { card, idempotent, inquiryOnly, scripted, tenant } from "./fixtures.ts"

/** An engine that can be ended at any moment, on a store that outlives it. */
const start = Effect.fnUntraced(function* (store: PaymentStore["Service"], providers: ReadonlyArray<Provider>) {
  const scope = yield* Scope.make()
  const context = yield* Layer.buildWithScope(
    Engine.layer({ providers, publicUrl: "http://localhost", drain: 0 }).pipe(
      Layer.provide(Layer.mergeAll(Layer.succeed(PaymentStore, store), Ids.layer))
    ),
    scope
  )
  return { payments: Context.get(context, Payments), end: Scope.close(scope, Exit.void) }
})

/** What a second engine makes of a payment whose engine died in mid-send. */
const afterCrash = (
  create: Parameters<typeof scripted>[2],
  second: { readonly create?: Outcome.SendOutcome; readonly inquire?: InquiryOutcome }
) =>
  Effect.gen(function* () {
    const store = Context.get(yield* Layer.build(MemoryStore.layer), PaymentStore)
    const sent = { first: [] as Array<string>, second: [] as Array<string> }
    const first = yield* start(store, [
      scripted("a", { create: ({ key }) => Effect.suspend(() => (sent.first.push(key), Effect.never)) }, create)
    ])
    yield* Effect.forkChild(Effect.ignore(first.payments.create(yield* card, { tenant, idempotency: null })))
    yield* TestClock.adjust("1 second")
    yield* first.end
    const ended = yield* store.list(tenant, everyPayment)
    const id = ended.records[0]?.payment.id
    if (id === undefined) throw new Error("the payment was lost")
    assert.strictEqual(ended.records[0]?.operations[0]?.status, "sending")

    const again = yield* start(store, [
      scripted(
        "a",
        {
          create: ({ key }) => Effect.sync(() => (sent.second.push(key), second.create ?? Outcome.succeeded())),
          ...(second.inquire === undefined
            ? {}
            : { inquire: () => Effect.succeed(second.inquire ?? Outcome.notFound()) })
        },
        create
      ),
      scripted("b", { create: () => Effect.succeed(Outcome.succeeded()) })
    ])
    const read = (payment: PaymentId) => Effect.orDie(again.payments.get(tenant, payment))
    return { id, read, sent }
  })

describe("after a crash in mid-send", () => {
  it.effect("an inquiry that finds the capture settles it; nothing is sent again", () =>
    Effect.gen(function* () {
      const { id, read, sent } = yield* afterCrash(inquiryOnly, { inquire: Outcome.succeeded() })
      yield* TestClock.adjust("1 minute")
      const record = yield* read(id)
      assert.strictEqual(record.payment.state.status, "succeeded")
      assert.strictEqual(sent.second.length, 0)
    })
  )

  it.effect("an inquiry that cannot find it proves nothing before notFoundIsFinalAfter", () =>
    Effect.gen(function* () {
      const { id, read } = yield* afterCrash(inquiryOnly, { inquire: Outcome.notFound() })
      yield* TestClock.adjust("10 minutes")
      const early = yield* read(id)
      assert.deepStrictEqual(
        early.attempts.map((attempt) => attempt.status),
        ["unknown"]
      )
      assert.strictEqual(early.payment.state.status, "pending")
      yield* TestClock.adjust("20 minutes")
      const late = yield* read(id)
      assert.deepStrictEqual(
        late.attempts.map((attempt) => attempt.status),
        ["not_executed"]
      )
      assert.strictEqual(late.payment.state.status, "failed")
    })
  )

  it.effect("without an inquiry, the same request under the same key asks an idempotent provider", () =>
    Effect.gen(function* () {
      const { idempotency } = idempotent
      const { id, read, sent } = yield* afterCrash(idempotency === undefined ? {} : { idempotency }, {
        create: Outcome.succeeded()
      })
      yield* TestClock.adjust("1 minute")
      assert.strictEqual((yield* read(id)).payment.state.status, "succeeded")
      assert.deepStrictEqual(sent.second, sent.first)
    })
  )

  it.effect("a request that may be the first to arrive is not sent again once its payment's deadline is over", () =>
    Effect.gen(function* () {
      const store = Context.get(yield* Layer.build(MemoryStore.layer), PaymentStore)
      const { idempotency } = idempotent
      let sends = 0
      const lost = scripted(
        "a",
        { create: () => Effect.sync(() => ((sends += 1), Outcome.unknown({ reason: "reset" }))) },
        idempotency === undefined ? {} : { idempotency }
      )
      const { payments } = yield* start(store, [lost])
      yield* Effect.forkChild(Effect.ignore(payments.create(yield* card, { tenant, idempotency: null })))
      yield* TestClock.adjust("45 seconds")
      const within = sends
      assert.isAbove(within, 1)
      yield* TestClock.adjust("12 hours")
      assert.strictEqual(sends, within)
      const [record] = (yield* store.list(tenant, everyPayment)).records
      assert.deepStrictEqual(
        record?.payment.reviews.map(({ reason }) => reason),
        ["inquiries_exhausted"]
      )
    })
  )

  it.effect("without an inquiry it is held, and a review opens; no failover, and no failure", () =>
    Effect.gen(function* () {
      const { id, read, sent } = yield* afterCrash({}, {})
      yield* TestClock.adjust("10 minutes")
      assert.deepStrictEqual((yield* read(id)).payment.reviews, [])
      yield* TestClock.adjust("1 hour")
      const record = yield* read(id)
      assert.deepStrictEqual(
        record.attempts.map((attempt) => attempt.status),
        ["unknown"]
      )
      assert.strictEqual(record.payment.state.status, "pending")
      assert.deepStrictEqual(
        record.payment.reviews.map(({ reason }) => reason),
        ["inquiries_exhausted"]
      )
      assert.strictEqual(sent.second.length, 0)
    })
  )
})

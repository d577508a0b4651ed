/** Sequences that once took money twice, or left something open without a next check. */
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { changed } from "../../src/domain/transition/change.ts"
import * as Outcome from "../../src/domain/Outcome.ts"
import { MemoryStore } from "@paymux/testkit/memory-store"
import { StoreUnavailable } from "../../src/store/PaymentStore.ts"
import {
  card,
  cardOnHold,
  createOf,
  keyed,
  plain,
  read,
  scripted,
  start,
  summary,
  tenant,
  reported
} from "./fixtures.ts"
import type { Store } from "./fixtures.ts"

const succeeds = () => Effect.succeed(Outcome.succeeded())
const pends = () => Effect.succeed(Outcome.pending({}))

describe("what happens at the same time, or in another order", () => {
  for (const [how, claim] of [
    ["not_executed", { _tag: "NotExecuted", reason: "proof_code" }],
    ["declined", { _tag: "Declined", code: "do_not_honor", retry: "other_provider" }]
  ] as const)
    it.effect(`${how} while the merchant's cancel is under way sends nothing to another provider`, () =>
      Effect.gen(function* () {
        const store = MemoryStore.make()
        const b: Array<string> = []
        const engine = yield* start(store, [
          scripted("a", {
            create: pends,
            cancel: () => Effect.andThen(Effect.sleep("5 seconds"), Effect.succeed(Outcome.succeeded()))
          }),
          scripted("b", { create: ({ id }) => Effect.sync(() => (b.push(id), Outcome.succeeded())) })
        ])
        const record = yield* engine.create()
        const caller = yield* Effect.forkChild(engine.payments.cancel(record.payment.id, plain))
        yield* TestClock.adjust("1 seconds")
        yield* engine.payments.advance(reported(createOf(record), claim))
        yield* TestClock.adjust("10 seconds")
        yield* Fiber.join(caller)
        assert.deepStrictEqual(b, [])
      })
    )

  it.effect("a look that ends in review does not put out the light of what became pending meanwhile", () =>
    Effect.gen(function* () {
      const inner = MemoryStore.make()
      let hook: Effect.Effect<unknown> = Effect.void
      const store = {
        ...inner,
        reschedule: (id: never, c: number, n: number | null) =>
          n === null ? Effect.andThen(hook, inner.reschedule(id, c, n)) : inner.reschedule(id, c, n)
      }
      const engine = yield* start(store as never, [
        scripted("a", { create: () => Effect.succeed(Outcome.unknown({ reason: "timeout" })) }, {})
      ])
      const f = yield* Effect.forkChild(engine.create())
      yield* TestClock.adjust("30 seconds")
      const record = yield* Fiber.join(f)
      hook = Effect.orDie(engine.payments.advance(reported(createOf(record), { _tag: "Pending" })))
      yield* TestClock.adjust("40 minutes")
      yield* TestClock.adjust("1 hours")
      const later = yield* read(store as never, record)
      assert.isTrue(later.operations[0]?.nextCheckAt !== null || later.payment.reviews.length > 0)
    })
  )

  for (const kind of ["refund", "capture"] as const)
    it.effect(`a ${kind} that is pending at a provider without inquiry is looked after or in review`, () =>
      Effect.gen(function* () {
        const store = MemoryStore.make()
        const engine = yield* start(store, [
          scripted("a", {
            create: kind === "refund" ? succeeds : () => Effect.succeed(Outcome.authorized()),
            [kind]: pends,
            cancel: succeeds,
            later: {}
          })
        ])
        const record = yield* kind === "refund" ? engine.create() : engine.create(cardOnHold)
        const id = record.payment.id
        yield* kind === "refund"
          ? engine.payments.refund(id, { minorUnits: null, reason: null }, plain)
          : engine.payments.capture(id, { minorUnits: null }, plain)
        yield* TestClock.adjust("1 hours")
        const now = yield* read(store, record)
        assert.isTrue(now.operations[1]?.nextCheckAt !== null || now.payment.reviews.length > 0)
      })
    )

  it.effect("a refund that failed and succeeded after all is counted", () =>
    Effect.gen(function* () {
      const store = MemoryStore.make()
      const sent: Array<string> = []
      const engine = yield* start(store, [
        scripted("a", {
          create: succeeds,
          refund: ({ key }) => Effect.sync(() => (sent.push(key), Outcome.pending({})))
        })
      ])
      const record = yield* engine.create()
      const { operation } = yield* engine.payments.refund(record.payment.id, { minorUnits: null, reason: null }, plain)
      yield* engine.payments.advance(reported(operation.id, { _tag: "RefundFailed" }))
      yield* engine.payments.advance(reported(operation.id, { _tag: "RefundSucceeded" }))
      yield* Effect.exit(engine.payments.refund(record.payment.id, { minorUnits: null, reason: null }, plain))
      const now = yield* read(store, record)
      assert.isTrue(now.payment.amountRefunded === 1200 || now.payment.reviews.length > 0)
    })
  )

  it.effect("a report about a refund that loses to another commit is judged again, as one about that refund", () =>
    Effect.gen(function* () {
      const inner = MemoryStore.make()
      const state = { overtakes: false }
      const store: Store = {
        ...inner,
        advance: (commit) =>
          Effect.gen(function* () {
            if (state.overtakes) {
              state.overtakes = false
              const { record: after } = changed(commit.before, 0, { disputedAt: 0 }, null)
              yield* inner.advance({ ...commit, after, events: [], evidence: null, binding: null, answer: null })
            }
            return yield* inner.advance(commit)
          })
      }
      const engine = yield* start(store, [scripted("a", { create: succeeds, refund: pends })])
      const record = yield* engine.create()
      const { operation } = yield* engine.payments.refund(record.payment.id, { minorUnits: 500, reason: null }, plain)
      state.overtakes = true
      yield* engine.payments.advance(reported(operation.id, { _tag: "RefundSucceeded" }))
      const now = yield* read(store, record)
      assert.deepStrictEqual([summary(now).later, summary(now).reviews], [["requested refund 500 succeeded"], []])
      assert.deepInclude(now.payment, { amountRefunded: 500, disputedAt: 0 })
    })
  )

  it.effect("money of another amount is not called canceled", () =>
    Effect.gen(function* () {
      const store = MemoryStore.make()
      const engine = yield* start(store, [scripted("a", { create: pends, cancel: succeeds })])
      const record = yield* engine.create()
      yield* engine.payments.advance(
        reported(createOf(record), { _tag: "Succeeded", amount: { minorUnits: 900, currency: "EUR" as never } })
      )
      yield* Effect.exit(engine.payments.cancel(record.payment.id, plain))
      const now = yield* read(store, record)
      assert.notStrictEqual(now.payment.state.status, "canceled")
    })
  )

  it.effect("the operator's word about a duplicate does not end another's refund", () =>
    Effect.gen(function* () {
      const store = MemoryStore.make()
      const engine = yield* start(store, [
        scripted("a", { create: () => Effect.succeed(Outcome.notExecuted({ reason: "not_sent" })) }),
        scripted("b", { create: succeeds, refund: pends })
      ])
      const record = yield* engine.create()
      yield* engine.payments.advance(reported(createOf(record, 1), { _tag: "Succeeded" }))
      yield* engine.payments.refund(record.payment.id, { minorUnits: 500, reason: null }, plain)
      // The provider does not find it: the review stands.
      yield* TestClock.adjust("5 seconds")
      const [review, ...others] = (yield* read(store, record)).payment.reviews
      assert.deepInclude(review, { reason: "duplicate_capture", provider: "a", minorUnits: 1200 })
      assert.deepStrictEqual(others, [])
      yield* engine.reviews.resolve({ account: "default", livemode: false }, record.payment.id, {
        subject: { review: review?.id ?? "" },
        resolution: "not_done",
        evidence: "the duplicate was never captured, says support"
      })
      const now = yield* read(store, record)
      assert.strictEqual(now.operations.find(({ kind }) => kind === "refund")?.status, "pending")
      assert.deepStrictEqual([now.payment.reviews, now.payment.amountCaptured], [[], 1200])
    })
  )

  it.effect("a capture that was taken back is not silent, whatever the order of the words", () =>
    Effect.gen(function* () {
      const store = MemoryStore.make()
      const engine = yield* start(store, [scripted("a", { create: pends })])
      const record = yield* engine.create()
      yield* engine.payments.advance({
        ...reported(createOf(record), { _tag: "CaptureFailed" }, "e2"),
        occurredAt: 2000
      })
      yield* engine.payments.advance({
        ...reported(createOf(record), { _tag: "Succeeded" }, "e1"),
        occurredAt: 1000
      })
      const now = yield* read(store, record)
      assert.isTrue(now.payment.reviews.length > 0)
    })
  )

  it.effect("emit does not return as done when the engine ends before it was applied", () =>
    Effect.gen(function* () {
      const inner = MemoryStore.make()
      let away = false
      const down = <A>(e: Effect.Effect<A, StoreUnavailable>) =>
        Effect.suspend(() => (away ? Effect.fail(new StoreUnavailable({ cause: "away" })) : e))
      const store = {
        ...inner,
        findByReference: (a: never, b: never) => down(inner.findByReference(a, b)),
        findByOperation: (a: never) => down(inner.findByOperation(a))
      }
      const go = yield* Deferred.make<string>()
      const engine = yield* start(
        store as never,
        [
          scripted("a", {
            create: pends,
            run: (context) =>
              Effect.gen(function* () {
                const id = yield* Deferred.await(go)
                yield* context.emit({
                  source: "observed",
                  about: { operation: id as never },
                  outcome: { _tag: "Succeeded" },

                  eventId: null,
                  occurredAt: null
                })
                yield* context.state.compareAndSet("cursor", null, "42")
                return yield* Effect.never
              })
          })
        ],
        { drain: 5000 }
      )
      const record = yield* engine.create()
      away = true
      yield* Deferred.succeed(go, createOf(record))
      yield* TestClock.adjust("3 seconds")
      // something in flight keeps the drain open in a real server; the order of closing is the same
      const end = yield* Effect.forkChild(engine.end)
      yield* TestClock.adjust("10 seconds")
      yield* Fiber.join(end)
      away = false
      assert.strictEqual(yield* inner.providerState.get("a", "cursor"), null)
    })
  )

  it.effect("the caller is answered the bytes that are kept, which another engine may have given first", () =>
    Effect.gen(function* () {
      const store = MemoryStore.make()
      const binding = { ...tenant, endpoint: "e", key: "k" }
      const engine = yield* start(store, [
        scripted("a", {
          create: () => Effect.as(Effect.orDie(store.keepAnswer({ ...binding, body: "first" })), Outcome.succeeded())
        })
      ])
      const { body } = yield* engine.payments.create(yield* card, keyed("e", "k"))
      assert.strictEqual(body, "first")
    })
  )

  it.effect("an operation that was reported between the claim and the read is not sent again", () =>
    Effect.gen(function* () {
      const inner = MemoryStore.make()
      const sent: Array<string> = []
      let meanwhile: Effect.Effect<unknown> = Effect.void
      const store = {
        ...inner,
        claimDue: (claim: Parameters<typeof inner.claimDue>[0]) =>
          Effect.tap(inner.claimDue(claim), (due) => (due.length === 0 ? Effect.void : meanwhile))
      }
      const replayed = { idempotency: { by: "header", lifetime: "24 hours" } } as const
      const create = ({ key }: { readonly key: string }) =>
        Effect.sync(() => (sent.push(key), Outcome.unknown({ reason: "timeout" })))
      const engine = yield* start(store, [scripted("a", { create }, replayed)])
      const caller = yield* Effect.forkChild(engine.create())
      yield* TestClock.adjust("40 seconds")
      const record = yield* Fiber.join(caller)
      const before = sent.length
      const claim = { _tag: "Declined", code: "do_not_honor", retry: "never" } as const
      meanwhile = Effect.orDie(engine.payments.advance(reported(createOf(record), claim)))
      yield* TestClock.adjust("1 day")
      assert.isAbove(before, 0)
      assert.strictEqual(sent.length, before)
      assert.strictEqual((yield* read(inner, record)).payment.state.status, "failed")
    })
  )

  it.effect("a provider's process cannot speak as an operator", () =>
    Effect.gen(function* () {
      const store = MemoryStore.make()
      const engine = yield* start(store, [
        scripted("a", {
          create: ({ id }, context) =>
            Effect.as(
              Effect.forkDetach(
                Effect.andThen(
                  Effect.sleep("1 seconds"),
                  context.emit({ ...reported(id, { _tag: "Succeeded" }), source: "operator" })
                )
              ),
              Outcome.pending({})
            )
        })
      ])
      const record = yield* engine.create()
      yield* TestClock.adjust("2 seconds")
      const evidence = yield* store.evidenceOf(record.payment.id)
      assert.deepStrictEqual(
        evidence.map(({ source }) => source),
        ["observed"]
      )
    })
  )
})

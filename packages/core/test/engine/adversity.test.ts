import { assert, describe, it } from "@effect/vitest"
import { Context, Deferred, Effect, Exit, Fiber, Layer, Scope } from "effect"
import { TestClock } from "effect/testing"
import { Ids } from "../../src/domain/Ids.ts"
import type { OperationId } from "../../src/domain/Ids.ts"
import * as Engine from "../../src/Engine.ts"
import { Payments } from "../../src/Payments.ts"

import * as Outcome from "../../src/domain/Outcome.ts"
import type { Provider, ProviderContext } from "../../src/provider/Provider.ts"
import { rateLimited } from "../../src/provider/ProviderError.ts"
import { MemoryStore } from "@paymux/testkit/memory-store"
import { everyPayment, PaymentStore, StoreUnavailable } from "../../src/store/PaymentStore.ts"
import { card, idempotent, inquiryOnly, scripted, tenant } from "./fixtures.ts"

type Store = PaymentStore["Service"]

/** Idempotent by header, without an inquiry: the same request again is the inquiry. */
const replayOnly = { idempotency: { by: "header", lifetime: "24 hours" }, declineIsFinal: true } as const

const start = Effect.fnUntraced(function* (store: Store, providers: ReadonlyArray<Provider>) {
  const scope = yield* Scope.make()
  const context = yield* Layer.buildWithScope(
    Engine.layer({ providers, publicUrl: "http://localhost", drain: 0 }).pipe(
      Layer.provide(Layer.mergeAll(Layer.succeed(PaymentStore, store), Ids.layer))
    ),
    scope
  )
  return { payments: Context.get(context, Payments), end: Scope.close(scope, Exit.void) }
})

const emptyStore = Effect.map(Layer.build(MemoryStore.layer), (context) => Context.get(context, PaymentStore))

/** Creates in the background and leaves it. */
const begin = (payments: Payments["Service"], key: string | null = null, livemode = false) =>
  Effect.flatMap(card, (payment) =>
    payments.create(payment, {
      tenant: { ...tenant, livemode },
      idempotency: key === null ? null : { endpoint: "POST /v1/payments", key }
    })
  )

const only = Effect.fnUntraced(function* (store: Store, livemode = false) {
  const page = yield* store.list({ ...tenant, livemode }, everyPayment)
  const [record] = page.records
  if (record === undefined || page.records.length > 1) throw new Error(`${page.records.length} payments`)
  return {
    state: record.payment.state.status,
    attempts: record.attempts.map(({ provider, status }) => `${provider} ${status}`),
    reviews: record.payment.reviews.map(({ reason }) => reason),
    record
  }
})

/** A provider that hands out what the engine gave it, so that a test can speak for it later. */
const speaking = (id: string, create: Parameters<typeof scripted>[1]["create"], declared = idempotent) => {
  // The platform digests a key, which takes real time: the report waits for the send.
  const sent = Deferred.makeUnsafe<{ readonly operation: OperationId; readonly context: ProviderContext }>()
  const provider = scripted(
    id,
    {
      create: (operation, context) => {
        Deferred.doneUnsafe(sent, Effect.succeed({ operation: operation.id, context }))
        return create(operation, context)
      }
    },
    declared
  )
  const tell = (outcome: Outcome.Outcome) =>
    Effect.flatMap(Deferred.await(sent), ({ context, operation }) =>
      context.emit({
        source: "webhook",
        about: { operation },
        outcome,

        eventId: null,
        occurredAt: null
      })
    )
  return { provider, tell }
}

describe("an answer that did not reach the provider proves nothing about an earlier send", () => {
  for (const [how, declared] of [
    ["a replay", replayOnly],
    ["an inquiry", inquiryOnly]
  ] as const) {
    it.effect(`${how} that could not connect leaves it unknown; no other provider is tried`, () =>
      Effect.gen(function* () {
        const store = yield* emptyStore
        let captured = 0
        const other = scripted("b", { create: () => Effect.succeed(Outcome.succeeded()) })
        const first = yield* start(store, [
          scripted("a", { create: () => Effect.suspend(() => (captured++, Effect.never)) }, declared),
          other
        ])
        yield* Effect.forkChild(Effect.ignore(begin(first.payments)))
        yield* TestClock.adjust("1 second")
        yield* first.end
        const unreachable = () => Effect.succeed(Outcome.notExecuted({ reason: "not_sent" }))
        yield* start(store, [scripted("a", { create: unreachable, inquire: unreachable }, declared), other])
        yield* TestClock.adjust("3 minutes")
        const { attempts, state } = yield* only(store)
        assert.deepStrictEqual(
          { attempts, state, captured },
          { attempts: ["a unknown"], state: "pending", captured: 1 }
        )
      })
    )
  }
})

describe("money that does not match", () => {
  it.effect("is held for review: an inquiry that finds nothing closes nothing, and no other provider is tried", () =>
    Effect.gen(function* () {
      const store = yield* emptyStore
      const { payments } = yield* start(store, [
        scripted(
          "a",
          {
            create: ({ amount: asked }) =>
              Effect.succeed(Outcome.succeeded({ reference: "r1", amount: { ...asked, minorUnits: 1100 } })),
            inquire: () => Effect.succeed(Outcome.notFound())
          },
          inquiryOnly
        ),
        scripted("b", { create: () => Effect.succeed(Outcome.succeeded()) })
      ])
      const { record: answered } = yield* begin(payments)
      assert.strictEqual(answered.operations[0]?.reference, "r1")
      yield* TestClock.adjust("2 hours")
      const { attempts, reviews, state } = yield* only(store)
      assert.deepStrictEqual(
        { attempts, reviews, state },
        { attempts: ["a pending"], reviews: ["amount_mismatch"], state: "pending" }
      )
      assert.deepStrictEqual(
        (yield* store.undispatchedEvents(9)).map((event) => event.type),
        ["payment.pending", "payment.review_opened"]
      )
    })
  )
})

describe("evidence while a send is under way", () => {
  it.effect("late success of the first ends the sends of the second: it is not sent again", () =>
    Effect.gen(function* () {
      const store = yield* emptyStore
      let sends = 0
      const a = speaking("a", () => Effect.succeed(Outcome.notExecuted({ reason: "not_sent" })))
      const { payments } = yield* start(store, [
        a.provider,
        scripted(
          "b",
          {
            create: () =>
              Effect.suspend(() =>
                ++sends === 1 ? Effect.fail(rateLimited(8000)) : Effect.succeed(Outcome.succeeded())
              )
          },
          { ...idempotent, rateLimitIsNotExecuted: true }
        )
      ])
      yield* Effect.forkChild(begin(payments))
      yield* TestClock.adjust("1 second")
      yield* a.tell({ _tag: "Succeeded" })
      yield* TestClock.adjust("20 seconds")
      const { record, state } = yield* only(store)
      assert.strictEqual(state, "succeeded")
      assert.deepStrictEqual(record.payment.reviews, [])
      assert.strictEqual(sends, 1)
    })
  )

  it.effect("a failover begun by evidence answers the caller that waits, once the last send has ended", () =>
    Effect.gen(function* () {
      const store = yield* emptyStore
      const a = speaking("a", () => Effect.never)
      const { payments } = yield* start(store, [
        a.provider,
        scripted("b", { create: () => Effect.as(Effect.sleep("2 seconds"), Outcome.succeeded()) })
      ])
      const caller = yield* Effect.forkChild(begin(payments, "k"))
      yield* TestClock.adjust("1 second")
      yield* a.tell({ _tag: "Declined", code: "issuer_unavailable", retry: "other_provider" })
      yield* TestClock.adjust("1 second")
      const meanwhile = yield* Effect.flip(begin(payments, "k"))
      assert.strictEqual(meanwhile.reason._tag, "IdempotencyInFlight")
      yield* TestClock.adjust("60 seconds")
      const answered = yield* Fiber.join(caller)
      const replayed = yield* begin(payments, "k")
      assert.strictEqual(replayed.body, answered.body)
      assert.deepStrictEqual((yield* only(store)).attempts, ["a declined", "b succeeded"])
    })
  )

  it.effect("the stored response is the response that was sent, whichever report came first", () =>
    Effect.gen(function* () {
      const store = yield* emptyStore
      const { payments } = yield* start(store, [
        scripted("a", {
          create: (operation, context) =>
            Effect.as(
              context.emit({
                source: "webhook",
                about: { operation: operation.id },
                outcome: { _tag: "Pending" },

                eventId: null,
                occurredAt: null
              }),
              Outcome.succeeded()
            )
        })
      ])
      const answered = yield* begin(payments, "k")
      assert.strictEqual(answered.record.payment.state.status, "succeeded")
      assert.strictEqual((yield* begin(payments, "k")).body, answered.body)
    })
  )

  it.effect("a report that comes while the database is unavailable is applied when it is back", () =>
    Effect.gen(function* () {
      const inner = yield* emptyStore
      const state = { away: false }
      const store: Store = {
        ...inner,
        findByOperation: (id) =>
          state.away ? Effect.fail(new StoreUnavailable({ cause: "away" })) : inner.findByOperation(id)
      }
      const a = speaking("a", () => Effect.succeed(Outcome.declined({ code: "generic_decline", retry: "never" })))
      const { payments } = yield* start(store, [a.provider])
      yield* begin(payments)
      state.away = true
      const reported = yield* Effect.forkChild(a.tell({ _tag: "Succeeded" }))
      yield* TestClock.adjust("1 minute")
      state.away = false
      yield* TestClock.adjust("1 minute")
      yield* Fiber.join(reported)
      assert.deepStrictEqual((yield* only(store)).record.payment.state, { status: "succeeded", late: true })
    })
  )
})

describe("an adapter that does not keep the contract", () => {
  const garbage: ReadonlyArray<readonly [string, unknown]> = [
    ["undefined", undefined],
    ["an unknown tag", { _tag: "Maybe" }],
    ["an unknown decline code", { _tag: "Declined", code: "nope", retry: "never" }],
    ["an amount that is no number", { _tag: "Succeeded", amount: { minorUnits: Number.NaN, currency: "EUR" } }],
    ["a word that is neither true nor false", { _tag: "Pending", awaitingFinality: "yes" }]
  ]
  for (const [what, answer] of garbage) {
    it.effect(`${what} as an answer leaves the outcome unknown, and everything readable`, () =>
      Effect.gen(function* () {
        const store = yield* emptyStore
        const { payments } = yield* start(store, [
          // The cast is the point: this is what a JavaScript adapter can do.
          scripted("a", { create: () => Effect.succeed(answer as Outcome.SendOutcome) }, inquiryOnly)
        ])
        const first = yield* begin(payments, "k")
        assert.deepStrictEqual((yield* only(store)).attempts, ["a unknown"])
        assert.strictEqual((yield* begin(payments, "k")).body, first.body)
      })
    )
  }

  it.effect(
    "a next action that no page may show leaves the payment pending at that provider, and an inquiry settles it",
    () =>
      Effect.gen(function* () {
        const store = yield* emptyStore
        let sends = 0
        const nextAction = { type: "redirect", url: "javascript:alert(1)", expiresAt: null } as const
        const { payments } = yield* start(store, [
          scripted(
            "a",
            {
              create: () => Effect.sync(() => (sends++, Outcome.pending({ reference: "pi_1", nextAction }))),
              inquire: () => Effect.succeed(Outcome.succeeded({ reference: "pi_1" }))
            },
            inquiryOnly
          ),
          scripted("b", { create: () => Effect.sync(() => (sends++, Outcome.succeeded())) }, inquiryOnly)
        ])
        const first = yield* begin(payments, "k")
        assert.notInclude(first.body, "javascript")
        const { attempts, record } = yield* only(store)
        assert.deepStrictEqual(attempts, ["a pending"])
        assert.deepStrictEqual(record.payment.state, { status: "pending", reason: "processing", nextAction: null })
        assert.strictEqual(record.operations[0]?.reference, "pi_1")
        yield* TestClock.adjust("10 minutes")
        assert.strictEqual((yield* only(store)).state, "succeeded")
        assert.strictEqual(sends, 1)
      })
  )

  it.effect("one that throws before it returns an effect is one that broke", () =>
    Effect.gen(function* () {
      const store = yield* emptyStore
      const { payments } = yield* start(store, [
        scripted(
          "a",
          {
            create: () => {
              throw new Error("a bug")
            }
          },
          inquiryOnly
        )
      ])
      yield* begin(payments)
      assert.deepStrictEqual((yield* only(store)).attempts, ["a unknown"])
    })
  )
})

describe("the configuration changed between two starts", () => {
  it.effect("a live payment is never sent to what is a test instance now", () =>
    Effect.gen(function* () {
      const store = yield* emptyStore
      const first = yield* start(store, [scripted("a", { create: () => Effect.never }, replayOnly, "live")])
      yield* Effect.forkChild(Effect.ignore(begin(first.payments, null, true)))
      yield* TestClock.adjust("1 second")
      yield* first.end
      let sent = 0
      yield* start(store, [
        scripted("a", { create: () => Effect.sync(() => (sent++, Outcome.succeeded())) }, replayOnly)
      ])
      yield* TestClock.adjust("10 minutes")
      assert.deepStrictEqual((yield* only(store, true)).attempts, ["a unknown"])
      assert.strictEqual(sent, 0)
    })
  )

  it.effect("a pending payment whose provider was away for one start is asked for when it is back", () =>
    Effect.gen(function* () {
      const store = yield* emptyStore
      const pending = scripted("a", { create: () => Effect.succeed(Outcome.pending()) }, inquiryOnly)
      const other = scripted("b", { create: () => Effect.succeed(Outcome.succeeded()) })
      const first = yield* start(store, [pending])
      yield* begin(first.payments)
      yield* first.end
      const second = yield* start(store, [other])
      yield* TestClock.adjust("1 hour")
      yield* second.end
      yield* start(store, [
        scripted("a", { create: () => Effect.never, inquire: () => Effect.succeed(Outcome.succeeded()) }, inquiryOnly)
      ])
      yield* TestClock.adjust("5 minutes")
      assert.strictEqual((yield* only(store)).state, "succeeded")
    })
  )
})

describe("the database", () => {
  it.effect("a defect in one look does not end the reconciler", () =>
    Effect.gen(function* () {
      const inner = yield* emptyStore
      let looks = 0
      const store: Store = {
        ...inner,
        claimDue: (claim) => (++looks === 3 ? Effect.die(new Error("an unreadable row")) : inner.claimDue(claim))
      }
      const { payments } = yield* start(store, [
        scripted(
          "a",
          {
            create: () => Effect.succeed(Outcome.unknown({ reason: "timeout" })),
            inquire: () => Effect.succeed(Outcome.succeeded())
          },
          inquiryOnly
        )
      ])
      yield* begin(payments)
      yield* TestClock.adjust("3 minutes")
      assert.strictEqual((yield* only(store)).state, "succeeded")
    })
  )

  it.effect("a first commit whose reply was lost is read again, and its payment goes on", () =>
    Effect.gen(function* () {
      const inner = yield* emptyStore
      const store: Store = {
        ...inner,
        begin: (commit) =>
          Effect.andThen(inner.begin(commit), Effect.fail(new StoreUnavailable({ cause: "reply lost" })))
      }
      const { payments } = yield* start(store, [scripted("a", { create: () => Effect.succeed(Outcome.succeeded()) })])
      const { record } = yield* begin(payments)
      assert.strictEqual(record.payment.state.status, "succeeded")
    })
  )
})

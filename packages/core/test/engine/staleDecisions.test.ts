/** A decision holds for the payment as it was read. If the payment changed since, it is made again or dropped. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import * as Outcome from "../../src/domain/Outcome.ts"
import { timings } from "../../src/execution/timings.ts"
import { rateLimited } from "../../src/provider/ProviderError.ts"
import { MemoryStore } from "@paymux/testkit/memory-store"
import type { Operation } from "../../src/domain/Operation.ts"
import type { DueOperation } from "../../src/store/PaymentStore.ts"
import { createOf, inquiryOnly, plain, read, scripted, start, summary, reported } from "./fixtures.ts"
import type { Script, Store } from "./fixtures.ts"

const succeeds = () => Effect.succeed(Outcome.succeeded())
const isPending = { _tag: "Pending" } as const
const isRefunded = { _tag: "RefundSucceeded" } as const
const whole = { minorUnits: null, reason: null }

describe("a reply that arrives after other evidence", () => {
  for (const [how, reply] of [
    ["not executed", Outcome.notExecuted({ reason: "not_sent" })],
    ["a soft decline", Outcome.declined({ code: "do_not_honor", retry: "other_provider" })]
  ] as const)
    it.effect(`${how}: no failover once a webhook reported the payment as pending`, () =>
      Effect.gen(function* () {
        const store = MemoryStore.make()
        const sends: Array<string> = []
        const slowReply: Script["create"] = ({ id }, context) =>
          Effect.gen(function* () {
            yield* context.emit(reported(id, isPending))
            yield* Effect.sleep("2 seconds")
            return reply
          })
        const engine = yield* start(store, [
          scripted("a", { create: slowReply }, inquiryOnly),
          scripted("b", { create: ({ id }) => Effect.sync(() => (sends.push(id), Outcome.succeeded())) })
        ])
        const caller = yield* Effect.forkChild(engine.create())
        yield* TestClock.adjust("15 seconds")
        const now = summary(yield* read(store, yield* Fiber.join(caller)))
        assert.deepStrictEqual(now, { state: "pending", reviews: [], attempts: ["a pending"], later: [] })
        assert.deepStrictEqual(sends, [])
      })
    )
})

describe("a reply after a send without a definite answer", () => {
  it.effect("starts no other provider, even if the payment was announced as pending meanwhile", () =>
    Effect.gen(function* () {
      const store = MemoryStore.make()
      let sends = 0
      let others = 0
      const engine = yield* start(store, [
        scripted("a", {
          create: () =>
            Effect.suspend((): Effect.Effect<Outcome.SendOutcome> =>
              ++sends === 1
                ? Effect.succeed(Outcome.unknown({ reason: "timeout" }))
                : Effect.as(Effect.sleep("12 seconds"), Outcome.notExecuted({ reason: "not_sent" }))
            ),
          inquire: () => Effect.succeed(Outcome.unknown({ reason: "unmapped" }))
        }),
        scripted("b", { create: () => Effect.sync(() => (others++, Outcome.succeeded())) })
      ])
      const asked = yield* Effect.forkChild(engine.create(), { startImmediately: true })
      yield* TestClock.adjust("40 seconds")
      yield* Fiber.join(asked)
      assert.deepStrictEqual({ sends, others }, { sends: 2, others: 0 })
    })
  )
})

describe("a reply to a send whose operation another engine has claimed since", () => {
  it.effect("starts no other provider: that engine may be sending", () =>
    Effect.gen(function* () {
      const inner = MemoryStore.make()
      let isClaimed = false
      let others = 0
      const ofAnother = (operation: Operation): Operation => ({ ...operation, owner: "another engine" })
      const store: Store = {
        ...inner,
        advance: (commit) =>
          isClaimed ? inner.advance(commit) : Effect.sync(() => ((isClaimed = true), { _tag: "Conflict" as const })),
        get: (id) =>
          Effect.map(inner.get(id), (record) =>
            record === null || !isClaimed ? record : { ...record, operations: record.operations.map(ofAnother) }
          )
      }
      const engine = yield* start(store, [
        scripted("a", { create: () => Effect.succeed(Outcome.notExecuted({ reason: "not_sent" })) }, inquiryOnly),
        scripted("b", { create: () => Effect.sync(() => (others++, Outcome.succeeded())) })
      ])
      const { payment } = yield* engine.create()
      assert.deepStrictEqual({ status: payment.state.status, others }, { status: "pending", others: 0 })
    })
  )
})

describe("a reply that an operator matches", () => {
  for (const [how, outcome] of [
    ["a decline", Outcome.declined({ code: "do_not_honor", retry: "never" })],
    ["not executed", Outcome.notExecuted({ reason: "not_sent" })]
  ] as const) {
    it.effect(`${how}: is about the attempt, so it closes the payment`, () =>
      Effect.gen(function* () {
        const store = MemoryStore.make()
        const unmapped = Effect.succeed(Outcome.unknown({ reason: "unmapped" }))
        const engine = yield* start(
          store,
          [
            scripted(
              "a",
              { create: () => Effect.succeed(Outcome.unknown({ reason: "timeout" })), inquire: () => unmapped },
              inquiryOnly
            )
          ],
          { reconciler: { every: 60_000, share: 20 } }
        )
        const caller = yield* Effect.forkChild(engine.create())
        yield* TestClock.adjust("30 seconds")
        const record = yield* Fiber.join(caller)
        yield* store.inbox.keep([
          {
            provider: "a",
            eventKey: "reply",
            evidence: { ...reported(createOf(record), outcome), source: "reply" },
            document: null,
            status: "waiting",
            tries: 3,
            nextTryAt: 0,
            receivedAt: -timings.unmatched,
            livemode: false,
            disposition: "matched"
          }
        ])
        yield* TestClock.adjust("11 minutes")
        assert.strictEqual((yield* read(store, record)).payment.state.status, "failed")
      })
    )
  }
})

describe("an operation that was settled is not sent again", () => {
  /** A paid payment at a provider without inquiry: the same request under the same key is the inquiry. */
  const refunding = Effect.fnUntraced(function* (store: Store, refund: NonNullable<Script["refund"]>) {
    const engine = yield* start(store, [
      scripted("a", { create: succeeds, refund, later: { idempotency: { by: "header", lifetime: "24 hours" } } })
    ])
    const record = yield* engine.create()
    const caller = yield* Effect.forkChild(engine.payments.refund(record.payment.id, whole, plain))
    return { ...engine, record, caller }
  })

  it.effect("after the reconciler claimed it", () =>
    Effect.gen(function* () {
      const inner = MemoryStore.make()
      const keys: Array<string> = []
      let meanwhile: Effect.Effect<unknown> = Effect.void
      const store: Store = {
        ...inner,
        claimDue: (claim) => Effect.tap(inner.claimDue(claim), (due) => (due.length === 0 ? Effect.void : meanwhile))
      }
      const { caller, payments, record } = yield* refunding(store, ({ key }) =>
        Effect.sync(() => (keys.push(key), Outcome.unknown({ reason: "timeout" })))
      )
      yield* TestClock.adjust("30 seconds")
      const { operation } = yield* Fiber.join(caller)
      const before = keys.length
      meanwhile = Effect.orDie(payments.advance(reported(operation.id, { _tag: "RefundFailed" })))
      yield* TestClock.adjust("10 minutes")
      assert.deepStrictEqual(summary(yield* read(inner, record)).later, ["requested refund 1200 declined"])
      assert.strictEqual(keys.length, before)
    })
  )

  it.effect("while the engine waits before the next send", () =>
    Effect.gen(function* () {
      const store = MemoryStore.make()
      const keys: Array<string> = []
      const { caller, payments, record } = yield* refunding(store, ({ id, key }, context) =>
        Effect.gen(function* () {
          keys.push(key)
          yield* Effect.forkDetach(Effect.andThen(Effect.sleep("2 seconds"), context.emit(reported(id, isRefunded))))
          return yield* rateLimited(8000)
        })
      )
      yield* TestClock.adjust("20 seconds")
      yield* Fiber.join(caller)
      assert.strictEqual((yield* payments.get(record.payment, record.payment.id)).payment.amountRefunded, 1200)
      assert.strictEqual(keys.length, 1)
    })
  )
})

describe("two engines", () => {
  it.effect("that claimed the same planned operation send it once", () =>
    Effect.gen(function* () {
      const inner: Store = { ...MemoryStore.make(), singleEngine: false }
      const refunds: Array<string> = []
      const claimed: Array<DueOperation> = []
      const first: Store = {
        ...inner,
        claimDue: (claim) => Effect.tap(inner.claimDue(claim), (due) => Effect.sync(() => claimed.push(...due)))
      }
      // A claim protects nothing: the second engine gets what the first engine has claimed, as it was then.
      const second: Store = {
        ...inner,
        dueProviders: () => Effect.sync(() => claimed.map(({ operation }) => operation.provider)),
        claimDue: () => Effect.sync(() => claimed.splice(0))
      }
      const providers = (engine: string) => [
        scripted("a", {
          create: () => Effect.succeed(Outcome.notExecuted({ reason: "not_sent" })),
          refund: () => Effect.suspend(() => (refunds.push(engine), Effect.never))
        }),
        scripted("b", { create: succeeds })
      ]
      const one = yield* start(first, providers("one"))
      const record = yield* one.create()
      yield* one.payments.advance({
        ...reported(createOf(record, 1), { _tag: "Succeeded" }),
        source: "observed"
      })
      yield* start(second, providers("two"))
      yield* TestClock.adjust("10 seconds")
      assert.deepStrictEqual(claimed, [])
      assert.deepStrictEqual(refunds, ["one"])
    })
  )
})

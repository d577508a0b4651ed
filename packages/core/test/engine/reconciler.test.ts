/** Which operations the reconciler checks, and when. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import * as Outcome from "../../src/domain/Outcome.ts"
import { MemoryStore } from "@paymux/testkit/memory-store"
import { everyPayment } from "../../src/store/PaymentStore.ts"
import { card, inquiryOnly, plain, read, scripted, start, summary, tenant } from "./fixtures.ts"
import type { Store } from "./fixtures.ts"

const succeeds = () => Effect.succeed(Outcome.succeeded())
const whole = { minorUnits: null, reason: null }

describe("a refund whose engine ended while it was sent", () => {
  it.effect("is checked as soon as the next engine finds it", () =>
    Effect.gen(function* () {
      const store = MemoryStore.make()
      const first = yield* start(store, [scripted("a", { create: succeeds, refund: () => Effect.never })])
      const record = yield* first.create()
      yield* Effect.forkChild(Effect.ignore(first.payments.refund(record.payment.id, whole, plain)))
      yield* TestClock.adjust("1 second")
      yield* first.end
      const asked: Array<string> = []
      yield* start(store, [
        scripted("a", {
          create: succeeds,
          refund: succeeds,
          inquire: ({ kind }) => Effect.sync(() => (asked.push(kind), Outcome.succeeded()))
        })
      ])
      yield* TestClock.adjust("2 seconds")
      assert.deepStrictEqual(asked, ["refund"])
      assert.deepStrictEqual(summary(yield* read(store, record)).later, ["requested refund 1200 succeeded"])
    })
  )
})

describe("an operation that this engine is sending", () => {
  it.effect("is not checked, even if a wrong clock makes it due", () =>
    Effect.gen(function* () {
      const inner = MemoryStore.make()
      const asked: Array<string> = []
      const handed: Array<string> = []
      const store: Store = {
        ...inner,
        dueProviders: () => Effect.succeed(["a"]),
        claimDue: (claim) =>
          Effect.gen(function* () {
            const { records } = yield* Effect.orDie(inner.list(tenant, everyPayment))
            const sending = records.flatMap((record) =>
              record.operations.flatMap((operation) => (operation.status === "sending" ? [{ operation, record }] : []))
            )
            handed.push(...sending.map(({ operation }) => operation.id))
            return [...sending, ...(yield* inner.claimDue(claim))]
          })
      }
      const engine = yield* start(store, [
        scripted(
          "a",
          {
            create: () => Effect.delay(succeeds(), "5 seconds"),
            inquire: ({ id }) => Effect.sync(() => (asked.push(id), Outcome.notFound()))
          },
          inquiryOnly
        )
      ])
      const caller = yield* Effect.forkChild(engine.create())
      yield* TestClock.adjust("8 seconds")
      const record = yield* Fiber.join(caller)
      assert.isAbove(handed.length, 0)
      assert.deepStrictEqual(asked, [])
      assert.strictEqual(record.operations[0]?.unsettled, false)
      assert.deepStrictEqual(summary(record).attempts, ["a succeeded"])
    })
  )
})

describe("an operation that an inquiry has settled", () => {
  it.effect("is not checked again", () =>
    Effect.gen(function* () {
      const store = MemoryStore.make()
      const engine = yield* start(store, [
        scripted(
          "a",
          { create: () => Effect.succeed(Outcome.unknown({ reason: "timeout" })), inquire: succeeds },
          inquiryOnly
        )
      ])
      const record = yield* engine.create()
      yield* TestClock.adjust("61 seconds")
      assert.deepInclude((yield* read(store, record)).operations[0], { status: "succeeded", nextCheckAt: null })
    })
  )
})

describe("an operation whose inquiry has found another amount", () => {
  it.effect("is not checked again: an operator looks", () =>
    Effect.gen(function* () {
      const store = MemoryStore.make()
      const asked: Array<string> = []
      const { amount } = yield* card
      const engine = yield* start(store, [
        scripted(
          "a",
          {
            create: () => Effect.succeed(Outcome.unknown({ reason: "timeout" })),
            inquire: ({ id }) =>
              Effect.sync(() => (asked.push(id), Outcome.succeeded({ amount: { ...amount, minorUnits: 700 } })))
          },
          inquiryOnly
        )
      ])
      const record = yield* engine.create()
      yield* TestClock.adjust("61 seconds")
      const now = yield* read(store, record)
      assert.deepStrictEqual(summary(now).reviews, ["amount_mismatch"])
      assert.deepInclude(now.operations[0], { status: "pending", nextCheckAt: null })
      assert.lengthOf(asked, 1)
    })
  )
})

describe("a payment that stays pending at a provider that cannot be asked", () => {
  for (const [what, answer, reviews] of [
    [
      "waiting for its payer: it does not go into review",
      Outcome.pending({ nextAction: { type: "wait", expiresAt: null } }),
      []
    ],
    ["waiting for its provider: it goes into review in the end", Outcome.pending({}), ["inquiries_exhausted"]]
  ] as const)
    it.effect(what, () =>
      Effect.gen(function* () {
        const store = MemoryStore.make()
        const providers = [scripted("a", { create: () => Effect.succeed(answer) }, {})]
        const engine = yield* start(store, providers, { reconciler: { every: 3_600_000 } })
        const record = yield* engine.create()
        yield* TestClock.adjust("20 days")
        assert.deepStrictEqual(summary(yield* read(store, record)).reviews, [...reviews])
      })
    )
})

describe("a payer who was shown a page that has expired", () => {
  it.effect("is not given up if the provider does not find the payment: that says nothing about the payer", () =>
    Effect.gen(function* () {
      const store = MemoryStore.make()
      const create = () => Effect.succeed(Outcome.pending({ nextAction: { type: "wait", expiresAt: 600_000 } }))
      const declared = { ...inquiryOnly, abandonedAfter: "30 minutes" } as const
      const inquire = () => Effect.succeed(Outcome.notFound())
      const engine = yield* start(store, [scripted("a", { create, inquire }, declared)])
      const record = yield* engine.create()
      yield* TestClock.adjust("90 minutes")
      assert.deepStrictEqual(summary(yield* read(store, record)).attempts, ["a pending"])
    })
  )
})

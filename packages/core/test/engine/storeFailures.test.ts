/** What the engine does when a commit fails, when a provider's mode changes, and when an overpayment arrives. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Logger } from "effect"
import { TestClock } from "effect/testing"
import type { PaymentRecord } from "../../src/domain/Payment.ts"
import * as Outcome from "../../src/domain/Outcome.ts"
import { MemoryStore } from "@paymux/testkit/memory-store"
import { StoreUnavailable } from "../../src/store/PaymentStore.ts"
import { card, createOf, plain, read, scripted, start, tenant, reported } from "./fixtures.ts"
import type { Store } from "./fixtures.ts"

const succeeds = () => Effect.succeed(Outcome.succeeded())
const notSent = () => Effect.succeed(Outcome.notExecuted({ reason: "not_sent" }))
const taken = { _tag: "Succeeded" } as const

const isResumed = (before: PaymentRecord, after: PaymentRecord): boolean =>
  after.operations.some(
    ({ id, status }) =>
      status === "sending" && before.operations.some((each) => each.id === id && each.status === "planned")
  )

describe("a planned operation whose commit fails", () => {
  it.effect("releases its bulkhead permit: repeated failures do not exhaust the bulkhead", () =>
    Effect.gen(function* () {
      const inner = MemoryStore.make()
      const state = { away: true }
      const failures: Array<string> = []
      const store: Store = {
        ...inner,
        advance: (commit) =>
          state.away && isResumed(commit.before, commit.after)
            ? Effect.suspend(() => (failures.push(commit.before.payment.id), new StoreUnavailable({ cause: "away" })))
            : inner.advance(commit)
      }
      let cancels = 0
      const shown = Outcome.pending({ nextAction: { type: "wait", expiresAt: 600_000 } })
      const engine = yield* start(store, [
        scripted("a", {
          create: () => Effect.succeed(shown),
          inquire: () => Effect.succeed(shown),
          cancel: () => Effect.sync(() => (cancels++, Outcome.succeeded()))
        })
      ])
      // A bulkhead has 256 permits.
      for (let n = 0; n < 300; n++) yield* engine.create()
      yield* TestClock.adjust("11 minutes")
      assert.isAtLeast(failures.length, 300)
      state.away = false
      yield* TestClock.adjust("20 minutes")
      assert.strictEqual(cancels, 300)
    })
  )
})

describe("a refund whose commit fails", () => {
  it.effect("releases its bulkhead permit", () =>
    Effect.gen(function* () {
      const inner = MemoryStore.make()
      const state = { away: false }
      const store: Store = {
        ...inner,
        advance: (commit) =>
          Effect.suspend(() => (state.away ? new StoreUnavailable({ cause: "away" }) : inner.advance(commit)))
      }
      const engine = yield* start(store, [scripted("a", { create: succeeds, refund: succeeds })])
      const { payment } = yield* engine.create()
      const refund = engine.payments.refund(payment.id, { minorUnits: null, reason: null }, plain)
      state.away = true
      // A bulkhead has 256 permits.
      for (let n = 0; n < 300; n++) assert.strictEqual((yield* Effect.flip(refund)).reason._tag, "Unavailable")
      state.away = false
      assert.strictEqual((yield* refund).operation.status, "succeeded")
    })
  )
})

describe("a provider that changed from live mode to test mode", () => {
  it.effect("cannot report on a live payment; the engine itself still can", () =>
    Effect.gen(function* () {
      const store = MemoryStore.make()
      const live = { ...plain, tenant: { ...tenant, livemode: true } }
      const pends = () => Effect.succeed(Outcome.pending({ reference: "pi_1" }))
      const first = yield* start(store, [scripted("a", { create: pends }, undefined, "live")])
      const { record } = yield* first.payments.create(yield* card, live)
      yield* first.end
      const second = yield* start(store, [scripted("a", { create: pends })])
      assert.strictEqual(yield* second.inbox.observe("a", reported(createOf(record), taken)), "kept")
      assert.strictEqual((yield* read(store, record)).payment.state.status, "pending")
      assert.strictEqual((yield* second.payments.advance(reported(createOf(record), taken)))._tag, "Applied")
    })
  )
})

describe("an overpayment", () => {
  it.effect("is logged once at error level", () =>
    Effect.suspend(() => {
      const lines: Array<string> = []
      const logger = Logger.layer([Logger.map(Logger.formatLogFmt, (line) => void lines.push(line))])
      return Effect.gen(function* () {
        const store = MemoryStore.make()
        const engine = yield* start(store, [
          scripted("a", { create: notSent, refund: succeeds, inquire: succeeds }),
          scripted("b", { create: succeeds })
        ])
        const record = yield* engine.create()
        assert.isFalse(lines.some((line) => line.includes("level=ERROR")))
        yield* engine.payments.advance(reported(createOf(record), taken))
        yield* TestClock.adjust("1 minute")
        const errors = lines.filter((line) => line.includes("level=ERROR"))
        assert.lengthOf(errors, 1)
        assert.include(errors[0], record.payment.id)
      }).pipe(Effect.provide(Layer.mergeAll(logger)))
    })
  )
})

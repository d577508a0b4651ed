/**
 * Several engines on one database: what one of them does is left alone for as long as it may take, and taken over soon after.
 * A second inquiry or send meanwhile would judge a payment by half of what is known.
 */
import { assert, describe, it } from "@effect/vitest"
import { PaymentRecords } from "@paymux/test-suites"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import * as Outcome from "../../src/domain/Outcome.ts"
import { MemoryStore } from "@paymux/testkit/memory-store"
import { idempotent, inquiryOnly, read, reported, scripted, start, summary } from "./fixtures.ts"
import type { Store } from "./fixtures.ts"

const { aRecord, anAttempt, anOperation } = PaymentRecords

/** A payment whose outcome is unknown, due at once. */
const unknown = (store: Store) =>
  store.begin({
    record: {
      ...aRecord(1, { provider: "a" }),
      attempts: [anAttempt(1, { provider: "a", status: "unknown" })],
      operations: [anOperation(1, 1, { provider: "a", status: "unknown", nextCheckAt: 0 })]
    },
    binding: null
  })

/** A database that engines share. */
const sharedStore = (): Store => ({ ...MemoryStore.make(), singleEngine: false })

describe("of two engines on one database", () => {
  it.effect("one inquires, although the inquiry takes its whole time limit and the database answers late", () =>
    Effect.gen(function* () {
      const inner = sharedStore()
      yield* unknown(inner)
      // The time limit of an inquiry is ten seconds; what surrounds it has five.
      const store: Store = {
        ...inner,
        reschedule: (...next) => Effect.andThen(Effect.sleep("4 seconds"), inner.reschedule(...next))
      }
      const inquired: Array<string> = []
      const engine = (name: string) =>
        start(store, [
          scripted(
            "a",
            {
              create: () => Effect.die(new Error("nothing is sent")),
              inquire: () =>
                Effect.andThen(
                  Effect.sync(() => void inquired.push(name)),
                  Effect.never
                )
            },
            inquiryOnly
          )
        ])
      yield* engine("first")
      yield* engine("second")
      yield* TestClock.adjust("20 seconds")
      assert.lengthOf(inquired, 1)
    })
  )

  it.effect("one applies a report, although the database answers late", () =>
    Effect.gen(function* () {
      const inner = sharedStore()
      const applied: Array<string> = []
      const storeOf = (name: string): Store => ({
        ...inner,
        findByReference: (...reference) =>
          Effect.sync(() => void applied.push(name)).pipe(
            Effect.andThen(Effect.sleep("14 seconds")),
            Effect.andThen(inner.findByReference(...reference))
          )
      })
      const report = reported({ provider: "a", providerReference: "ch_1" }, Outcome.pending({}), "evt_1")
      yield* inner.inbox.keep([
        {
          provider: "a",
          eventKey: "evt_1",
          evidence: report,
          document: null,
          status: "waiting",
          tries: 0,
          nextTryAt: 0,
          receivedAt: 0,
          livemode: false,
          disposition: null
        }
      ])
      const create = () => Effect.die(new Error("nothing is sent"))
      yield* start(storeOf("first"), [scripted("a", { create })])
      yield* start(storeOf("second"), [scripted("a", { create })])
      yield* TestClock.adjust("14 seconds")
      assert.lengthOf(applied, 1)
    })
  )

  it.effect("one sends for the whole time of its attempt, and the other does not take the send for lost", () =>
    Effect.gen(function* () {
      const store = sharedStore()
      let sends = 0
      let inquiries = 0
      // The first send times out after 20 s, the next one leaves at most 0.4 s later: it is answered after 29.2 to 29.6 s.
      const create = () =>
        Effect.suspend(() => (sends++ === 0 ? Effect.never : Effect.delay(Effect.succeed(Outcome.succeeded()), 9_200)))
      const inquire = () => Effect.sync(() => (inquiries++, Outcome.notFound()))
      const providers = [scripted("a", { create, inquire }, idempotent)]
      // It looks for due work before the one that sends.
      yield* start(store, providers)
      const first = yield* start(store, providers)
      const caller = yield* Effect.forkChild(first.create())
      yield* TestClock.adjust("11 seconds")
      const record = yield* Fiber.join(caller)
      yield* TestClock.adjust("18 seconds")
      assert.deepInclude(summary(yield* read(store, record)), { state: "pending", attempts: ["a sending"] })
      yield* TestClock.adjust("10 seconds")
      assert.deepInclude(summary(yield* read(store, record)), { state: "succeeded", attempts: ["a succeeded"] })
      assert.deepStrictEqual([sends, inquiries], [2, 0])
    })
  )

  it.effect("the other one finds the send of an engine that stopped, five seconds after the attempt's time", () =>
    Effect.gen(function* () {
      const store = sharedStore()
      let inquiries = 0
      const inquire = () => Effect.sync(() => (inquiries++, Outcome.succeeded()))
      const providers = [scripted("a", { create: () => Effect.never, inquire }, idempotent)]
      const first = yield* start(store, providers)
      const caller = yield* Effect.forkChild(first.create())
      yield* TestClock.adjust("11 seconds")
      const record = yield* Fiber.join(caller)
      yield* first.end
      yield* start(store, providers)
      yield* TestClock.adjust("23 seconds")
      assert.strictEqual(inquiries, 0)
      yield* TestClock.adjust("3 seconds")
      assert.strictEqual(inquiries, 1)
      assert.deepInclude(summary(yield* read(store, record)), { state: "succeeded" })
    })
  )
})

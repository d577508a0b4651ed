/** How much of one provider instance the reconciler has in progress, and that it waits for no other instance. */
import { assert, describe, it } from "@effect/vitest"
import { PaymentRecords } from "@paymux/test-suites"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import * as Outcome from "../../src/domain/Outcome.ts"
import { MemoryStore } from "@paymux/testkit/memory-store"
import { inquiryOnly, scripted, start } from "./fixtures.ts"
import type { Script, Store } from "./fixtures.ts"

const { aRecord, anAttempt, anOperation, paymentId } = PaymentRecords

/** Payments with an unknown outcome, due at once. */
const unknowns = Effect.fnUntraced(function* (store: Store, provider: string, count: number, from: number) {
  for (let n = from; n < from + count; n++) {
    const attempts = [anAttempt(1, { provider, status: "unknown" })]
    const operations = [anOperation(n, 1, { provider, status: "unknown", nextCheckAt: 0 })]
    yield* store.begin({ record: { ...aRecord(n, { provider }), attempts, operations }, binding: null })
  }
})

const asked = (inquire: NonNullable<Script["inquire"]>) => ({
  create: () => Effect.die(new Error("nothing is sent")),
  inquire
})

const notFound = () => Effect.succeed(Outcome.notFound())

describe("an instance whose inquiries hang", () => {
  it.effect("has as many in progress as its share, and nothing is claimed that cannot start", () =>
    Effect.gen(function* () {
      const inner = MemoryStore.make()
      yield* unknowns(inner, "a", 30, 1)
      const claimed: Array<string> = []
      const store: Store = {
        ...inner,
        claimDue: (claim) =>
          Effect.tap(inner.claimDue(claim), (due) => Effect.sync(() => claimed.push(...due.map(() => claim.provider))))
      }
      let inProgress = 0
      const hangs = () =>
        Effect.andThen(
          Effect.sync(() => void inProgress++),
          Effect.never
        )
      yield* start(store, [scripted("a", asked(hangs), inquiryOnly)], { reconciler: { share: 7, every: 3_000 } })
      yield* TestClock.adjust("9 seconds")
      assert.strictEqual(inProgress, 7)
      assert.lengthOf(claimed, 7)
      // Each call ends at its time limit; its place is filled without waiting for the next poll.
      yield* TestClock.adjust("1100 millis")
      assert.strictEqual(inProgress, 14)
      assert.lengthOf(claimed, 14)
    })
  )

  it.effect("leaves the work of an instance that is no longer configured on its schedule", () =>
    Effect.gen(function* () {
      const store = MemoryStore.make()
      yield* unknowns(store, "a", 30, 1)
      yield* unknowns(store, "gone", 3, 101)
      const first = yield* start(
        store,
        [
          scripted(
            "a",
            asked(() => Effect.never),
            inquiryOnly
          )
        ],
        {
          reconciler: { share: 3 }
        }
      )
      yield* TestClock.adjust("1 second")
      const checks = Effect.map(store.get(paymentId(103)), (record) => record?.operations[0]?.nextCheckAt)
      assert.strictEqual(yield* checks, 60_000)
      yield* first.end
      let found = 0
      const inquire = () => Effect.sync(() => (found++, Outcome.succeeded()))
      yield* start(store, [scripted("gone", asked(inquire), inquiryOnly)])
      yield* TestClock.adjust("61 seconds")
      assert.strictEqual(found, 3)
    })
  )
})

describe("an instance with a row that cannot be read", () => {
  it.effect("keeps none of another instance waiting", () =>
    Effect.gen(function* () {
      const inner = MemoryStore.make()
      yield* unknowns(inner, "a", 1, 1)
      yield* unknowns(inner, "b", 3, 11)
      const store: Store = {
        ...inner,
        claimDue: (claim) => (claim.provider === "a" ? Effect.die(new Error("no such status")) : inner.claimDue(claim))
      }
      let inquiries = 0
      const inquire = () => Effect.suspend(() => (inquiries++, notFound()))
      const providers = ["a", "b"].map((id) => scripted(id, asked(inquire), inquiryOnly))
      yield* start(store, providers)
      yield* TestClock.adjust("1 second")
      assert.strictEqual(inquiries, 3)
    })
  )
})

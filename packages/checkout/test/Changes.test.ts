/** The payments that open pages watch. */
import { assert, describe, it } from "@effect/vitest"
import type { Payment, PaymentId } from "@paymux/core"
import { PaymentStore } from "@paymux/core/store"
import { MemoryStore } from "@paymux/testkit/memory-store"
import { Effect, Fiber, Layer, Stream } from "effect"
import { TestClock } from "effect/testing"
import { Changes } from "../src/Changes.ts"

/** The ids that were looked for, one list for each look. */
const counting = (looks: Array<ReadonlyArray<string>>) =>
  Layer.sync(PaymentStore, () => {
    const store = MemoryStore.make()
    return PaymentStore.of({
      ...store,
      versions: (ids) => Effect.suspend(() => (looks.push(ids), store.versions(ids)))
    })
  })

// Boundary of a test: only these fields are read.
const known = { id: "pay_1" as PaymentId, version: 1 } as Payment

describe("changes of payments", () => {
  it.effect("are looked for once a second for all pages of a payment, until the last one closes", () => {
    const looks: Array<ReadonlyArray<string>> = []
    return Effect.gen(function* () {
      const changes = yield* Changes
      yield* TestClock.adjust("3 seconds")
      assert.deepStrictEqual(looks, [])
      const open = Effect.forkChild(Stream.runDrain(changes.of(known)), { startImmediately: true })
      const [first, second] = [yield* open, yield* open]
      yield* TestClock.adjust("1 second")
      yield* Fiber.interrupt(first)
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(looks, [["pay_1"], ["pay_1"]])
      yield* Fiber.interrupt(second)
      yield* TestClock.adjust("1 minute")
      assert.lengthOf(looks, 2)
    }).pipe(Effect.provide(Layer.provide(Changes.layer, counting(looks))))
  })
})

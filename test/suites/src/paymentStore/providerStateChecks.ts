import { PaymentStore } from "@paymux/core/store"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import type { StoreCheck } from "./StoreCheck.ts"

const together = { concurrency: "unbounded" } as const

export const providerStateChecks = (check: StoreCheck): void => {
  check(
    "a value is written only where it is still the expected one, and read back exactly",
    Effect.gen(function* () {
      const { providerState } = yield* PaymentStore
      assert.isNull(yield* providerState.get("acme", "cursor"))
      assert.isFalse(yield* providerState.compareAndSet("acme", "cursor", "1", "2", null))
      assert.isTrue(yield* providerState.compareAndSet("acme", "cursor", null, "1", null))
      assert.isFalse(yield* providerState.compareAndSet("acme", "cursor", null, "2", null))
      assert.isFalse(yield* providerState.compareAndSet("acme", "cursor", "0", "2", null))
      assert.strictEqual(yield* providerState.get("acme", "cursor"), "1")
      assert.isTrue(yield* providerState.compareAndSet("acme", "cursor", "1", "", null))
      assert.strictEqual(yield* providerState.get("acme", "cursor"), "")
      assert.isNull(yield* providerState.get("other", "cursor"))
      assert.isNull(yield* providerState.get("acme", "other"))
    })
  )

  check(
    "of 64 concurrent writers that expect the same value exactly one writes",
    Effect.gen(function* () {
      const { providerState } = yield* PaymentStore
      yield* providerState.compareAndSet("acme", "begun", null, "start", null)
      for (const [key, expected] of [["new", null] as const, ["begun", "start"] as const]) {
        const writers = Array.from({ length: 64 }, (_, n) => `writer ${n}`)
        const wrote = yield* Effect.forEach(
          writers,
          (writer) => providerState.compareAndSet("acme", key, expected, writer, null),
          together
        )
        assert.deepStrictEqual(
          writers.filter((_, n) => wrote[n]),
          [yield* providerState.get("acme", key)]
        )
      }
    })
  )

  check(
    "a counter counts 1, 2, 3 …: under 200 concurrent callers no number comes twice and none is left out",
    Effect.gen(function* () {
      const { providerState } = yield* PaymentStore
      const callers = Array.from({ length: 200 }, (_, n) => n)
      const numbers = yield* Effect.forEach(callers, () => providerState.next("acme", "address"), together)
      assert.deepStrictEqual(
        numbers.toSorted((a, b) => a - b),
        callers.map((n) => n + 1)
      )
      assert.strictEqual(yield* providerState.next("acme", "other"), 1)
      assert.strictEqual(yield* providerState.next("other", "address"), 1)
      assert.strictEqual(yield* providerState.next("acme", "address"), 201)
    })
  )
}

import { PaymentStore } from "@paymux/core/store"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import type { StoreCheck } from "./StoreCheck.ts"

const together = { concurrency: "unbounded" } as const

const hold = (owner: string, now: number, name = "scanner") =>
  Effect.flatMap(PaymentStore, ({ leases }) => leases.hold(name, { owner, now, until: now + 1_000 }))

export const leaseChecks = (check: StoreCheck): void => {
  check(
    "a lease has one holder until its time; who holds it renews it under the same fence",
    Effect.gen(function* () {
      assert.strictEqual(yield* hold("a", 0), 1)
      assert.isNull(yield* hold("b", 999))
      assert.strictEqual(yield* hold("a", 900), 1)
      assert.isNull(yield* hold("b", 1_899))
      assert.strictEqual(yield* hold("b", 1_900), 2)
      assert.isNull(yield* hold("a", 1_900))
      assert.strictEqual(yield* hold("a", 0, "another"), 1)
    })
  )

  check(
    "a fence grows with every change of owner, and never otherwise",
    Effect.gen(function* () {
      const { leases } = yield* PaymentStore
      assert.strictEqual(yield* hold("a", 0), 1)
      assert.strictEqual(yield* hold("a", 5_000), 1)
      assert.strictEqual(yield* hold("b", 9_000), 2)
      yield* leases.release("scanner", "a")
      assert.isNull(yield* hold("a", 9_001))
      yield* leases.release("scanner", "b")
      assert.strictEqual(yield* hold("a", 9_001), 3)
      yield* leases.release("nothing", "a")
    })
  )

  check(
    "of many who want a lease at once one gets it",
    Effect.gen(function* () {
      for (const [round, now] of [0, 10_000].entries()) {
        const owners = Array.from({ length: 32 }, (_, n) => `engine-${round}-${n}`)
        const fences = yield* Effect.forEach(owners, (owner) => hold(owner, now), together)
        assert.deepStrictEqual(
          fences.filter((fence) => fence !== null),
          [round + 1]
        )
      }
    })
  )

  check(
    "a write that stands on a lost lease changes nothing (I15)",
    Effect.gen(function* () {
      const { providerState } = yield* PaymentStore
      const write = (expected: string | null, value: string, fence: number) =>
        providerState.compareAndSet("acme", "cursor", expected, value, { name: "scanner", fence })
      assert.isFalse(yield* write(null, "0", 1))
      assert.strictEqual(yield* hold("a", 0), 1)
      assert.isTrue(yield* write(null, "1", 1))
      assert.isTrue(yield* write("1", "2", 1))
      assert.strictEqual(yield* hold("b", 5_000), 2)
      assert.isFalse(yield* write("2", "3", 1))
      assert.isFalse(yield* providerState.compareAndSet("acme", "new", null, "3", { name: "scanner", fence: 1 }))
      assert.strictEqual(yield* providerState.get("acme", "cursor"), "2")
      assert.isNull(yield* providerState.get("acme", "new"))
      assert.isFalse(yield* write("0", "4", 2))
      assert.isTrue(yield* write("2", "4", 2))
      assert.isTrue(yield* providerState.compareAndSet("acme", "cursor", "4", "5", null))
    })
  )
}

/** An instance that changes its place in the configuration. The same matrix runs on SQLite and PostgreSQL in `packages/sql`. */
import { assert, describe, it } from "@effect/vitest"
import { instanceSuite } from "@paymux/test-suites"
import { Effect } from "effect"
import type { Evidence } from "../../src/domain/Evidence.ts"
import * as Outcome from "../../src/domain/Outcome.ts"
import { MemoryStore } from "@paymux/testkit/memory-store"
import { read, reported, scripted, start } from "./fixtures.ts"
import type { Script } from "./fixtures.ts"

instanceSuite("MemoryStore", MemoryStore.layer)

describe("a renamed instance", () => {
  const seldom = { every: 6 * 3_600_000 }
  const b = (script: Script) => scripted("b", script, undefined, "test", { formerly: ["a"] })

  it.effect(
    "settles payments of its former id by the provider's reference, at both addresses; another one does not",
    () =>
      Effect.gen(function* () {
        const pending: Script = {
          create: () => Effect.succeed(Outcome.pending({ reference: "ref_create" })),
          inquire: () => Effect.succeed(Outcome.pending()),
          // Boundary: a vendor may send any JSON.
          webhook: (body) => Effect.sync(() => JSON.parse(new TextDecoder().decode(body)) as ReadonlyArray<Evidence>)
        }
        const other = scripted("other", pending)
        for (const address of ["a", "b", "other"]) {
          const store = MemoryStore.make()
          const former = yield* start(store, [scripted("a", pending), other], { reconciler: seldom })
          const record = yield* former.create()
          yield* former.end
          const { inbox } = yield* start(store, [b(pending), other], { reconciler: seldom })
          const about = { provider: address === "other" ? "other" : "b", providerReference: "ref_create" }
          const evidence = reported(about, Outcome.succeeded({ reference: "ref_create" }))
          yield* inbox.receive(address, new TextEncoder().encode(JSON.stringify([evidence])), {})
          const { payment } = yield* read(store, record)
          assert.strictEqual(payment.state.status, address === "other" ? "pending" : "succeeded", address)
        }
      })
  )

  it.effect("continues with the state of its first id", () =>
    Effect.gen(function* () {
      const store = MemoryStore.make()
      const counting: Script = {
        create: (_, { state }) =>
          Effect.map(state.next("payments"), (n) => Outcome.succeeded({ reference: `ref_${n}` }))
      }
      const first = yield* start(store, [scripted("a", counting)], { reconciler: seldom })
      yield* first.create()
      yield* first.end
      const { create } = yield* start(store, [b(counting)], { reconciler: seldom })
      const { operations } = yield* create()
      assert.deepStrictEqual(
        operations.map(({ provider, reference }) => [provider, reference]),
        [["b", "ref_2"]]
      )
    })
  )
})

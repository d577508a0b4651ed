import { assert, describe, it } from "@effect/vitest"
import { MemoryStore } from "@paymux/testkit/memory-store"
import { Effect } from "effect"
import { evm } from "../src/index.ts"
import { xprv, xpub } from "./keys.ts"
import { chainId } from "./chain/anvil.ts"
import { shared, sqliteStore } from "./stores.ts"
import { scenarios } from "./testEnvironment.ts"
import type { Store } from "./testEnvironment.ts"

const usdc = { asset: "USDC", contract: "0x036CbD53842c5426634e7929541eC2318f3dCF7e", decimals: 6, currency: "USD" }
const chainOf = (chainId: number) => ({
  chainId,
  rpcUrls: ["https://node.example/v2/s3cret"] as const,
  tokens: [usdc] as const
})

/** What the configuration is refused with. */
const refusal = (make: () => unknown): string => {
  try {
    make()
  } catch (thrown) {
    return String(thrown)
  }
  return "it was taken"
}

describe("keys", () => {
  it("a private extended key is refused with a sentence that does not show it", () => {
    const sentence = refusal(() => evm({ xpub: xprv, chains: { base: chainOf(84_532) } }))
    assert.include(sentence, "xpub")
    assert.notInclude(sentence, xprv)
    assert.notInclude(sentence, xprv.slice(4, 24))
  })

  it("a key with a typing error is refused", () => {
    assert.include(
      refusal(() => evm({ xpub: `${xpub.slice(0, -1)}1`, chains: { base: chainOf(84_532) } })),
      "xpub"
    )
  })

  it("test chains and live ones do not mix, and tell the mode", () => {
    assert.strictEqual(evm({ xpub, chains: { base: chainOf(84_532) } }).mode, "test")
    assert.strictEqual(evm({ xpub, chains: { base: chainOf(8_453) } }).mode, "live")
    assert.include(
      refusal(() => evm({ xpub, chains: { base: chainOf(8_453), other: chainOf(84_532) } })),
      "chains"
    )
  })
})

scenarios("addresses", (scenario) => {
  for (const kind of ["memory", "SQLite"] as const) {
    scenario(`one for each payment, over two engines at a time and after restarts, on ${kind}`, (environment) =>
      Effect.gen(function* () {
        const store = shared(kind === "memory" ? environment.store : yield* sqliteStore)
        const issued: Array<string> = []
        for (let round = 0; round < 3; round++) {
          const engines = [yield* environment.start({ store }), yield* environment.start({ store })]
          const made = yield* Effect.forEach(
            Array.from({ length: 20 }, (_, index) => engines[index % 2]),
            // On a busy machine, a payment may still be in flight when it is answered: it has no address then.
            (engine) =>
              engine === undefined
                ? Effect.die("there are two engines")
                : Effect.repeat(engine.create(), { until: ({ action }) => action !== null }),
            { concurrency: 10 }
          )
          issued.push(...made.map(({ address }) => address))
          for (const engine of engines) yield* engine.end
        }
        assert.lengthOf(issued, 60)
        assert.strictEqual(new Set(issued).size, 60)
      })
    )
  }

  scenario(
    "after the database lost them: the same request has the same again, and no other request has one",
    (environment) =>
      Effect.gen(function* () {
        const requests = ["order 1", "order 2", undefined, undefined]
        const create = Effect.fnUntraced(function* (store: Store, keys: ReadonlyArray<string | undefined>) {
          const engine = yield* environment.start({ store, secret: "one" })
          const made = yield* Effect.forEach(keys, (key) => engine.create(key === undefined ? {} : { key }))
          yield* engine.end
          return made.map(({ address }) => address)
        })
        const lost = yield* create(MemoryStore.make(), requests)
        const [second, other, ...without] = yield* create(MemoryStore.make(), [
          "order 2",
          "order 3",
          undefined,
          undefined
        ])
        assert.strictEqual(new Set(lost).size, requests.length)
        assert.strictEqual(second, lost[1])
        for (const address of [other ?? "", ...without]) assert.notInclude(lost, address)
      })
  )

  scenario("of an earlier version stays: its payment is paid, and it is not issued to another", (environment) =>
    Effect.gen(function* () {
      const { chain, store, usdc } = environment
      const before = yield* environment.start()
      const first = yield* before.create()
      yield* before.end
      const key = `deposit/${chainId}/${first.address.toLowerCase()}`
      const written = yield* store.providerState.get("evm", key)
      const counted = written?.replace(/"index":"[^"]*"/, '"index":1') ?? ""
      assert.include(counted, '"index":1,')
      assert.isTrue(yield* store.providerState.compareAndSet("evm", key, written, counted, null))
      const after = yield* environment.start()
      const other = yield* after.create()
      yield* chain.pay(usdc, first.address, 50_000_000n)
      yield* chain.finalize
      yield* after.again(first.record).becomes({ status: "succeeded" })
      assert.notStrictEqual(other.address, first.address)
      assert.include(yield* store.providerState.get("evm", key), '"index":1,')
    })
  )

  scenario("of a payment that failed it is not issued again", (environment) =>
    Effect.gen(function* () {
      const engine = yield* environment.start()
      const first = yield* engine.create()
      yield* first.cancel
      yield* first.becomes({ status: "canceled" })
      const others = yield* Effect.forEach(Array.from({ length: 10 }), () => engine.create())
      assert.notInclude(
        others.map(({ address }) => address),
        first.address
      )
    })
  )

  scenario("once a chain is known, a payment is made without asking a node", (environment) =>
    Effect.gen(function* () {
      const engine = yield* environment.start({ chain: { pollEvery: "1 hour" } })
      yield* engine.create()
      for (const node of environment.nodes) node.forget()
      yield* Effect.forEach(Array.from({ length: 20 }), () => engine.create(), { concurrency: 5 })
      assert.deepStrictEqual(
        environment.nodes.map(({ asked }) => asked.length),
        [0, 0, 0]
      )
    })
  )
})

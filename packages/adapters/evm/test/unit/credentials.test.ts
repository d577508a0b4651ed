/** Nodes that refuse the key in their URL, as those that are rented do: by HTTP 401 or 403, with or without an error of JSON-RPC. */
import { assert, describe, it } from "@effect/vitest"
import { stateOf, testEngine } from "@paymux/test-suites"
import { Effect, Fiber, Logger, Redacted } from "effect"
import { evm } from "../../src/index.ts"
import { calls } from "../../src/nodes/Node.ts"
import { makeNodes } from "../../src/nodes/Nodes.ts"
import { readBlock, readCount, readTransfers } from "../../src/nodes/wire.ts"
import { down, overloaded } from "../chain/behaviors.ts"
import { startProxy } from "../chain/proxy.ts"
import type { Behavior } from "../chain/proxy.ts"
import { xpub } from "../keys.ts"

const jsonRpc = (code: number, message: string) => JSON.stringify({ jsonrpc: "2.0", id: 1, error: { code, message } })

/** The messages that were logged are the second. */
const withNode = <A, E>(
  behavior: Behavior,
  body: (node: { readonly url: string; readonly host: string }) => Effect.Effect<A, E>
) =>
  Effect.gen(function* () {
    const logs: Array<string> = []
    const logger = Logger.make<unknown, void>(({ message }) => void logs.push(String(message)))
    const proxy = yield* Effect.acquireRelease(
      Effect.promise(() => startProxy("http://127.0.0.1:1")),
      ({ close }) => Effect.promise(close)
    )
    proxy.behave(behavior)
    const result = yield* Effect.provide(
      body({ url: proxy.url, host: new URL(proxy.url).host }),
      Logger.layer([logger])
    )
    const shown = [...logs, JSON.stringify(result), String(result)].join("\n")
    assert.notInclude(shown, proxy.key, "the key is shown")
    return [result, logs] as const
  }).pipe(Effect.scoped)

const nodesAt = (url: string) => makeNodes({ chainId: 8453, network: "base", quorum: 1, rpcUrls: [Redacted.make(url)] })

type Denial = readonly [what: string, status: number, text: string]

const denials: readonly [Denial, ...ReadonlyArray<Denial>] = [
  ["an error -32000 of JSON-RPC", 401, jsonRpc(-32_000, "invalid project id")],
  ["an error -32600 of JSON-RPC", 401, jsonRpc(-32_600, "Must be authenticated!")],
  ["a page", 401, "<html>Unauthorized</html>"],
  ["nothing", 401, ""],
  ["an error of JSON-RPC", 403, jsonRpc(-32_052, "API key is not allowed to access blockchain")],
  ["a page", 403, "<html>Forbidden</html>"]
]

describe("a node that refuses its credentials", () => {
  for (const [what, status, text] of denials) {
    it.live(`by ${status} with ${what} is named by its host once, and not as away`, () =>
      Effect.gen(function* () {
        const [host, logs] = yield* withNode(
          () => ({ status, text }),
          ({ host, url }) =>
            Effect.gen(function* () {
              const nodes = nodesAt(url)
              const [node] = yield* nodes.present
              if (node === undefined) return assert.fail("there is a node")
              const failure = yield* Effect.flip(nodes.ask(node, calls.blockNumber, readCount))
              assert.deepStrictEqual([failure.fault, failure.code], ["denied", status])
              yield* Effect.flip(nodes.ask(node, calls.blockNumber, readCount))
              const [contracts, topics] = [["0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913"], []]
              const logsOf = calls.transfers(contracts, topics, 1, 2)
              assert.strictEqual((yield* Effect.flip(node.ask(logsOf, readTransfers))).fault, "denied")
              const { message } = yield* Effect.flip(nodes.atLeast(calls.blockNumber, readCount))
              assert.include(message, "too few nodes answered eth_blockNumber: node 1 of base at")
              return host
            })
        )
        const named = `node 1 of base at ${host} refused the credentials (${status}): check the key in its URL`
        assert.deepStrictEqual(logs, [named])
      })
    )
  }

  it.live("is distinguished from one that is away, also after it was away", () =>
    Effect.gen(function* () {
      let behavior: Behavior = down
      const [, logs] = yield* withNode(
        (asked, ask) => behavior(asked, ask),
        ({ url }) =>
          Effect.gen(function* () {
            const nodes = nodesAt(url)
            const [node] = yield* nodes.present
            if (node === undefined) return assert.fail("there is a node")
            const faultBy = (next: Behavior) => {
              behavior = next
              return Effect.map(Effect.flip(nodes.ask(node, calls.block("latest"), readBlock)), ({ fault }) => fault)
            }
            assert.strictEqual(yield* faultBy(down), "away")
            assert.strictEqual(yield* faultBy(overloaded), "away")
            const [, status, text] = denials[0]
            assert.strictEqual(yield* faultBy(() => ({ status, text })), "denied")
            assert.strictEqual(yield* faultBy(down), "away")
            assert.notInclude(nodes.noAnswer(calls.blockNumber).message, "credentials")
          })
      )
      assert.deepStrictEqual(
        logs.map((line) => line.includes("refused the credentials (401)")),
        [false, true]
      )
    })
  )

  it.live("that refuses only a query of too many blocks is asked for fewer", () =>
    Effect.gen(function* () {
      const [fault] = yield* withNode(
        () => ({ status: 403, text: jsonRpc(-32_000, "block range is too large for your plan") }),
        ({ url }) =>
          Effect.gen(function* () {
            const [node] = yield* nodesAt(url).present
            if (node === undefined) return assert.fail("there is a node")
            return (yield* Effect.flip(node.ask(calls.transfers([], [], 1, 1_000), readTransfers))).fault
          })
      )
      assert.strictEqual(fault, "too_large")
    })
  )
})

describe("a payment on a chain that is not known yet", () => {
  const usdc = { asset: "USDC", contract: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913", decimals: 6, currency: "USD" }
  const request = {
    amount: 5_000,
    currency: "USD",
    payment_method: "stablecoin",
    // One of e-mail and phone is enough.
    customer: { email: "asha@example.com" },
    return_url: "https://shop.example/thanks"
  }
  const created = (behavior: Behavior) =>
    withNode(behavior, ({ url }) =>
      Effect.gen(function* () {
        const provider = evm({ xpub, chains: { base: { chainId: 84_532, rpcUrls: [url], tokens: [usdc] } } })
        const { create, pass, start } = testEngine([provider])
        const creating = yield* Effect.forkChild(create(yield* start, request), { startImmediately: true })
        yield* pass(10_000)
        return stateOf(yield* Fiber.join(creating))
      }).pipe(Effect.scoped)
    )
  const [, status, text] = denials[0]

  it.effect("fails with a log that says that the nodes refused their credentials", () =>
    Effect.gen(function* () {
      const [state, logs] = yield* created(() => ({ status, text }))
      assert.deepStrictEqual(state, { status: "failed", code: "provider_unavailable", reviews: [] })
      const lines = logs.join("\n")
      assert.include(lines, "The adapter of evm cannot send this, and nothing was sent: nodes_refused_credentials")
      assert.match(lines, /base cannot be looked at, .*: node 1 of base at \S+ refused the credentials \(401\)/)
      assert.notInclude(lines, "could not be reached")
    })
  )

  it.effect("fails with a log that says that they are away only if they are", () =>
    Effect.gen(function* () {
      for (const behavior of [down, overloaded]) {
        const [state, logs] = yield* created(behavior)
        assert.deepInclude(state, { status: "failed", code: "provider_unavailable" })
        const lines = logs.join("\n")
        assert.include(lines, "evm could not be reached, and nothing was sent: nodes_away")
        assert.notInclude(lines, "credentials")
      }
    })
  )
})

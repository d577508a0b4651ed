/** That the nodes of the other tests misbehave as they should: a faulty node that works would prove nothing. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { createPublicClient, http, parseEventLogs } from "viem"
import type { Hex } from "viem"
import { foundry } from "viem/chains"
import { scenarios } from "../testEnvironment.ts"
import type { TestEnvironment } from "../testEnvironment.ts"
import { exaggerating, hastyFinality, inventing, lagging, otherHashes, smallRange, withoutLogs } from "./behaviors.ts"
import { alice, bob, tokenAbi } from "./Chain.ts"

/** The answers of a node. */
const seenBy = ({ nodes: [{ url }], usdc }: TestEnvironment) => {
  const client = createPublicClient({ chain: foundry, transport: http(url, { retryCount: 0 }), cacheTime: 0 })
  const logs = (from: bigint, to: bigint) =>
    Effect.promise(async () => {
      const found = await client.getLogs({ address: usdc.address, fromBlock: from, toBlock: to })
      return parseEventLogs({ abi: tokenAbi, eventName: "Transfer", logs: found })
    })
  return {
    client,
    logs,
    hash: (blockNumber: bigint) => Effect.promise(async () => (await client.getBlock({ blockNumber })).hash),
    final: Effect.promise(async () => (await client.getBlock({ blockTag: "finalized" })).number),
    receipt: (hash: Hex) => Effect.promise(() => client.getTransactionReceipt({ hash }).catch(() => null))
  }
}

scenarios("the nodes of these tests", (scenario) => {
  scenario("lie as they say", (environment) =>
    Effect.gen(function* () {
      const { chain, nodes, usdc } = environment
      const [node] = nodes
      const seen = seenBy(environment)
      const { hash } = yield* chain.pay(usdc, bob.address, 7n)
      const head = yield* chain.head
      const honestHash = yield* seen.hash(head)
      assert.deepStrictEqual(
        (yield* seen.logs(head, head)).map(({ args }) => args.value),
        [7n]
      )
      node.behave(exaggerating)
      assert.deepStrictEqual(
        (yield* seen.logs(head, head)).map(({ args }) => args.value),
        [700n]
      )
      const receipt = yield* seen.receipt(hash)
      assert.strictEqual(BigInt(receipt?.logs[0]?.data ?? "0x0"), 700n)
      node.behave(withoutLogs)
      assert.deepStrictEqual(yield* seen.logs(head, head), [])
      node.behave(otherHashes)
      assert.notStrictEqual(yield* seen.hash(head), honestHash)
      node.behave(hastyFinality)
      assert.strictEqual(yield* seen.final, head)
      const invented = { token: usdc.address, from: alice.address, to: bob.address, value: 9n, block: head }
      node.behave(inventing(invented, "without a receipt"))
      const [, other] = yield* seen.logs(head, head)
      assert.strictEqual(other?.args.value, 9n)
      assert.isNull(yield* seen.receipt(other?.transactionHash ?? "0x"))
      node.behave(inventing(invented, "with a receipt"))
      assert.strictEqual((yield* seen.receipt(other?.transactionHash ?? "0x"))?.status, "success")
    })
  )

  scenario("are behind, and small, as they say", (environment) =>
    Effect.gen(function* () {
      const { chain, nodes, usdc } = environment
      const [node] = nodes
      const seen = seenBy(environment)
      yield* chain.mine(3)
      const { hash } = yield* chain.pay(usdc, bob.address, 7n)
      const head = yield* chain.head
      node.behave(lagging(3))
      assert.strictEqual(yield* Effect.promise(() => seen.client.getBlockNumber()), head - 3n)
      assert.deepStrictEqual(yield* seen.logs(head, head), [])
      assert.isNull(yield* seen.receipt(hash))
      node.behave(smallRange(2, "too many"))
      assert.lengthOf(yield* seen.logs(head - 1n, head), 1)
      assert.isTrue((yield* Effect.exit(seen.logs(head - 2n, head)))._tag === "Failure")
    })
  )
})

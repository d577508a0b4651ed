import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { answerLost, down, failing, only } from "./chain/behaviors.ts"
import { alice, cashier, issuer } from "./chain/Chain.ts"
import { honest } from "./chain/proxy.ts"
import { until } from "./payments.ts"
import { mortal, shared } from "./stores.ts"
import { looked, scenarios, timePasses } from "./world.ts"
import { dollars, everyNode, funded, given, mined, paid, signer } from "./refunds.ts"

scenarios("refunds that meet with trouble", (scenario) => {
  scenario("a crash between signing and sending: the same transaction is sent after the restart, once", (world) =>
    Effect.gen(function* () {
      const first = yield* funded(world)
      const { record } = yield* paid(world, first)
      yield* first.end
      const own = mortal(world.store)
      const before = yield* world.start({ evm: { signer }, store: own.store })
      const nonce = yield* world.chain.nonceOf(cashier)
      let kept = ""
      own.stopAt("after", ({ key, value }) => {
        if (!key.startsWith("wallet/") || !/0x02f8/i.test(value)) return false
        kept = value
        return true
      })
      yield* Effect.forkScoped(Effect.exit(before.again(record).refund()))
      yield* until(Effect.sync(own.isStopped))
      assert.isTrue(own.isStopped(), "it was signed and written down")
      assert.strictEqual(yield* world.chain.waiting, 0)
      own.kill()
      yield* before.end
      const after = yield* world.start({ evm: { signer } })
      yield* timePasses(world, "2 minutes", "10 seconds")
      yield* mined(world, after, record, "succeeded")
      const transfers = yield* given(world)
      assert.lengthOf(transfers, 1)
      assert.include(kept, transfers[0]?.hash ?? "nothing")
      assert.strictEqual(yield* world.chain.nonceOf(cashier), nonce + 1)
      yield* after.again(record).becomes({ refunds: ["succeeded"], refunded: 5_000 })
    })
  )

  scenario("a crash before it is written down: nothing is sent, it has failed, and can be asked for again", (world) =>
    Effect.gen(function* () {
      const first = yield* funded(world)
      const { record } = yield* paid(world, first)
      yield* first.end
      const own = mortal(world.store)
      const before = yield* world.start({ evm: { signer }, store: own.store })
      own.stopAt("before", ({ key, value }) => key.startsWith("wallet/") && /0x02f8/i.test(value))
      yield* Effect.forkScoped(Effect.exit(before.again(record).refund()))
      yield* until(Effect.sync(own.isStopped))
      assert.isTrue(own.isStopped(), "it was about to be written down")
      own.kill()
      yield* before.end
      const after = yield* world.start({ evm: { signer } })
      yield* timePasses(world, "15 minutes", "30 seconds")
      const payment = after.again(record)
      yield* payment.becomes({ refunds: ["failed"], refunded: 0 })
      assert.strictEqual(yield* world.chain.waiting, 0)
      yield* payment.refund()
      yield* mined(world, after, record, "succeeded")
      assert.lengthOf(yield* given(world), 1)
    })
  )

  for (const [what, behavior] of [
    ["the answer to the broadcast is lost", answerLost],
    ["the broadcast does not come through", down],
    ["the node refuses the broadcast for the moment", failing("txpool is full")]
  ] as const) {
    scenario(`${what}: the same transaction is sent again, and pays once`, (world) =>
      Effect.gen(function* () {
        const engine = yield* funded(world)
        const payment = yield* paid(world, engine)
        const nonce = yield* world.chain.nonceOf(cashier)
        everyNode(world, only("eth_sendRawTransaction", behavior))
        yield* Effect.exit(payment.refund())
        yield* timePasses(world, "1 minute", "10 seconds")
        yield* payment.becomes({ refunded: 0, refunds: ["pending"] })
        everyNode(world, honest)
        yield* timePasses(world, "1 minute", "10 seconds")
        yield* mined(world, engine, payment.record, "succeeded")
        assert.lengthOf(yield* given(world), 1)
        assert.strictEqual(yield* world.chain.nonceOf(cashier), nonce + 1)
        yield* payment.becomes({ refunds: ["succeeded"], refunded: 5_000 })
      })
    )
  }

  scenario("forgotten by the nodes before it was in a block: it is sent again", (world) =>
    Effect.gen(function* () {
      const engine = yield* funded(world)
      const payment = yield* paid(world, engine)
      yield* payment.refund()
      yield* until(Effect.map(world.chain.waiting, (waiting) => waiting === 1))
      yield* world.chain.dropWaiting
      yield* timePasses(world, "5 minutes", "10 seconds")
      yield* mined(world, engine, payment.record, "succeeded")
      assert.lengthOf(yield* given(world), 1)
    })
  )

  scenario("taken back by the chain before it was final: it is sent again, and counts once", (world) =>
    Effect.gen(function* () {
      const engine = yield* funded(world)
      const payment = yield* paid(world, engine)
      yield* payment.refund()
      yield* until(Effect.map(world.chain.waiting, (waiting) => waiting === 1))
      yield* world.chain.mine(3)
      yield* looked(world)
      yield* world.chain.reorg(3)
      yield* payment.becomes({ refunds: ["pending"] })
      yield* timePasses(world, "5 minutes", "10 seconds")
      yield* mined(world, engine, payment.record, "succeeded")
      assert.lengthOf(yield* given(world), 1)
      yield* payment.becomes({ refunded: 5_000 })
    })
  )

  scenario("two at once are two transactions, under two nonces", (world) =>
    Effect.gen(function* () {
      const engine = yield* funded(world)
      const [one, other] = [yield* paid(world, engine), yield* paid(world, engine)]
      const nonce = yield* world.chain.nonceOf(cashier)
      yield* Effect.all([one.refund(2_000), one.refund(1_000), other.refund()], { concurrency: "unbounded" })
      yield* mined(world, engine, one.record, "succeeded")
      yield* mined(world, engine, other.record, "succeeded")
      const values = (yield* given(world)).map(({ value }) => value)
      assert.sameMembers(values, [dollars(20), dollars(10), dollars(50)])
      assert.strictEqual(yield* world.chain.nonceOf(cashier), nonce + 3)
      yield* one.becomes({ refunds: ["succeeded", "succeeded"], refunded: 3_000 })
    })
  )

  scenario("asked of two engines on one database at once, they have two nonces, too", (world) =>
    Effect.gen(function* () {
      const store = shared(world.store)
      const one = yield* funded(world, { store })
      const other = yield* world.start({ store, evm: { signer } })
      const made = [yield* paid(world, one), yield* paid(world, one), yield* paid(world, one), yield* paid(world, one)]
      const nonce = yield* world.chain.nonceOf(cashier)
      yield* Effect.forEach(made, ({ record }, place) => (place % 2 === 0 ? one : other).again(record).refund(), {
        concurrency: "unbounded"
      })
      for (const { record } of made) yield* mined(world, one, record, "succeeded")
      assert.lengthOf(yield* given(world), 4)
      assert.strictEqual(yield* world.chain.nonceOf(cashier), nonce + 4)
    })
  )

  scenario(
    "replaced by another transaction of the wallet: it has failed when that is final, and can be asked for again",
    (world) =>
      Effect.gen(function* () {
        const { chain, usdc } = world
        const engine = yield* funded(world)
        const payment = yield* paid(world, engine)
        const nonce = yield* chain.nonceOf(cashier)
        yield* payment.refund()
        yield* until(Effect.map(chain.waiting, (waiting) => waiting === 1))
        yield* chain.transfer(usdc, issuer.address, 1n, { from: cashier, nonce })
        yield* chain.mine()
        yield* looked(world)
        yield* payment.becomes({ refunds: ["pending"], refunded: 0 })
        yield* mined(world, engine, payment.record, "failed")
        yield* payment.refund()
        yield* mined(world, engine, payment.record, "succeeded")
        yield* payment.becomes({ refunds: ["failed", "succeeded"], refunded: 5_000 })
        assert.deepStrictEqual(
          (yield* given(world)).map(({ to, value }) => ({ to, value })),
          [
            { to: issuer.address, value: 1n },
            { to: alice.address, value: dollars(50) }
          ]
        )
      })
  )

  for (const [much, gas] of [
    ["next to no", "0x1"],
    ["all the", "0xffffffffff"]
  ] as const) {
    scenario(`one node that says it takes ${much} gas does not keep a refund back, nor the next`, (world) =>
      Effect.gen(function* () {
        const engine = yield* funded(world)
        for (const node of world.nodes) {
          everyNode(world, honest)
          node.behave(only("eth_estimateGas", () => ({ result: gas })))
          const payment = yield* paid(world, engine)
          yield* payment.refund()
          yield* mined(world, engine, payment.record, "succeeded")
        }
        assert.lengthOf(yield* given(world), 3)
      })
    )
  }

  for (const [end, status] of [
    ["success", "0x1"],
    ["failure", "0x0"]
  ] as const) {
    scenario(`one node that invents the ${end} of a refund is not trusted`, (world) =>
      Effect.gen(function* () {
        const engine = yield* funded(world)
        const payment = yield* paid(world, engine)
        const [liar] = world.nodes
        liar.behave(async (asked, ask) => {
          const answer = await ask(asked)
          if (asked.method !== "eth_getTransactionReceipt" || !("result" in answer)) return answer
          const block = await ask({ method: "eth_getBlockByNumber", params: ["finalized", false] })
          const { hash, number } = Object("result" in block ? block.result : {})
          const told = { transactionHash: asked.params[0], blockHash: hash, blockNumber: number, status }
          return { result: { ...receipt, ...told } }
        })
        yield* payment.refund()
        yield* timePasses(world, "1 minute", "10 seconds")
        yield* payment.becomes({ refunds: ["pending"], refunded: 0 })
        yield* world.chain.mine()
        yield* timePasses(world, "1 minute", "10 seconds")
        yield* payment.becomes({ refunds: ["pending"], refunded: 0 })
        yield* mined(world, engine, payment.record, "succeeded")
        assert.lengthOf(yield* given(world), 1)
      })
    )
  }
})

const receipt = {
  transactionIndex: "0x0",
  from: cashier.address.toLowerCase(),
  to: issuer.address.toLowerCase(),
  cumulativeGasUsed: "0xffff",
  gasUsed: "0xffff",
  effectiveGasPrice: "0x1",
  contractAddress: null,
  logs: [],
  logsBloom: `0x${"0".repeat(512)}`,
  type: "0x2"
}

import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { answerLost, down, failing, only } from "./chain/behaviors.ts"
import { alice, cashier, issuer } from "./chain/Chain.ts"
import { honest } from "./chain/proxy.ts"
import { until } from "./payments.ts"
import { mortal, shared } from "./stores.ts"
import { looked, scenarios, timePasses } from "./testEnvironment.ts"
import { dollars, everyNode, funded, given, mined, paid, signer } from "./refunds.ts"

scenarios("refunds that meet with trouble", (scenario) => {
  scenario("a crash between signing and sending: the same transaction is sent after the restart, once", (environment) =>
    Effect.gen(function* () {
      const first = yield* funded(environment)
      const { record } = yield* paid(environment, first)
      yield* first.end
      const own = mortal(environment.store)
      const before = yield* environment.start({ evm: { signer }, store: own.store })
      const nonce = yield* environment.chain.nonceOf(cashier)
      let kept = ""
      own.stopAt("after", ({ key, value }) => {
        if (!key.startsWith("wallet/") || !/0x02f8/i.test(value)) return false
        kept = value
        return true
      })
      yield* Effect.forkScoped(Effect.exit(before.again(record).refund()))
      yield* until(Effect.sync(own.isStopped))
      assert.isTrue(own.isStopped(), "it was signed and written down")
      assert.strictEqual(yield* environment.chain.waiting, 0)
      own.kill()
      yield* before.end
      const after = yield* environment.start({ evm: { signer } })
      yield* timePasses(environment, "2 minutes", "10 seconds")
      yield* mined(environment, after, record, "succeeded")
      const transfers = yield* given(environment)
      assert.lengthOf(transfers, 1)
      assert.include(kept, transfers[0]?.hash ?? "nothing")
      assert.strictEqual(yield* environment.chain.nonceOf(cashier), nonce + 1)
      yield* after.again(record).becomes({ refunds: ["succeeded"], refunded: 5_000 })
    })
  )

  scenario(
    "a crash before it is written down: nothing is sent, it has failed, and can be asked for again",
    (environment) =>
      Effect.gen(function* () {
        const first = yield* funded(environment)
        const { record } = yield* paid(environment, first)
        yield* first.end
        const own = mortal(environment.store)
        const before = yield* environment.start({ evm: { signer }, store: own.store })
        own.stopAt("before", ({ key, value }) => key.startsWith("wallet/") && /0x02f8/i.test(value))
        yield* Effect.forkScoped(Effect.exit(before.again(record).refund()))
        yield* until(Effect.sync(own.isStopped))
        assert.isTrue(own.isStopped(), "it was about to be written down")
        own.kill()
        yield* before.end
        const after = yield* environment.start({ evm: { signer } })
        yield* timePasses(environment, "15 minutes", "30 seconds")
        const payment = after.again(record)
        yield* payment.becomes({ refunds: ["failed"], refunded: 0 })
        assert.strictEqual(yield* environment.chain.waiting, 0)
        yield* payment.refund()
        yield* mined(environment, after, record, "succeeded")
        assert.lengthOf(yield* given(environment), 1)
      })
  )

  for (const [what, behavior] of [
    ["the answer to the broadcast is lost", answerLost],
    ["the broadcast does not come through", down],
    ["the node refuses the broadcast for the moment", failing("txpool is full")]
  ] as const) {
    scenario(`${what}: the same transaction is sent again, and pays once`, (environment) =>
      Effect.gen(function* () {
        const engine = yield* funded(environment)
        const payment = yield* paid(environment, engine)
        const nonce = yield* environment.chain.nonceOf(cashier)
        everyNode(environment, only("eth_sendRawTransaction", behavior))
        yield* Effect.exit(payment.refund())
        yield* timePasses(environment, "1 minute", "10 seconds")
        yield* payment.becomes({ refunded: 0, refunds: ["pending"] })
        everyNode(environment, honest)
        yield* timePasses(environment, "1 minute", "10 seconds")
        yield* mined(environment, engine, payment.record, "succeeded")
        assert.lengthOf(yield* given(environment), 1)
        assert.strictEqual(yield* environment.chain.nonceOf(cashier), nonce + 1)
        yield* payment.becomes({ refunds: ["succeeded"], refunded: 5_000 })
      })
    )
  }

  scenario("forgotten by the nodes before it was in a block: it is sent again", (environment) =>
    Effect.gen(function* () {
      const engine = yield* funded(environment)
      const payment = yield* paid(environment, engine)
      yield* payment.refund()
      yield* until(Effect.map(environment.chain.waiting, (waiting) => waiting === 1))
      yield* environment.chain.dropWaiting
      yield* timePasses(environment, "5 minutes", "10 seconds")
      yield* mined(environment, engine, payment.record, "succeeded")
      assert.lengthOf(yield* given(environment), 1)
    })
  )

  scenario("taken back by the chain before it was final: it is sent again, and counts once", (environment) =>
    Effect.gen(function* () {
      const engine = yield* funded(environment)
      const payment = yield* paid(environment, engine)
      yield* payment.refund()
      yield* until(Effect.map(environment.chain.waiting, (waiting) => waiting === 1))
      yield* environment.chain.mine(3)
      yield* looked(environment)
      yield* environment.chain.reorg(3)
      yield* payment.becomes({ refunds: ["pending"] })
      yield* timePasses(environment, "5 minutes", "10 seconds")
      yield* mined(environment, engine, payment.record, "succeeded")
      assert.lengthOf(yield* given(environment), 1)
      yield* payment.becomes({ refunded: 5_000 })
    })
  )

  scenario("two at once are two transactions, under two nonces", (environment) =>
    Effect.gen(function* () {
      const engine = yield* funded(environment)
      const [one, other] = [yield* paid(environment, engine), yield* paid(environment, engine)]
      const nonce = yield* environment.chain.nonceOf(cashier)
      yield* Effect.all([one.refund(2_000), one.refund(1_000), other.refund()], { concurrency: "unbounded" })
      yield* mined(environment, engine, one.record, "succeeded")
      yield* mined(environment, engine, other.record, "succeeded")
      const values = (yield* given(environment)).map(({ value }) => value)
      assert.sameMembers(values, [dollars(20), dollars(10), dollars(50)])
      assert.strictEqual(yield* environment.chain.nonceOf(cashier), nonce + 3)
      yield* one.becomes({ refunds: ["succeeded", "succeeded"], refunded: 3_000 })
    })
  )

  scenario("asked of two engines on one database at once, they have two nonces, too", (environment) =>
    Effect.gen(function* () {
      const store = shared(environment.store)
      const one = yield* funded(environment, { store })
      const other = yield* environment.start({ store, evm: { signer } })
      const made = [
        yield* paid(environment, one),
        yield* paid(environment, one),
        yield* paid(environment, one),
        yield* paid(environment, one)
      ]
      const nonce = yield* environment.chain.nonceOf(cashier)
      yield* Effect.forEach(made, ({ record }, place) => (place % 2 === 0 ? one : other).again(record).refund(), {
        concurrency: "unbounded"
      })
      for (const { record } of made) yield* mined(environment, one, record, "succeeded")
      assert.lengthOf(yield* given(environment), 4)
      assert.strictEqual(yield* environment.chain.nonceOf(cashier), nonce + 4)
    })
  )

  scenario(
    "replaced by another transaction of the wallet: it has failed when that is final, and can be asked for again",
    (environment) =>
      Effect.gen(function* () {
        const { chain, usdc } = environment
        const engine = yield* funded(environment)
        const payment = yield* paid(environment, engine)
        const nonce = yield* chain.nonceOf(cashier)
        yield* payment.refund()
        yield* until(Effect.map(chain.waiting, (waiting) => waiting === 1))
        yield* chain.transfer(usdc, issuer.address, 1n, { from: cashier, nonce })
        yield* chain.mine()
        yield* looked(environment)
        yield* payment.becomes({ refunds: ["pending"], refunded: 0 })
        yield* mined(environment, engine, payment.record, "failed")
        yield* payment.refund()
        yield* mined(environment, engine, payment.record, "succeeded")
        yield* payment.becomes({ refunds: ["failed", "succeeded"], refunded: 5_000 })
        assert.deepStrictEqual(
          (yield* given(environment)).map(({ to, value }) => ({ to, value })),
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
    scenario(`one node that says it takes ${much} gas does not keep a refund back, nor the next`, (environment) =>
      Effect.gen(function* () {
        const engine = yield* funded(environment)
        for (const node of environment.nodes) {
          everyNode(environment, honest)
          node.behave(only("eth_estimateGas", () => ({ result: gas })))
          const payment = yield* paid(environment, engine)
          yield* payment.refund()
          yield* mined(environment, engine, payment.record, "succeeded")
        }
        assert.lengthOf(yield* given(environment), 3)
      })
    )
  }

  for (const [end, status] of [
    ["success", "0x1"],
    ["failure", "0x0"]
  ] as const) {
    scenario(`one node that invents the ${end} of a refund is not trusted`, (environment) =>
      Effect.gen(function* () {
        const engine = yield* funded(environment)
        const payment = yield* paid(environment, engine)
        const [liar] = environment.nodes
        liar.behave(async (asked, ask) => {
          const answer = await ask(asked)
          if (asked.method !== "eth_getTransactionReceipt" || !("result" in answer)) return answer
          const block = await ask({ method: "eth_getBlockByNumber", params: ["finalized", false] })
          const { hash, number } = Object("result" in block ? block.result : {})
          const reported = { transactionHash: asked.params[0], blockHash: hash, blockNumber: number, status }
          return { result: { ...receipt, ...reported } }
        })
        yield* payment.refund()
        yield* timePasses(environment, "1 minute", "10 seconds")
        yield* payment.becomes({ refunds: ["pending"], refunded: 0 })
        yield* environment.chain.mine()
        yield* timePasses(environment, "1 minute", "10 seconds")
        yield* payment.becomes({ refunds: ["pending"], refunded: 0 })
        yield* mined(environment, engine, payment.record, "succeeded")
        assert.lengthOf(yield* given(environment), 1)
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

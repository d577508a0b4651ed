import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { failing, hanging, inventing, only, withoutLogs } from "./chain/behaviors.ts"
import { alice, bob, cashier } from "./chain/Chain.ts"
import { honest } from "./chain/proxy.ts"
import type { Behavior } from "./chain/proxy.ts"
import { until } from "./payments.ts"
import { dollars, everyNode, funded, given, mined, paid } from "./refunds.ts"
import { becomesInTime, looked, scenarios, timePasses } from "./testEnvironment.ts"

const htmlOf = (status: number): Behavior => only("eth_getLogs", () => ({ status, text: "<html>no</html>" }))

scenarios("one node of three that will not do one thing", (scenario) => {
  for (const [how, behavior] of [
    ["refuses every query of logs as too large", only("eth_getLogs", failing("limit exceeded", -32_005))],
    ["answers every query of logs with 400", htmlOf(400)],
    ["does not know how to query logs", only("eth_getLogs", failing("the method does not exist", -32_601))],
    ["hangs on logs", only("eth_getLogs", hanging)]
  ] as const) {
    scenario(`${how}: the others see what comes, and it pays`, (environment) =>
      Effect.gen(function* () {
        const { chain, nodes, usdc } = environment
        const engine = yield* environment.start()
        nodes[0].behave(behavior)
        const payment = yield* engine.create()
        yield* chain.pay(usdc, payment.address, dollars(50))
        yield* payment.becomes({ status: "pending", reason: "awaiting_finality" })
        yield* chain.finalize
        yield* payment.becomes({ status: "succeeded", received: null })
      })
    )
  }

  scenario("what was seen is not lost where the one node there is has no logs of it when it is final", (environment) =>
    Effect.gen(function* () {
      const { chain, logs, nodes, usdc } = environment
      const engine = yield* environment.start({ chain: { rpcUrls: [nodes[0].url] } })
      const payment = yield* engine.create()
      yield* chain.pay(usdc, payment.address, dollars(50))
      yield* payment.becomes({ status: "pending", reason: "awaiting_finality" })
      nodes[0].behave(withoutLogs)
      yield* chain.finalize
      yield* payment.becomes({ status: "succeeded", received: null })
      assert.isTrue(
        logs.some((line) => line.includes("has no log of transfer")),
        logs.join("\n")
      )
    })
  )

  scenario("invents a transfer when a payment is to be closed: it is closed all the same", (environment) =>
    Effect.gen(function* () {
      const { chain, nodes, usdc } = environment
      const engine = yield* environment.start()
      const payment = yield* engine.create()
      yield* chain.mine(5)
      yield* looked(environment)
      const block = yield* chain.head
      const { address: to } = payment
      nodes[2].behave(
        inventing({ token: usdc.address, from: alice.address, to, value: dollars(50), block }, "without a receipt")
      )
      yield* becomesInTime(environment, payment, { status: "failed", code: "customer_timeout" }, "10 minutes")
    })
  )
})

scenarios("strangers and replaced transactions", (scenario) => {
  scenario("many transfers in one transaction cost one receipt at each node that has to agree", (environment) =>
    Effect.gen(function* () {
      const { chain, nodes, usdc } = environment
      const engine = yield* environment.start()
      const payment = yield* engine.create()
      yield* chain.payInOne(
        usdc,
        payment.address,
        Array.from({ length: 40 }, () => 1_250_000n)
      )
      yield* chain.finalize
      yield* payment.becomes({ status: "succeeded", received: null })
      const receipts = nodes.reduce((sum, { count }) => sum + count("eth_getTransactionReceipt"), 0)
      assert.isAtMost(receipts, 3)
    })
  )

  scenario("a payment that cannot be reported keeps no other one back", (environment) =>
    Effect.gen(function* () {
      const { chain, logs, store, usdc } = environment
      let poisoned = ""
      const engine = yield* environment.start({
        store: {
          ...store,
          advance: (commit) =>
            commit.after.payment.id === poisoned ? Effect.die(new Error("poisoned")) : store.advance(commit)
        }
      })
      const [one, other] = [yield* engine.create(), yield* engine.create()]
      poisoned = one.record.payment.id
      yield* chain.pay(usdc, one.address, dollars(50))
      yield* chain.pay(usdc, other.address, dollars(50))
      yield* chain.finalize
      yield* other.becomes({ status: "succeeded", received: null })
      yield* one.becomes({ status: "pending", captured: 0 })
      assert.isFalse(
        logs.some((line) => line.includes("started again")),
        logs.join("\n")
      )
      poisoned = ""
      yield* timePasses(environment, "2 minutes", "20 seconds")
      yield* one.becomes({ status: "succeeded", received: null })
    })
  )

  scenario("dust of a stranger after it was paid does not keep a refund back", (environment) =>
    Effect.gen(function* () {
      const { chain, usdc } = environment
      const engine = yield* funded(environment)
      const payment = yield* paid(environment, engine)
      yield* chain.pay(usdc, payment.address, 1n, { from: bob })
      yield* chain.finalize
      yield* looked(environment)
      yield* payment.refund()
      yield* mined(environment, engine, payment.record, "succeeded")
      assert.strictEqual((yield* given(environment))[0]?.to, alice.address)
    })
  )

  scenario("one node that says the refund would fail is not trusted", (environment) =>
    Effect.gen(function* () {
      const engine = yield* funded(environment)
      const payment = yield* paid(environment, engine)
      environment.nodes[0].behave(only("eth_estimateGas", failing("execution reverted", 3)))
      yield* payment.refund()
      yield* mined(environment, engine, payment.record, "succeeded")
    })
  )

  scenario("a refund of which the nodes have no receipt for a while is not given up", (environment) =>
    Effect.gen(function* () {
      const { chain } = environment
      const engine = yield* funded(environment)
      const payment = yield* paid(environment, engine)
      yield* payment.refund()
      yield* until(Effect.map(chain.waiting, (waiting) => waiting === 1))
      everyNode(
        environment,
        only("eth_getTransactionReceipt", () => ({ result: null }))
      )
      yield* chain.finalize
      yield* timePasses(environment, "30 minutes", "1 minute")
      yield* looked(environment)
      yield* payment.becomes({ refunds: ["pending"], refunded: 0 })
      everyNode(environment, honest)
      yield* mined(environment, engine, payment.record, "succeeded")
      assert.lengthOf(yield* given(environment), 1)
    })
  )

  scenario("one node that says a refund is deeper than it is does not end it", (environment) =>
    Effect.gen(function* () {
      const { chain } = environment
      const engine = yield* funded(environment)
      const payment = yield* paid(environment, engine)
      environment.nodes[0].behave(
        only("eth_getTransactionReceipt", async (asked, ask) => {
          const answer = await ask(asked)
          if (!("result" in answer) || answer.result === null) return answer
          return { result: { ...Object(answer.result), blockNumber: "0x0" } }
        })
      )
      const nonce = yield* chain.nonceOf(cashier)
      yield* payment.refund()
      yield* until(Effect.map(chain.waiting, (waiting) => waiting === 1))
      yield* chain.mine()
      yield* until(Effect.map(chain.nonceOf(cashier), (now) => now > nonce))
      yield* timePasses(environment, "2 minutes", "20 seconds")
      yield* looked(environment)
      yield* payment.becomes({ refunds: ["pending"], refunded: 0 })
      yield* mined(environment, engine, payment.record, "succeeded")
    })
  )
})

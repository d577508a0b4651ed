import { assert } from "@effect/vitest"
import { Effect } from "effect"
import {
  down,
  gatewayDown,
  hanging,
  lagging,
  ofOtherChain,
  otherHashes,
  overloaded,
  smallRange,
  stuckAt
} from "./chain/behaviors.ts"
import { bob } from "./chain/Chain.ts"
import { honest } from "./chain/proxy.ts"
import { becomesInTime, looked, overtaken, scenarios, timePasses } from "./testEnvironment.ts"
import { eachInTurn, places } from "./turns.ts"

const dollars = (amount: number): bigint => BigInt(amount) * 1_000_000n
const once = ["payment.pending", "payment.succeeded"]

scenarios("nodes that fail", (scenario) => {
  scenario("one is away: the others are enough", (environment) =>
    Effect.gen(function* () {
      const { chain, usdc } = environment
      const engine = yield* environment.start()
      yield* eachInTurn(environment, down, () =>
        Effect.gen(function* () {
          const payment = yield* engine.create()
          yield* chain.pay(usdc, payment.address, dollars(50))
          yield* payment.becomes({ status: "pending", reason: "awaiting_finality" })
          yield* chain.finalize
          yield* payment.becomes({ status: "succeeded", received: null })
        })
      )
    })
  )

  for (const [how, behavior] of [
    ["has too much to do", overloaded],
    ["is behind a gateway that is down", gatewayDown]
  ] as const) {
    scenario(`one ${how}: the others are enough`, (environment) =>
      Effect.gen(function* () {
        const { chain, nodes, usdc } = environment
        const engine = yield* environment.start()
        const payment = yield* engine.create()
        nodes[0].behave(behavior)
        yield* chain.pay(usdc, payment.address, dollars(50))
        yield* chain.finalize
        yield* payment.becomes({ status: "succeeded", received: null })
      })
    )
  }

  scenario("one hangs: the others are enough", (environment) =>
    Effect.gen(function* () {
      const { chain, nodes, usdc } = environment
      const engine = yield* environment.start()
      const payment = yield* engine.create()
      nodes[0].behave(hanging)
      yield* chain.pay(usdc, payment.address, dollars(50))
      yield* chain.finalize
      yield* payment.becomes({ status: "succeeded", received: null })
    })
  )

  scenario("all are away and come back: nothing is lost, and payments are made meanwhile", (environment) =>
    Effect.gen(function* () {
      const { chain, nodes, usdc } = environment
      const engine = yield* environment.start()
      const payment = yield* engine.create()
      for (const node of nodes) node.behave(down)
      const other = yield* engine.create()
      assert.strictEqual((yield* other.seen).status, "pending")
      yield* chain.pay(usdc, payment.address, dollars(20))
      yield* chain.finalize
      yield* timePasses(environment, "5 minutes", "20 seconds")
      assert.deepStrictEqual(yield* payment.events, ["payment.pending"])
      for (const node of nodes) node.behave(honest)
      yield* chain.pay(usdc, payment.address, dollars(30), { from: bob })
      yield* chain.pay(usdc, other.address, dollars(50))
      yield* chain.finalize
      yield* becomesInTime(environment, payment, { status: "succeeded", received: null }, "20 seconds")
      yield* other.becomes({ status: "succeeded", received: null })
      assert.deepStrictEqual(yield* payment.events, once)
    })
  )

  scenario("all are away from the beginning: nothing is shown to a payer, and nothing was done", (environment) =>
    Effect.gen(function* () {
      for (const node of environment.nodes) node.behave(down)
      const engine = yield* environment.start()
      const payment = yield* engine.create()
      yield* payment.becomes({ status: "failed", code: "provider_unavailable" })
      assert.isNull(payment.action)
    })
  )

  scenario("with two nodes both have to agree: one away means waiting, not guessing", (environment) =>
    Effect.gen(function* () {
      const { chain, nodes, usdc } = environment
      const engine = yield* environment.start({ chain: { rpcUrls: [nodes[0].url, nodes[1].url] } })
      const payment = yield* engine.create()
      nodes[1].behave(down)
      yield* chain.pay(usdc, payment.address, dollars(50))
      yield* chain.finalize
      yield* payment.becomes({ status: "pending", reason: "awaiting_finality" })
      yield* timePasses(environment, "2 minutes", "10 seconds")
      yield* payment.becomes({ status: "pending", reason: "awaiting_finality" })
      nodes[1].behave(honest)
      yield* becomesInTime(environment, payment, { status: "succeeded", received: null }, "10 seconds")
    })
  )

  scenario("two nodes that disagree: nothing is final until they agree", (environment) =>
    Effect.gen(function* () {
      const { chain, nodes, usdc } = environment
      const engine = yield* environment.start({ chain: { rpcUrls: [nodes[0].url, nodes[1].url] } })
      const payment = yield* engine.create()
      yield* looked(environment)
      nodes[1].behave(otherHashes)
      yield* chain.pay(usdc, payment.address, dollars(50))
      yield* chain.finalize
      yield* payment.becomes({ status: "pending", reason: "awaiting_finality" })
      yield* timePasses(environment, "2 minutes", "10 seconds")
      yield* payment.becomes({ status: "pending", captured: 0 })
      nodes[1].behave(honest)
      yield* becomesInTime(environment, payment, { status: "succeeded", received: null }, "30 seconds")
    })
  )

  scenario("nodes of another chain are not asked, were they the most, and the operator hears of it", (environment) =>
    Effect.gen(function* () {
      const { logs, nodes } = environment
      nodes[0].behave(ofOtherChain)
      nodes[2].behave(ofOtherChain)
      const engine = yield* environment.start()
      const payment = yield* engine.create()
      yield* payment.becomes({ status: "failed", code: "provider_unavailable" })
      assert.isTrue(
        logs.some((line) => line.startsWith("Error")),
        logs.join("\n")
      )
    })
  )

  scenario("logs are asked for in ranges that the nodes take, each in its own words", (environment) =>
    Effect.gen(function* () {
      const { chain, nodes, usdc } = environment
      const before = yield* environment.start()
      const first = yield* before.create()
      yield* chain.finalize
      yield* looked(environment)
      yield* before.end
      nodes[0].behave(smallRange(10, "query returned more than 10000 results"))
      // INFURA/infura issue 237.
      nodes[1].behave(smallRange(25, "range 300 exceeds limit of 25", -32_602))
      // boundless-xyz/boundless issue 838.
      nodes[2].behave(smallRange(7, "You can make eth_getLogs requests with up to a 7 block range.", -32_600))
      yield* chain.mine(150)
      yield* chain.pay(usdc, first.address, dollars(50))
      yield* chain.mine(150)
      const after = yield* environment.start()
      yield* becomesInTime(
        environment,
        after.again(first.record),
        { status: "succeeded", received: null },
        "10 seconds"
      )
      const other = yield* after.create()
      yield* chain.pay(usdc, other.address, dollars(50))
      yield* chain.finalize
      yield* other.becomes({ status: "succeeded" })
    })
  )

  scenario("one is stuck: the others see what comes, and it pays", (environment) =>
    Effect.gen(function* () {
      const { chain, usdc } = environment
      const engine = yield* environment.start()
      for (const place of places) {
        for (const node of environment.nodes) node.behave(honest)
        environment.nodes[place].behave(stuckAt(yield* chain.head))
        const payment = yield* engine.create()
        yield* chain.mine(2)
        yield* chain.pay(usdc, payment.address, dollars(50))
        yield* timePasses(environment, "1 minute", "10 seconds")
        yield* payment.becomes({ status: "pending", reason: "awaiting_finality" })
        yield* chain.finalize
        yield* payment.becomes({ status: "succeeded", received: null })
      }
    })
  )

  scenario("one is far behind and does not say so: it pays, once", (environment) =>
    Effect.gen(function* () {
      const { chain, usdc } = environment
      const engine = yield* environment.start()
      yield* eachInTurn(environment, lagging(3), () =>
        Effect.gen(function* () {
          const payment = yield* engine.create()
          yield* chain.pay(usdc, payment.address, dollars(51))
          yield* chain.mine(5)
          yield* payment.becomes({ status: "pending", reason: "awaiting_finality" })
          yield* chain.finalize
          yield* payment.becomes({ status: "succeeded", captured: 5_000, received: 5_100 })
          yield* overtaken(environment, engine)
          assert.deepStrictEqual(yield* payment.events, once)
        })
      )
    })
  )
})

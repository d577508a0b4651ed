import { assert } from "@effect/vitest"
import { Effect } from "effect"
import {
  exaggerating,
  hastyFinality,
  inventing,
  ofOtherChain,
  otherHashes,
  redirecting,
  senseless,
  unfiltered,
  withoutLogs,
  withoutReceipts
} from "./chain/behaviors.ts"
import { alice, issuer } from "./chain/Chain.ts"
import { honest } from "./chain/proxy.ts"
import { looked, overtaken, scenarios } from "./testEnvironment.ts"
import { eachInTurn, places } from "./turns.ts"

const dollars = (amount: number): bigint => BigInt(amount) * 1_000_000n
const once = ["payment.pending", "payment.succeeded"]

scenarios("one node of three that lies", (scenario) => {
  for (const [lie, behavior] of [
    ["returns other hashes", otherHashes],
    ["hides every log", withoutLogs],
    ["hides every receipt", withoutReceipts],
    ["says that it is of another chain", ofOtherChain],
    ["returns senseless answers", senseless],
    ["returns the logs of every contract", unfiltered],
    ["reports amounts a hundred times as large", exaggerating],
    ["calls the newest block final", hastyFinality]
  ] as const) {
    scenario(`${lie}: who paid has paid, once and what he paid`, (environment) =>
      Effect.gen(function* () {
        const { chain, usdc } = environment
        const engine = yield* environment.start()
        yield* eachInTurn(environment, behavior, () =>
          Effect.gen(function* () {
            const [exact, more] = [yield* engine.create(), yield* engine.create()]
            yield* chain.pay(usdc, exact.address, dollars(50))
            yield* chain.pay(usdc, more.address, dollars(51))
            yield* chain.finalize
            yield* exact.becomes({ status: "succeeded", captured: 5_000, received: null, reviews: [] })
            yield* more.becomes({ status: "succeeded", captured: 5_000, received: 5_100, reviews: [] })
            yield* overtaken(environment, engine)
            assert.deepStrictEqual(yield* exact.events, once)
          })
        )
      })
    )
  }

  scenario("reports amounts a hundred times as large: a hundredth of the amount is not a payment", (environment) =>
    Effect.gen(function* () {
      const { chain, usdc } = environment
      const engine = yield* environment.start()
      yield* eachInTurn(environment, exaggerating, () =>
        Effect.gen(function* () {
          const payment = yield* engine.create()
          yield* chain.pay(usdc, payment.address, 500_000n)
          yield* chain.finalize
          yield* overtaken(environment, engine)
          yield* payment.becomes({ status: "pending", captured: 0, reviews: [] })
        })
      )
    })
  )

  scenario("reports another address's transfer as ours: it pays nothing", (environment) =>
    Effect.gen(function* () {
      const { chain, nodes, usdc } = environment
      const engine = yield* environment.start()
      for (const place of places) {
        for (const node of nodes) node.behave(honest)
        const payment = yield* engine.create()
        nodes[place].behave(redirecting(payment.address))
        yield* chain.pay(usdc, issuer.address, dollars(50))
        yield* chain.finalize
        yield* overtaken(environment, engine)
        assert.deepStrictEqual(yield* payment.events, ["payment.pending"])
        yield* payment.becomes({ status: "pending", reason: "awaiting_customer", captured: 0, reviews: [] })
      }
    })
  )

  scenario(
    "returns the logs of every contract: a token that is not configured does not count, though it was paid",
    (environment) =>
      Effect.gen(function* () {
        const { chain, nodes } = environment
        const fake = yield* chain.token("USDC", 6)
        const engine = yield* environment.start()
        for (const node of nodes) node.behave(unfiltered)
        const payment = yield* engine.create()
        yield* chain.pay(fake, payment.address, dollars(50))
        yield* chain.finalize
        yield* overtaken(environment, engine)
        yield* payment.becomes({ status: "pending", reason: "awaiting_customer", captured: 0, reviews: [] })
      })
  )

  for (const receipt of ["with a receipt", "without a receipt"] as const) {
    scenario(`invents a transfer, ${receipt}: it pays nothing`, (environment) =>
      Effect.gen(function* () {
        const { chain, nodes, usdc } = environment
        const engine = yield* environment.start()
        for (const place of places) {
          for (const node of nodes) node.behave(honest)
          const payment = yield* engine.create()
          const { address: to } = payment
          const block = (yield* chain.head) + 2n
          const invented = { token: usdc.address, from: alice.address, to, value: dollars(50), block }
          nodes[place].behave(inventing(invented, receipt))
          yield* chain.finalize
          yield* looked(environment)
          yield* overtaken(environment, engine)
          assert.deepStrictEqual(yield* payment.events, ["payment.pending"])
          // What one node reports may be shown as detected; it does not stay.
          yield* payment.becomes({ status: "pending", reason: "awaiting_customer", captured: 0, reviews: [] })
        }
      })
    )
  }

  scenario("calls the newest block final: what is taken back by the chain has not paid", (environment) =>
    Effect.gen(function* () {
      const { chain, usdc } = environment
      const engine = yield* environment.start()
      yield* eachInTurn(environment, hastyFinality, () =>
        Effect.gen(function* () {
          const payment = yield* engine.create()
          yield* chain.pay(usdc, payment.address, dollars(50))
          yield* chain.mine(2)
          yield* payment.becomes({ status: "pending", reason: "awaiting_finality" })
          yield* looked(environment)
          yield* chain.reorg(3)
          yield* payment.becomes({ status: "pending", reason: "awaiting_customer" })
          assert.deepStrictEqual(yield* payment.events, ["payment.pending"])
        })
      )
    })
  )

  scenario("whatever it reports, the contradiction is logged", (environment) =>
    Effect.gen(function* () {
      const { chain, logs, nodes, usdc } = environment
      const engine = yield* environment.start()
      const payment = yield* engine.create()
      nodes[1].behave(otherHashes)
      yield* chain.pay(usdc, payment.address, dollars(50))
      yield* chain.finalize
      yield* payment.becomes({ status: "succeeded" })
      assert.isTrue(
        logs.some((line) => /^(Warn|Error)/i.test(line)),
        logs.join("\n")
      )
    })
  )
})

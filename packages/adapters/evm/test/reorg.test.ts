import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { alice, bob } from "./chain/Chain.ts"
import { looked, overtaken, scenarios, timePasses } from "./testEnvironment.ts"

const dollars = (amount: number): bigint => BigInt(amount) * 1_000_000n
const once = ["payment.pending", "payment.succeeded"]

for (const [depth, blocksPerEpoch] of [
  [1, 4],
  [3, 4],
  [64, 32]
] as const) {
  scenarios(
    `a chain that changes its mind, ${depth} deep`,
    (scenario) => {
      scenario(`what was seen is taken back, and does not pay`, (environment) =>
        Effect.gen(function* () {
          const { chain, usdc } = environment
          const engine = yield* environment.start()
          const payment = yield* engine.create()
          yield* chain.pay(usdc, payment.address, dollars(50))
          yield* chain.mine(depth - 1)
          yield* payment.becomes({ status: "pending", reason: "awaiting_finality" })
          yield* looked(environment)
          yield* chain.reorg(depth)
          yield* payment.becomes({ status: "pending", reason: "awaiting_customer" })
          yield* overtaken(environment, engine)
          yield* payment.becomes({ status: "pending", reason: "awaiting_customer", received: null, reviews: [] })
          assert.deepStrictEqual(yield* payment.events, ["payment.pending"])
          yield* chain.pay(usdc, payment.address, dollars(50), { from: bob })
          yield* chain.finalize
          yield* payment.becomes({ status: "succeeded", received: null })
          assert.deepStrictEqual(yield* payment.events, once)
        })
      )

      scenario(`what is in another block afterwards counts once`, (environment) =>
        Effect.gen(function* () {
          const { chain, usdc } = environment
          const engine = yield* environment.start()
          const payment = yield* engine.create()
          const sent = yield* chain.pay(usdc, payment.address, dollars(51))
          yield* chain.mine(depth - 1)
          yield* payment.becomes({ status: "pending", reason: "awaiting_finality" })
          yield* chain.reorg(depth)
          yield* chain.resend(sent)
          yield* chain.mine()
          yield* payment.becomes({ status: "pending", reason: "awaiting_finality" })
          yield* chain.finalize
          yield* payment.becomes({ status: "succeeded", captured: 5_000, received: 5_100, reviews: [] })
          yield* overtaken(environment, engine)
          yield* payment.becomes({ status: "succeeded", captured: 5_000, received: 5_100, reviews: [] })
          assert.deepStrictEqual(yield* payment.events, once)
        })
      )
    },
    blocksPerEpoch
  )
}

scenarios("a chain that changes its mind", (scenario) => {
  scenario("one of two transfers is gone: what stays is seen, and alone it is too little", (environment) =>
    Effect.gen(function* () {
      const { chain, usdc } = environment
      const engine = yield* environment.start()
      const payment = yield* engine.create()
      yield* chain.pay(usdc, payment.address, dollars(30))
      yield* chain.mine(4)
      yield* chain.pay(usdc, payment.address, dollars(20), { from: bob })
      yield* payment.becomes({ status: "pending", reason: "awaiting_finality" })
      yield* looked(environment)
      yield* chain.reorg(3)
      yield* overtaken(environment, engine)
      yield* payment.becomes({ status: "pending", reason: "awaiting_finality", reviews: [] })
      yield* timePasses(environment, "31 minutes", "10 minutes")
      yield* payment.becomes({ status: "pending", reviews: ["amount_mismatch"], received: 3_000 })
    })
  )

  scenario("no process ran while it happened: after a restart it is retracted all the same", (environment) =>
    Effect.gen(function* () {
      const { chain, usdc } = environment
      const before = yield* environment.start()
      const seen = yield* before.create()
      yield* chain.pay(usdc, seen.address, dollars(50))
      yield* seen.becomes({ status: "pending", reason: "awaiting_finality" })
      yield* looked(environment)
      yield* before.end
      yield* chain.mine(5)
      yield* chain.reorg(6)
      yield* chain.mine(7)
      const after = yield* environment.start()
      const payment = after.again(seen.record)
      yield* payment.becomes({ status: "pending", reason: "awaiting_customer" })
      yield* overtaken(environment, after)
      yield* payment.becomes({ status: "pending", reason: "awaiting_customer", reviews: [] })
    })
  )

  scenario(
    "a chain that is shorter than before: what was seen is taken back, and what comes then pays",
    (environment) =>
      Effect.gen(function* () {
        const { chain, usdc } = environment
        const engine = yield* environment.start()
        const payment = yield* engine.create()
        yield* chain.mine(12)
        const snapshot = yield* chain.snapshot
        yield* chain.mine(5)
        const sent = yield* chain.pay(usdc, payment.address, dollars(50))
        yield* payment.becomes({ status: "pending", reason: "awaiting_finality" })
        yield* looked(environment)
        yield* chain.revert(snapshot)
        yield* payment.becomes({ status: "pending", reason: "awaiting_customer" })
        yield* chain.resend(sent)
        yield* chain.mine()
        yield* payment.becomes({ status: "pending", reason: "awaiting_finality" })
        yield* chain.finalize
        yield* payment.becomes({ status: "succeeded", received: null })
        assert.deepStrictEqual(yield* payment.events, once)
      })
  )

  scenario("replaced by one that pays another address: it does not pay", (environment) =>
    Effect.gen(function* () {
      const { chain, usdc } = environment
      const engine = yield* environment.start()
      const payment = yield* engine.create()
      const nonce = yield* chain.nonceOf(alice)
      yield* chain.pay(usdc, payment.address, dollars(50))
      yield* payment.becomes({ status: "pending", reason: "awaiting_finality" })
      yield* looked(environment)
      yield* chain.reorg(1)
      yield* chain.pay(usdc, bob.address, dollars(50), { nonce })
      yield* payment.becomes({ status: "pending", reason: "awaiting_customer" })
      yield* overtaken(environment, engine)
      yield* payment.becomes({ status: "pending", reason: "awaiting_customer", reviews: [] })
      yield* timePasses(environment, "31 minutes", "10 minutes")
      yield* payment.becomes({ status: "failed", code: "customer_timeout", reviews: [] })
    })
  )

  scenario("replaced by one that pays more for its place: it counts once", (environment) =>
    Effect.gen(function* () {
      const { chain, usdc } = environment
      const engine = yield* environment.start()
      const payment = yield* engine.create()
      const nonce = yield* chain.nonceOf(alice)
      const first = yield* chain.pay(usdc, payment.address, dollars(51))
      yield* payment.becomes({ status: "pending", reason: "awaiting_finality" })
      yield* chain.reorg(1)
      const other = yield* chain.pay(usdc, payment.address, dollars(51), { nonce })
      assert.notStrictEqual(other.hash, first.hash)
      yield* chain.finalize
      yield* payment.becomes({ status: "succeeded", captured: 5_000, received: 5_100 })
      assert.deepStrictEqual(yield* payment.events, once)
    })
  )

  scenario("replaced while it waits: only the one in a block counts", (environment) =>
    Effect.gen(function* () {
      const { chain, usdc } = environment
      const engine = yield* environment.start()
      const payment = yield* engine.create()
      const nonce = yield* chain.nonceOf(alice)
      yield* chain.transfer(usdc, payment.address, dollars(60), { nonce })
      yield* chain.transfer(usdc, payment.address, dollars(51), { nonce })
      yield* chain.mine()
      yield* chain.finalize
      yield* payment.becomes({ status: "succeeded", captured: 5_000, received: 5_100 })
    })
  )
})

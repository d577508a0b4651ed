import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { getAddress } from "viem"
import { chainId } from "./chain/anvil.ts"
import { bob } from "./chain/Chain.ts"
import { depositAccount } from "./keys.ts"
import { becomesInTime, looked, overtaken, scenarios, tokenOf } from "./testEnvironment.ts"

const dollars = (amount: number): bigint => BigInt(amount) * 1_000_000n

scenarios("paying on a chain", (scenario) => {
  scenario("a transfer is reported when it is seen, and pays when it is final", (environment) =>
    Effect.gen(function* () {
      const { chain, usdc } = environment
      const engine = yield* environment.start()
      const payment = yield* engine.create()
      yield* payment.becomes({ status: "pending", reason: "awaiting_customer" })
      yield* chain.pay(usdc, payment.address, dollars(50))
      yield* payment.becomes({ status: "pending", reason: "awaiting_finality" })
      yield* chain.mine(chain.blocksToFinality - 1)
      yield* looked(environment)
      yield* payment.becomes({ status: "pending", reason: "awaiting_finality" })
      yield* chain.mine(2)
      yield* payment.becomes({ status: "succeeded", late: false, captured: 5_000, received: null, reviews: [] })
      assert.deepStrictEqual(yield* payment.events, ["payment.pending", "payment.succeeded"])
      yield* overtaken(environment, engine)
      assert.deepStrictEqual(yield* payment.events, ["payment.pending", "payment.succeeded"])
    })
  )

  scenario("the link that the payer is shown says token, chain, address and amount", (environment) =>
    Effect.gen(function* () {
      const engine = yield* environment.start()
      const { action, address } = yield* engine.create({ amount: 1_234 })
      const uri = `ethereum:${environment.usdc.address}@31337/transfer?address=${address}&uint256=12340000`
      assert.deepInclude(action, { type: "stablecoin_transfer", amount: "12.34", asset: "USDC", uri })
      assert.match(action?.image ?? "", /^data:image\//)
    })
  )

  scenario("the merchant's key, which the server does not have, opens the address", (environment) =>
    Effect.gen(function* () {
      const { chain, usdc } = environment
      const engine = yield* environment.start()
      const payment = yield* engine.create()
      yield* chain.pay(usdc, payment.address, dollars(50))
      const document = yield* environment.store.providerState.get(
        "evm",
        `deposit/${chainId}/${payment.address.toLowerCase()}`
      )
      const [, path = ""] = /"index":"(\d+\/\d+)"/.exec(document ?? "") ?? []
      assert.strictEqual(getAddress(depositAccount(path).address), payment.address)
    })
  )

  scenario(
    "too little counts for nothing until the payer's time is over, is then looked at, and the rest completes it",
    (environment) =>
      Effect.gen(function* () {
        const { chain, usdc } = environment
        const engine = yield* environment.start()
        const payment = yield* engine.create()
        yield* chain.pay(usdc, payment.address, dollars(49))
        yield* chain.finalize
        yield* payment.becomes({ status: "pending", reason: "awaiting_finality" })
        yield* overtaken(environment, engine)
        yield* payment.becomes({ status: "pending", reason: "awaiting_finality", reviews: [], received: null })
        const short = {
          status: "pending",
          reason: "needs_review",
          reviews: ["amount_mismatch"],
          received: 4_900
        } as const
        yield* becomesInTime(environment, payment, short, "10 minutes")
        yield* chain.pay(usdc, payment.address, dollars(1), { from: bob })
        yield* chain.finalize
        yield* payment.becomes({ status: "succeeded", captured: 5_000 })
        assert.deepStrictEqual(yield* payment.events, [
          "payment.pending",
          "payment.review_opened",
          "payment.succeeded",
          "payment.review_resolved"
        ])
      })
  )

  scenario("too much pays, and says what came", (environment) =>
    Effect.gen(function* () {
      const { chain, usdc } = environment
      const engine = yield* environment.start()
      const payment = yield* engine.create()
      yield* chain.pay(usdc, payment.address, 50_019_999n)
      yield* chain.finalize
      yield* payment.becomes({ status: "succeeded", captured: 5_000, received: 5_001, reviews: [] })
    })
  )

  scenario("two transfers in two transactions pay together", (environment) =>
    Effect.gen(function* () {
      const { chain, usdc } = environment
      const engine = yield* environment.start()
      const payment = yield* engine.create()
      yield* chain.pay(usdc, payment.address, dollars(20))
      yield* chain.mine(3)
      yield* chain.pay(usdc, payment.address, dollars(30), { from: bob })
      yield* chain.finalize
      yield* payment.becomes({ status: "succeeded", captured: 5_000, received: null })
    })
  )

  scenario("two equal transfers in one transaction are two", (environment) =>
    Effect.gen(function* () {
      const { chain, usdc } = environment
      const engine = yield* environment.start()
      const payment = yield* engine.create()
      yield* chain.payInOne(usdc, payment.address, [dollars(25), dollars(25)])
      yield* chain.finalize
      yield* payment.becomes({ status: "succeeded", captured: 5_000, received: null })
    })
  )

  scenario("two payments that are paid in one block, each gets its own", (environment) =>
    Effect.gen(function* () {
      const { chain, usdc } = environment
      const engine = yield* environment.start()
      const [one, other] = [yield* engine.create(), yield* engine.create({ amount: 700 })]
      yield* chain.transfer(usdc, one.address, dollars(50))
      yield* chain.transfer(usdc, other.address, dollars(7), { from: bob })
      yield* chain.mine()
      yield* chain.finalize
      yield* one.becomes({ status: "succeeded", captured: 5_000, received: null })
      yield* other.becomes({ status: "succeeded", captured: 700, received: null })
    })
  )

  scenario("a token of 18 decimals is counted to the cent, and what is less than a cent is no cent", (environment) =>
    Effect.gen(function* () {
      const { chain } = environment
      const fine = yield* chain.token("USDC", 18)
      const engine = yield* environment.start({ chain: { tokens: [tokenOf("USDC", fine)] } })
      const [whole, less] = [yield* engine.create({ amount: 1_999 }), yield* engine.create({ amount: 1_999 })]
      assert.include(whole.action?.uri, "&uint256=19990000000000000000")
      yield* chain.pay(fine, whole.address, 19_990_000_000_000_000_000n)
      yield* chain.pay(fine, less.address, 19_989_999_999_999_999_999n)
      yield* chain.finalize
      yield* whole.becomes({ status: "succeeded", captured: 1_999, received: null })
      yield* becomesInTime(
        environment,
        less,
        { status: "pending", reviews: ["amount_mismatch"], received: 1_998 },
        "10 minutes"
      )
    })
  )

  scenario("another coin that is known to be wrong is looked at, and the right one completes it", (environment) =>
    Effect.gen(function* () {
      const { chain, usdc } = environment
      const bridged = yield* chain.token("USDC.e", 6)
      const engine = yield* environment.start({ chain: { wrongTokens: [bridged.address] } })
      const payment = yield* engine.create()
      yield* chain.pay(bridged, payment.address, dollars(50))
      yield* chain.finalize
      yield* payment.becomes({ status: "pending", reason: "needs_review", reviews: ["amount_mismatch"], received: 0 })
      yield* chain.pay(usdc, payment.address, dollars(50))
      yield* chain.finalize
      yield* payment.becomes({ status: "succeeded", captured: 5_000 })
    })
  )

  scenario("a configured token of another asset than asked does not pay", (environment) =>
    Effect.gen(function* () {
      const { chain, usdc } = environment
      const eurc = yield* chain.token("EURC", 6)
      const tokens = [tokenOf("USDC", usdc), tokenOf("EURC", eurc, "EUR")] as const
      const engine = yield* environment.start({ chain: { tokens } })
      const payment = yield* engine.create({ asset: "USDC" })
      yield* chain.pay(eurc, payment.address, dollars(50))
      yield* chain.finalize
      yield* payment.becomes({ status: "pending", reason: "needs_review", reviews: ["amount_mismatch"], received: 0 })
    })
  )

  scenario("euros are paid in their own coin, and dollars by the first coin that is theirs", (environment) =>
    Effect.gen(function* () {
      const { chain, usdc } = environment
      const eurc = yield* chain.token("EURC", 6)
      const tokens = [tokenOf("EURC", eurc, "EUR"), tokenOf("USDC", usdc)] as const
      const engine = yield* environment.start({ chain: { tokens } })
      const euros = yield* engine.create({ asset: "EURC", currency: "EUR" })
      const either = yield* engine.create({ asset: null, network: null })
      yield* chain.pay(eurc, euros.address, dollars(50))
      yield* chain.pay(usdc, either.address, dollars(50))
      yield* chain.finalize
      yield* euros.becomes({ status: "succeeded", received: null })
      yield* either.becomes({ status: "succeeded", received: null })
    })
  )

  scenario("a token that is not configured never counts, whatever it calls itself", (environment) =>
    Effect.gen(function* () {
      const { chain } = environment
      const fake = yield* chain.token("USDC", 6)
      const engine = yield* environment.start()
      const payment = yield* engine.create()
      yield* chain.pay(fake, payment.address, dollars(50))
      yield* chain.finalize
      yield* overtaken(environment, engine)
      yield* payment.becomes({ status: "pending", reason: "awaiting_customer", reviews: [], received: null })
      assert.deepStrictEqual(yield* payment.events, ["payment.pending"])
    })
  )

  scenario("a transfer of nothing is nothing", (environment) =>
    Effect.gen(function* () {
      const { chain, usdc } = environment
      const engine = yield* environment.start()
      const payment = yield* engine.create()
      yield* chain.pay(usdc, payment.address, 0n)
      yield* chain.finalize
      yield* overtaken(environment, engine)
      yield* payment.becomes({ status: "pending", reason: "awaiting_customer", reviews: [] })
      yield* becomesInTime(environment, payment, { status: "failed", code: "customer_timeout" }, "10 minutes")
    })
  )

  scenario("what comes after it was paid is another payment: an operator gives it back", (environment) =>
    Effect.gen(function* () {
      const { chain, usdc } = environment
      const engine = yield* environment.start()
      const payment = yield* engine.create()
      yield* chain.pay(usdc, payment.address, dollars(50))
      yield* chain.finalize
      yield* payment.becomes({ status: "succeeded", reviews: [] })
      yield* chain.pay(usdc, payment.address, dollars(50))
      yield* chain.finalize
      yield* payment.becomes({ status: "succeeded", captured: 5_000, reviews: ["duplicate_capture"] })
      assert.deepStrictEqual(yield* payment.events, ["payment.pending", "payment.succeeded", "payment.review_opened"])
    })
  )

  scenario("a hundred transfers of next to nothing do not hide the one that pays", (environment) =>
    Effect.gen(function* () {
      const { chain, usdc } = environment
      const engine = yield* environment.start()
      const payment = yield* engine.create()
      yield* chain.payInOne(
        usdc,
        payment.address,
        Array.from({ length: 100 }, () => 1n)
      )
      yield* chain.pay(usdc, payment.address, dollars(51), { from: bob })
      yield* chain.finalize
      yield* payment.becomes({ status: "succeeded", captured: 5_000, received: 5_100, reviews: [] })
    })
  )

  scenario("by depth: what was final by too small a depth and is gone stays counted, and counts once", (environment) =>
    Effect.gen(function* () {
      const { chain, usdc } = environment
      const engine = yield* environment.start({ chain: { finality: { depth: 2 } } })
      const payment = yield* engine.create()
      const sent = yield* chain.pay(usdc, payment.address, dollars(51))
      yield* chain.mine(4)
      yield* payment.becomes({ status: "succeeded", captured: 5_000, received: 5_100 })
      yield* chain.reorg(5)
      yield* looked(environment)
      yield* chain.resend(sent)
      yield* chain.mine()
      yield* overtaken(environment, engine)
      yield* payment.becomes({ status: "succeeded", captured: 5_000, received: 5_100, reviews: [] })
      assert.isTrue(environment.logs.some((line) => line.startsWith("Error")))
    })
  )

  scenario("by depth: it pays under as many blocks as are asked for, and not before", (environment) =>
    Effect.gen(function* () {
      const { chain, usdc } = environment
      const engine = yield* environment.start({ chain: { finality: { depth: 5 } } })
      const payment = yield* engine.create()
      yield* chain.pay(usdc, payment.address, dollars(50))
      yield* chain.mine(3)
      yield* looked(environment)
      yield* payment.becomes({ status: "pending", reason: "awaiting_finality" })
      yield* chain.mine(3)
      yield* payment.becomes({ status: "succeeded" })
    })
  )
})

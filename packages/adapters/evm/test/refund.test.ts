import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { alice, bob, cashier } from "./chain/Chain.ts"
import { until } from "./payments.ts"
import { looked, scenarios, timePasses, tokenOf } from "./testEnvironment.ts"
import { dollars, funded, given, mined, paid, signer } from "./refunds.ts"

scenarios("refunds", (scenario) => {
  scenario("without a signer are not supported", (environment) =>
    Effect.gen(function* () {
      const engine = yield* environment.start()
      const payment = yield* paid(environment, engine)
      const refused = yield* Effect.flip(payment.refund())
      assert.deepInclude(refused.reason, { _tag: "OperationRefused", reason: "not_supported" })
    })
  )

  scenario("go back to who paid, and are done when they are final", (environment) =>
    Effect.gen(function* () {
      const engine = yield* funded(environment)
      const payment = yield* paid(environment, engine)
      yield* payment.refund()
      yield* payment.becomes({ refunds: ["pending"] })
      yield* until(Effect.map(environment.chain.waiting, (waiting) => waiting === 1))
      yield* environment.chain.mine()
      yield* looked(environment)
      yield* payment.becomes({ refunds: ["pending"], refunded: 0 })
      yield* mined(environment, engine, payment.record, "succeeded")
      yield* payment.becomes({ refunds: ["succeeded"], refunded: 5_000 })
      const transfers = yield* given(environment)
      assert.deepStrictEqual(
        transfers.map(({ to, value }) => ({ to, value })),
        [{ to: alice.address, value: dollars(50) }]
      )
      assert.deepStrictEqual(yield* payment.events, [
        "payment.pending",
        "payment.succeeded",
        "refund.pending",
        "refund.succeeded"
      ])
    })
  )

  scenario("go where the merchant said", (environment) =>
    Effect.gen(function* () {
      const engine = yield* funded(environment)
      const payment = yield* paid(environment, engine, { metadata: { refund_address: bob.address } })
      yield* payment.refund(1_250)
      yield* mined(environment, engine, payment.record, "succeeded")
      const transfers = yield* given(environment)
      assert.deepStrictEqual(
        transfers.map(({ to, value }) => ({ to, value })),
        [{ to: bob.address, value: 12_500_000n }]
      )
      yield* payment.becomes({ refunded: 1_250 })
    })
  )

  // The conformance suite speaks to a vendor over HTTP: this is its check `reports`, on a chain.
  scenario("are each reported with their own amount, under the hash of their transaction", (environment) =>
    Effect.gen(function* () {
      const engine = yield* funded(environment)
      const payment = yield* paid(environment, engine)
      for (const minorUnits of [1_250, 500, 500]) {
        yield* payment.refund(minorUnits)
        yield* mined(environment, engine, payment.record, "succeeded")
      }
      yield* payment.becomes({ refunded: 2_250 })
      const { entries } = yield* payment.now
      const reported = entries.filter(({ kind }) => kind === "refunded")
      const amounts = new Map(reported.map(({ minorUnits, reference }) => [reference, minorUnits]))
      const transfers = yield* given(environment)
      assert.deepStrictEqual(
        amounts,
        new Map(transfers.map(({ hash, value }) => [hash as string, Number(value / 10_000n)]))
      )
      assert.deepStrictEqual(
        reported.map(({ basis }) => basis),
        reported.map(() => "movement")
      )
    })
  )

  scenario("an address that is none is refused, and nothing is sent", (environment) =>
    Effect.gen(function* () {
      const engine = yield* funded(environment)
      // The last stands where it was erased.
      for (const none of [bob.address.slice(0, -1), "erased"]) {
        const payment = yield* paid(environment, engine, { metadata: { refund_address: none } })
        yield* payment.refund()
        yield* payment.becomes({ refunds: ["failed"], refunded: 0 })
      }
      assert.strictEqual(yield* environment.chain.waiting, 0)
    })
  )

  scenario("of what several senders paid are refused without a refund address", (environment) =>
    Effect.gen(function* () {
      const { chain, usdc } = environment
      const engine = yield* funded(environment)
      const payment = yield* engine.create()
      yield* chain.pay(usdc, payment.address, dollars(20))
      yield* chain.pay(usdc, payment.address, dollars(30), { from: bob })
      yield* chain.finalize
      yield* payment.becomes({ status: "succeeded" })
      yield* payment.refund()
      yield* payment.becomes({ refunds: ["failed"], refunded: 0 })
      assert.strictEqual(yield* chain.waiting, 0)
    })
  )

  scenario("to an address that sent nothing are refused", (environment) =>
    Effect.gen(function* () {
      const { chain, usdc } = environment
      const engine = yield* funded(environment)
      const payment = yield* engine.create()
      yield* chain.pay(usdc, payment.address, 0n, { from: bob })
      yield* chain.pay(usdc, payment.address, dollars(50))
      yield* chain.finalize
      yield* payment.becomes({ status: "succeeded" })
      yield* payment.refund()
      yield* mined(environment, engine, payment.record, "succeeded")
      assert.deepStrictEqual(
        (yield* given(environment)).map(({ to }) => to),
        [alice.address]
      )
    })
  )

  scenario("of what came after the merchant canceled: the engine refunds all of it automatically", (environment) =>
    Effect.gen(function* () {
      const { chain, usdc } = environment
      const engine = yield* funded(environment)
      const payment = yield* engine.create()
      yield* payment.cancel
      yield* payment.becomes({ status: "canceled" })
      yield* chain.pay(usdc, payment.address, dollars(51))
      yield* chain.finalize
      for (let turn = 0; turn < 150 && !(yield* payment.events).includes("payment.late_reversed"); turn++) {
        yield* timePasses(environment, "20 seconds", "20 seconds")
        yield* chain.finalize
        // A jump of the clock ends calls in flight.
        yield* looked(environment)
      }
      yield* payment.becomes({ status: "canceled", reviews: [] })
      assert.deepStrictEqual(yield* payment.events, ["payment.pending", "payment.canceled", "payment.late_reversed"])
      assert.deepStrictEqual(
        (yield* given(environment)).map(({ to, value }) => ({ to, value })),
        [{ to: alice.address, value: dollars(51) }]
      )
    })
  )

  scenario("to an address that the token's issuer refuses is declined before anything is signed", (environment) =>
    Effect.gen(function* () {
      const { chain } = environment
      const strict = yield* chain.token("USDC", 6, "StrictToken")
      yield* chain.mint(strict, cashier.address, dollars(1_000))
      const engine = yield* environment.start({ evm: { signer }, chain: { tokens: [tokenOf("USDC", strict)] } })
      const payment = yield* engine.create()
      yield* chain.pay(strict, payment.address, dollars(50))
      yield* chain.finalize
      yield* payment.becomes({ status: "succeeded" })
      yield* chain.blacklist(strict, alice.address)
      yield* payment.refund()
      yield* payment.becomes({ refunds: ["failed"], refunded: 0 })
      assert.strictEqual(yield* chain.waiting, 0)
    })
  )

  scenario("more than the wallet holds is refused before anything is signed", (environment) =>
    Effect.gen(function* () {
      const { chain, usdc } = environment
      const engine = yield* environment.start({ evm: { signer } })
      yield* chain.mint(usdc, cashier.address, dollars(49))
      const payment = yield* paid(environment, engine)
      const nonce = yield* chain.nonceOf(cashier)
      yield* payment.refund()
      yield* payment.becomes({ refunds: ["failed"], refunded: 0 })
      assert.strictEqual(yield* chain.waiting, 0)
      yield* chain.mint(usdc, cashier.address, dollars(1))
      yield* payment.refund()
      yield* mined(environment, engine, payment.record, "succeeded")
      yield* payment.becomes({ refunds: ["failed", "succeeded"], refunded: 5_000 })
      assert.strictEqual(yield* chain.nonceOf(cashier), nonce + 1)
    })
  )

  scenario("one that the token's contract reverts has failed, and can be asked for again", (environment) =>
    Effect.gen(function* () {
      const { chain } = environment
      const strict = yield* chain.token("USDC", 6, "StrictToken")
      yield* chain.mint(strict, cashier.address, dollars(1_000))
      const engine = yield* environment.start({ evm: { signer }, chain: { tokens: [tokenOf("USDC", strict)] } })
      const payment = yield* engine.create()
      yield* chain.pay(strict, payment.address, dollars(50))
      yield* chain.finalize
      yield* payment.becomes({ status: "succeeded" })
      yield* payment.refund()
      yield* until(Effect.map(chain.waiting, (waiting) => waiting === 1))
      // It is refused after it was sent: an inquiry before that would have shown it.
      yield* chain.blacklist(strict, alice.address)
      yield* mined(environment, engine, payment.record, "failed")
      yield* payment.becomes({ refunds: ["failed"], refunded: 0 })
      assert.include(yield* payment.events, "refund.failed")
      assert.deepStrictEqual(yield* chain.transfersFrom(strict, cashier.address), [])
    })
  )
})

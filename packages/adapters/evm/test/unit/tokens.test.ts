import { assert, describe, it } from "@effect/vitest"
import { Currency } from "@paymux/core"
import * as fc from "fast-check"
import { decimalText, minorOf, unitsOf } from "../../src/tokens.ts"

const euro = "EUR"
const currency = Currency.isCurrency(euro) ? euro : assert.fail("EUR is a currency")
const coins = fc.integer({ min: 2, max: 18 }).map((decimals) => ({ currency, decimals }))
const minor = fc.maxSafeNat()

describe("amounts", () => {
  it("of any size and any decimals come back as they went", () => {
    fc.assert(
      fc.property(coins, minor, (coin, amount) => {
        assert.strictEqual(minorOf(unitsOf(amount, coin), coin), amount)
      })
    )
  })

  it("are rounded down: what is less than a cent is no cent", () => {
    fc.assert(
      fc.property(coins, fc.maxSafeNat(), fc.bigInt({ min: 1n, max: 10n ** 16n }), (coin, amount, less) => {
        fc.pre(amount > 0 && less <= unitsOf(1, coin))
        assert.strictEqual(minorOf(unitsOf(amount, coin) - less, coin), amount - 1)
      })
    )
  })

  it("beyond the safe integers are the largest of them, and not rounded to another", () => {
    const coin = { currency, decimals: 6 }
    assert.strictEqual(minorOf(2n ** 255n, coin), Number.MAX_SAFE_INTEGER)
  })

  it("are read by people with two decimals", () => {
    assert.strictEqual(decimalText(5, currency), "0.05")
    assert.strictEqual(decimalText(Number.MAX_SAFE_INTEGER, currency), "90071992547409.91")
  })
})

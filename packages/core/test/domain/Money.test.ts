import { assert, describe, it } from "@effect/vitest"
import { equals, format } from "../../src/domain/Money.ts"
import { money } from "./records.ts"

describe("an amount as text", () => {
  it("has the digits of its currency after the point", () => {
    assert.strictEqual(format(money(10_000, "INR"), 2), "INR 100.00")
    assert.strictEqual(format(money(123_456, "KWD"), 3), "KWD 123.456")
    assert.strictEqual(format(money(10_000, "JPY"), 0), "JPY 10000")
  })

  it("is padded with zeros if it is less than one unit", () => {
    assert.strictEqual(format(money(7), 2), "EUR 0.07")
    assert.strictEqual(format(money(0), 2), "EUR 0.00")
    assert.strictEqual(format(money(70, "KWD"), 3), "KWD 0.070")
  })
})

describe("two amounts", () => {
  it("are equal only in both number and currency", () => {
    assert.isTrue(equals(money(5), money(5)))
    assert.isFalse(equals(money(5), money(6)))
    assert.isFalse(equals(money(5), money(5, "USD")))
  })
})

import { assert, describe, it } from "@effect/vitest"
import { forEachAmount, readAmount } from "../../../../test/support/readAmount.ts"
import { decimal, equals, format } from "../../src/domain/Money.ts"
import { money } from "./records.ts"

const spaced = (text: string): string => text.replaceAll(/\s/g, " ")

describe("an amount as a decimal", () => {
  it("has the digits of its currency after the point, and no groups", () => {
    assert.strictEqual(decimal(money(1_000_000, "INR")), "10000.00")
    assert.strictEqual(decimal(money(123_456, "KWD")), "123.456")
    assert.strictEqual(decimal(money(10_000, "JPY")), "10000")
  })

  it("is padded with zeros if it is less than one unit", () => {
    assert.strictEqual(decimal(money(7)), "0.07")
    assert.strictEqual(decimal(money(0)), "0.00")
    assert.strictEqual(decimal(money(70, "KWD")), "0.070")
  })

  it("is exact below zero and beyond the safe integers, as a number, a bigint or text", () => {
    assert.strictEqual(decimal({ minorUnits: -7, currency: "EUR" }), "-0.07")
    assert.strictEqual(decimal({ minorUnits: -12_345n, currency: "EUR" }), "-123.45")
    assert.strictEqual(decimal({ minorUnits: "1234567890123456789012", currency: "EUR" }), "12345678901234567890.12")
  })

  it("is in minor units if the currency is not listed", () => {
    assert.strictEqual(decimal({ minorUnits: 12_345, currency: "HRK" }), "12345")
  })

  it("reads back as the same minor units in every currency", () => {
    forEachAmount(({ currency, minorUnits }) => {
      assert.strictEqual(readAmount(decimal({ currency, minorUnits }), currency), minorUnits)
    })
  })
})

describe("an amount for people", () => {
  it("reads back as the same minor units in every currency and locale, with a symbol, a code or neither", () => {
    for (const display of ["symbol", "code", "number"] as const) {
      forEachAmount(({ currency, locale, minorUnits }) => {
        assert.strictEqual(readAmount(format({ currency, minorUnits }, locale, display), currency), minorUnits)
      })
    }
  })

  it("has the groups, the separators and the place of the currency of its locale", () => {
    const euros = money(1_234_567_890)
    for (const [locale, symbol, code, number] of [
      ["en-IN", "€1,23,45,678.90", "EUR 1,23,45,678.90", "1,23,45,678.90"],
      ["en-US", "€12,345,678.90", "EUR 12,345,678.90", "12,345,678.90"],
      ["de-DE", "12.345.678,90 €", "12.345.678,90 EUR", "12.345.678,90"],
      ["fr-FR", "12 345 678,90 €", "12 345 678,90 EUR", "12 345 678,90"]
    ] as const) {
      assert.strictEqual(spaced(format(euros, locale, "symbol")), symbol)
      assert.strictEqual(spaced(format(euros, locale, "code")), code)
      assert.strictEqual(spaced(format(euros, locale, "number")), number)
    }
  })

  it("has the decimals of ISO 4217 where shops of the country write none", () => {
    assert.strictEqual(spaced(format(money(12_345, "HUF"), "hu-HU", "symbol")), "123,45 Ft")
    assert.strictEqual(spaced(format(money(999_999_999_999, "IDR"), "en-US", "code")), "IDR 9,999,999,999.99")
    assert.strictEqual(format(money(12_345, "JPY"), "en-US", "symbol"), "¥12,345")
  })

  it("is exact below zero and beyond the safe integers", () => {
    const sum = { minorUnits: "-1234567890123456789012", currency: "EUR" }
    assert.strictEqual(format(sum, "en-US", "symbol"), "-€12,345,678,901,234,567,890.12")
  })

  it("below one unit has the digits of the positive amount, with the sign of its locale, in every number of decimals", () => {
    for (const currency of ["JPY", "EUR", "KWD"]) {
      for (const locale of ["en-US", "de-DE", "fr-FR", "en-IN", "ja-JP", "ar-KW"]) {
        for (const display of ["symbol", "code", "number"] as const) {
          const shown = (minorUnits: number | bigint | string) => format({ minorUnits, currency }, locale, display)
          const digits = /\d.*\d|\d/
          const around = (text: string) => text.replace(digits, "")
          assert.notStrictEqual(around(shown(-5_000_000)), around(shown(5_000_000)))
          for (let minorUnits = 1; minorUnits <= 1100; minorUnits += minorUnits < 20 ? 1 : 9) {
            const negative = shown(`-${minorUnits}`)
            assert.strictEqual(digits.exec(negative)?.[0], digits.exec(shown(minorUnits))?.[0])
            assert.strictEqual(around(negative), around(shown(-5_000_000)))
            assert.strictEqual(shown(-minorUnits), negative)
            assert.strictEqual(shown(BigInt(-minorUnits)), negative)
          }
        }
      }
    }
    assert.strictEqual(spaced(format({ minorUnits: -30, currency: "EUR" }, "en-US", "code")), "-EUR 0.30")
  })

  it("says that it is in the smallest unit if the currency is not listed", () => {
    const figure = { minorUnits: 12_345, currency: "HRK" }
    assert.strictEqual(format(figure, "en-US", "symbol"), "HRK 12,345 (smallest unit)")
    assert.strictEqual(format(figure, "en-US", "number"), "12,345 (smallest unit)")
    assert.strictEqual(format({ minorUnits: 1, currency: "" }, "en-US", "number"), "1 (smallest unit)")
  })
})

describe("two amounts", () => {
  it("are equal only in both number and currency", () => {
    assert.isTrue(equals(money(5), money(5)))
    assert.isFalse(equals(money(5), money(6)))
    assert.isFalse(equals(money(5), money(5, "USD")))
  })
})

/** The dashboard and its CSV files show amounts exactly, in every currency and locale, and read what they show. */
import { assert, describe, it } from "@effect/vitest"
import { csvLine } from "../../packages/dashboard/app/src/lists/csv.ts"
import {
  addressAmount,
  amountText,
  exampleOf,
  fieldAmount,
  minorUnits,
  plainAmount
} from "../../packages/dashboard/app/src/ui/amounts.ts"
import { amounts, currencies, forEachAmount, locales, readAmount } from "../support/readAmount.ts"

describe("an amount in the dashboard", () => {
  it("reads back as the same minor units, in every currency and locale", () => {
    forEachAmount(({ currency, locale, minorUnits: minor }) => {
      assert.strictEqual(readAmount(amountText(minor, currency, locale), currency), minor)
    })
  })

  it("can be typed as it is shown, and as a field offers it", () => {
    forEachAmount(({ currency, locale, minorUnits: minor }) => {
      assert.strictEqual(minorUnits(amountText(minor, currency, locale), currency, locale), minor)
      assert.strictEqual(minorUnits(fieldAmount(minor, currency, locale), currency, locale), minor)
      assert.isNotNull(minorUnits(exampleOf(currency, locale), currency, locale))
    })
  })

  it("is in an address as it is for every other reader", () => {
    for (const currency of currencies) {
      for (const minor of amounts) assert.strictEqual(addressAmount(plainAmount(minor, currency), currency), minor)
    }
  })

  it("has the groups and separators of the reader, and a minus sign", () => {
    const of = (locale: string) => amountText(-1_234_567_890, "EUR", locale).replaceAll(/\s/g, " ")
    assert.deepStrictEqual(["en-US", "en-IN", "de-DE", "fr-FR"].map(of), [
      "−12,345,678.90",
      "−1,23,45,678.90",
      "−12.345.678,90",
      "−12 345 678,90"
    ])
    assert.strictEqual(amountText("1234567890123456789012", "EUR", "en-US"), "12,345,678,901,234,567,890.12")
  })

  it("is not guessed: a separator counts only as the reader's locale has it, and groups only where it has them", () => {
    for (const [locale, text, minor] of [
      ["en-US", "1,234.5", 123_450],
      ["en-US", "1234.50", 123_450],
      ["en-US", "12,50", null],
      ["en-US", "1,2345", null],
      ["en-US", "1.234,50", null],
      ["en-US", "1.234", null],
      ["de-DE", "1.234,5", 123_450],
      ["de-DE", "1.234", 123_400],
      ["de-DE", "12.50", null],
      ["de-DE", "1,234.50", null],
      ["en-IN", "12,34,567.00", 123_456_700],
      ["en-IN", "1,234,567.00", null],
      ["fr-FR", "1 234,50", 123_450],
      ["de-CH", "1'234.50", 123_450],
      ["es-ES", "1.234,50", 123_450],
      ["es-ES", "1234,50", 123_450]
    ] as const) {
      assert.strictEqual(minorUnits(text, "EUR", locale), minor, `${text} in ${locale}`)
    }
  })

  it("is refused if it is no amount of the currency", () => {
    for (const locale of locales) {
      for (const text of ["", " ", "x", "-1", "+1", "1e3", "١٢", "12.5.1", "12,5,1", ".5", ",5", "5.", "5,", "0x10"]) {
        assert.isNull(minorUnits(text, "EUR", locale), `${text} in ${locale}`)
      }
    }
    assert.isNull(minorUnits("1.5", "JPY", "en-US"))
    assert.isNull(minorUnits("1.2345", "KWD", "en-US"))
    assert.isNull(minorUnits("99999999999999999", "EUR", "en-US"))
  })
})

describe("an amount in a CSV file", () => {
  it("is for programs: one cell with a point and without groups, exact in every currency", () => {
    for (const currency of currencies) {
      for (const minor of amounts) {
        const line = csvLine([plainAmount(minor, currency), currency])
        assert.match(line, /^\d+(\.\d+)?,[A-Z]{3}\r\n$/)
        assert.strictEqual(readAmount(line, currency), minor)
      }
    }
  })
})

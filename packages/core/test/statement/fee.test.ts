/** Fees of more decimals than their currency. */
import { assert, describe, it } from "@effect/vitest"
import type { Currency } from "../../src/domain/Money.ts"
import { exactUnits, roundedFee } from "../../src/statement/fee.ts"

// Boundary of a test: currencies that are in circulation.
const rounded = (text: string, currency = "EUR", fitting: ReadonlyArray<number> = []) => {
  const units = exactUnits(text)
  return units === null ? "no decimal" : roundedFee(units, currency as Currency, fitting)
}

describe("a fee of more decimals than its currency", () => {
  it.each([
    ["0.07", "EUR", 7],
    ["0.0712", "EUR", 7],
    ["0.075", "EUR", 8],
    ["0.07499999", "EUR", 7],
    ["-0.075", "EUR", -8],
    ["-0.0712", "EUR", -7],
    ["-0.004", "EUR", 0],
    ["12.5", "JPY", 13],
    ["1.2345", "KWD", 1235],
    ["0", "EUR", 0]
  ] as const)("%s %s is rounded to %d, half a unit away from zero", (text, currency, minorUnits) => {
    assert.strictEqual(rounded(text, currency), minorUnits)
  })

  it("is rounded as its provider did it, where the net amount shows that", () => {
    assert.deepStrictEqual([rounded("0.0712", "EUR", [8]), rounded("0.075", "EUR", [7])], [8, 7])
  })

  it("is never moved by a whole minor unit", () => {
    assert.deepStrictEqual([rounded("0.07", "EUR", [8]), rounded("0.0712", "EUR", [6])], [7, 7])
  })

  it.each(["", "-", "+1", "1.", ".5", "1e3", "1,5", "0x1", `1.${"0".repeat(19)}`, "1".repeat(61)])(
    "is not %j",
    (text) => {
      assert.strictEqual(rounded(text), "no decimal")
    }
  )

  it("is not read beyond the safe integers", () => {
    assert.isNull(rounded("90071992547409.92"))
    assert.strictEqual(rounded("90071992547409.91"), Number.MAX_SAFE_INTEGER)
  })
})

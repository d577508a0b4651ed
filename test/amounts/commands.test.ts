/** Commands and the sentences of routing show amounts exactly, in every currency. */
import { assert, describe, it } from "@effect/vitest"
import { amountText } from "../../packages/paymux/src/commands/amountText.ts"
import { feeText } from "../../packages/routing/src/choose/Fees.ts"
import { amounts, currencies, readAmount } from "../support/readAmount.ts"

describe("an amount in a command", () => {
  for (const [of, text] of [
    ["a table or sentence", amountText],
    ["an explanation of routing", feeText]
  ] as const) {
    it(`is exact in ${of}, in every currency`, () => {
      for (const currency of currencies) {
        for (const minorUnits of amounts) {
          assert.strictEqual(readAmount(text(minorUnits, currency), currency), minorUnits)
        }
      }
    })
  }

  it("has groups of three and a plain space after the code, wherever the command runs", () => {
    assert.strictEqual(amountText(1_234_567_890, "INR"), "INR 12,345,678.90")
    assert.strictEqual(amountText(12_345, "HUF"), "HUF 123.45")
  })

  it("may be a sum beyond the safe integers, which the statistics have as text", () => {
    assert.strictEqual(amountText("1234567890123456789012", "EUR"), "EUR 12,345,678,901,234,567,890.12")
  })

  it("cannot control the terminal by a currency that is not listed", () => {
    assert.strictEqual(amountText(12_345, "\u001b[31m"), "\\u001b[31m 12,345 (smallest unit)")
  })
})

import { assert, it } from "@effect/vitest"
import { feeText } from "../src/choose/Fees.ts"

// Exponents of ISO 4217: two for USD, none for JPY, three for BHD.
it.each([
  [320, "USD", "3.20 USD"],
  [5, "USD", "0.05 USD"],
  [0, "USD", "0.00 USD"],
  [-100, "USD", "-1.00 USD"],
  [-7, "USD", "-0.07 USD"],
  [-0.4, "USD", "0.00 USD"],
  [99.5, "USD", "1.00 USD"],
  [1_234_567_89, "USD", "1234567.89 USD"],
  [320, "JPY", "320 JPY"],
  [-3, "JPY", "-3 JPY"],
  [1_234, "BHD", "1.234 BHD"],
  [12, "BHD", "0.012 BHD"]
])("%s minor units of %s are %s", (units, currency, text) => {
  assert.strictEqual(feeText(units, currency), text)
})

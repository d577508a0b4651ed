/** The payment page shows the amount due, in every currency, to every reader. */
import { assert, describe, it } from "@effect/vitest"
import type { Currency } from "@paymux/core"
import { simulatedPages } from "../../packages/checkout/src/index.ts"
import { forEachAmount, readAmount } from "../support/readAmount.ts"

const pages = simulatedPages({}, "")

const shown = (currency: Currency.Currency, minorUnits: number, accept: string | undefined): string => {
  const payment = { provider: "sandbox_card_a", paymentId: "pay_1", description: null, returnUrl: null } as const
  const page = pages.payment({ ...payment, amount: { currency, minorUnits }, state: "pending" }, accept)
  return /<p class="amount[^"]*">(.*?)<\/p>/s.exec(page)?.[1]?.replaceAll(/<[^>]*>/g, "") ?? ""
}

describe("the payment page", () => {
  it("shows exactly the amount due, in every currency and locale", () => {
    const wrong: Array<string> = []
    forEachAmount(({ currency, locale, minorUnits }) => {
      const text = shown(currency, minorUnits, locale)
      try {
        assert.strictEqual(readAmount(text, currency), minorUnits)
      } catch {
        wrong.push(`${minorUnits} ${currency} for ${locale} is ${text}`)
      }
    })
    assert.deepStrictEqual(wrong, [])
  })
})

/** What a provider takes for a payment, by the merchant's own figures. An estimate to choose by, not an account. */
import { Currency } from "@paymux/core"
import type { Facts } from "../Facts.ts"
import type { ProviderFees } from "../RoutingConfig.ts"

/** Minor units of the payment's currency, fractions and all; `null` where it is not known. */
export type Fee = (facts: Facts) => number | null

/** A provider with fixed fees, and none in the payment's currency, is not a provider without them. */
export const feeOf =
  (fees: ProviderFees): Fee =>
  ({ amount, currency, payment_method }) => {
    const fee = fees[payment_method]
    if (fee === undefined) return null
    const { fixed, percent = 0 } = fee
    const added = fixed === undefined ? 0 : fixed[currency]
    return added === undefined ? null : (amount * percent) / 100 + added
  }

/** `3.20 USD` */
export const feeText = (fee: number, currency: string): string => {
  const decimals = Currency.isCurrency(currency) ? Currency.exponent(currency) : 2
  return `${(Math.round(fee) / 10 ** decimals).toFixed(decimals)} ${currency}`
}

/** Amounts and times as the payer's language writes them. */
import { Currency } from "@paymux/core"
import type { Money } from "@paymux/core"

/** `₹1,00,000.00` in `en-IN`. Formatted from text: no amount passes through a float. */
export const formatMoney = (locale: string, { currency, minorUnits }: Money.Money): string =>
  // Boundary: the digits of an amount are one of the numeric strings that `format` takes exactly.
  new Intl.NumberFormat(locale, { style: "currency", currency }).format(
    decimal(minorUnits, Currency.exponent(currency)) as Intl.StringNumericLiteral
  )

/** `12.50`: as wallets take it, without a currency and without groups. */
export const decimalOf = ({ currency, minorUnits }: Money.Money): string =>
  decimal(minorUnits, Currency.exponent(currency))

const decimal = (minorUnits: number, exponent: number): string => {
  const digits = String(minorUnits).padStart(exponent + 1, "0")
  return exponent === 0 ? digits : `${digits.slice(0, -exponent)}.${digits.slice(-exponent)}`
}

/** A time of day in UTC. The page's script replaces it by a countdown. */
export const formatTime = (locale: string, ms: number): string =>
  new Intl.DateTimeFormat(locale, { timeStyle: "short", dateStyle: "medium", timeZone: "UTC" }).format(ms)

import { exponent, isCurrency } from "./Currency.ts"
import type { Currency } from "./Currency.ts"

/**
 * An amount of money: an integer of the currency's smallest unit, never a float and never a bare number.
 *
 * `{ minorUnits: 10000, currency: "INR" }` is ₹100.00; `{ minorUnits: 10000, currency: "JPY" }` is ¥10,000.
 */
export interface Money {
  /** Safe integer ≥ 0 of the smallest unit (paise, cents, fils). */
  readonly minorUnits: number
  readonly currency: Currency
}

/** Largest amount accepted: every integer up to here is exact in JSON and in a double. */
export const MAX_MINOR_UNITS = Number.MAX_SAFE_INTEGER

export const equals = (a: Money, b: Money): boolean => a.minorUnits === b.minorUnits && a.currency === b.currency

/** A `Money`, or what only a report has: a larger sum (a bigint or its text), a negative difference, a withdrawn currency. */
export interface Figure {
  readonly minorUnits: number | bigint | string
  readonly currency: string
}

/**
 * `12345.60`: for files, fields and wallets. Digits are placed as text, by the exponent of ISO 4217, so the amount is
 * exact. Minor units if the currency is not listed.
 */
export const decimal = ({ currency, minorUnits }: Figure): string => {
  const decimals = isCurrency(currency) ? exponent(currency) : 0
  const text = String(minorUnits)
  if (decimals === 0) return text
  const sign = text.startsWith("-") ? "-" : ""
  const digits = text.slice(sign.length).padStart(decimals + 1, "0")
  return `${sign}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}

/**
 * `€12,345.60`, `12.345,60 €`, `EUR 12,345.60`: for people. The locale decides groups, separators and the place of the
 * currency. `number` is without the currency, which then stands beside it.
 *
 * The exponent of ISO 4217 decides the decimals: by its own tables, `Intl` rounds HUF, IDR and 14 other currencies. Digits
 * are Latin in every locale, so that an amount can be compared with a bank statement and typed.
 */
export const format = (figure: Figure, locale: string, display: "symbol" | "code" | "number"): string => {
  const { currency } = figure
  const isListed = isCurrency(currency)
  const decimals = isListed ? exponent(currency) : 0
  const text = new Intl.NumberFormat(locale, {
    ...(isListed && display !== "number" && { style: "currency", currency, currencyDisplay: display }),
    numberingSystem: "latn",
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals
    // Boundary: a decimal is one of the numeric texts that `format` takes, and takes exactly.
  }).format(decimal(figure) as Intl.StringNumericLiteral)
  if (isListed) return text
  return `${display === "number" ? "" : `${currency} `}${text} (smallest unit)`
}

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

/** For people: `INR 100.00`. Digits are placed as text, so no float is involved. */
export const format = (money: Money, exponent: number): string => {
  const digits = String(money.minorUnits).padStart(exponent + 1, "0")
  const whole = exponent === 0 ? digits : digits.slice(0, -exponent)
  return exponent === 0 ? `${money.currency} ${whole}` : `${money.currency} ${whole}.${digits.slice(-exponent)}`
}

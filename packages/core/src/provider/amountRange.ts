import { exponent, isCurrency, MAX_MINOR_UNITS } from "../domain/Money.ts"
import type { AmountLimit } from "./Capabilities.ts"

/** A range of amounts in minor units, both limits inclusive. */
export interface AmountRange {
  readonly min: number
  readonly max: number
}

/**
 * The limits of a currency in minor units. A limit that is not valid does not limit: `capabilityProblems` reports it.
 */
export const amountRange = ({ currency, max, min }: AmountLimit): AmountRange => ({
  min: (min === undefined ? null : minorUnits(min, currency)) ?? 0,
  max: (max === undefined ? null : minorUnits(max, currency)) ?? MAX_MINOR_UNITS
})

/**
 * Converts a decimal text in major units to minor units; `null`: not a decimal, of another exponent, or out of range.
 */
export const minorUnits = (text: string, currency: string): number | null => {
  if (!isCurrency(currency)) return null
  const decimals = exponent(currency)
  const [, whole, fraction = ""] = /^(0|[1-9]\d*)(?:\.(\d+))?$/.exec(text) ?? []
  if (whole === undefined || fraction.length > decimals) return null
  const units = Number(whole + fraction.padEnd(decimals, "0"))
  return Number.isSafeInteger(units) ? units : null
}

/** Amounts in reports. Digits are placed as text, so no float is involved. Pure. */
import { exactUnits } from "@paymux/core/statement"
import type { CsvStatement } from "./CsvStatement.ts"

export interface SignedAmount {
  readonly minorUnits: number
  readonly isNegative: boolean
}

/** `null`: it is no amount of this form, or it has more digits than the currency. `digits`: those after the decimal sign. */
export const amountIn = (text: string, form: CsvStatement["amounts"], digits: number): SignedAmount | null => {
  const read = digitsIn(text, form)
  if (read === null) return null
  const { fraction, sign, whole } = read
  // Trailing zeros beyond the currency say nothing: 12.3400 is 12.34.
  const places = form.unit === "minor" ? 0 : digits
  if (!/^0*$/.test(fraction.slice(places))) return null
  const minorUnits = Number(`${whole}${fraction.slice(0, places).padEnd(places, "0")}`)
  return Number.isSafeInteger(minorUnits) ? { minorUnits, isNegative: sign === "-" && minorUnits > 0 } : null
}

/**
 * 10^-18 major units of a fee without its sign, which may have more decimals than the currency. `null`: it is no amount of this form.
 */
export const feeUnitsIn = (text: string, form: CsvStatement["amounts"], digits: number): bigint | null => {
  const read = digitsIn(text, form)
  const units = read === null ? null : exactUnits(read.fraction === "" ? read.whole : `${read.whole}.${read.fraction}`)
  if (units === null || form.unit === "major") return units
  const perMajor = 10n ** BigInt(digits)
  return units % perMajor === 0n ? units / perMajor : null
}

interface Digits {
  readonly sign: string
  readonly whole: string
  readonly fraction: string
}

const digitsIn = (text: string, { decimal = ".", thousands }: CsvStatement["amounts"]): Digits | null => {
  const given = text.trim()
  const sign = /^[-+]/.exec(given)?.[0] ?? ""
  const [whole = "", fraction = "", ...rest] = given.slice(sign.length).split(decimal)
  if (rest.length > 0 || (given.includes(decimal) && fraction === "")) return null
  const plain = thousands === undefined ? whole : ungrouped(whole, thousands)
  if (plain === null || !/^\d+$/.test(plain) || !/^\d*$/.test(fraction)) return null
  return { sign, whole: plain, fraction }
}

/** Groups of three, or of two before the last three, as in India. `null`: the separators stand elsewhere. */
const ungrouped = (whole: string, separator: string): string | null => {
  const groups = whole.split(separator)
  const [first = "", ...others] = groups
  const last = others.at(-1)
  if (last === undefined) return whole
  const between = others.slice(0, -1)
  const isThree = between.every(({ length }) => length === 3) && first.length <= 3
  const isIndian = between.every(({ length }) => length === 2) && first.length <= 2
  return last.length === 3 && first.length > 0 && (isThree || isIndian) ? groups.join("") : null
}

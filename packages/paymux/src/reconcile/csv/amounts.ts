/** Amounts in reports. Digits are placed as text, so no float is involved. Pure. */
import type { CsvStatement } from "./CsvStatement.ts"

export interface SignedAmount {
  readonly minorUnits: number
  readonly isNegative: boolean
}

/** `null`: it is no amount of this form, or it has more digits than the currency. `digits`: those after the decimal sign. */
export const amountIn = (
  text: string,
  { decimal = ".", thousands, unit }: CsvStatement["amounts"],
  digits: number
): SignedAmount | null => {
  const given = text.trim()
  const sign = /^[-+]/.exec(given)?.[0] ?? ""
  const [whole = "", fraction = "", ...rest] = given.slice(sign.length).split(decimal)
  if (rest.length > 0 || (given.includes(decimal) && fraction === "")) return null
  const plain = thousands === undefined ? whole : ungrouped(whole, thousands)
  if (plain === null || !/^\d+$/.test(plain) || !/^\d*$/.test(fraction)) return null
  // Trailing zeros beyond the currency say nothing: 12.3400 is 12.34.
  const places = unit === "minor" ? 0 : digits
  if (!/^0*$/.test(fraction.slice(places))) return null
  const minorUnits = Number(`${plain}${fraction.slice(0, places).padEnd(places, "0")}`)
  return Number.isSafeInteger(minorUnits) ? { minorUnits, isNegative: sign === "-" && minorUnits > 0 } : null
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

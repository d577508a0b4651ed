/** Amounts, in minor units as the API has them. */
import { Currency } from "@paymux/core"

/** Digits behind the point. `Intl` would not do: it follows what shops of a country write, not ISO 4217. */
export const exponentOf = (currency: string): number =>
  Currency.isCurrency(currency) ? Currency.exponent(currency) : 0

const grouped = new Intl.NumberFormat("en-US")

/** `1234567`, `EUR` → `12,345.67`. Exact for amounts above 2^53 too, which arrive as text. */
export const amountText = (amount: number | string, currency: string): string => {
  const exponent = exponentOf(currency)
  const minor = BigInt(amount)
  const sign = minor < 0n ? "−" : ""
  const digits = (minor < 0n ? -minor : minor).toString().padStart(exponent + 1, "0")
  const whole = grouped.format(BigInt(digits.slice(0, digits.length - exponent)))
  return exponent === 0 ? `${sign}${whole}` : `${sign}${whole}.${digits.slice(-exponent)}`
}

/**
 * What a person typed, in minor units; `null`: it is no amount of the currency. Commas may separate thousands alone, since
 * `12,50` is 12.50 for one person and 1,250 for a program.
 */
export const minorUnits = (text: string, currency: string): number | null => {
  const exponent = exponentOf(currency)
  const [, whole, fraction = ""] = /^(\d{1,15}|\d{1,3}(?:,\d{3}){1,4})(?:\.(\d+))?$/.exec(text.trim()) ?? []
  if (whole === undefined || fraction.length > exponent) return null
  const minor = Number(`${whole.replaceAll(",", "")}${fraction.padEnd(exponent, "0")}`)
  return Number.isSafeInteger(minor) ? minor : null
}

/** As `amountText`, without separators: for files and fields. */
export const plainAmount = (amount: number | string, currency: string): string =>
  amountText(amount, currency).replaceAll(",", "").replace("−", "-")

export const Money = ({ amount, currency }: { readonly amount: number | string; readonly currency: string }) => (
  <span className="numbers whitespace-nowrap">
    {amountText(amount, currency)} <span className="text-muted">{currency}</span>
  </span>
)

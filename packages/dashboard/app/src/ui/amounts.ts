/** Amounts as texts: shown, typed into a field, and in files and addresses. The API has minor units. */
import { Currency, Money } from "@paymux/core"
import { readerLocale } from "./numbers.ts"

/** 0 for a currency that is not listed: its amounts are in the smallest unit. */
export const exponentOf = (currency: string): number =>
  Currency.isCurrency(currency) ? Currency.exponent(currency) : 0

/** `1234567`, `EUR` → `12,345.67`, or `12.345,67`. Exact for sums above 2^53 too, which arrive as text. */
export const amountText = (amount: number | string, currency: string, locale = readerLocale): string =>
  Money.format({ minorUnits: amount, currency }, locale, "number").replace("-", "−")

/** `12345.67` for every reader: files and addresses are passed on. */
export const plainAmount = (amount: number | string, currency: string): string =>
  Money.decimal({ minorUnits: amount, currency })

/** `12345.67`, or `12345,67`: as it stands in a field, in which it can be changed. */
export const fieldAmount = (amount: number, currency: string, locale = readerLocale): string =>
  plainAmount(amount, currency).replace(".", separatorOf(locale))

/** `12.50`, or `12,50`: an amount of the currency as it can be typed. */
export const exampleOf = (currency: string, locale = readerLocale): string => {
  const exponent = exponentOf(currency)
  return exponent === 0 ? "12" : `12${separatorOf(locale)}${"5".padEnd(exponent, "0")}`
}

/**
 * What a person typed, in minor units; `null`: it is no amount of the currency. Groups are accepted only where the reader's
 * locale has them: `12,50` is 12.50 for one person and 1,250 for another.
 */
export const minorUnits = (text: string, currency: string, locale = readerLocale): number | null => {
  const exponent = exponentOf(currency)
  const [whole = "", fraction, ...more] = typeable(text).split(separatorOf(locale))
  const digits = whole.replaceAll(/\D/g, "")
  if (!/^\d{1,16}$/.test(digits) || (whole !== digits && whole !== grouped(digits, locale))) return null
  if (more.length > 0 || (fraction !== undefined && !/^\d+$/.test(fraction))) return null
  if ((fraction ?? "").length > exponent) return null
  const minor = Number(`${digits}${(fraction ?? "").padEnd(exponent, "0")}`)
  return Number.isSafeInteger(minor) ? minor : null
}

/** What stands in an address. A comma may separate thousands there, never decimals. */
export const addressAmount = (text: string, currency: string): number | null => minorUnits(text, currency, "en-US")

export const separatorOf = (locale = readerLocale): string =>
  new Intl.NumberFormat(locale, { numberingSystem: "latn" }).formatToParts(1.5).find(({ type }) => type === "decimal")
    ?.value ?? "."

/** Also where the locale leaves out the group of a number of four digits. */
const grouped = (digits: string, locale: string): string =>
  typeable(new Intl.NumberFormat(locale, { useGrouping: "always", numberingSystem: "latn" }).format(BigInt(digits)))

/** Narrow and fixed spaces, and typographic apostrophes, are on no keyboard. */
const typeable = (text: string): string => text.trim().replaceAll(/\s/g, " ").replaceAll("’", "'")

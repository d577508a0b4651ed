/** Reads an amount back from the text that a person sees, without the code that wrote it. */
import { Currency } from "@paymux/core"

/** Below one unit, with thousands, of twelve digits, and the largest that Paymux accepts. */
export const amounts = [1, 99, 12_345, 999_999_999_999, Number.MAX_SAFE_INTEGER]

/** Every kind of group, separator and place of the currency; two whose own digits are not Latin; a language without a region. */
export const locales = ["en-IN", "en-US", "en-DE", "en", "de-DE", "de-AT", "fr-FR", "hi-IN", "ja-JP", "ar-EG", "fa-IR"]

/** Every currency in circulation. */
export const currencies = Currency.currencyCodes.filter(Currency.isCurrency)

/** The minor units that `text` shows, if it has exactly the currency's decimals, and Latin digits alone. */
export const readAmount = (text: string, currency: Currency.Currency): number => {
  const decimals = Currency.exponent(currency)
  const shown = /\d.*\d|\d/s.exec(text)?.[0] ?? ""
  const parts = shown.split(/\D+/)
  const fraction = parts.at(-1) ?? ""
  const hasDecimals = decimals > 0 ? parts.length > 1 && fraction.length === decimals : hasNoFraction(parts)
  if (!hasDecimals || /(?=\p{Nd})[^0-9]/u.test(text)) {
    throw new Error(`${JSON.stringify(text)} is no amount with ${decimals} decimals (${currency})`)
  }
  return Number(parts.join(""))
}

const hasNoFraction = (parts: ReadonlyArray<string>): boolean => parts.length === 1 || parts.at(-1)?.length === 3

/** Each currency, amount and locale once. */
export const forEachAmount = (
  check: (of: { readonly currency: Currency.Currency; readonly minorUnits: number; readonly locale: string }) => void
): void => {
  for (const currency of currencies)
    for (const minorUnits of amounts) for (const locale of locales) check({ currency, minorUnits, locale })
}

/** Numbers as texts, all in the locale of the browser. */

/**
 * Texts are in English, but a number is read as its reader writes it. Digits are Latin, so that an amount can be compared
 * with a bank statement.
 */
export const readerLocale: string = new Intl.Locale(
  Intl.NumberFormat.supportedLocalesOf(navigator.languages.filter(isLocale))[0] ?? "en",
  { numberingSystem: "latn" }
).toString()

/** A browser may report the name of a POSIX locale, such as `en-US@posix`, which `Intl` throws at. */
function isLocale(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length > 0
  } catch {
    return false
  }
}

const counts = new Intl.NumberFormat(readerLocale)

/** `12,345`, or `12.345` */
export const countText = (count: number): string => counts.format(count)

/** `2.4`, or `2,4`; `2` for a whole number. */
export const decimalText = (value: number, decimals: number): string =>
  new Intl.NumberFormat(readerLocale, { maximumFractionDigits: decimals }).format(value)

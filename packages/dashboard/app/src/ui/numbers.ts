/** Numbers as texts, all in the locale of the browser. */

/**
 * Texts are in English, but a number is read as its reader writes it. Digits are Latin, so that an amount can be compared
 * with a bank statement.
 */
export const readerLocale: string = new Intl.Locale(
  Intl.NumberFormat.supportedLocalesOf(navigator.languages)[0] ?? "en",
  { numberingSystem: "latn" }
).toString()

const counts = new Intl.NumberFormat(readerLocale)

/** `12,345`, or `12.345` */
export const countText = (count: number): string => counts.format(count)

/** `2.4`, or `2,4`; `2` for a whole number. */
export const decimalText = (value: number, decimals: number): string =>
  new Intl.NumberFormat(readerLocale, { maximumFractionDigits: decimals }).format(value)

/**
 * Amounts of money and their currencies. An amount is an integer of the currency's smallest unit, never a float.
 *
 * `{ minorUnits: 10000, currency: "INR" }` is ₹100.00; `{ minorUnits: 10000, currency: "JPY" }` is ¥10,000.
 */
export interface Money {
  /** The amount in the currency's smallest unit (paise, cents, fils): a safe integer of at least 0. */
  readonly minorUnits: number
  readonly currency: Currency
}

/** The largest accepted amount: every integer up to this value is exact in JSON and in a double. */
export const MAX_MINOR_UNITS = Number.MAX_SAFE_INTEGER

export const equals = (a: Money, b: Money): boolean => a.minorUnits === b.minorUnits && a.currency === b.currency

/**
 * A `Money`, or a value that only a report has: a larger sum (bigint or text), a negative difference, a withdrawn
 * currency.
 */
export interface Figure {
  readonly minorUnits: number | bigint | string
  readonly currency: string
}

/**
 * Formats the amount as decimal text for files, fields and wallets: `12345.60`. The decimal point is inserted into the
 * text by the ISO 4217 exponent, so the amount is exact. An unknown currency is shown in minor units.
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
 * Formats the amount for people: `€12,345.60`, `12.345,60 €`, `EUR 12,345.60`. The locale determines groups, separators
 * and the position of the currency. With `number`, the text is without the currency, which is then shown separately.
 *
 * The exponent in ISO 4217 determines the decimals: with its own tables, `Intl` would round HUF, IDR and 14 other
 * currencies. Digits are Latin in every locale, so that an amount can be compared with a bank statement and typed.
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
    // Cast at a type boundary: a decimal is one of the numeric texts that `format` accepts without rounding.
  }).format(decimal(figure) as Intl.StringNumericLiteral)
  if (isListed) return text
  return `${display === "number" ? "" : `${currency} `}${text} (smallest unit)`
}

/**
 * An ISO 4217 currency in circulation.
 *
 * Source: list one of ISO 4217 as of 2026. Funds codes, metals, test codes and withdrawn currencies (such as BGN, HRK,
 * ANG, ZWL) are not listed, because no payer can be charged in them.
 */
export type Currency = string & { readonly Currency: "Currency" }

const ZERO_DECIMALS = "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF"
const TWO_DECIMALS =
  "AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CNY COP CRC CUP " +
  "CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES " +
  "KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK " +
  "NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB " +
  "TJS TMT TOP TRY TTD TWD TZS UAH USD UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG"
const THREE_DECIMALS = "BHD IQD JOD KWD LYD OMR TND"

const exponents: ReadonlyMap<string, number> = new Map([
  ...ZERO_DECIMALS.split(" ").map((code) => [code, 0] as const),
  ...TWO_DECIMALS.split(" ").map((code) => [code, 2] as const),
  ...THREE_DECIMALS.split(" ").map((code) => [code, 3] as const)
])

/** Whether `code` is the code of a currency in circulation, in capitals as in ISO 4217. */
export const isCurrency = (code: string): code is Currency => exponents.has(code)

/** The number of decimals of a currency: 2 for INR (100 paise), 0 for JPY, 3 for KWD. */
export const exponent = (currency: Currency): number => exponents.get(currency) ?? 2

/** The codes of all currencies, sorted. */
export const currencyCodes: ReadonlyArray<string> = [...exponents.keys()].sort()

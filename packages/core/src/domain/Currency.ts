/**
 * ISO 4217 currencies in circulation and how many decimals each has.
 *
 * Source: ISO 4217 list one as of 2026. Funds codes, metals, test codes and withdrawn currencies (such as BGN, HRK,
 * ANG, ZWL) are not listed: no payer can be charged in them.
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

/** Whether `code` is a currency in circulation, in capitals as ISO 4217 writes it. */
export const isCurrency = (code: string): code is Currency => exponents.has(code)

/** Decimals of a currency: 2 for INR (100 paise), 0 for JPY, 3 for KWD. */
export const exponent = (currency: Currency): number => exponents.get(currency) ?? 2

/** Every currency code, sorted. */
export const currencyCodes: ReadonlyArray<string> = [...exponents.keys()].sort()

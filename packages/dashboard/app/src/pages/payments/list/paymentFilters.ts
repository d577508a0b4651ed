/** The filters of payments: as they stand in the address, and as the API has them. */
import { Currency, rails } from "@paymux/core"
import { valueOf, valuesOf } from "../../../lists/search.ts"
import type { Search } from "../../../lists/search.ts"
import { addressAmount } from "../../../ui/amounts.ts"

export const statuses = ["pending", "authorized", "succeeded", "failed", "canceled"] as const
export const methods = rails

const texts = [
  "status",
  "paymentMethod",
  "provider",
  "customerEmail",
  "providerReference",
  "failureCode",
  "cardFingerprint",
  "order",
  "metadata"
] as const

/** What the address has is sent as it is: the server checks it, and says what is wrong with it. */
export type PaymentQuery = { readonly [name: string]: string | ReadonlyArray<string> }

export type ReadQuery =
  | { readonly _tag: "Query"; readonly query: PaymentQuery }
  | { readonly _tag: "Refused"; readonly sentence: string }

export const currenciesOf = (search: Search): ReadonlyArray<string> => [
  ...new Set(valuesOf(search, "currency").map((code) => code.toUpperCase()))
]

/** Amounts stand in the address as `12.50`, so they need their currency. */
export const readQuery = (search: Search): ReadQuery => {
  const currencies = currenciesOf(search)
  const query: { [name: string]: string | ReadonlyArray<string> } = {}
  for (const name of texts) if (valuesOf(search, name).length > 0) query[name] = valuesOf(search, name)
  for (const name of ["from", "until", "inReview"]) {
    const value = valueOf(search, name)
    if (value !== undefined) query[name] = value
  }
  if (currencies.length > 0) query["currency"] = currencies
  for (const name of ["amountMin", "amountMax"]) {
    const text = valueOf(search, name)
    if (text === undefined) continue
    const [currency] = currencies
    if (currency === undefined || currencies.length > 1) return refused("An amount needs exactly one currency.")
    const amount = Currency.isCurrency(currency) ? addressAmount(text, currency) : null
    if (amount === null) return refused(`${text} is no amount in ${currency}.`)
    query[name] = String(amount)
  }
  return { _tag: "Query", query }
}

const refused = (sentence: string): ReadQuery => ({ _tag: "Refused", sentence })

const names = [...texts, "currency", "amountMin", "amountMax", "from", "until", "inReview"] as const

/** The filters alone, without the place in the list: what a saved view keeps. */
export const filtersIn = (search: Search): Search =>
  Object.fromEntries(
    names.flatMap((name) => {
      const values = valuesOf(search, name)
      const [first] = values
      return first === undefined ? [] : [[name, values.length === 1 ? first : values] as const]
    })
  )

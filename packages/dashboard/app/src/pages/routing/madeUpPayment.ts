/** A made-up payment, as search parameters and as the API accepts it. */
import type { Search } from "../../lists/search.ts"
import { valueOf } from "../../lists/search.ts"
import { addressAmount } from "../../ui/amounts.ts"

const madeUpFields = [
  "amount",
  "currency",
  "payment_method",
  "flow",
  "vpa",
  "capture_method",
  "email",
  "phone",
  "network",
  "country",
  "funding",
  "bin",
  "token",
  "asset",
  "chain",
  "metadata",
  "at"
] as const

export type MadeUpField = (typeof madeUpFields)[number]
export type MadeUpPayment = { readonly [field in MadeUpField]: string }

const defaults: Partial<MadeUpPayment> = {
  amount: "100",
  email: "customer@example.com",
  phone: "+919812345678",
  capture_method: "automatic"
}

const contacts: ReadonlyArray<MadeUpField> = ["email", "phone"]

export const madeUpIn = (search: Search): MadeUpPayment => {
  // The address has no empty values: a phone number that was cleared does not come back.
  const hasContact = contacts.some((field) => valueOf(search, field) !== undefined)
  const defaultOf = (field: MadeUpField) => (hasContact && contacts.includes(field) ? "" : (defaults[field] ?? ""))
  const value = (field: MadeUpField) => valueOf(search, field) ?? defaultOf(field)
  // Boundary: every field has an entry, which `fromEntries` cannot say.
  return Object.fromEntries(madeUpFields.map((field) => [field, value(field)])) as MadeUpPayment
}

/** Only what was filled in. */
const filled = (values: { readonly [name: string]: string }) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ""))

export interface MadeUpRequest {
  readonly request: object
  readonly at?: number
}

/** Or, as a text, what is wrong: the rest is checked by the server. */
export const requestOf = (payment: MadeUpPayment): MadeUpRequest | string => {
  const amount = addressAmount(payment.amount, payment.currency)
  if (amount === null) return `Amount must be a number such as 100, with the digits that ${payment.currency} has.`
  const metadata = metadataOf(payment.metadata)
  if (metadata === null) return "Metadata must have one key=value on each line."
  const details = filled(detailsOf(payment))
  const request = {
    amount,
    currency: payment.currency,
    payment_method: payment.payment_method,
    capture_method: payment.capture_method,
    customer: filled({ email: payment.email, phone: payment.phone }),
    ...(Object.keys(details).length > 0 && { payment_method_details: { [payment.payment_method]: details } }),
    ...(Object.keys(metadata).length > 0 && { metadata })
  }
  const at = payment.at === "" ? null : Date.parse(`${payment.at}Z`)
  return { request, ...(at !== null && !Number.isNaN(at) && { at }) }
}

const detailsOf = (payment: MadeUpPayment): { readonly [name: string]: string } => {
  switch (payment.payment_method) {
    case "upi":
      return { flow: payment.flow, vpa: payment.vpa }
    case "card": {
      const { bin, country, funding, network, token } = payment
      return { network, country, funding, bin, token }
    }
    case "stablecoin":
      return { asset: payment.asset, network: payment.chain }
    default:
      return {}
  }
}

const metadataOf = (text: string): { readonly [key: string]: string } | null => {
  const lines = text.split("\n").filter((line) => line.trim() !== "")
  const entries = lines.map((line) => /^([^=]+)=(.*)$/.exec(line))
  if (entries.includes(null)) return null
  return Object.fromEntries(entries.map((entry) => [(entry?.[1] ?? "").trim(), (entry?.[2] ?? "").trim()]))
}

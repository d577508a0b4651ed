/** Builds sample payments with the facts that a search found, and with all other data that a provider may require. */
import type { NewPayment, PaymentMethod } from "@paymux/core"
import { Currency } from "@paymux/core"
import type { Facts } from "../Facts.ts"

/** The payer's data that conditions test. A sample payer without this data is tried only if some condition tests it. */
export interface Asked {
  readonly email: boolean
  readonly phone: boolean
}

/** The sample payments, in the order to try. `phoneCodes` are the calling codes that the provider accepts. */
export const samplePayments = (
  facts: Facts,
  asked: Asked,
  phoneCodes: ReadonlyArray<string>
): ReadonlyArray<NewPayment> => {
  const { currency } = facts
  if (!Currency.isCurrency(currency)) return []
  const method = methodOf(facts)
  const email = facts["customer.email"]
  const emails = [email ?? "payer@example.com", ...(asked.email && email === null ? [null] : [])]
  return emails.flatMap((each) =>
    phonesOf(facts, asked, phoneCodes).map((phone) => ({
      amount: { minorUnits: facts.amount, currency },
      method,
      captureMethod: facts.capture_method,
      description: "Order 1",
      customer: { email: each, phone, name: "A Payer", address },
      metadata: facts.metadata,
      client,
      returnUrl: "https://shop.example/done",
      order: null
    }))
  )
}

const phonesOf = (facts: Facts, asked: Asked, phoneCodes: ReadonlyArray<string>): ReadonlyArray<string | null> => {
  const country = facts["customer.phone_country"]
  if (country !== null && /^\+\d{1,3}$/.test(country)) {
    return [...phoneCodes.filter((code) => code.startsWith(country)), country].map(numberIn)
  }
  return [...[...phoneCodes, ...someCountries].map(numberIn), ...(asked.phone && country === null ? [null] : [])]
}

const numberIn = (code: string): string => `${code}5550100123`

/** Further calling codes to try: most providers accept at least one of them. */
const someCountries = ["+1", "+91", "+49", "+55", "+65", "+971", "+82"]

const methodOf = (facts: Facts): PaymentMethod => {
  switch (facts.flow) {
    case "intent":
    case "qr":
    case "collect":
      return { rail: "upi", flow: facts.flow, vpa: facts.flow === "collect" ? "payer@bank" : null }
    case "transfer":
      return { rail: "stablecoin", asset: facts["stablecoin.asset"], network: facts["stablecoin.network"] }
    case "hosted":
    case "token":
      return {
        rail: "card",
        token: facts.flow === "token" ? "tok" : null,
        tokens: {},
        network: facts["card.network"],
        country: facts["card.country"],
        funding: facts["card.funding"],
        bin: facts["card.bin"],
        fingerprint: null
      }
    default:
      return facts.flow satisfies never
  }
}

const address = { line1: "1 Main Road", line2: null, city: null, state: null, postalCode: null, country: "IN" }

const client = {
  ip: "192.0.2.1",
  userAgent: "Mozilla/5.0",
  referer: "https://shop.example",
  acceptHeader: "text/html",
  language: "en",
  timeZone: "UTC",
  screen: { width: 1280, height: 720, colorDepth: 24 }
}

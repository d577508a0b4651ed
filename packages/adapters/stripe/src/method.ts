/** Cards at Stripe: what is taken and can be done, and how a request says it. */
import {
  type Capabilities,
  cardToken,
  Currency,
  type Customer,
  invalidRequest,
  type OperationCapability,
  type ProviderError,
  type ProviderOperation
} from "@paymux/core"
import { Codes, type FormEncoding } from "@paymux/provider-kit"
import { Effect } from "effect"
import { codes } from "./codes.ts"

/**
 * What Stripe charges cards in. Left out are ISK, MGA and UGX: Stripe counts them in other units than ISO 4217 does.
 */
const currencies = (
  "AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BHD BIF BMD BND BOB BRL BSD BWP BYN BZD CAD CDF CHF CLP CNY COP CRC " +
  "CVE CZK DJF DKK DOP DZD EGP ETB EUR FJD FKP GBP GEL GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR ILS INR JMD JOD JPY KES " +
  "KGS KHR KMF KRW KWD KYD KZT LAK LBP LKR LRD LSL MAD MDL MKD MMK MNT MOP MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR " +
  "NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SEK SGD SHP SLE SOS SRD SZL THB TJS TND TOP TRY " +
  "TTD TWD TZS UAH USD UYU UZS VND VUV WST XAF XCD XCG XOF XPF YER ZAR ZMW"
).split(" ")

/** Stripe keeps a key for at least 24 hours, with the first answer. */
const idempotency: OperationCapability["idempotency"] = { by: "header", lifetime: "24 hours" }

/**
 * Read from the PaymentIntent itself, and of refunds from its list by our id in their metadata. What does not show after an
 * hour has never arrived. A create is found by a search over the whole account, which proves nothing.
 */
const ofPayment: OperationCapability["inquiry"] = { by: "reference", notFoundIsFinalAfter: "1 hour" }

export const capabilities: Capabilities = {
  methods: {
    card: {
      currencies,
      flows: { token: {}, hosted: {} },
      // Amounts: the vendor's documents contradict each other, and its minimum depends on the account. Its refusal is read.
      captureMethods: ["automatic", "manual"]
    }
  },
  operations: {
    // A declined PaymentIntent takes nothing until it is confirmed again, with the secret key or with its client secret. That
    // one is in the address a shopper comes back to from 3-D Secure: what is found declined then, and by an inquiry, is
    // canceled. A decline that a webhook reports first is not; paid after all, it is money that came late.
    create: {
      idempotency,
      inquiry: { by: "reference" },
      declineIsFinal: true,
      cancelIsFinal: true,
      chargesByReference: true
    },
    // A capture has no object and no id: `amount_received` of the PaymentIntent is all that was captured so far (docs.stripe.com,
    // "The PaymentIntent object").
    capture: { idempotency, inquiry: ofPayment, partial: true, reports: "total" },
    cancel: { idempotency, inquiry: ofPayment },
    // Each is an object of its own, `re_…`, with its own `amount` ("The Refund object").
    refund: { idempotency, inquiry: ofPayment, partial: true, reports: "movement" }
  },
  // The transaction of a card payment is made with its charge or capture. How soon the list has it is not published.
  statement: { bookedWithin: "6 hours" },
  accountHelp: Codes.accountHelp(codes)
}

/** Card networks settle three decimals in tens, and Stripe refuses what does not end in 0. */
export const isTaken = ({ amount }: ProviderOperation): boolean =>
  Currency.exponent(amount.currency) !== 3 || amount.minorUnits % 10 === 0

/** Of captures and refunds: no other provider could do it. */
export const checkAmount = (operation: ProviderOperation): Effect.Effect<void, ProviderError> =>
  isTaken(operation)
    ? Effect.void
    : Effect.fail(invalidRequest("amount: the last digit of a currency with three decimals has to be 0"))

/** `pm_…` or `ctoken_…`; with the customer that the card is kept with. */
export interface Token {
  readonly paymentMethod: string
  readonly customer?: string
}

/** `null`: without a token, and a page is requested. */
export const tokenOf = ({ method }: ProviderOperation, instance: string): Token | "unreadable" | null => {
  const token = method.rail === "card" ? cardToken(method, instance) : null
  if (token === null) return null
  if (typeof token === "string") return { paymentMethod: token }
  const { customer, payment_method: paymentMethod } = token
  if (typeof paymentMethod !== "string") return "unreadable"
  if (customer === undefined || customer === null) return { paymentMethod }
  return typeof customer === "string" ? { paymentMethod, customer } : "unreadable"
}

/** One request: the PaymentIntent is made and confirmed at once. */
export const intentForm = (operation: ProviderOperation, { customer, paymentMethod }: Token): FormEncoding.Form => ({
  ...money(operation),
  allowed_payment_method_types: ["card"],
  capture_method: operation.captureMethod,
  confirm: true,
  customer,
  description: textOf(operation.description, 1000),
  metadata: metadataOf(operation, "token"),
  shipping: shippingOf(operation.customer),
  ...(paymentMethod.startsWith("ctoken_") ? { confirmation_token: paymentMethod } : { payment_method: paymentMethod }),
  // A shopper who cannot come back cannot be sent away: a card that wants it is declined then.
  ...(operation.returnUrl === null
    ? { error_on_requires_action: true, automatic_payment_methods: { enabled: true, allow_redirects: "never" } }
    : { return_url: operation.returnUrl })
})

/** What an instance is configured with for Stripe's page. */
export interface PageOptions {
  readonly payWithinMinutes: number
  /** Of the Stripe account; `undefined`: not known. */
  readonly country: string | undefined
}

/** Stripe's page, which returns its shopper to `address`. It is open until `payWithinMinutes` after the operation began: the same on every send. */
export const sessionForm = (
  operation: ProviderOperation,
  address: string,
  { country, payWithinMinutes }: PageOptions
): FormEncoding.Form => {
  const { amount, currency } = money(operation)
  // Indian law: an export needs the payer's name and address, which the page then asks for, and a description.
  const isExport = country === "IN" && currency !== "inr"
  return {
    mode: "payment",
    allowed_payment_method_types: ["card"],
    // What is charged is what was asked, in the currency that was asked.
    adaptive_pricing: { enabled: false },
    billing_address_collection: isExport ? "required" : undefined,
    line_items: [
      {
        quantity: 1,
        price_data: {
          currency,
          unit_amount: amount,
          product_data: { name: textOf(operation.description, 250) ?? unnamed }
        }
      }
    ],
    payment_intent_data: {
      capture_method: operation.captureMethod,
      description: textOf(operation.description, 1000) ?? (isExport ? unnamed : undefined),
      metadata: metadataOf(operation, "page"),
      shipping: shippingOf(operation.customer)
    },
    client_reference_id: operation.id,
    customer_email: textOf(operation.customer.email, 512),
    metadata: metadataOf(operation, "page"),
    expires_at: Math.floor(operation.createdAt / 1000) + payWithinMinutes * 60,
    success_url: address,
    cancel_url: address
  }
}

/** For a page that has to name what is paid for. */
const unnamed = "Payment"

export const refundForm = (operation: ProviderOperation, intent: string): FormEncoding.Form => ({
  payment_intent: intent,
  amount: operation.amount.minorUnits,
  metadata: { paymux_operation: operation.id, paymux_reason: textOf(operation.reason, 500) }
})

const money = ({ amount }: ProviderOperation) => ({
  amount: amount.minorUnits,
  currency: amount.currency.toLowerCase()
})

/** Whole or not at all: as soon as a part is sent, Stripe requires the name and the first line. */
const shippingOf = ({ address, name: fullName }: Customer): FormEncoding.Form | undefined => {
  const name = textOf(fullName, 5000)
  const line1 = textOf(address?.line1 ?? null, 5000)
  if (address === null || name === undefined || line1 === undefined) return undefined
  const { city, country, line2, postalCode, state } = address
  return {
    name,
    address: {
      line1,
      line2: textOf(line2, 5000),
      city: textOf(city, 5000),
      state: textOf(state, 5000),
      postal_code: textOf(postalCode, 5000),
      country
    }
  }
}

/** Only the secret key can write it. Of the merchant's own notes what Stripe has room for: 50, of 40 and 500 characters. */
const metadataOf = ({ id, metadata }: ProviderOperation, flow: "token" | "page") => ({
  ...Object.fromEntries(
    Object.entries(metadata)
      .filter(([key, value]) => /^[^[\]]{1,40}$/.test(key) && value.length > 0 && value.length <= 500)
      .slice(0, 40)
  ),
  paymux_operation: id,
  paymux_flow: flow
})

/** Whole characters, and nothing for an empty text, which Stripe would take for "unset". */
const textOf = (text: string | null, maximum: number): string | undefined => {
  const whole = Array.from((text ?? "").trim())
    .slice(0, maximum)
    .join("")
  return whole === "" ? undefined : whole
}

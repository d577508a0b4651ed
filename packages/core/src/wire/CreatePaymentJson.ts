/**
 * The request that creates a payment, as JSON: the body of `POST /v1/payments` and the argument of
 * `paymux.payments.create` alike.
 *
 * @example
 * ```ts
 * import { decodeCreatePayment } from "@paymux/core"
 * import { Effect } from "effect"
 *
 * const payment = Effect.runSync(decodeCreatePayment({
 *   amount: 10000,
 *   currency: "INR",
 *   payment_method: "upi",
 *   customer: { email: "asha@example.com", phone: "+919999999999" }
 * }))
 * payment.method // => { rail: "upi", flow: "intent", vpa: null }
 * ```
 */
import { Effect, Result, Schema } from "effect"
import { isCurrency } from "../domain/Money.ts"
import { paymentError, RawCardData } from "../domain/PaymentError.ts"
import type { PaymentError } from "../domain/PaymentError.ts"
import type { NewPayment } from "../domain/Payment.ts"
import type { PaymentMethod } from "../domain/PaymentMethod.ts"
import { rails } from "../domain/PaymentMethod.ts"
import { findRawCardData } from "../domain/RawCardData.ts"
import { OrderNumberKeys } from "./OrderNumberKeys.ts"
import { appSchemeOf, isReturnUrl } from "./returnUrl.ts"
import {
  PositiveMinorUnits,
  amountDescription,
  described,
  methodDescriptions,
  matching,
  name,
  optional,
  optionalOrNull,
  passing,
  text,
  textField
} from "./fields.ts"
import { strictDecoder } from "./strictDecoder.ts"
import { ClientJson, clientOf, CustomerJson, customerOf } from "./PayerJson.ts"

const Amount = described(PositiveMinorUnits, amountDescription)

// The description is set before the custom check: JSON Schema cannot express the check, and drops a description that
// follows it.
const CurrencyCode = textField("ISO 4217, in capitals. UPI takes INR.").check(
  passing(isCurrency, "must be an ISO 4217 code in circulation, in capitals")
)

/** A UPI id (NPCI): user part, one @, handle of the payment service provider. */
const Vpa = matching(/^[A-Za-z0-9._-]{1,200}@[A-Za-z][A-Za-z0-9]{1,54}$/, "must be a UPI id: a name, @ and a handle")

const Upi = described(
  Schema.Struct({
    flow: optional(Schema.Literals(["intent", "qr", "collect"]), methodDescriptions.flow),
    vpa: optionalOrNull(Vpa, "The payer's UPI id, such as `name@bank`. Without a `flow` it selects `collect`.")
  }),
  "Default: an intent link."
).check(
  Schema.makeFilter((upi: { readonly flow?: string; readonly vpa?: string | null }) => {
    const hasVpa = upi.vpa !== undefined && upi.vpa !== null
    if (upi.flow === "collect" && !hasVpa) return { path: ["vpa"], issue: "is required for the collect flow" }
    if (hasVpa && upi.flow !== undefined && upi.flow !== "collect") {
      return { path: ["vpa"], issue: "belongs to the collect flow" }
    }
    return undefined
  })
)

const Token = Schema.Union([name(255), Schema.Record(Schema.String, Schema.Json)])

const Card = Schema.Struct({
  token: optionalOrNull(
    name(255),
    "The token from the provider's form in the browser; for every provider that `tokens` does not name."
  ),
  tokens: optional(
    Schema.Record(name(64), Token).check(Schema.isMaxProperties(20)),
    "A token for each provider instance, by its name: failover between card providers needs them."
  ),
  network: optionalOrNull(
    matching(/^[a-z][a-z_]{1,31}$/, "must be a card network in small letters, such as visa"),
    methodDescriptions.cardNetwork
  ),
  country: optionalOrNull(matching(/^[A-Z]{2}$/, "must be an ISO 3166 code such as IN"), methodDescriptions.country),
  funding: optionalOrNull(Schema.Literals(["credit", "debit", "prepaid", "unknown"]), methodDescriptions.funding),
  bin: optionalOrNull(matching(/^\d{6,8}$/, "must be six to eight digits"), methodDescriptions.bin),
  fingerprint: optionalOrNull(
    name(128),
    "Your identifier of this card, the same for all of its tokens. Paymux counts the card's declines by it. Not a card number, nor a digest of one."
  )
})

const Stablecoin = Schema.Struct({
  asset: optional(matching(/^[A-Z][A-Z0-9]{1,11}$/, "must be an asset such as USDC"), "In capitals, such as `USDC`."),
  network: optional(
    matching(/^[a-z][a-z0-9_-]{1,31}$/, "must be a network such as base"),
    "In lower case, such as `base` or `ethereum`."
  )
})

const Details = Schema.Struct({
  upi: Schema.optionalKey(Upi),
  card: optional(Card, "Without a token the payer enters the card on a page of the provider."),
  stablecoin: optional(Stablecoin, "Default: a coin that a provider supports for the currency.")
})

const metadataKey = /^[^\u0000-\u001f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]{1,40}$/
const longest = { description: 1000, metadataValue: 500, order: 255 } as const
const mostMetadata = 50

const Metadata = described(
  Schema.Record(Schema.String, text(longest.metadataValue)),
  "Your own keys (1 to 40 characters) and values, stored with the payment and sent with its events. No card data, no secrets."
).check(
  Schema.isMaxProperties(mostMetadata, { message: "must have at most 50 keys" }),
  Schema.makeFilter((metadata: { readonly [key: string]: string }) =>
    Object.keys(metadata)
      .filter((key) => !metadataKey.test(key))
      .map((key) => ({ path: [key], issue: "is no key: 1 to 40 characters, none of them a control character" }))
  )
)

/**
 * A text check that excludes control characters, bidirectional formatting and unpaired surrogates, which PostgreSQL
 * cannot store.
 */
const orderCharacters = /^[^\u0000-\u001F\u007F-\u009F\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069\uD800-\uDFFF]*$/u
const Order = Schema.String.check(
  Schema.isPattern(/\S/, { message: "must not be blank" }),
  Schema.isMaxLength(longest.order, { message: `must have at most ${longest.order} characters` }),
  Schema.isPattern(orderCharacters, { message: "must not have control characters" })
)

const ReturnUrl = Schema.String.check(
  passing(
    (url) => isReturnUrl(url) || appSchemeOf(url) !== null,
    "must be an https address of a public host, http://localhost in test mode, or a link of an app"
  )
)

const Fields = Schema.Struct({
  amount: Amount,
  currency: CurrencyCode,
  payment_method: described(Schema.Literals(rails), "How the payer pays."),
  description: optionalOrNull(
    text(longest.description),
    "Your own text, stored with the payment; some providers show it to the payer."
  ),
  customer: CustomerJson,
  metadata: Schema.optionalKey(Metadata),
  capture_method: optional(
    Schema.Literals(["automatic", "manual"]),
    "`manual`: hold the money until it is captured, where the provider supports it. Default: `automatic`."
  ),
  return_url: optionalOrNull(
    ReturnUrl,
    "Where the payer returns to from a provider's page, with `payment_id` in the query. `https` and a public host; in test mode also `http://localhost`. A link of an app, such as `myapp://done`, if the account allows its scheme (option `returnSchemes`)."
  ),
  client: optional(ClientJson, "The payer's device as you saw it. Providers that need it are skipped without it."),
  payment_method_details: optional(Details, "Details of the payment method: only those of `payment_method`."),
  order: optionalOrNull(
    Order,
    "Your id of the order, 1 to 255 characters. While a payment of the order is open, authorized or paid, another one of the same account and mode is refused (`order_taken`)."
  ),
  order_replaces: optional(
    Schema.Boolean,
    "`true`: an open payment of the `order` is closed at its provider before this one begins. If that fails, this one is refused (`order_taken`)."
  )
})

/** Checks the customer: UPI requires e-mail and phone; other methods require one of them. */
const missingContact = ({ customer, payment_method }: typeof Fields.Type): ReadonlyArray<Schema.FilterIssue> => {
  const missing = (["email", "phone"] as const).filter((each) => (customer[each] ?? null) === null)
  if (payment_method === "upi")
    return missing.map((each) => ({ path: ["customer", each], issue: "is required for UPI" }))
  return missing.length < 2 ? [] : [{ path: ["customer"], issue: "needs an email or a phone" }]
}

/** The schema of the request body, with the rules that concern several fields. */
export const CreatePaymentJson = Fields.check(
  Schema.makeFilter((body: typeof Fields.Type) => {
    const issues: Array<Schema.FilterIssue> = []
    if (body.payment_method === "upi" && body.currency !== "INR") {
      issues.push({ path: ["currency"], issue: "must be INR for UPI" })
    }
    issues.push(...missingContact(body))
    if (body.order_replaces === true && (body.order ?? null) === null) {
      issues.push({ path: ["order"], issue: "is required with order_replaces" })
    }
    for (const rail of rails) {
      if (rail !== body.payment_method && body.payment_method_details?.[rail] !== undefined) {
        issues.push({
          path: ["payment_method_details", rail],
          issue: `does not belong to payment_method ${body.payment_method}`
        })
      }
    }
    return issues
  })
).annotate({ identifier: "CreatePayment" })
export type CreatePaymentJson = typeof CreatePaymentJson.Type

const decode = strictDecoder(CreatePaymentJson)

const phonePointers: ReadonlyArray<string> = ["/customer/phone"]

/**
 * Decodes a request of unknown shape. Fails with `PaymentError`: `RawCardData` if any field contains a card number or
 * security code, otherwise `InvalidPayment` with all faults. Errors contain no values of the request.
 */
export const decodeCreatePayment = (input: unknown): Effect.Effect<NewPayment, PaymentError> =>
  Effect.withFiber((fiber) => {
    const raw = findRawCardData(input, phonePointers, fiber.getRef(OrderNumberKeys))
    if (raw !== null) return Effect.fail(paymentError(new RawCardData({ pointer: raw })))
    return Effect.fromResult(Result.map(decode(input), newPayment))
  })

const newPayment = (json: CreatePaymentJson): NewPayment => {
  const { currency } = json
  // Narrows the type of the value, which the schema has already accepted.
  if (!isCurrency(currency)) throw new TypeError("currency was not checked")
  return {
    amount: { minorUnits: json.amount, currency },
    method: method(json),
    captureMethod: json.capture_method ?? "automatic",
    description: json.description ?? null,
    customer: customerOf(json.customer),
    metadata: json.metadata ?? {},
    client: json.client === undefined ? null : clientOf(json.client),
    returnUrl: json.return_url ?? null,
    order: json.order ?? null,
    ...(json.order_replaces === true && { replacesOrder: true })
  }
}

const method = (json: CreatePaymentJson): PaymentMethod => {
  const { card, stablecoin, upi } = json.payment_method_details ?? {}
  switch (json.payment_method) {
    case "upi": {
      const vpa = upi?.vpa ?? null
      return { rail: "upi", flow: upi?.flow ?? (vpa === null ? "intent" : "collect"), vpa }
    }
    case "card":
      return {
        rail: "card",
        token: card?.token ?? null,
        tokens: card?.tokens ?? {},
        network: card?.network ?? null,
        country: card?.country ?? null,
        funding: card?.funding ?? null,
        bin: card?.bin ?? null,
        fingerprint: card?.fingerprint ?? null
      }
    case "stablecoin":
      return { rail: "stablecoin", asset: stablecoin?.asset ?? null, network: stablecoin?.network ?? null }
  }
}

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
import { isCurrency } from "../domain/Currency.ts"
import { InvalidPayment, paymentError, RawCardData } from "../domain/PaymentError.ts"
import type { PaymentError } from "../domain/PaymentError.ts"
import type { NewPayment } from "../domain/Payment.ts"
import type { PaymentMethod } from "../domain/PaymentMethod.ts"
import { rails } from "../domain/PaymentMethod.ts"
import { findRawCardData } from "../domain/RawCardData.ts"
import { isReturnUrl } from "./returnUrl.ts"
import { PositiveMinorUnits } from "./amount.ts"
import { isIpAddress } from "./ipAddress.ts"
import { describeIssues } from "./issues.ts"

const text = (max: number) =>
  Schema.String.check(Schema.isMaxLength(max, { message: `must have at most ${max} characters` }))
const optionalText = (max: number) => Schema.optionalKey(Schema.NullOr(text(max)))
/** Empty, or only spaces, is what a variable that is not set makes: it names nothing. */
const name = (max: number) => text(max).check(Schema.isPattern(/\S/, { message: "must not be blank" }))
const optionalName = (max: number) => Schema.optionalKey(Schema.NullOr(name(max)))
const matching = (pattern: RegExp, message: string) => Schema.String.check(Schema.isPattern(pattern, { message }))

const Amount = PositiveMinorUnits.annotate({ description: "Smallest unit of the currency: 10000 is ₹100.00" })

const CurrencyCode = Schema.String.check(
  Schema.makeFilter((code: string) => isCurrency(code) || "must be an ISO 4217 code in circulation, in capitals")
).annotate({ description: "ISO 4217" })

/** One plain address: no display name, no comments, no quotes. */
const Email = matching(
  /^(?=.{3,254}$)[^\s@<>()[\]\\,;:"\u0000-\u001f\u007f]{1,64}@(?:[^\s@.<>()[\]\\,;:"\u0000-\u001f\u007f]{1,63}\.)+[^\s@.<>()[\]\\,;:"\u0000-\u001f\u007f]{2,63}$/,
  "must be an e-mail address"
)

/** E.164; Indian numbers have ten digits after +91. */
const Phone = matching(
  /^\+(?:91\d{10}|(?!91)[1-9]\d{6,14})$/,
  "must be a phone number with + and country code, digits only"
)

/** NPCI: user part, one @, handle of the payment service provider. */
const Vpa = matching(/^[A-Za-z0-9._-]{1,200}@[A-Za-z][A-Za-z0-9]{1,54}$/, "must be a UPI id: a name, @ and a handle")

const Upi = Schema.Struct({
  flow: Schema.optionalKey(Schema.Literals(["intent", "qr", "collect"])),
  vpa: Schema.optionalKey(Schema.NullOr(Vpa))
}).check(
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
  token: optionalName(255),
  tokens: Schema.optionalKey(Schema.Record(name(64), Token).check(Schema.isMaxProperties(20))),
  network: Schema.optionalKey(
    Schema.NullOr(matching(/^[a-z][a-z_]{1,31}$/, "must be a card network in small letters, such as visa"))
  ),
  country: Schema.optionalKey(Schema.NullOr(matching(/^[A-Z]{2}$/, "must be an ISO 3166 code such as IN"))),
  funding: Schema.optionalKey(Schema.NullOr(Schema.Literals(["credit", "debit", "prepaid", "unknown"]))),
  bin: Schema.optionalKey(Schema.NullOr(matching(/^\d{6,8}$/, "must be six to eight digits"))),
  fingerprint: optionalName(128)
})

const Stablecoin = Schema.Struct({
  asset: Schema.optionalKey(matching(/^[A-Z][A-Z0-9]{1,11}$/, "must be an asset such as USDC")),
  network: Schema.optionalKey(matching(/^[a-z][a-z0-9_-]{1,31}$/, "must be a network such as base"))
})

const Details = Schema.Struct({
  upi: Schema.optionalKey(Upi),
  card: Schema.optionalKey(Card),
  stablecoin: Schema.optionalKey(Stablecoin)
})

const Metadata = Schema.Record(Schema.String, text(500)).check(
  Schema.isMaxProperties(50, { message: "must have at most 50 keys" }),
  Schema.makeFilter((metadata: { readonly [key: string]: string }) =>
    Object.keys(metadata)
      .filter((key) => !/^[^\u0000-\u001f]{1,40}$/.test(key))
      .map((key) => ({ path: [key], issue: "is no key: 1 to 40 characters, none of them a control character" }))
  )
)

const IpAddress = Schema.String.check(Schema.makeFilter((text: string) => isIpAddress(text) || "must be an IP address"))

const ReturnUrl = Schema.String.check(
  Schema.makeFilter(
    (url: string) => isReturnUrl(url) || "must be an https address of a public host (or http://localhost in test mode)"
  )
)

const Fields = Schema.Struct({
  amount: Amount,
  currency: CurrencyCode,
  payment_method: Schema.Literals(rails),
  description: optionalText(1000),
  customer: Schema.Struct({
    email: Email,
    phone: Phone,
    name: optionalText(200)
  }),
  metadata: Schema.optionalKey(Metadata),
  capture_method: Schema.optionalKey(Schema.Literals(["automatic", "manual"])),
  return_url: Schema.optionalKey(Schema.NullOr(ReturnUrl)),
  client: Schema.optionalKey(
    Schema.Struct({
      ip: Schema.optionalKey(IpAddress),
      user_agent: Schema.optionalKey(text(1000)),
      referer: Schema.optionalKey(text(2000))
    })
  ),
  payment_method_details: Schema.optionalKey(Details)
})

/** The request body, with the rules that concern several fields. */
export const CreatePaymentJson = Fields.check(
  Schema.makeFilter((body: typeof Fields.Type) => {
    const issues: Array<Schema.FilterIssue> = []
    if (body.payment_method === "upi" && body.currency !== "INR") {
      issues.push({ path: ["currency"], issue: "must be INR for UPI" })
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

const decode = Schema.decodeUnknownResult(CreatePaymentJson, { errors: "all", onExcessProperty: "error" })

/** Fields in which a long number is what it should be. */
const EXEMPT_FROM_CARD_SEARCH: ReadonlyArray<string> = ["/customer/phone"]

/**
 * Decodes a request of unknown shape. Fails with `PaymentError`: `RawCardData` where a card number or security code
 * stands in any field, `InvalidPayment` with every fault otherwise. No value is repeated in an error.
 */
export const decodeCreatePayment = (input: unknown): Effect.Effect<NewPayment, PaymentError> => {
  const raw = findRawCardData(input, EXEMPT_FROM_CARD_SEARCH)
  if (raw !== null) return Effect.fail(paymentError(new RawCardData({ pointer: raw })))
  const decoded = decode(input)
  return Result.isSuccess(decoded)
    ? Effect.succeed(newPayment(decoded.success))
    : Effect.fail(paymentError(new InvalidPayment({ errors: describeIssues(decoded.failure.issue) })))
}

const newPayment = (json: CreatePaymentJson): NewPayment => {
  const { currency } = json
  // The schema has accepted it; this narrows the type.
  if (!isCurrency(currency)) throw new TypeError("currency was not checked")
  return {
    amount: { minorUnits: json.amount, currency },
    method: method(json),
    captureMethod: json.capture_method ?? "automatic",
    description: json.description ?? null,
    customer: { email: json.customer.email, phone: json.customer.phone, name: json.customer.name ?? null },
    metadata: json.metadata ?? {},
    client:
      json.client === undefined
        ? null
        : {
            ip: json.client.ip ?? null,
            userAgent: json.client.user_agent ?? null,
            referer: json.client.referer ?? null
          },
    returnUrl: json.return_url ?? null
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

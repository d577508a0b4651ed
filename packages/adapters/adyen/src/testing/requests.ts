/** Requests as the fake reads them: strictly, so that what the adapter should not send shows. */
import { Schema } from "effect"

const Text = Schema.NonEmptyString
const Amount = Schema.Struct({ currency: Text, value: Schema.Int.check(Schema.isGreaterThan(0)) })
const Account = Schema.Literals(["ShopTest", "ShopLive"])
const optional = Schema.optionalKey

const ofLength = (most: number) => Text.check(Schema.isMaxLength(most))
const matching = (pattern: RegExp) => Schema.String.check(Schema.isPattern(pattern))

/** Five parts are required, a house number among them, and the state in the US and Canada: an incomplete address is refused. */
const BillingAddress = Schema.Struct({
  street: Text,
  houseNumberOrName: Text,
  city: Text,
  postalCode: ofLength(10),
  country: matching(/^[A-Z]{2}$/),
  stateOrProvince: optional(ofLength(3))
}).check(
  Schema.makeFilter(({ country, postalCode, stateOrProvince = "" }) => {
    if (country === "US" && !/^\d{5}$/.test(postalCode)) return "a postal code of the US has five digits"
    return !["US", "CA"].includes(country) || stateOrProvince.length === 2 || "the state has two letters"
  })
)

const common = {
  telephoneNumber: optional(matching(/^\+[1-9]\d{4,14}$/)),
  shopperName: optional(Schema.Struct({ firstName: ofLength(80), lastName: ofLength(80) })),
  countryCode: optional(matching(/^[A-Z]{2}$/)),
  billingAddress: optional(BillingAddress),
  amount: Amount,
  merchantAccount: Account,
  reference: ofLength(80),
  metadata: optional(Schema.Record(Schema.String, Schema.String))
}

export const Payment = Schema.Struct({
  ...common,
  returnUrl: Text,
  channel: Schema.Literal("Web"),
  paymentMethod: Schema.Struct({
    type: Schema.Literal("scheme"),
    storedPaymentMethodId: optional(Text),
    encryptedCardNumber: optional(Text),
    encryptedExpiryMonth: optional(Text),
    encryptedExpiryYear: optional(Text),
    encryptedSecurityCode: optional(Text),
    holderName: optional(Text)
  }),
  /** All of them required but `javaScriptEnabled`: `BrowserInfo` of Checkout API v72. */
  browserInfo: optional(
    Schema.Struct({
      acceptHeader: Text,
      colorDepth: Schema.Literals([1, 4, 8, 15, 16, 24, 30, 32, 48]),
      javaEnabled: Schema.Boolean,
      javaScriptEnabled: optional(Schema.Boolean),
      language: Text,
      screenHeight: Schema.Int,
      screenWidth: Schema.Int,
      timeZoneOffset: Schema.Int,
      userAgent: Text
    })
  ),
  additionalData: optional(Schema.Struct({ manualCapture: Schema.Literal("true") })),
  captureDelayHours: optional(Schema.Literal(0)),
  authenticationData: Schema.Struct({
    threeDSRequestData: Schema.Struct({ nativeThreeDS: Schema.Literal("disabled") })
  }),
  redirectFromIssuerMethod: Schema.Literal("GET"),
  redirectToIssuerMethod: Schema.Literal("GET"),
  shopperIP: optional(Text),
  shopperEmail: optional(Text),
  shopperReference: optional(Text),
  recurringProcessingModel: optional(Schema.Literal("CardOnFile")),
  shopperInteraction: optional(Schema.Literal("ContAuth"))
})

export const Link = Schema.Struct({
  ...common,
  returnUrl: optional(Text),
  manualCapture: optional(Schema.Literal(true)),
  captureDelayHours: optional(Schema.Literal(0)),
  expiresAt: Text,
  allowedPaymentMethods: Schema.Tuple([Schema.Literal("scheme")]),
  reusable: Schema.Literal(false),
  description: optional(Text),
  shopperEmail: optional(Text)
})

export const LinkUpdate = Schema.Struct({ status: Schema.Literal("expired") })
export const Details = Schema.Struct({ details: Schema.Struct({ redirectResult: Text }) })
export const Modification = Schema.Struct({ merchantAccount: Account, reference: Text.check(Schema.isMaxLength(80)) })
export const WithAmount = Schema.Struct({ ...Modification.fields, amount: Amount })
export const CancelByReference = Schema.Struct({ ...Modification.fields, paymentReference: Text })

export const decode = <A>(schema: Schema.Decoder<A>, text: string): A =>
  Schema.decodeUnknownSync(schema, { onExcessProperty: "error" })(JSON.parse(text))

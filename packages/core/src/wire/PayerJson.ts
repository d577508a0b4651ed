/** The payer and their device in the request that creates a payment. */
import { Schema } from "effect"
import { isCountry } from "../domain/Country.ts"
import type { Client, Customer } from "../domain/Payment.ts"
import { isIpAddress } from "./ipAddress.ts"
import { isLanguage, isTimeZone } from "./payerDevice.ts"
import { phoneNumber, matching, name, optionalText, text } from "./fields.ts"

/** One plain e-mail address: no display name, no comments, no quotes. */
const email =
  /^(?=.{3,254}$)[^\s@<>()[\]\\,;:"\u0000-\u001f\u007f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]{1,64}@(?:[^\s@.<>()[\]\\,;:"\u0000-\u001f\u007f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]{1,63}\.)+[^\s@.<>()[\]\\,;:"\u0000-\u001f\u007f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]{2,63}$/
export const isEmail = (text: string): boolean => email.test(text)

const Email = matching(email, "must be an e-mail address")

const Phone = Schema.String.check(
  Schema.makeFilter((text: string) => phoneNumber(text) !== null || "must be a phone number with + and country code")
)

export const longestName = 200

const IpAddress = Schema.String.annotate({ description: "IPv4 or IPv6." }).check(
  Schema.makeFilter((text: string) => isIpAddress(text) || "must be an IP address")
)

/** One line of text, without control characters. */
const line = (max: number) =>
  name(max).check(Schema.isPattern(/^\P{Cc}*$/u, { message: "must not have control characters" }))
const optionalLine = (max: number) => Schema.optionalKey(Schema.NullOr(line(max)))

const Address = Schema.Struct({
  line1: line(200).annotate({ description: "Street and number." }),
  line2: optionalLine(200).annotate({ description: "Apartment, floor or company." }),
  city: optionalLine(100).annotate({ description: "City, town or village." }),
  state: optionalLine(100).annotate({ description: "State, province or region." }),
  postal_code: optionalLine(20).annotate({ description: "Postal code." }),
  country: Schema.String.annotate({ description: "ISO 3166-1, two capitals, such as `IN`." }).check(
    Schema.makeFilter((code: string) => isCountry(code) || "must be an ISO 3166 code such as IN")
  )
})

const between = (minimum: number, maximum: number) =>
  Schema.Int.check(Schema.isBetween({ minimum, maximum }, { message: `must be from ${minimum} to ${maximum}` }))

const Screen = Schema.Struct({
  width: between(1, 100_000).annotate({ description: "`screen.width`." }),
  height: between(1, 100_000).annotate({ description: "`screen.height`." }),
  color_depth: between(1, 64).annotate({ description: "`screen.colorDepth`, bits per pixel." })
}).annotate({ description: "The payer's screen." })

export const ClientJson = Schema.Struct({
  ip: Schema.optionalKey(IpAddress),
  user_agent: Schema.optionalKey(text(1000)).annotate({
    description: "The `User-Agent` header of the payer's browser."
  }),
  referer: Schema.optionalKey(text(2000)).annotate({ description: "The page that linked to your checkout." }),
  accept_header: Schema.optionalKey(
    matching(/^[\t\x20-\x7e]{1,2000}$/, "must be the value of an Accept header")
  ).annotate({
    description: "The `Accept` header of the payer's browser."
  }),
  language: Schema.optionalKey(
    text(35)
      .annotate({ description: "`navigator.language`, such as `en-IN`." })
      .check(Schema.makeFilter((tag: string) => isLanguage(tag) || "must be a language tag such as en-IN"))
  ),
  time_zone: Schema.optionalKey(
    text(64)
      .annotate({ description: "`Intl.DateTimeFormat().resolvedOptions().timeZone`, such as `Asia/Kolkata`." })
      .check(Schema.makeFilter((zone: string) => isTimeZone(zone) || "must be an IANA time zone such as Asia/Kolkata"))
  ),
  screen: Schema.optionalKey(Screen)
})

export const CustomerJson = Schema.Struct({
  email: Schema.optionalKey(Schema.NullOr(Email)).annotate({
    description: "The payer's e-mail address. UPI requires it; other methods require it or `phone`."
  }),
  phone: Schema.optionalKey(Schema.NullOr(Phone)).annotate({
    description:
      "With `+` and the country code, such as `+919999999999`; spaces, dashes and brackets are removed. UPI requires it."
  }),
  name: optionalText(longestName).annotate({ description: "Some providers require it." }),
  address: Schema.optionalKey(Schema.NullOr(Address)).annotate({
    description:
      "The billing address. Some providers require it, such as Stripe in India for payments in foreign currencies."
  })
}).annotate({
  description: "The payer. UPI requires an e-mail address and a phone number, other methods one of them."
})

/** Converts to the domain's type, with `null` for absent fields. */
export const customerOf = ({ address, email, name, phone }: typeof CustomerJson.Type): Customer => ({
  email: email ?? null,
  phone: phone === undefined || phone === null ? null : phoneNumber(phone),
  name: name ?? null,
  address:
    address === undefined || address === null
      ? null
      : {
          line1: address.line1,
          line2: address.line2 ?? null,
          city: address.city ?? null,
          state: address.state ?? null,
          postalCode: address.postal_code ?? null,
          country: address.country
        }
})

/** Converts to the domain's type, with `null` for absent fields. */
export const clientOf = (json: typeof ClientJson.Type): Client => ({
  ip: json.ip ?? null,
  userAgent: json.user_agent ?? null,
  referer: json.referer ?? null,
  acceptHeader: json.accept_header ?? null,
  language: json.language ?? null,
  timeZone: json.time_zone ?? null,
  screen:
    json.screen === undefined
      ? null
      : { width: json.screen.width, height: json.screen.height, colorDepth: json.screen.color_depth }
})

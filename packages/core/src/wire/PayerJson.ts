/** The payer and their device in the request that creates a payment. */
import { Schema } from "effect"
import { isCountry } from "../domain/Country.ts"
import type { Client, Customer } from "../domain/Payment.ts"
import { isIpAddress } from "./ipAddress.ts"
import { isLanguage, isTimeZone } from "./payerDevice.ts"
import { described, matching, name, optional, optionalOrNull, passing, phoneNumber, text, textField } from "./fields.ts"

/** The pattern of one plain e-mail address: no display name, no comments, no quotes. */
const email =
  /^(?=.{3,254}$)[^\s@<>()[\]\\,;:"\u0000-\u001f\u007f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]{1,64}@(?:[^\s@.<>()[\]\\,;:"\u0000-\u001f\u007f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]{1,63}\.)+[^\s@.<>()[\]\\,;:"\u0000-\u001f\u007f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]{2,63}$/

const Email = matching(email, "must be an e-mail address")

const Phone = Schema.String.check(
  passing((text) => phoneNumber(text) !== null, "must be a phone number with + and country code")
)

const IpAddress = textField("IPv4 or IPv6.").check(passing(isIpAddress, "must be an IP address"))

/** The schema of one line of text, without control characters. */
const line = (max: number) =>
  name(max).check(Schema.isPattern(/^\P{Cc}*$/u, { message: "must not have control characters" }))

const Address = Schema.Struct({
  line1: described(line(200), "Street and number."),
  line2: optionalOrNull(line(200), "Apartment, floor or company."),
  city: optionalOrNull(line(100), "City, town or village."),
  state: optionalOrNull(line(100), "State, province or region."),
  postal_code: optionalOrNull(line(20), "Postal code."),
  country: textField("ISO 3166-1, two capitals, such as `IN`.").check(
    passing(isCountry, "must be an ISO 3166 code such as IN")
  )
})

const between = (minimum: number, maximum: number) =>
  Schema.Int.check(Schema.isBetween({ minimum, maximum }, { message: `must be from ${minimum} to ${maximum}` }))

const Screen = described(
  Schema.Struct({
    width: described(between(1, 100_000), "`screen.width`."),
    height: described(between(1, 100_000), "`screen.height`."),
    color_depth: described(between(1, 64), "`screen.colorDepth`, bits per pixel.")
  }),
  "The payer's screen."
)

export const ClientJson = Schema.Struct({
  ip: Schema.optionalKey(IpAddress),
  user_agent: optional(text(1000), "The `User-Agent` header of the payer's browser."),
  referer: optional(text(2000), "The page that linked to your checkout."),
  accept_header: optional(
    matching(/^[\t\x20-\x7e]{1,2000}$/, "must be the value of an Accept header"),
    "The `Accept` header of the payer's browser."
  ),
  language: Schema.optionalKey(
    described(text(35), "`navigator.language`, such as `en-IN`.").check(
      passing(isLanguage, "must be a language tag such as en-IN")
    )
  ),
  time_zone: Schema.optionalKey(
    described(text(64), "`Intl.DateTimeFormat().resolvedOptions().timeZone`, such as `Asia/Kolkata`.").check(
      passing(isTimeZone, "must be an IANA time zone such as Asia/Kolkata")
    )
  ),
  screen: Schema.optionalKey(Screen)
})

export const CustomerJson = described(
  Schema.Struct({
    email: optionalOrNull(Email, "The payer's e-mail address. UPI requires it; other methods require it or `phone`."),
    phone: optionalOrNull(
      Phone,
      "With `+` and the country code, such as `+919999999999`; spaces, dashes and brackets are removed. UPI requires it."
    ),
    name: optionalOrNull(text(200), "Some providers require it."),
    address: optionalOrNull(
      Address,
      "The billing address. Some providers require it, such as Stripe in India for payments in foreign currencies."
    )
  }),
  "The payer. UPI requires an e-mail address and a phone number, other methods one of them."
)

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

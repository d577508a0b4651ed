/**
 * What Adyen is given about the shopper and the browser, for 3-D Secure and address verification. Pure: a second send has the
 * same bytes. Adyen refuses an incomplete object, so a part that cannot be given completely is left out.
 */
import type { Customer, ProviderOperation } from "@paymux/core"
import { DateTime, Option, Schema } from "effect"

type Address = NonNullable<Customer["address"]>

/** Of a payment and of a payment link. */
export const shopperOf = ({ customer: { address, name, phone } }: Pick<ProviderOperation, "customer">): object => {
  const shopperName = shopperNameOf(name)
  const billingAddress = address === null ? null : billingAddressOf(address)
  return {
    // Adyen does not use another form for the authentication.
    ...(phone !== null && /^\+[1-9]\d{4,14}$/.test(phone) && { telephoneNumber: phone }),
    ...(shopperName !== null && { shopperName }),
    ...(address !== null && { countryCode: address.country }),
    ...(billingAddress !== null && { billingAddress })
  }
}

/** Both names are required: a name of one word is left out. */
const shopperNameOf = (name: string | null): object | null => {
  const words = (name ?? "").split(/\s+/).filter((word) => word !== "")
  const firstName = words.slice(0, -1).join(" ")
  const lastName = words.at(-1) ?? ""
  return firstName === "" || firstName.length > 80 || lastName.length > 80 ? null : { firstName, lastName }
}

/** Five parts are required, and the state in the US and Canada. */
const billingAddressOf = (address: Address): object | null => {
  const { city, country, state } = address
  const postalCode = postalCodeOf(address)
  const stateOrProvince = /^(?:[A-Z]{2}-)?([A-Z0-9]{1,3})$/.exec(state?.toUpperCase() ?? "")?.[1]
  const needsState = country === "US" || country === "CA"
  if (!city || postalCode === null || (needsState && stateOrProvince?.length !== 2)) return null
  return {
    ...streetOf(address),
    city,
    postalCode,
    country,
    ...(stateOrProvince !== undefined && { stateOrProvince })
  }
}

/** Ten characters at most, five digits in the US. */
const postalCodeOf = ({ country, postalCode }: Address): string | null => {
  const text = postalCode ?? ""
  if (country === "US") return /^(\d{5})(?:-\d{4})?$/.exec(text)?.[1] ?? null
  return text !== "" && text.length <= 10 ? text : null
}

/**
 * A house number is separated if the line has one number only, at its start or end. Otherwise the second line is the house, or `N/A`,
 * which Adyen's own address form sends (Adyen/adyen-web#2897); an empty house is refused.
 */
const streetOf = ({ line1, line2 }: Address): { readonly street: string; readonly houseNumberOrName: string } => {
  const { house, street } = (houseFirst.exec(line1) ?? houseLast.exec(line1))?.groups ?? {}
  const parts = [house, line2].filter((part) => typeof part === "string" && part !== "")
  return { street: street ?? line1, houseNumberOrName: parts.length === 0 ? "N/A" : parts.join(", ") }
}

const houseFirst = /^(?<house>\d+[A-Za-z]?(?:[-/]\d+[A-Za-z]?)*),?\s+(?<street>\D+)$/
const houseLast = /^(?<street>\D+?),?\s+(?<house>\d+[A-Za-z]?(?:[-/]\d+[A-Za-z]?)*)$/

const Size = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 100_000 }))
const ShortText = Schema.String.check(Schema.isMaxLength(4096))
const BrowserInfo = Schema.Struct({
  acceptHeader: ShortText,
  colorDepth: Size,
  javaEnabled: Schema.Boolean,
  javaScriptEnabled: Schema.optionalKey(Schema.Boolean),
  language: ShortText,
  screenHeight: Size,
  screenWidth: Size,
  /** Minutes from UTC, as the browser counts them: -330 in India. */
  timeZoneOffset: Schema.Int.check(Schema.isBetween({ minimum: -1440, maximum: 1440 })),
  userAgent: ShortText
})
export type BrowserInfo = typeof BrowserInfo.Type

/** As Adyen's card form gives it, `BrowserInfo` of Checkout API v72. None: it is not complete. */
export const readBrowserInfo = Schema.decodeUnknownOption(BrowserInfo)

/** The same from what the merchant saw of the browser; a browser that shows its screen runs scripts, and no browser runs Java. */
export const browserInfoOf = ({
  client,
  createdAt
}: Pick<ProviderOperation, "client" | "createdAt">): Option.Option<BrowserInfo> =>
  readBrowserInfo({
    acceptHeader: client?.acceptHeader,
    colorDepth: colorDepths.find((depth) => depth <= (client?.screen?.colorDepth ?? 0)),
    javaEnabled: false,
    language: client?.language,
    screenHeight: client?.screen?.height,
    screenWidth: client?.screen?.width,
    timeZoneOffset: timeZoneOffset(client?.timeZone ?? "", createdAt),
    userAgent: client?.userAgent
  })

/** All that Adyen takes, the largest first. 30 is in its SDK's list and not in that of the error 15_018: it is sent as 24. */
const colorDepths = [48, 32, 24, 16, 15, 8, 4, 1]

/** At the time of the payment, so that a second send has the same. `null`: not a time zone. */
const timeZoneOffset = (timeZone: string, at: number): number | null =>
  Option.getOrNull(
    Option.map(DateTime.makeZoned(at, { timeZone }), (zoned) => 0 - Math.round(DateTime.zonedOffset(zoned) / 60_000))
  )

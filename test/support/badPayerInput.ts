/** What a request for a payment may not say about the payer and the payer's device: the change of a valid one, and where it is refused. */

const address = { line1: "1 Main Road", city: "Pune", postal_code: "411001", country: "IN" }
const email = "asha@example.com"
const phone = "+919999999999"

const ofAddress = (change: object) => ({ customer: { email, phone, address: { ...address, ...change } } })
const ofScreen = (change: object) => ({
  client: { screen: { width: 1920, height: 1080, color_depth: 24, ...change } }
})

/** Of a UPI payment. */
export const badPayerInput: ReadonlyArray<readonly [what: string, change: Record<string, unknown>, pointer: string]> = [
  ["a name of 10 kB", { customer: { email, phone, name: "x".repeat(10_000) } }, "/customer/name"],
  ["UPI without a phone number", { customer: { email } }, "/customer/phone"],
  ["UPI with null as phone number", { customer: { email, phone: null } }, "/customer/phone"],
  ["UPI without an e-mail address", { customer: { phone } }, "/customer/email"],
  ["a phone number of separators", { customer: { email, phone: "+() - " } }, "/customer/phone"],
  ["a phone number with dots", { customer: { email, phone: "+91 99999.99999" } }, "/customer/phone"],
  ["a phone number with an extension", { customer: { email, phone: `${phone} ext. 7` } }, "/customer/phone"],
  ["a phone number of 10 kB", { customer: { email, phone: `${phone}${" ".repeat(10_000)}` } }, "/customer/phone"],
  ["an address that is text", { customer: { email, phone, address: "1 Main Road, Pune" } }, "/customer/address"],
  ["an address without a street", ofAddress({ line1: undefined }), "/customer/address/line1"],
  ["an address of spaces", ofAddress({ line1: "  " }), "/customer/address/line1"],
  ["an address with a line feed", ofAddress({ line1: "1 Main\nRoad" }), "/customer/address/line1"],
  ["an address with BEL", ofAddress({ line2: "Flat\u00073" }), "/customer/address/line2"],
  ["an address with ESC", ofAddress({ city: "\u001b[31mPune" }), "/customer/address/city"],
  ["an address with a control character of C1", ofAddress({ state: "Bengal\u0085" }), "/customer/address/state"],
  ["an address of 10 kB", ofAddress({ line1: "x".repeat(10_000) }), "/customer/address/line1"],
  ["a postal code of 21 characters", ofAddress({ postal_code: "1".repeat(21) }), "/customer/address/postal_code"],
  ["a postal code as a number", ofAddress({ postal_code: 411_001 }), "/customer/address/postal_code"],
  ["an address without a country", ofAddress({ country: undefined }), "/customer/address/country"],
  ["an unknown country", ofAddress({ country: "ZZ" }), "/customer/address/country"],
  ["a country in small letters", ofAddress({ country: "in" }), "/customer/address/country"],
  ["a country by name", ofAddress({ country: "India" }), "/customer/address/country"],
  ["an unknown field of an address", ofAddress({ zip: "411001" }), "/customer/address/zip"],
  ["a screen of −1 pixels", ofScreen({ width: -1 }), "/client/screen/width"],
  ["a screen of 10⁹ pixels", ofScreen({ height: 1_000_000_000 }), "/client/screen/height"],
  ["a screen of half a pixel", ofScreen({ width: 0.5 }), "/client/screen/width"],
  ["a screen of 65 bits", ofScreen({ color_depth: 65 }), "/client/screen/color_depth"],
  ["a screen without a height", ofScreen({ height: undefined }), "/client/screen/height"],
  ["a time zone that does not exist", { client: { time_zone: "Mars/Olympus" } }, "/client/time_zone"],
  ["an offset as a time zone", { client: { time_zone: "+05:30" } }, "/client/time_zone"],
  ["a time zone of 10 kB", { client: { time_zone: "x".repeat(10_000) } }, "/client/time_zone"],
  ["a language that is none", { client: { language: "not a language" } }, "/client/language"],
  ["an empty language", { client: { language: "" } }, "/client/language"],
  ["an Accept header of two lines", { client: { accept_header: "a\r\nSet-Cookie: b" } }, "/client/accept_header"],
  ["an Accept header of 10 kB", { client: { accept_header: "x".repeat(10_000) } }, "/client/accept_header"],
  ["an empty Accept header", { client: { accept_header: "" } }, "/client/accept_header"],
  ["a card without any contact", { payment_method: "card", currency: "EUR", customer: {} }, "/customer"],
  [
    "a card with a name alone",
    { payment_method: "card", currency: "EUR", customer: { email: null, phone: null, name: "A Payer" } },
    "/customer"
  ],
  ["a stablecoin without any contact", { payment_method: "stablecoin", currency: "USD", customer: {} }, "/customer"]
]

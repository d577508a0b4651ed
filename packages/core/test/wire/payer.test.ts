/** The payer of a request: what is taken, what is refused, and what becomes of it. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { badPayerInput } from "../../../../test/support/badPayerInput.ts"
import { decodeCreatePayment } from "../../src/wire/CreatePaymentJson.ts"

const minimal = {
  amount: 10000,
  currency: "INR",
  payment_method: "upi",
  customer: { email: "asha@example.com", phone: "+919999999999" }
}
const card = { ...minimal, payment_method: "card", currency: "EUR" }

const decode = (body: unknown) => Effect.runSync(Effect.result(decodeCreatePayment(body)))

const decoded = (body: unknown) => {
  const result = decode(body)
  if (result._tag === "Failure") throw result.failure
  return result.success
}

/** As JSON has no `undefined`. */
const sent = (body: unknown): unknown => JSON.parse(JSON.stringify(body))

const pointers = (body: unknown): ReadonlyArray<string> => {
  const result = decode(body)
  if (result._tag === "Success") return []
  const { reason } = result.failure
  return reason._tag === "InvalidPayment" ? reason.errors.map((error) => error.pointer) : [reason._tag]
}

describe("of a payer", () => {
  for (const [what, change, pointer] of badPayerInput) {
    it(`${what} is refused at ${pointer}, and nothing else is`, () => {
      assert.deepStrictEqual([...new Set(pointers(sent({ ...minimal, ...change })))], [pointer])
    })
  }

  it("a phone number or an e-mail address is enough, except for UPI", () => {
    for (const method of [card, { ...card, payment_method: "stablecoin", currency: "USD" }]) {
      const { email, phone } = minimal.customer
      const none = { name: null, address: null }
      assert.deepStrictEqual(decoded({ ...method, customer: { email } }).customer, { email, phone: null, ...none })
      assert.deepStrictEqual(decoded({ ...method, customer: { phone } }).customer, { email: null, phone, ...none })
      assert.deepStrictEqual(decoded({ ...method, customer: { phone, email: null } }).customer.email, null)
    }
  })

  it.each([
    "+91 99999 99999",
    "+91-99999-99999",
    "(+91) 99999\u00a099999",
    "+91 (99999) 99999",
    " +91\u20139999999999 "
  ])("the phone number %j is kept in E.164", (phone) => {
    assert.strictEqual(
      decoded({ ...minimal, customer: { ...minimal.customer, phone } }).customer.phone,
      "+919999999999"
    )
  })

  it("the address and the device are kept as sent, without what is not set", () => {
    const address = { line1: "Hauptstraße 1", line2: null, city: "Köln", postal_code: "50667", country: "DE" }
    const client = {
      accept_header: "text/html,*/*;q=0.8",
      language: "de-DE",
      time_zone: "Asia/Calcutta",
      screen: { width: 1920, height: 1080, color_depth: 24 }
    }
    const payment = decoded({ ...card, customer: { ...minimal.customer, address }, client })
    assert.deepStrictEqual(payment.customer.address, {
      line1: "Hauptstraße 1",
      line2: null,
      city: "Köln",
      state: null,
      postalCode: "50667",
      country: "DE"
    })
    assert.deepStrictEqual(payment.client, {
      ip: null,
      userAgent: null,
      referer: null,
      acceptHeader: "text/html,*/*;q=0.8",
      language: "de-DE",
      timeZone: "Asia/Calcutta",
      screen: { width: 1920, height: 1080, colorDepth: 24 }
    })
  })
})

describe("raw card data of a payer", () => {
  const address = { line1: "1 Main Road", country: "IN" }
  const withAddress = (change: object) => ({
    ...card,
    customer: { ...minimal.customer, address: { ...address, ...change } }
  })

  it.each(["line1", "line2", "city", "state", "postal_code"])("is found in the %s of the address", (field) => {
    for (const number of ["4111111111111111", "4111 1111 1111 1111", "Flat 3, 4111-1111-1111-1111"]) {
      assert.deepStrictEqual(pointers(withAddress({ [field]: number })), ["RawCardData"], number)
    }
  })

  it.each(["560001", "12345-6789", "SW1A 1AA", "K1A 0B1", "1234567890", "00000-0000", "100-0001", "D02 X285"])(
    "is not what the postal code %s is",
    (postal_code) => assert.deepStrictEqual(pointers(withAddress({ postal_code })), [])
  )

  it.each([
    "+3782 822463 10005",
    "+378282246310005",
    "+3056 9309 0259 04",
    "4111 1111 1111 1111",
    "+4111-1111-1111-1111"
  ])("is found in the phone number %s", (phone) =>
    assert.deepStrictEqual(pointers({ ...card, customer: { phone } }), ["RawCardData"])
  )

  it.each(["+49 1511 2345 676", "+4915112345676", "+1 (415) 555-0100", "+91 41111 11111"])(
    "is not what the phone number %s is",
    (phone) => assert.deepStrictEqual(pointers({ ...card, customer: { phone } }), [])
  )
})

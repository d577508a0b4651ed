/** The compiled decoder accepts usual bodies, and leaves inputs that it cannot decode alike to the schema's parser. */
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { acceptor, notAccepted } from "../../src/wire/acceptor.ts"
import { CreatePaymentJson } from "../../src/wire/CreatePaymentJson.ts"

const customer = { email: "asha@example.com", phone: "+919999999999" }
const card = { amount: 4200, currency: "EUR", payment_method: "card", customer }
const bodies = {
  "of README": { amount: 10000, currency: "INR", payment_method: "upi", customer },
  "of a card": {
    ...card,
    return_url: "https://shop.example/thanks",
    payment_method_details: { card: { token: "tok_1", network: "visa", tokens: { a: "tok_2" } } }
  },
  "of a collect request": {
    amount: 10000,
    currency: "INR",
    payment_method: "upi",
    customer,
    payment_method_details: { upi: { flow: "collect", vpa: "asha@bank" } }
  },
  "with all fields": {
    ...card,
    customer: { ...customer, name: "Asha", address: { line1: "1 Street", city: "Pune", country: "IN" } },
    capture_method: "manual",
    metadata: { shop: "1" },
    order: "1001",
    client: { ip: "203.0.113.7", language: "en-IN", time_zone: "Asia/Kolkata" }
  }
}

describe("the compiled decoder", () => {
  const accept = acceptor(CreatePaymentJson)

  for (const [name, body] of Object.entries(bodies)) {
    it(`accepts the body ${name}, as the schema's parser decodes it`, () => {
      const input: unknown = JSON.parse(JSON.stringify(body))
      const decoded = accept(input)
      assert.deepStrictEqual(decoded, Schema.decodeUnknownSync(CreatePaymentJson)(input))
      assert.notStrictEqual(decoded, input)
    })
  }

  const hidden = Object.defineProperty({ shop: "1" }, "hidden", { value: "4242424242424242" })
  for (const [name, metadata] of [
    ["a key that is not enumerable, which the search for card numbers does not see", hidden],
    ["a key that is a symbol", { [Symbol("a")]: "1" }],
    ["the key __proto__", JSON.parse('{"__proto__":"1"}')],
    ["another prototype", Object.assign(Object.create({ a: "1" }), { b: "2" })],
    ["no prototype", Object.assign(Object.create(null), { b: "2" })]
  ] as const) {
    it(`leaves a record with ${name} to the parser`, () => {
      assert.strictEqual(accept({ ...card, metadata }), notAccepted)
    })
  }

  it("accepts neither an excess key nor a struct without a prototype", () => {
    assert.strictEqual(accept({ ...card, more: 1 }), notAccepted)
    assert.strictEqual(accept({ ...card, [Symbol("more")]: 1 }), notAccepted)
    assert.strictEqual(accept(Object.assign(Object.create(null), card)), notAccepted)
  })

  it("leaves a union of exactly one, a symbol's member and a transformation to the parser", () => {
    const one = Schema.Union([Schema.String, Schema.String.check(Schema.isMinLength(1))], { mode: "oneOf" })
    assert.strictEqual(acceptor(one)("a"), notAccepted)
    const name = Symbol("q")
    assert.strictEqual(acceptor(Schema.Struct({ [name]: Schema.String }))({ "Symbol(q)": "a" }), notAccepted)
    assert.strictEqual(acceptor(Schema.NumberFromString)("12"), 12)
  })
})

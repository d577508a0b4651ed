import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as fc from "fast-check"
import { inTurn } from "../../../../test/support/amount.ts"
import type { InvalidPayment } from "../../src/domain/PaymentError.ts"
import { decodeCreatePayment } from "../../src/wire/CreatePaymentJson.ts"

const minimal = {
  amount: 10000,
  currency: "INR",
  payment_method: "upi",
  customer: { email: "asha@example.com", phone: "+919999999999" }
}

const decode = (body: unknown) => Effect.runSync(Effect.result(decodeCreatePayment(body)))

const pointers = (body: unknown): ReadonlyArray<string> => {
  const result = decode(body)
  if (result._tag === "Success") return []
  const { reason } = result.failure
  return reason._tag === "InvalidPayment" ? reason.errors.map((error) => error.pointer) : [reason._tag]
}

describe("decodeCreatePayment", () => {
  it("the minimal request of the API is enough, on every rail", () => {
    for (const [rail, currency] of [
      ["upi", "INR"],
      ["card", "EUR"],
      ["stablecoin", "USD"]
    ] as const) {
      const result = decode({ ...minimal, payment_method: rail, currency })
      assert.strictEqual(result._tag, "Success")
    }
  })

  it("undefined in an optional field is as if left out; in a required one it is missing", () => {
    const more = { description: undefined, client: undefined, payment_method_details: { upi: { vpa: undefined } } }
    const customer = { ...minimal.customer, name: undefined }
    assert.deepStrictEqual(
      decode({ ...minimal, ...more, customer }),
      decode({ ...minimal, payment_method_details: { upi: {} } })
    )
    assert.deepStrictEqual(pointers({ ...minimal, ...more, amount: undefined }), ["/amount"])
  })

  it("without details: a UPI intent, a hosted card page, any stablecoin", () => {
    const method = (rail: string, currency: string) => {
      const result = decode({ ...minimal, payment_method: rail, currency })
      return result._tag === "Success" ? result.success.method : null
    }
    assert.deepStrictEqual(method("upi", "INR"), { rail: "upi", flow: "intent", vpa: null })
    assert.deepInclude(method("card", "EUR"), { rail: "card", token: null, tokens: {} })
    assert.deepStrictEqual(method("stablecoin", "USD"), { rail: "stablecoin", asset: null, network: null })
  })

  it("names a hundred faults at most, so that an answer is not several times its request", () => {
    const unknown = Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`f${at}`, 1]))
    assert.strictEqual(pointers({ ...minimal, ...unknown }).length, 100)
  })

  it("a VPA alone means collect", () => {
    const result = decode({ ...minimal, payment_method_details: { upi: { vpa: "success@paymux" } } })
    assert.deepStrictEqual(result._tag === "Success" ? result.success.method : null, {
      rail: "upi",
      flow: "collect",
      vpa: "success@paymux"
    })
  })

  const refused: ReadonlyArray<readonly [check: string, change: Record<string, unknown>, pointer: string]> = [
    ["amount 0", { amount: 0 }, "/amount"],
    ["amount −1", { amount: -1 }, "/amount"],
    ["amount 1.5", { amount: 1.5 }, "/amount"],
    ["amount as text", { amount: "100" }, "/amount"],
    ["amount 2^53+1", { amount: 2 ** 53 + 1 }, "/amount"],
    ["amount NaN", { amount: Number.NaN }, "/amount"],
    ["currency in lower case", { currency: "inr" }, "/currency"],
    ["unknown currency", { currency: "XXX" }, "/currency"],
    ["obsolete currency", { currency: "DEM" }, "/currency"],
    ["UPI in another currency than INR", { currency: "USD" }, "/currency"],
    ["unknown method", { payment_method: "cash" }, "/payment_method"],
    ["unknown field", { amout: 1 }, "/amout"],
    ["e-mail without a domain", { customer: { email: "asha", phone: "+919999999999" } }, "/customer/email"],
    ["phone too short for India", { customer: { email: "a@b.co", phone: "+9199999" } }, "/customer/phone"],
    ["phone with letters", { customer: { email: "a@b.co", phone: "+91abcdefghij" } }, "/customer/phone"],
    ["phone without +", { customer: { email: "a@b.co", phone: "919999999999" } }, "/customer/phone"],
    ["customer without phone", { customer: { email: "a@b.co" } }, "/customer/phone"],
    ["metadata key of 41 characters", { metadata: { ["k".repeat(41)]: "v" } }, `/metadata/${"k".repeat(41)}`],
    ["metadata value of 501 characters", { metadata: { k: "v".repeat(501) } }, "/metadata/k"],
    [
      "51 metadata keys",
      { metadata: Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`k${i}`, "v"])) },
      "/metadata"
    ],
    ["metadata value that is no text", { metadata: { k: 1 } }, "/metadata/k"],
    ["VPA with two @", { payment_method_details: { upi: { vpa: "a@b@c" } } }, "/payment_method_details/upi/vpa"],
    [
      "VPA of 300 characters",
      { payment_method_details: { upi: { vpa: `${"a".repeat(293)}@paymux` } } },
      "/payment_method_details/upi/vpa"
    ],
    [
      "collect without a VPA",
      { payment_method_details: { upi: { flow: "collect" } } },
      "/payment_method_details/upi/vpa"
    ],
    [
      "a VPA in the intent flow",
      { payment_method_details: { upi: { flow: "intent", vpa: "a@paymux" } } },
      "/payment_method_details/upi/vpa"
    ],
    ["details of another rail", { payment_method_details: { card: {} } }, "/payment_method_details/card"],
    ["blank order", { order: " " }, "/order"],
    ["empty order", { order: "" }, "/order"],
    ["order of 256 characters", { order: "o".repeat(256) }, "/order"],
    ["order with a control character", { order: "10\n01" }, "/order"],
    ["order with NUL", { order: "10\u0000" }, "/order"],
    ["order with a bidirectional mark", { order: "10\u202e01" }, "/order"],
    ["order with half a character", { order: "10\ud800" }, "/order"],
    ["order that is no text", { order: 1001 }, "/order"],
    ["order_replaces without order", { order_replaces: true }, "/order"],
    ["order_replaces with an order that is null", { order: null, order_replaces: true }, "/order"],
    ["order_replaces that is no boolean", { order: "1", order_replaces: "yes" }, "/order_replaces"],
    ["return_url javascript:", { return_url: "javascript:alert(1)" }, "/return_url"],
    ["return_url data:", { return_url: "data:text/html,x" }, "/return_url"],
    ["return_url to a private host", { return_url: "https://10.0.0.1/x" }, "/return_url"],
    ["return_url to a private host in hexadecimal", { return_url: "https://0x7f000001/x" }, "/return_url"],
    ["return_url to an IPv6 host", { return_url: "https://[::1]/x" }, "/return_url"],
    ["return_url with a password", { return_url: "https://u:p@shop.example/x" }, "/return_url"]
  ]
  for (const link of [
    "JavaScript:alert(1)",
    "file:///etc/passwd",
    "vbscript:x",
    "blob:https://a.example/1",
    "about:blank",
    "myapp:",
    "intent:alert(1)#Intent;scheme=javascript;end",
    "intent://x#Intent;scheme=myapp;S.browser_fallback_url=javascript:alert(1);end",
    "https:shop.example",
    "http:/shop.example",
    "myapp://a b",
    "myapp://a\\b",
    `myapp://${"a".repeat(2000)}`,
    ...["\u202e", "\u2066", "\u200e", "\u200f", "\u061c", "\u0000", "\n", "\u0085"].flatMap((sign) => [
      `myapp://done${sign}`,
      `https://shop.example/${sign}`
    ])
  ]) {
    it(`refuses the return_url ${JSON.stringify(link).slice(0, 80)}`, () => {
      assert.deepStrictEqual(pointers({ ...minimal, return_url: link }), ["/return_url"])
    })
  }

  it("accepts a link of an app, whose scheme its account decides about", () => {
    for (const return_url of ["myapp://done?x=1#y", "com.shop.app:/done", "intent://done#Intent;scheme=myapp;end"]) {
      assert.deepStrictEqual(pointers({ ...minimal, return_url }), [])
    }
  })

  for (const sign of ["\u202a", "\u202e", "\u2066", "\u2069", "\u200e", "\u200f", "\u061c"]) {
    it(`refuses ${JSON.stringify(sign)}, which changes the direction of text, and says where`, () => {
      const texts: ReadonlyArray<readonly [object, string]> = [
        [{ description: `a${sign}b` }, "/description"],
        [{ metadata: { k: `a${sign}b` } }, "/metadata/k"],
        [{ metadata: { [`k${sign}`]: "v" } }, `/metadata/k${sign}`],
        [{ customer: { ...minimal.customer, name: `Asha${sign}` } }, "/customer/name"],
        [{ customer: { ...minimal.customer, email: `asha${sign}@example.com` } }, "/customer/email"],
        [{ client: { user_agent: `Mozilla${sign}` } }, "/client/user_agent"]
      ]
      for (const [change, pointer] of texts) {
        const body = { ...minimal, ...change }
        assert.deepStrictEqual(pointers(body), [pointer])
        assert.deepStrictEqual(pointers(forSchema(body)), [pointer])
      }
    })
  }

  for (const [check, change, pointer] of refused) {
    it(`refuses ${check}, and says where`, () => {
      assert.include(pointers({ ...minimal, ...change }), pointer)
    })
  }

  for (const blank of ["", " ", "\n\t", "\u00a0"]) {
    it(`refuses ${JSON.stringify(blank)} as the name of a card, which would be everybody's`, () => {
      const card = { fingerprint: blank, token: blank, tokens: { acme: blank } }
      const at = "/payment_method_details/card"
      assert.includeMembers(
        [...pointers({ ...minimal, payment_method: "card", currency: "EUR", payment_method_details: { card } })],
        [`${at}/fingerprint`, `${at}/token`, `${at}/tokens/acme`]
      )
    })
  }

  it("names every fault at once and repeats no value", () => {
    const result = decode({
      amount: "secret-amount",
      currency: "secret",
      payment_method: "upi",
      customer: { email: "secret", phone: "secret" }
    })
    if (result._tag === "Success") throw new Error("accepted")
    assert.notInclude(JSON.stringify(result.failure), "secret")
    const reason = result.failure.reason as InvalidPayment
    assert.includeMembers(
      reason.errors.map((error) => error.pointer),
      ["/amount", "/customer/email", "/customer/phone"]
    )
  })

  it("whatever is wrong with an amount, one sentence says what it must be", () => {
    for (const amount of ["100.00", 100.5, 0.5, -1, 0, 2 ** 53, Number.NaN, null, [100]]) {
      const result = decode({ ...minimal, amount })
      if (result._tag === "Success") throw new Error("accepted")
      const { errors } = result.failure.reason as InvalidPayment
      assert.deepStrictEqual(
        errors.map(({ pointer }) => pointer),
        ["/amount"],
        String(amount)
      )
      assert.match(errors[0]?.message ?? "", /^must be a whole number of the smallest currency unit, as a JSON number/)
    }
  })

  it("1e3 is 1000", () => {
    const result = decode({ ...minimal, amount: JSON.parse("1e3") })
    assert.strictEqual(result._tag === "Success" && result.success.amount.minorUnits, 1000)
  })

  it("accepts a return_url on a public host, and http://localhost", () => {
    for (const return_url of ["https://shop.example/thanks?x=1", "http://localhost:3000/thanks"]) {
      assert.deepStrictEqual(pointers({ ...minimal, return_url }), [])
    }
  })

  it("reads an order as it is, of 1 to 255 characters, and whether it replaces", () => {
    for (const order of ["1001", " 1001", "#1001 / 2", "o".repeat(255), "été 😀", "4111111111111111"]) {
      const result = decode({ ...minimal, order, order_replaces: true })
      assert.deepInclude(result._tag === "Success" ? result.success : {}, { order, replacesOrder: true })
    }
    for (const body of [minimal, { ...minimal, order: null }, { ...minimal, order: null, order_replaces: false }]) {
      const result = decode(body)
      if (result._tag === "Failure") assert.fail(String(result.failure))
      assert.isNull(result.success.order)
      assert.notProperty(result.success, "replacesOrder")
    }
  })

  it("anything that is not an object is refused", () => {
    for (const body of [null, [], 1, "x", undefined, true]) assert.strictEqual(decode(body)._tag, "Failure")
  })
})

/** An object without a prototype is read by the schema alone. */
const forSchema = (value: unknown): unknown =>
  typeof value !== "object" || value === null || Array.isArray(value)
    ? value
    : Object.assign(
        Object.create(null),
        Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, forSchema(inner)]))
      )

const odd = fc.oneof(
  fc.constantFrom<unknown>(undefined, null, "", " ", true, 0, -0, 1.5, 2 ** 53, Number.NaN, [], {}, "4111111111111111"),
  fc.jsonValue({ maxDepth: 2 })
)
const field = (...values: ReadonlyArray<unknown>) =>
  fc.oneof({ weight: 24, arbitrary: fc.constantFrom(...values) }, { weight: 1, arbitrary: odd })
const texts = (limit: number) => {
  const right = [null, "x", "x".repeat(limit), "Köln"]
  return [...right, ...right, "", "x".repeat(limit + 1), "\u0000"]
}
const keys = fc.oneof(
  fc.string({ maxLength: 42 }),
  fc.constantFrom("__proto__", "constructor", "a\tb", "k".repeat(41), "")
)
/** Rarely with a field that is unknown. */
const sometimesMore = <A extends object>(object: fc.Arbitrary<A>) =>
  fc.oneof(
    { weight: 12, arbitrary: object },
    { weight: 1, arbitrary: object.map((fields) => ({ ...fields, colour: "turquoise" })) }
  )
const mostly = <A>(usual: fc.Arbitrary<A>) => fc.oneof({ weight: 12, arbitrary: usual }, { weight: 1, arbitrary: odd })

const addresses = fc.record(
  {
    line1: field("1 Main Road", ...texts(200)),
    line2: field(...texts(200)),
    city: field(...texts(100)),
    postal_code: field("411001", ...texts(20)),
    country: field("IN", "DE", "ZZ")
  },
  { requiredKeys: ["line1", "country"] }
)

const contact = {
  email: field("asha@example.com", "a@b.co", `${"a".repeat(64)}@example.com`, "asha@example"),
  phone: field("+919999999999", "+14155550100", "+91 (99999) 99998", "+91-99999\u00a099998", "+91999"),
  name: field(...texts(200))
}
const customers = fc.oneof(
  { weight: 4, arbitrary: fc.record(contact, { requiredKeys: ["email", "phone"] }) },
  { weight: 1, arbitrary: fc.record(contact, { requiredKeys: [] }) },
  {
    weight: 1,
    arbitrary: fc.record(
      { email: contact.email, phone: contact.phone, address: mostly(sometimesMore(addresses)) },
      { requiredKeys: ["address"] }
    )
  }
)

const clients = fc.record(
  {
    ip: field("192.0.2.1", "::1", "x"),
    user_agent: field("Mozilla/5.0"),
    accept_header: field("*/*", "a\nb"),
    language: field("en-IN", "x y"),
    time_zone: field("Asia/Kolkata", "Mars/Olympus"),
    screen: mostly(
      fc.record({ width: field(1, 1920, 0), height: field(1, 1080, 1_000_000_000), color_depth: field(24, 65) })
    )
  },
  { requiredKeys: [] }
)

const metadata = fc.oneof(
  fc.dictionary(keys, field("1", "2", "x".repeat(500), "x".repeat(501)), { maxKeys: 3 }),
  fc.dictionary(fc.string({ minLength: 1, maxLength: 8 }), fc.constant("x"), { minKeys: 49, maxKeys: 51 })
)

const common = {
  amount: field(1, 10000, 999_999_999_999, 1_000_000_000_000),
  currency: field("INR", "INR", "INR", "INR", "EUR"),
  payment_method: field("upi", "upi", "upi", "upi", "card"),
  customer: mostly(sometimesMore(customers)),
  description: field(...texts(1000)),
  metadata: mostly(metadata),
  order: field(...Array(20).fill("1001"), "é 😀", "\ud83d", "\u0085", ...texts(255)),
  order_replaces: field(...Array(9).fill(false), true),
  capture_method: field("automatic", "manual")
}
const requiredKeys = ["amount", "currency", "payment_method", "customer"] as const

const upi = fc.record(
  { flow: field("intent", "qr", "collect", "x"), vpa: field("asha@bank", null, "asha") },
  { requiredKeys: [] }
)
const card = fc.record(
  {
    token: field("tok_1", null, " ", ...texts(255)),
    tokens: mostly(
      fc.dictionary(fc.constantFrom("a", "b", " "), fc.oneof(fc.constant("tok_1"), fc.jsonValue()), { maxKeys: 2 })
    ),
    network: field("visa", null, "VISA"),
    country: field("IN", null, "in"),
    funding: field("credit", "unknown", null, "x"),
    bin: field("411111", null, "41"),
    fingerprint: field("card_1", null, ...texts(128))
  },
  { requiredKeys: [] }
)
const stablecoin = fc.record({ asset: field("USDC", "usdc"), network: field("base", "Base") }, { requiredKeys: [] })
const returnUrls = field("https://shop.example/done", "myapp://done", null, "http://shop.example", "x y")
/** Bodies with the details of a payment method, and sometimes of another. */
const detailed = (payment_method: string, currency: string, own: fc.Arbitrary<object>) =>
  fc.record(
    {
      amount: common.amount,
      customer: common.customer,
      currency: field(currency),
      payment_method: fc.constant(payment_method),
      return_url: returnUrls,
      payment_method_details: mostly(
        fc.oneof(
          { weight: 9, arbitrary: fc.record({ [payment_method]: mostly(sometimesMore(own)) }) },
          { weight: 1, arbitrary: fc.record({ upi, card, stablecoin }, { requiredKeys: [] }) }
        )
      )
    },
    { requiredKeys: [...requiredKeys, "payment_method_details"] }
  )

const bodies = fc.oneof(
  { weight: 3, arbitrary: sometimesMore(fc.record(common, { requiredKeys: [...requiredKeys] })) },
  {
    weight: 1,
    arbitrary: fc.record(
      { ...common, client: mostly(sometimesMore(clients)) },
      { requiredKeys: [...requiredKeys, "client"] }
    )
  },
  { weight: 1, arbitrary: detailed("card", "EUR", card) },
  { weight: 1, arbitrary: detailed("upi", "INR", upi) },
  { weight: 1, arbitrary: detailed("stablecoin", "USD", stablecoin) }
)

describe("the compiled decoder", () => {
  const seeds = Array.from({ length: 20 }, (_, index) => 58 + index)
  it.each(inTurn(seeds))(
    "decodes as the parser of the schema: the same payment, or the same problem (seed %i)",
    (seed) => {
      let accepted = 0
      fc.assert(
        fc.property(bodies, (body) => {
          const decoded = decode(body)
          assert.deepStrictEqual(decoded, decode(forSchema(body)))
          if (decoded._tag === "Success") accepted++
        }),
        { numRuns: 5_000, seed }
      )
      assert.isAbove(accepted, 200)
    }
  )

  it("keeps no object of the caller", () => {
    const body = { ...minimal, metadata: { order: "1" } }
    const decoded = decode(body)
    body.metadata.order = "2"
    assert.deepInclude(decoded, { _tag: "Success" })
    assert.deepStrictEqual(decoded._tag === "Success" && decoded.success.metadata, { order: "1" })
  })
})

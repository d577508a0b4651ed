/** Every place of a request that takes text of a client, and a canary in each. */
import { codeOf, panOf, secretOf } from "./canaries.ts"
import type { Ask } from "../mutations/requests.ts"

export interface Position {
  readonly name: string
  readonly canaries: ReadonlyArray<string>
  readonly ask: Ask
}

const base = {
  amount: 1_200,
  currency: "EUR",
  payment_method: "card",
  customer: { email: "asha@example.com", phone: "+491701234567" },
  payment_method_details: { card: { token: "tok_any" } }
} as const

export const paying = (change: object): Ask => requesting("POST", "/v1/payments", { ...base, ...change })

export const requesting = (
  method: string,
  target: string,
  body: unknown = null,
  headers: ReadonlyArray<readonly [string, string]> = []
): Ask => ({
  operation: null,
  method,
  target,
  headers: [...(body === null ? [] : [["Content-Type", "application/json"] as const]), ...headers],
  body: body === null ? null : Buffer.from(typeof body === "string" ? body : JSON.stringify(body)),
  key: "none",
  framing: "length"
})

const pan = (name: string, ask: (pan: string) => Ask): Position => {
  const canary = panOf(name)
  return { name, canaries: [canary], ask: ask(canary) }
}
const secret = (name: string, prefix: string, ask: (secret: string) => Ask): Position => {
  const canary = secretOf(name, prefix)
  return { name, canaries: [canary], ask: ask(canary) }
}
const inBody = (name: string, change: (pan: string) => object) => pan(`body: ${name}`, (it) => paying(change(it)))
const inCard = (name: string) => inBody(`card.${name}`, (it) => ({ payment_method_details: { card: { [name]: it } } }))
const inCustomer = (name: string, value: (pan: string) => string) =>
  inBody(`customer.${name}`, (it) => ({ customer: { ...base.customer, [name]: value(it) } }))
const inHeader = (name: string, value: (pan: string) => string = (it) => it) =>
  pan(`header: ${name}`, (it) => requesting("GET", "/v1/payments?limit=1", null, [[name, value(it)]]))
const inTarget = (name: string, target: (pan: string) => string, method = "GET") =>
  pan(`address: ${name}`, (it) => requesting(method, target(it), method === "POST" ? {} : null))

const grouped = (pan: string, between: string) => pan.replace(/(.{4})(?=.)/g, `$1${between}`)

const writings: { readonly [form: string]: (pan: string) => string } = {
  ...Object.fromEntries(
    ["/", ",", "*", ":", "|", "·", "•", ")(", "+", "%20", "    ", "\u2028", "\u000b", "\u0085"].map((between) => [
      `with ${JSON.stringify(between)}`,
      (pan: string) => grouped(pan, between)
    ])
  ),
  "in keycaps": (pan) => Array.from(pan, (digit) => `${digit}\ufe0f\u20e3`).join(""),
  "in superscripts": (pan) => Array.from(pan, (digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(digit)] ?? "").join(""),
  "in Bengali digits": (pan) => Array.from(pan, (digit) => String.fromCodePoint(0x9e6 + Number(digit))).join(""),
  "after a word": (pan) => `card${pan}`
}

/** `payment`: one that is held, `paid`: one that was captured. */
export const positions = (payment: string, paid: string, revoked: string): ReadonlyArray<Position> => [
  inBody("description", (it) => ({ description: `charge ${it} please` })),
  inBody("description in groups", (it) => ({ description: it.replace(/(.{4})/g, "$1 ").trim() })),
  inBody("description with dashes", (it) => ({ description: it.replace(/(.{4})(?=.)/g, "$1-") })),
  // How people and forms write numbers besides; see the detector's own test for more.
  ...Object.entries(writings).flatMap(([form, write]) => [
    inBody(`description ${form}`, (it) => ({ description: write(it) })),
    inBody(`metadata ${form}`, (it) => ({ metadata: { note: write(it) } }))
  ]),
  inBody("return_url", (it) => ({ return_url: `https://shop.example/done?c=${it}` })),
  inBody("return_url, encoded", (it) => ({
    return_url: `https://shop.example/done?c=%3${it.slice(0, 1)}${it.slice(1)}`
  })),
  inBody("metadata value", (it) => ({ metadata: { note: it } })),
  inBody("metadata key", (it) => ({ metadata: { [it]: "note" } })),
  inBody("amount", (it) => ({ amount: Number(it) })),
  inBody("amount as text", (it) => ({ amount: it })),
  inBody("currency", (it) => ({ currency: it })),
  inBody("payment_method", (it) => ({ payment_method: it })),
  inBody("capture_method", (it) => ({ capture_method: it })),
  inBody("return_url", (it) => ({ return_url: `https://shop.example/back?card=${it}` })),
  inBody("client.ip", (it) => ({ client: { ip: it } })),
  inBody("client.user_agent", (it) => ({ client: { user_agent: `Mozilla ${it}` } })),
  inBody("client.referer", (it) => ({ client: { referer: `https://shop.example/?c=${it}` } })),
  ...["accept_header", "language", "time_zone", "screen"].map((fact) =>
    inBody(`client.${fact}`, (it) => ({ client: { [fact]: it } }))
  ),
  inBody("client.screen.width", (it) => ({ client: { screen: { width: Number(it), height: 1, color_depth: 24 } } })),
  inBody("an unknown field", (it) => ({ note: it })),
  inBody("an unknown object", (it) => ({ billing: { deep: [{ note: it }] } })),
  inBody("the name of a field", (it) => ({ [it]: true })),
  inBody("a number field", (it) => ({ number: Number(it) })),
  inBody("details of no rail", (it) => ({ payment_method_details: { cash: { note: it } } })),
  inCustomer("email", (it) => `${it}@example.com`),
  inCustomer("phone", (it) => it),
  inCustomer("name", (it) => `Asha ${it}`),
  inCustomer("note", (it) => it),
  ...["line1", "line2", "city", "state", "postal_code", "country", "note"].map((part) =>
    inBody(`customer.address.${part}`, (it) => ({
      customer: { ...base.customer, address: { line1: "1 Main Road", country: "IN", [part]: it } }
    }))
  ),
  ...["token", "network", "country", "funding", "bin", "fingerprint", "number", "expiry"].map(inCard),
  inBody("card.tokens", (it) => ({ payment_method_details: { card: { tokens: { careless: it } } } })),
  inBody("card.tokens object", (it) => ({
    payment_method_details: { card: { tokens: { careless: { number: it } } } }
  })),
  inBody("card.tokens key", (it) => ({ payment_method_details: { card: { tokens: { [it]: "tok" } } } })),
  inBody("upi.vpa", (it) => ({ ...upi, payment_method_details: { upi: { vpa: `${it}@bank` } } })),
  inBody("upi.flow", (it) => ({ ...upi, payment_method_details: { upi: { flow: it } } })),
  inBody("stablecoin.asset", (it) => ({ ...coin, payment_method_details: { stablecoin: { asset: it } } })),
  inBody("stablecoin.network", (it) => ({ ...coin, payment_method_details: { stablecoin: { network: it } } })),
  pan("body: no JSON", (it) => requesting("POST", "/v1/payments", `{"number": ${it},`)),
  pan("body: twice the same key", (it) => requesting("POST", "/v1/payments", `{"${it}":1,"${it}":2}`)),
  pan("body: another type", (it) => ({
    ...requesting("POST", "/v1/payments", it),
    headers: [["Content-Type", "text/plain"]]
  })),
  ...["cvv", "cvc", "security_code", "card_verification_value"].map((name) => ({
    name: `security code as ${name}`,
    canaries: [codeOf(name)],
    ask: paying({ payment_method_details: { card: { token: "tok", [name]: codeOf(name) } } })
  })),
  // `cid` and `pin` are refused with three or four digits only, which are no canary: see the detector's own test.
  ...["csc", "cv2", "my_cvv", "cardholder_cvv", "ｃｖｖ", "сvv"].map((name) => ({
    name: `security code in metadata as ${name}`,
    canaries: [codeOf(`metadata ${name}`)],
    ask: paying({ metadata: { [name]: codeOf(`metadata ${name}`) } })
  })),
  pan("capture: an unknown field", (it) => requesting("POST", `/v1/payments/${payment}/capture`, { note: it })),
  pan("capture: amount", (it) => requesting("POST", `/v1/payments/${payment}/capture`, { amount: it })),
  pan("cancel: an unknown field", (it) => requesting("POST", `/v1/payments/${payment}/cancel`, { reason: it })),
  pan("refund: reason", (it) => requesting("POST", `/v1/payments/${paid}/refunds`, { amount: 1, reason: it })),
  pan("refund: an unknown field", (it) => requesting("POST", `/v1/payments/${paid}/refunds`, { note: it })),
  inHeader("User-Agent"),
  inHeader("Referer", (it) => `https://shop.example/?card=${it}`),
  inHeader("Cookie", (it) => `card=${it}`),
  inHeader("X-Forwarded-For"),
  inHeader("X-Request-Id"),
  inHeader("Accept"),
  inHeader("Tracestate", (it) => `shop=${it}`),
  inHeader("Baggage", (it) => `card=${it}`),
  inHeader("Authorization", (it) => `Basic ${Buffer.from(`user:${it}`).toString("base64")}`),
  pan("header: Authorization, bearer", (it) =>
    requesting("GET", "/v1/payments", null, [["Authorization", `Bearer ${it}`]])
  ),
  pan("header: Idempotency-Key", (it) => ({ ...paying({}), key: { text: `order-${it}` } })),
  pan("header: Content-Type", (it) => ({
    ...paying({}),
    headers: [["Content-Type", `application/json; charset=${it}`]]
  })),
  inTarget("payment id", (it) => `/v1/payments/${it}`),
  inTarget("refund id", (it) => `/v1/refunds/${it}`),
  inTarget("capture", (it) => `/v1/payments/${it}/capture`, "POST"),
  inTarget("unknown path", (it) => `/v1/cards/${it}`),
  inTarget("unknown path, posted to", (it) => `/${it}`, "POST"),
  inTarget("encoded", (it) => `/v1/payments/%34${it.slice(1)}`),
  inTarget("query of a create", (it) => `/v1/payments?card=${it}`, "POST"),
  inTarget("metadata filter", (it) => `/v1/payments?metadata[order_id]=${it}`),
  inTarget("metadata filter key", (it) => `/v1/payments?metadata[${it}]=1`),
  inTarget("customer_email filter", (it) => `/v1/payments?customer_email=${it}`),
  inTarget("provider_reference filter", (it) => `/v1/payments?provider_reference=${it}`),
  inTarget("provider filter", (it) => `/v1/payments?provider=${it}`),
  inTarget("status filter", (it) => `/v1/payments?status=${it}`),
  inTarget("unknown parameter", (it) => `/v1/payments?${it}=1`),
  inTarget("unknown parameter value", (it) => `/v1/payments?number=${it}`),
  inTarget("cursor", (it) => `/v1/payments?starting_after=${it}`),
  inTarget("time", (it) => `/v1/payments?created_after=${it}`),
  inTarget("limit", (it) => `/v1/payments?limit=${it}`),
  inTarget("return of a payment", (it) => `/return/${it}/token`),
  inTarget("return token", (it) => `/return/${payment}/${it}`),
  inTarget("return query", (it) => `/return/${payment}/token?number=${it}`),
  inTarget("problem page", (it) => `/docs/problems/${it}`),
  inTarget("webhook instance", (it) => `/webhooks/${it}`, "POST"),
  pan("webhook: unsigned body", (it) => requesting("POST", "/webhooks/careless", { number: it })),
  pan("webhook: signature", (it) => requesting("POST", "/webhooks/careless", {}, [["X-Signature", it]])),
  pan("webhook: body over which the adapter breaks", (it) =>
    requesting("POST", "/webhooks/careless", { number: it }, [["X-Signature", "broken"]])
  ),
  secret("key with a bad checksum", "pmx_test_", (it) =>
    requesting("GET", "/v1/payments", null, [["Authorization", `Bearer ${it}`]])
  ),
  secret("live key with a bad checksum", "pmx_live_", (it) => ({
    ...paying({}),
    headers: [
      ["Content-Type", "application/json"],
      ["Authorization", `Bearer ${it}`]
    ]
  })),
  secret("key in the address", "pmx_test_", (it) => requesting("GET", `/v1/payments?api_key=${it}`)),
  secret("key in the path", "pmx_test_", (it) => requesting("GET", `/v1/${it}`)),
  secret("key as user", "pmx_test_", (it) =>
    requesting("GET", "/v1/payments", null, [["Authorization", `Basic ${Buffer.from(`${it}:`).toString("base64")}`]])
  ),
  secret("metrics token", "", (it) => requesting("GET", "/metrics", null, [["Authorization", `Bearer ${it}`]])),
  {
    name: "revoked key",
    canaries: [revoked],
    ask: requesting("GET", "/v1/payments", null, [["Authorization", `Bearer ${revoked}`]])
  }
]

const upi = { currency: "INR", payment_method: "upi" } as const
const coin = { currency: "USD", payment_method: "stablecoin" } as const

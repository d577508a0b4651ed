/** Requests for a payment, as they should be and with every kind of fault: in the body, the headers, the address. */
import * as fc from "fast-check"
import { minimal } from "../support/server.ts"

export interface AnyRequest {
  readonly method: string
  readonly path: string
  /** `KEY` stands for a valid key. */
  readonly headers: ReadonlyArray<readonly [name: string, value: string]>
  readonly body: Uint8Array
  readonly framing: "length" | "chunked" | "too short"
}

const whole = {
  ...minimal,
  description: "Order 1234",
  customer: { ...minimal.customer, name: "Asha Rao" },
  metadata: { order_id: "1234", shop: "Köln" },
  capture_method: "automatic",
  return_url: "https://shop.example/back",
  client: { ip: "203.0.113.7", user_agent: "Browser/1", referer: "https://shop.example/" },
  payment_method_details: { upi: { flow: "intent" } }
}

const valid: fc.Arbitrary<object> = fc.oneof(
  fc.constantFrom<object>(
    minimal,
    whole,
    { ...minimal, description: null, metadata: {} },
    { ...minimal, currency: "EUR", payment_method: "card", payment_method_details: { card: { token: "tok_1" } } },
    { ...minimal, currency: "USD", payment_method: "stablecoin" },
    { ...minimal, payment_method_details: { upi: { vpa: "asha@bank" } } }
  ),
  fc.record({ amount: fc.integer({ min: 1, max: 1_00_000_00 }) }).map((amount) => ({ ...whole, ...amount })),
  fc
    .dictionary(fc.string({ minLength: 1, maxLength: 41 }), fc.string({ unit: "binary", maxLength: 20 }), {
      maxKeys: 60
    })
    .map((metadata) => ({ ...minimal, metadata })),
  fc.string({ unit: "grapheme", maxLength: 1100 }).map((description) => ({ ...minimal, description }))
)

const oddValues: ReadonlyArray<unknown> = [
  null,
  true,
  "",
  " ",
  "5",
  0,
  -1,
  1.5,
  1e21,
  2 ** 53,
  999_999_999_999,
  [],
  {},
  [1],
  { a: 1 },
  "INR",
  "inr",
  "XXX",
  "upi",
  "card",
  "4242 4242 4242 4242",
  "\u0000",
  "x".repeat(1001),
  "asha@example",
  "+91123",
  "http://localhost/x",
  "https://127.0.0.1/",
  "constructor",
  "2001:db8::1",
  "manual",
  "qr",
  "collect"
]
const oddKeys = [
  "colour",
  "constructor",
  "prototype",
  "toString",
  "card_number",
  "cvv",
  "Amount",
  "",
  "a/b~c",
  "4242424242424242"
]

/** A tree of the same kind with one value replaced, one field removed or one added. */
const changed = (value: object): fc.Arbitrary<object> => {
  const paths = pathsOf(value)
  return fc
    .tuple(
      fc.constantFrom(...paths),
      fc.oneof(
        fc.constantFrom(...oddValues).map((odd) => (): unknown => odd),
        fc.jsonValue({ maxDepth: 3 }).map((odd) => (): unknown => odd),
        fc.constant(() => undefined),
        fc.tuple(fc.constantFrom(...oddKeys), fc.constantFrom(...oddValues)).map(
          ([key, odd]) =>
            (old: unknown) =>
              typeof old === "object" && old !== null ? { ...old, [key]: odd } : { [key]: old }
        ),
        fc.constant((old: unknown) => (typeof old === "number" ? String(old) : JSON.stringify(old)))
      )
    )
    .map(([path, change]) => withChange(value, path, change) as object)
}

const pathsOf = (value: unknown): ReadonlyArray<ReadonlyArray<string>> =>
  typeof value !== "object" || value === null
    ? [[]]
    : [[], ...Object.entries(value).flatMap(([key, inner]) => pathsOf(inner).map((path) => [key, ...path]))]

const withChange = (
  value: unknown,
  [key, ...rest]: ReadonlyArray<string>,
  change: (old: unknown) => unknown
): unknown =>
  key === undefined || typeof value !== "object" || value === null
    ? change(value)
    : {
        ...value,
        [key]: withChange(Object.entries(value).find(([name]) => name === key)?.[1], rest, change)
      }

const fragments = [
  "\ufeff",
  "\u0000",
  '"',
  "\\",
  "{",
  "}",
  "[",
  "]",
  ",",
  ":",
  " ",
  "\n",
  "\u00a0",
  "\\u0000",
  "\\ud800",
  "\\u0061",

  '"__proto__":{},',
  '"constructor":{"prototype":{}},',
  '"amount":1,',
  '"a":',
  "1e400",
  "9007199254740993",
  "-0",
  "01",
  "1.00000000000000000001",
  "1e3",
  "0x10",
  "NaN",
  "[".repeat(40),
  '{"a":'.repeat(40),
  "null",
  "//",
  "'"
].map((text) => Buffer.from(text))

const oddBytes = [[0xff], [0xc3], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xef, 0xbb, 0xbf], [0xff, 0xfe]].map((bytes) =>
  Buffer.from(bytes)
)

/** Bytes cut, replaced, inserted or repeated anywhere; most often where JSON has a meaning. */
const scratched = (text: string): fc.Arbitrary<Uint8Array> => {
  const bytes = Buffer.from(text)
  const places = [0, ...[...text.matchAll(/[{}[\]:,"\d]/g)].map(({ index }) => Buffer.byteLength(text.slice(0, index)))]
  const place = fc.oneof(fc.constantFrom(...places, bytes.length), fc.nat(bytes.length))
  return fc.oneof(
    place.map((end) => bytes.subarray(0, end)),
    fc
      .tuple(place, fc.nat(3), fc.constantFrom(...fragments, ...oddBytes))
      .map(([at, removed, put]) => Buffer.concat([bytes.subarray(0, at), put, bytes.subarray(at + removed)])),
    fc
      .tuple(place, fc.nat(255))
      .map(([at, byte]) => Buffer.concat([bytes.subarray(0, at), Buffer.from([byte]), bytes.subarray(at + 1)])),
    fc
      .tuple(place, fc.nat(20))
      .map(([at, length]) => Buffer.concat([bytes.subarray(0, at + length), bytes.subarray(at)])),
    fc.constantFrom(65_536, 65_537, 70_000).map((length) => Buffer.from(text.padEnd(length)))
  )
}

const body: fc.Arbitrary<Uint8Array> = fc.oneof(
  { weight: 2, arbitrary: valid.map((value) => Buffer.from(JSON.stringify(value))) },
  {
    weight: 4,
    arbitrary: valid.chain(changed).map((value) => Buffer.from(JSON.stringify(value) ?? ""))
  },
  {
    weight: 1,
    arbitrary: valid
      .chain(changed)
      .chain(changed)
      .map((value) => Buffer.from(JSON.stringify(value) ?? ""))
  },
  { weight: 4, arbitrary: valid.chain((value) => scratched(JSON.stringify(value))) },
  { weight: 1, arbitrary: fc.constantFrom("", " ", "[]", "null", "5", '"x"', "{}").map((text) => Buffer.from(text)) }
)

const oddHeaders: ReadonlyArray<readonly [name: string, values: ReadonlyArray<string | null>]> = [
  [
    "Content-Type",
    [
      null,
      "",
      "text/plain",
      "application/json;charset=utf-8",
      'application/json; charset="UTF-8"',
      "APPLICATION/JSON",

      "application/json; charset=utf-16",
      "application/json; v=1",
      "application/problem+json",
      "application/json,text/plain"
    ]
  ],
  ["Content-Encoding", ["gzip", "identity", "Identity", "", "br"]],
  [
    "Authorization",
    [
      null,
      "",
      "KEY",
      "Bearer",
      "Bearer ",
      "bearer KEY",
      "Bearer  KEY",
      "Bearer KEY x",
      "Basic KEY",
      "Bearer x",
      "Bearer pmx_test_00000000000000000000000000000000000000",
      "Token KEY"
    ]
  ],
  ["Idempotency-Key", ["k1", "k2", "k3", "", "a b", "x".repeat(255), "x".repeat(256), "ü", "4242424242424242", "a,b"]],
  ["Expect", ["100-continue", "200-ok"]],
  ["Accept", ["text/html", "application/json"]],
  ["Origin", ["https://shop.example"]],
  ["Cookie", ["a=b"]],
  ["Host", ["", "a b", "shop.example:8080", "[::1]"]],
  ["Transfer-Encoding", ["chunked", "gzip", "identity"]],
  ["Content-Length", ["5", "-1", "+5", "0x5", "005", "1e3", ""]],
  ["Upgrade", ["websocket"]],
  ["Traceparent", ["00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"]]
]

const usual: AnyRequest["headers"] = [
  ["Host", "localhost"],
  ["Authorization", "Bearer KEY"],
  ["Content-Type", "application/json"]
]

/** One header replaced, removed or sent twice. */
const oddHeader: fc.Arbitrary<(headers: AnyRequest["headers"]) => AnyRequest["headers"]> = fc
  .constantFrom(...oddHeaders)
  .chain(([name, values]) => fc.tuple(fc.constant(name), fc.constantFrom(...values), fc.boolean()))
  .map(([name, value, isTwice]) => (headers) => [
    ...headers.filter(([other]) => other !== name || isTwice),
    ...(value === null ? [] : [[name, value] as const])
  ])

const headers = fc.oneof(
  { weight: 6, arbitrary: fc.constant(usual) },
  { weight: 3, arbitrary: oddHeader.map((change) => change(usual)) },
  { weight: 1, arbitrary: fc.tuple(oddHeader, oddHeader).map(([one, other]) => other(one(usual))) }
)

const path = fc.oneof(
  { weight: 12, arbitrary: fc.constant("/v1/payments") },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      "/v1/payments?",
      "/v1/payments?a=b",
      "/v1/payments/",
      "/v1//payments",
      "//v1/payments",
      "/V1/payments",

      "/v1/%70ayments",
      "/v1/payments%2f",
      "/v1/payments;a=b",
      "/v1/payments#a",
      "/v1/payments%",
      "/v1/payments%00",
      "http://localhost/v1/payments",
      "/v1/payments/x",
      "/v1/../v1/payments",
      "*",
      "/",
      "/v1/payments\\"
    )
  }
)

const method = fc.oneof(
  { weight: 20, arbitrary: fc.constant("POST") },
  {
    weight: 1,
    arbitrary: fc.constantFrom("GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "post", "QUERY")
  }
)

const framing = fc.oneof(
  { weight: 12, arbitrary: fc.constant("length" as const) },
  { weight: 1, arbitrary: fc.constantFrom("chunked" as const, "too short" as const) }
)

export const anyRequest: fc.Arbitrary<AnyRequest> = fc.record({ method, path, headers, body, framing })

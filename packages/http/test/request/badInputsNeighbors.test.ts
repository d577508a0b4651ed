/** What lies beside each row of `badInputs.test.ts`: the same kind of fault in other spellings, and what is still right. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { ProblemCode } from "../../src/index.ts"
import { acme, card, minimal, TestServer, ways } from "../support/server.ts"
import type { Answer, Ask } from "../support/server.ts"

type Row = readonly [name: string, status: number, code: ProblemCode, ask: Ask]

const json = JSON.stringify(minimal)
const onCard = (change: object): Ask => ({ body: { ...card, ...change } })
const refused = (name: string, ask: Ask, status = 400, code: ProblemCode = "invalid_request"): Row => [
  name.slice(0, 80),
  status,
  code,
  ask
]

/** As it stands in the text of the body. */
const amounts = [
  ["-0", "0.0", "1e-1", "true", "null", "[1]", "{}", '"1e3"'].map((amount) =>
    refused(`amount ${amount}`, { body: json.replace("10000", amount) })
  ),
  ["01", "+1", ".5", "1.", "0x10", "1_000", "1,000", "9007199254740992", "-Infinity", "1e-400", "१००"].map((amount) =>
    refused(`amount ${amount}`, { body: json.replace("10000", amount) }, 400, "invalid_json")
  )
].flat()

const values = {
  currency: [
    "EUR ",
    " EUR",
    "Eur",
    "978",
    "XXX",
    "XTS",
    "XAU",
    "DEM",
    "BTC",
    "USDC",
    "",
    null,
    ["EUR"],
    "ЕUR",
    "EUR\n"
  ],
  payment_method: ["Card", "cards", "wallet", "", null, ["card"], { card: {} }],
  capture_method: ["later", "Automatic", "", null, true],
  description: ["x".repeat(1001), 5, {}, []],
  metadata: [
    [],
    null,
    "a=b",
    { "": "x" },
    { "a\tb": "x" },
    { a: null },
    { a: ["x"] },
    { ["k".repeat(41)]: "x" },
    { ["💳".repeat(21)]: "x" },
    { a: "💳".repeat(251) },
    Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`k${i}`, "x"]))
  ],
  customer: [null, [], "asha@example.com", {}, { email: null, phone: null }, { name: "Asha Rao" }],
  payment_method_details: [null, [], { upi: {} }, { card: null }, { card: [] }, { card: {}, upi: {} }, { wallet: {} }],
  client: [null, [], "10.0.0.1", { port: 1 }],
  return_url: [
    "https://localhost./",
    "https://127.1/",
    "https://0x7f.1/",
    "https://2130706433/",
    "https://0177.0.0.1/",
    "https://１２７.0.0.1/",
    "https://[::1]/",
    "https://[::ffff:10.0.0.1]/",
    "https://[64:ff9b::10.0.0.1]/",
    "https://0.0.0.0/",
    "https://169.254.169.254/",
    "https://100.64.0.1/",
    "https://172.31.255.255/",
    "https://192.168.1.1/",
    "https://224.0.0.1/",
    "https://255.255.255.255/",
    "https://intranet/",
    "https://shop.local/",
    "https://shop.internal./",
    "https://user:pass@shop.example/",
    "https://@shop.example/\n",
    "https://shop..example/",
    "https:shop.example",
    "https:///shop.example",
    "https:\\\\shop.example",
    "https://shop.example\\@10.0.0.1/",
    "//shop.example",
    "shop.example",
    "http://shop.example",
    "http://localhost.evil.example",
    "ftp://shop.example",
    "file:///etc/passwd",
    "blob:https://shop.example/x",
    "vbscript:x",
    " https://shop.example",
    "https://shop.example/ ",
    "https://",
    "https://.",
    "",
    `https://shop.example/${"a".repeat(2000)}`
  ]
} as const

const fields = Object.entries(values).flatMap(([name, all]) =>
  all.map((value) => refused(`${name} ${JSON.stringify(value)}`, onCard({ [name]: value })))
)

const within = (name: string, all: ReadonlyArray<unknown>, change: (value: unknown) => Ask) =>
  all.map((value) => refused(`${name} ${JSON.stringify(value)}`, change(value)))

const inside = [
  within(
    "phone",
    [
      "+91.98123.45678",
      "+91/9812345678",
      "+9199999999990",
      "+0123456789",
      "+1",
      "++919812345678",
      "+1234567890123456",
      "+١٢٣٤٥٦٧٨٩٠",
      "＋919812345678",
      "tel:+919812345678",
      "00919812345678",
      "+919812345678\t",
      "+44\n1234567",
      "",
      919_812_345_678
    ],
    (phone) => onCard({ customer: { ...card.customer, phone } })
  ),
  within(
    "email",
    [
      "a@b",
      "a@.b.co",
      "a@b..co",
      "a@b.co.",
      "a b@c.de",
      "<a@b.co>",
      "Asha <a@b.co>",
      "a@b.co\n",
      "a@b.co\r\nBcc: c@d.co",
      "a@b.co,c@d.co",
      "a@b@c.co",
      "@b.co",
      "a@",
      `${"a".repeat(65)}@b.co`,
      `a@${"b".repeat(250)}.co`,
      ""
    ],
    (email) => onCard({ customer: { ...card.customer, email } })
  ),
  within(
    "vpa",
    ["@bank", "name@", "name@1bank", "na me@bank", "name@bank.com", "name", "ñ@bank", "name@b", ""],
    (vpa) => ({
      body: { ...minimal, payment_method_details: { upi: { vpa } } }
    })
  ),
  within("upi", [{ flow: "collect" }, { flow: "qr", vpa: "a@bank" }, { flow: "Intent" }, { flow: null }], (upi) => ({
    body: { ...minimal, payment_method_details: { upi } }
  })),
  within(
    "card",
    [
      { token: "" },
      { token: " " },
      { token: "t".repeat(256) },
      { network: "Visa" },
      { country: "in" },
      { bin: "41111" }
    ],
    (of) => onCard({ payment_method_details: { card: of } })
  ),
  within(
    "client.ip",
    [
      "999.1.1.1",
      "1.2.3",
      "1.2.3.4.5",
      "01.2.3.4",
      "1.2.3.4/24",
      "::::",
      "1::2::3",
      "[::1]",
      "fe80::1%eth0",
      "12345::",
      "",
      "0x7f.0.0.1"
    ],
    (ip) => onCard({ client: { ip } })
  )
].flat()

const typed = (value: string) =>
  refused(`Content-Type ${value}`, { body: json, headers: { "Content-Type": value } }, 415, "unsupported_media_type")
const encoded = (value: string) =>
  refused(
    `Content-Encoding ${value}`,
    { body: json, headers: { "Content-Encoding": value } },
    415,
    "unsupported_media_type"
  )
const twice = (name: string, ...both: ReadonlyArray<string>) =>
  refused(`${name} twice`, { body: json, headers: { [name]: both } })

const headers = [
  [
    "application/json, application/json",
    "application/json; charset=latin1",
    "application/json; charset=utf8",
    "text/json"
  ].map(typed),
  ["application/jsonx", "application/problem+json", "*/*", "application/json charset=utf-8"].map(typed),
  ["gzip", "gzip, identity", "br", "deflate", "aws-chunked", "x-unknown"].map(encoded),
  [
    twice("Content-Type", "application/json", "text/plain"),
    twice("Authorization", "Bearer a", "Bearer b"),
    twice("Host", "a.example", "b.example")
  ]
].flat()

const list = (query: string) => refused(`?${query}`, { path: `/v1/payments?${query}` })
const repeated = (pair: (index: number) => string) => Array.from({ length: 101 }, (_, index) => pair(index)).join("&")

const lists = [
  [
    "limit=+5",
    "limit=05",
    "limit=1.0",
    "limit=",
    "limit",
    "limit=%D9%A1",
    "LIMIT=1",
    "limit=1;status=failed",
    "limit[]=1"
  ],
  ["status=", "status=Pending", "status=pending,failed", "status[]=pending", "payment_method=cash"],
  ["currency=eur", "currency=EURO", "customer_email=%00", "provider=", `provider=${"x".repeat(513)}`],
  [
    "created_after=",
    "created_after=1767225600",
    "created_after=2026-1-31T12:00:00Z",
    "created_after=2026-01-31T24:00:00Z"
  ],
  ["created_after=2026-01-31T23:59:60Z", "created_after=2025-02-29T00:00:00Z", "created_after=10000-01-31T12:00:00Z"],
  ["created_after=2026-01-31T12:00:00%2B24:00", "created_after=2026-01-31T12:00:00+05:30", "created_after=now"],
  [
    "metadata=1",
    "metadata[]=x",
    "metadata[a=1",
    "metadata[%00]=1",
    "metadata[order_id]=%00",
    `metadata[${"k".repeat(41)}]=1`
  ],
  [
    `metadata[order_id]=${"x".repeat(501)}`,
    repeated((index) => `metadata[order_id]=${index}`),
    repeated(() => "status=failed")
  ],
  ["starting_after=a&starting_after=b", "starting_after=%00", "offset=1", "page=2", "sort=asc", "=", "constructor=1"]
]
  .flat()
  .map(list)

const address = (path: string, status = 404, code: ProblemCode = "not_found") => refused(path, { path }, status, code)

const addresses = [
  ...[
    "//v1/payments",
    "/V1/payments",
    "/v1/Payments",
    "/v1/payments//",
    "/v1/payments;v=1",
    "/healthz;x",
    "/v2/payments"
  ].map((path) => address(path)),
  ...[
    "/",
    "/v1",
    "/v1/",
    "/v1/payments/%2e%2e",
    "/v1/payments/PAY_01JD8W6X2VH6K9V0Q3F7M5T1AC",
    "/.git/config",
    "/v1/payments/.."
  ].map((path) => address(path)),
  ...["/v1/payments/%", "/v1/payments/%zz", "/v1/payments/%c3", "/v1/payments?a=%ed%a0%80"].map((path) =>
    address(path, 400, "invalid_request")
  )
]

const assertProblem = (answer: Answer, status: number, code: ProblemCode) => {
  assert.strictEqual(answer.status, status, answer.text)
  assert.strictEqual(answer.headers["content-type"], "application/problem+json")
  const problem = JSON.parse(answer.text)
  assert.deepInclude(problem, { code, status, type: `/docs/problems/${code}` })
  // Words of our own are not taken for a payer's.
  assert.notInclude(answer.text, "[redacted]")
}

for (const way of ways)
  layer(TestServer.layer({ providers: [acme()], way }), { excludeTestServices: true })(
    `beside what is malformed, ${way}`,
    (it) => {
      const rows = [...amounts, ...fields, ...inside, ...headers, ...lists, ...addresses]

      it.effect.each(rows)("%s → %i %s", ([, status, code, ask]) =>
        Effect.gen(function* () {
          const server = yield* TestServer
          const before = yield* server.rows
          assertProblem(
            yield* server.ask({ ...ask, headers: { "Idempotency-Key": "unused-key", ...ask.headers } }),
            status,
            code
          )
          assert.deepStrictEqual(yield* server.rows, before)
        })
      )

      const right: ReadonlyArray<readonly [name: string, status: number, ask: Ask]> = [
        ["amount 1E3", 201, { body: json.replace("10000", "1E3") }],
        ["amount 10000.0", 201, { body: json.replace("10000", "10000.0") }],
        ["white space around everything", 201, { body: `\r\n\t ${JSON.stringify(minimal, null, 2)} \n` }],
        ["keys of every object", 201, onCard({ metadata: { constructor: "a", toString: "b", hasOwnProperty: "c" } })],
        ["40 and 500 characters", 201, onCard({ metadata: { ["k".repeat(40)]: "v".repeat(500) } })],
        [
          "an address that is not ASCII",
          201,
          onCard({ customer: { ...card.customer, email: "zoë+shop@bücher.example" } })
        ],
        ["an e-mail address alone", 201, onCard({ customer: { email: card.customer.email } })],
        ["a phone number alone", 201, onCard({ customer: { phone: card.customer.phone, email: null } })],
        [
          "a phone number as people write it",
          201,
          onCard({ customer: { ...card.customer, phone: " +91 (98123) 456-78\u00a0" } })
        ],
        ["a short phone", 201, onCard({ customer: { ...card.customer, phone: "+6831234" } })],
        ["IPv4", 201, onCard({ client: { ip: "203.0.113.9" } })],
        ["IPv6", 201, onCard({ client: { ip: "2001:DB8::1" } })],
        ["IPv4 in IPv6", 201, onCard({ client: { ip: "::ffff:203.0.113.9" } })],
        ["return_url in capitals", 201, onCard({ return_url: "HTTPS://Shop.Example/back?a=b#c" })],
        ["return_url to a name of other letters", 201, onCard({ return_url: "https://bücher.example/" })],
        ["return_url to this machine, in test mode", 201, onCard({ return_url: "http://localhost:3000/back" })],
        ["Content-Encoding: identity", 201, { body: json, headers: { "Content-Encoding": "identity" } }],
        ["a limit that is encoded", 200, { path: "/v1/payments?limit=%31" }],
        ["nothing between two &", 200, { path: "/v1/payments?limit=1&&" }],
        ["an offset that is encoded", 200, { path: "/v1/payments?created_after=2026-01-31T12:00:00%2B05:30" }]
      ]
      it.effect.each(right)("%s is right: %i", ([, status, ask]) =>
        Effect.gen(function* () {
          const answer = yield* (yield* TestServer).ask(ask)
          assert.strictEqual(answer.status, status, answer.text)
        })
      )

      it.effect.each(["bearer", "BEARER", "Bearer "])("%s is the same scheme (RFC 9110 § 11.1)", (scheme) =>
        Effect.gen(function* () {
          const { ask, key } = yield* TestServer
          assert.strictEqual((yield* ask({ headers: { Authorization: `${scheme} ${key}` } })).status, 200)
        })
      )
    }
  )

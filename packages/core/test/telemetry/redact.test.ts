import { assert, describe, it } from "@effect/vitest"
import { Redacted } from "effect"
import { redact, redactText } from "../../src/telemetry/redact.ts"

/** Every one of them stands for something that must not be written. */
const secrets: { readonly [what: string]: string } = {
  "a card number": "4111111111111111",
  "a card number in groups": "5555 5555-5555 4444",
  "a card number in another script": "४१११११११११११११११",
  "a card number with invisible characters": "4111\u200b1111\u200b1111\u200b1111",
  "a test key of ours": "pmx_test_0123456789abcdefghijABCDEFGHIJ01234567",
  "a live key of ours": "pmx_live_0123456789abcdefghijABCDEFGHIJ01234567",
  "a webhook secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
  "a Stripe key": "sk_live_51HxYzAbCdEfGhIjKl",
  "a restricted Stripe key": "rk_test_51HxYzAbCdEfGhIjKl",
  "a Razorpay key": "rzp_live_AbCdEfGhIjKlMn",
  "a Cashfree secret": "cfsk_ma_prod_0a1b2c3d4e5f6a7b8c9d_1234abcd",
  "an Adyen key": `AQE${"Ab1+".repeat(20)}`,
  "a client secret": "seti_1_secret_YrKJUKribcBjcG8HVhfZluoGH",
  "a JSON Web Token": "eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.c2lnbmF0dXJl",
  "a private key": "-----BEGIN EC PRIVATE KEY-----\nMHcCAQEEIIr\nAoGCCqGSM49\n-----END EC PRIVATE KEY-----",
  "a private key that was cut": "-----BEGIN RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEA75",
  "an e-mail address": "asha.rao+shop@example.co.in",
  "an e-mail address at a domain that begins with a digit": "li@163.com",
  "an address for UPI": "asha-1@okhdfcbank",
  "a phone number": "+919812345678",
  "a phone number in groups": "+1 (555) 010-99 88"
}

describe("redactText", () => {
  for (const [what, secret] of Object.entries(secrets)) {
    it(`leaves out ${what}, alone, in a sentence, quoted and in JSON`, () => {
      for (const around of [
        (it: string) => it,
        (it: string) => `The vendor said: ${it} is not valid.`,
        (it: string) => `got "${it}"`,
        (it: string) => `(${it})`,
        (it: string) => JSON.stringify({ at: "/note", note: `x ${it} y` })
      ]) {
        const clean = redactText(around(secret))
        assert.notInclude(clean, secret)
        assert.include(clean, "[redacted]")
        // Nothing of any length that could be put together again.
        const parts = secret.match(/[A-Za-z0-9]{10,}/g) ?? []
        for (const part of parts) assert.notInclude(clean, part)
      }
    })
  }

  it("leaves out what stands in headers, addresses and after the name of a security code", () => {
    const cases = [
      ["authorization: Bearer abcdefgh", "abcdefgh"],
      ["Authorization: Basic dXNlcjpwYXNz", "dXNlcjpwYXNz"],
      ["sent with Bearer abcdefgh1", "abcdefgh1"],
      ['{"x-api-key":"abcdef12"}', "abcdef12"],
      ["postgres://paymux:hunter22@db.internal/payments", "hunter22"],
      ["https://vendor.example/cb?code=s3cr3tcode&x=1", "s3cr3tcode"],
      ["/return/pay_01jd/c2lnbmVkdG9rZW4?x=1", "c2lnbmVkdG9rZW4"],
      ["https://pay.example/shop/pay/pay_01jd/c2lnbmVkdG9rZW4/events", "c2lnbmVkdG9rZW4"],
      ["cvv: 123", "123"],
      ["security code is 1234", "1234"]
    ] as const
    for (const [text, secret] of cases) assert.notInclude(redactText(text), secret, text)
  })

  it("reads what is percent-encoded as it reads without that", () => {
    for (const text of [
      "GET /v1/payments/%34111111111111111",
      "/v1/payments?customer_email=asha%40example.com",
      "/v1/payments?note=%73k_live_51HxYzAbCdEfGhIjKl",
      "/v1/payments?phone=%2b919812345678&note=%ff"
    ]) {
      const clean = redactText(text)
      assert.notMatch(clean, /111111111|asha|51HxYz|919812/)
      assert.include(clean, "/v1/payments")
    }
    for (const text of ["/v1/payments?status=a%20b", "100%25", "%E0%A4%A", "%ff%fe"]) {
      assert.strictEqual(redactText(text), text)
    }
  })

  it.each([
    ...["/", ",", "*", ":", "|", "·", "•", ")(", "+", "%20", "    ", "\u2028", "\u000b", "\u0085", " - "].map(
      (between) => "4111-1111-1111-1111".replaceAll("-", between)
    ),
    "4\ufe0f\u20e31\ufe0f\u20e31\ufe0f\u20e31\ufe0f\u20e3 1111 1111 1111",
    "⁴¹¹¹¹¹¹¹¹¹¹¹¹¹¹¹",
    "④①①①①①①①①①①①①①①①",
    "٤١١١/١١١١/١١١١/١١١١",
    "3782/822463/10005",
    "card4111111111111111",
    "MASTERCARD5555555555554444"
  ])("leaves out a card number that is written as %j", (number) => {
    const clean = redactText(`refused for ${number} by the bank at 2026-11-05 10:20:30`)
    assert.include(clean, "[redacted]")
    assert.notMatch(clean.normalize("NFKC"), /1111|8224|4444|١١١١/)
    assert.include(clean, "refused for")
    assert.include(clean, "by the bank at 2026-11-05 10:20:30")
  })

  it("leaves out what options of providers and wallets hold, by their names", () => {
    for (const name of ["secrets", "webhookSecrets", "hmacKey", "hmac_keys", "seed", "mnemonic", "wallet.seed"]) {
      assert.deepStrictEqual(redact({ [name]: ["legal winner thank year"] }), { [name]: "[redacted]" }, name)
    }
    assert.deepStrictEqual(redact({ seedling: "a", linkedAt: 1 }), { seedling: "a", linkedAt: 1 })
  })

  it("leaves ids, times, versions, amounts and paths as they are", () => {
    const readable = [
      "Payment pay_01jdkq3w0e8h2v5x7z9abcdefg is in review: amount_mismatch (rev_01jdkq3w0e8h2v5x7z9abcdefg_0a1b2c3d). An operator has to look.",
      "Operation op_01jdkq3w0e8h2v5x7z9abcdefg of evt_01jdkq3w0e8h2v5x7z9abcdefg, try 3; again in 300 s",
      "at run (file:///srv/app/node_modules/.pnpm/effect@4.1.0/node_modules/effect/dist/Effect.js:120:34)",
      "2026-11-22T10:15:42.123Z took 1700000000123 ns, 10000 INR",
      "https://api.vendor.example/v1/payments?limit=20&status=failed",
      "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
      "Authorization: Bearer <API key>."
    ]
    for (const text of readable) assert.strictEqual(redactText(text), text)
  })

  it("takes time in proportion to the text, whatever the text is", () => {
    const size = 200_000
    for (const unit of [
      "a",
      "1",
      "1 ",
      "a@",
      "@",
      "+1",
      "http",
      "://",
      ".",
      "-----BEGIN A-----",
      "cvv ",
      "eyJ",
      "%",
      "é",
      "a1_",
      `a${`1${"\u200b".repeat(8)}`.repeat(10)}`
    ]) {
      // Work that grows with the square would not end in the time that a test has.
      assert.isString(redactText(unit.repeat(Math.ceil(size / unit.length))))
    }
  })
})

describe("redact", () => {
  it("keeps the shape of plain data and cleans every text, number and name in it", () => {
    assert.deepStrictEqual(
      redact({ a: [1, "x asha@example.com", null, true], "asha@example.com": 1, n: 4111111111111111 }),
      {
        a: [1, "x [redacted]", null, true],
        "[redacted]": 1,
        n: "[redacted]"
      }
    )
  })

  it("leaves out what stands under a name for a secret or a payer, whatever it is", () => {
    const names = ["authorization", "Proxy-Authorization", "set-cookie", "api_key", "clientSecret", "access_token"]
    const people = ["email", "customer_email", "phone", "vpa", "cvv", "card_number"]
    for (const name of [...names, ...people]) {
      assert.deepStrictEqual(redact({ [name]: "x" }), { [name]: "[redacted]" }, name)
    }
  })

  it("prints errors with their causes, and shortens values that are endless or have no JSON", () => {
    const circle: { self?: unknown } = {}
    circle.self = circle
    const cause = new Error("from sk_live_51HxYzAbCdEfGhIjKl")
    const reported = JSON.stringify(redact({ circle, error: new Error("to asha@example.com", { cause }) }))
    assert.notInclude(reported, "asha@")
    assert.notInclude(reported, "51HxYz")
    assert.include(reported, "[circular]")
    assert.include(reported, "from sk_live_[redacted]")
    const odd = {
      map: new Map([["token", "x"]]),
      bytes: new Uint8Array(3),
      secret: Redacted.make("x"),
      call: () => 1,
      big: 1n
    }
    assert.deepStrictEqual(redact(odd), {
      map: { token: "[redacted]" },
      bytes: "[3 bytes]",
      secret: "[redacted]",
      call: "[function]",
      big: "1"
    })
    const throws = {
      toJSON: () => {
        throw new Error("no")
      }
    }
    assert.strictEqual(redact(throws), "[unreadable]")
  })

  it("limits depth and width", () => {
    let deep: unknown = "asha@example.com"
    for (let i = 0; i < 10_000; i++) deep = [deep]
    assert.include(JSON.stringify(redact(deep)), "[too deep]")
    const wide = redact(Array.from({ length: 1_000_000 }, (_, i) => i))
    assert.lengthOf(Array.isArray(wide) ? wide : [], 100)
  })
})

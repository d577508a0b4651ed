import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { canonicalJson, sha256 } from "../../../src/domain/sha256.ts"
import { fingerprintContent } from "../../../src/execution/begin/requests.ts"
import { decodeCreatePayment } from "../../../src/wire/CreatePaymentJson.ts"

const fingerprint = (body: unknown) =>
  Effect.flatMap(decodeCreatePayment(body), (payment) => sha256(canonicalJson(fingerprintContent(payment))))

const upi = {
  amount: 10_000,
  currency: "INR",
  payment_method: "upi",
  customer: { email: "asha@example.com", phone: "+919999999999" }
}
const card = {
  amount: 2_500,
  currency: "EUR",
  payment_method: "card",
  customer: { email: "a@b.co", phone: "+4915112345678", name: "A Payer" },
  client: { ip: "192.0.2.1", user_agent: "Mozilla/5.0" },
  metadata: { order_id: "1" }
}

describe("the digest of a request under an idempotency key", () => {
  it.effect("is the one that the release before the address and the device facts wrote", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* fingerprint(upi), "979aad7c148154057bcbf803065992b74df673b0139ab8f0c92579e8073b6550")
      assert.strictEqual(yield* fingerprint(card), "2f4278c21f67c65d2f6bd8c899db323b84b8a1a8216fc9c4f9171d94338c09ca")
    })
  )

  it.effect("is the same for a phone number with separators, and for fields that are null", () =>
    Effect.gen(function* () {
      const customer = { ...upi.customer, phone: "+91 (99999) 99999", name: null, address: null }
      assert.strictEqual(yield* fingerprint({ ...upi, customer }), yield* fingerprint(upi))
    })
  )

  it.effect("is another for each fact of the payer and of the device", () =>
    Effect.gen(function* () {
      const address = { line1: "1 Main Road", country: "IN" }
      const screen = { width: 1, height: 1, color_depth: 24 }
      const digests = yield* Effect.forEach(
        [
          card,
          { ...card, customer: { ...card.customer, address } },
          { ...card, customer: { ...card.customer, address: { ...address, line2: "Flat 3" } } },
          { ...card, customer: { email: "a@b.co", name: "A Payer" } },
          ...[{ accept_header: "*/*" }, { language: "de" }, { time_zone: "UTC" }, { screen }].map((change) => ({
            ...card,
            client: { ...card.client, ...change }
          }))
        ],
        fingerprint
      )
      assert.strictEqual(new Set(digests).size, digests.length)
    })
  )
})

import { assert, describe, it } from "@effect/vitest"
import { flow } from "../../src/domain/PaymentMethod.ts"
import type { Card } from "../../src/domain/PaymentMethod.ts"

const card = (tokens: Card["tokens"], token: string | null = null): Card => ({
  rail: "card",
  tokens,
  token,
  network: null,
  country: null,
  funding: null,
  bin: null,
  fingerprint: null
})

describe("the flow of a payment method", () => {
  it("is that of a token if the request contains one, for every provider or for one", () => {
    assert.strictEqual(flow(card({}, "tok_1")), "token")
    assert.strictEqual(flow(card({ a: "tok_a" })), "token")
  })

  it("is a hosted payment page for a card without a token; an inherited property is not a token", () => {
    assert.strictEqual(flow(card({})), "hosted")
    assert.strictEqual(flow(card(Object.create({ a: "tok_a" }))), "hosted")
  })

  it("is as requested for UPI, and a transfer for a stablecoin", () => {
    for (const requested of ["intent", "qr", "collect"] as const) {
      assert.strictEqual(flow({ rail: "upi", flow: requested, vpa: null }), requested)
    }
    assert.strictEqual(flow({ rail: "stablecoin", asset: null, network: null }), "transfer")
  })
})

/** The table of codes, row by row, at each request of a create. */
import { assert, describe, it } from "@effect/vitest"
import { Codes } from "@paymux/provider-kit"
import { codeTableTests } from "@paymux/testkit"
import { codes, wordOf } from "../src/codes.ts"
import { cashfree } from "../src/index.ts"
import { fake, s2sFake } from "../src/testing/fake.ts"
import { optionsOf } from "../src/testing/options.ts"

/** Words of ours, with the code and the beginning of the message that each has at Cashfree. */
const wordings: { readonly [word: string]: { readonly code: string; readonly message: string } } = {
  transactions_not_enabled: {
    code: "request_failed",
    message: "Transactions are not enabled for your payment gateway account"
  },
  payment_mode_not_enabled: { code: "request_failed", message: "Payment mode not configured for account" },
  currency_not_enabled: { code: "link_post_failed", message: "Currency USD is not enabled" }
}

const types = ["feature_not_enabled", "authentication_error", "idempotency_error"]

const answer = (row: string) => ({
  json: types.includes(row)
    ? { type: row, code: "request_failed", message: "not to be repeated" }
    : { type: "invalid_request_error", ...(wordings[row] ?? { code: row, message: "not to be repeated" }) }
})

codeTableTests("cashfree", {
  fake,
  make: (vendor) => cashfree(optionsOf(vendor)),
  requests: [{ flow: "hosted", codes, answer }]
})

codeTableTests("cashfree with Order Pay", {
  fake: s2sFake,
  make: (vendor) => cashfree({ ...optionsOf(vendor), s2s: true }),
  requests: (["intent", "qr"] as const).flatMap((flow) => [0, 1].map((after) => ({ flow, after, codes, answer })))
})

describe("codes", () => {
  it("that stand for several things have no row: the message decides for them, from its beginning", () => {
    for (const code of ["request_failed", "api_request_failed", "link_post_failed", "request_invalid"]) {
      assert.isNull(Codes.meaningOf(codes, code))
    }
    const { message = "" } = wordings["transactions_not_enabled"] ?? {}
    assert.strictEqual(wordOf("request_failed", message), "transactions_not_enabled")
    assert.isNull(wordOf("request_failed", `order_note: ${message}`))
    assert.isNull(wordOf("order_tags_invalid", message))
    assert.strictEqual(wordOf("request_failed", "POST/orders/pay is not enabled or approved."), "feature_not_enabled")
    assert.isNull(wordOf("request_failed", `${"x".repeat(61)} is not enabled or approved`))
    assert.strictEqual(wordOf("link_post_failed", "link_id already exists"), "link_already_exists")
  })

  it("the account's maximum for one payment is never remembered for other payments", () => {
    const kinds = [...codes.meanings].flatMap(([code, meaning]) =>
      meaning.class === "account_not_enabled" && meaning.about === "kind" ? [code] : []
    )
    assert.deepStrictEqual(kinds, [
      "feature_not_enabled",
      "s2s_enabled_not_approved",
      "PaymentLink_link_creation_api_failed",
      "transactions_not_enabled",
      "payment_mode_not_enabled",
      "payment_method_unsupported",
      "payment_gateway_unsupported",
      "currency_not_enabled"
    ])
  })
})

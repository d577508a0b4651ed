/** Each row of the table of codes, by every request of a create that it applies to. */
import { assert, it } from "@effect/vitest"
import { codeTableTests } from "@paymux/testkit"
import { codes, otherCodes, wordFor } from "../src/codes.ts"
import { razorpay } from "../src/index.ts"
import { fake } from "../src/testing/fake.ts"
import { optionsOf } from "../src/testing/options.ts"

/** Razorpay's descriptions of what has no reason of its own. */
const descriptions: { readonly [word: string]: ReadonlyArray<string> } = {
  endpoint_not_enabled: ["The requested URL was not found on the server."],
  upi_not_enabled: ["UPI transactions are not enabled for the merchant"],
  payment_links_not_enabled: [
    "Payment Links is not enabled for this account",
    "Payment links are not enabled for the merchant"
  ],
  live_mode_disabled: [
    "Invalid access: Cannot create a payment link in live mode, as live mode is disabled for merchant."
  ],
  merchant_suspended: ["Invalid access: Cannot create a payment link, as Merchant is Suspended."],
  extra_field_sent: [
    "payment is/are not required and should not be sent",
    "payment.capture_options, unique_receipt is/are not required and should not be sent."
  ],
  amount_above_account_limit: ["Amount exceeds maximum amount allowed.", "amount exceeds maximum amount allowed."],
  currency_not_supported: ["Currency is not supported"],
  bank_account_required: ["Account number is mandatory for this merchant"],
  api_key_invalid: [
    "The api key provided is invalid",
    "The api secret provided is invalid",
    "The api key/secret provided is invalid",
    "The API {key/secret} provided is invalid.",
    "Authentication failed",
    "Authentication failed."
  ],
  receipt_taken: ["Order receipt should be unique.", "An order with the same receipt value has already been created"],
  reference_id_taken: [
    "payment link creation with reference ID already attempted",
    "payment link with given reference_id: (op_1) already exists."
  ],
  already_captured: ["This payment has already been captured", "payment is already captured"],
  order_already_paid: [
    "Your payment has been declined as the order is already paid. Please initiate the payment with a new order."
  ],
  idempotency_key: ["Different request with the same idempotency key has already been processed."],
  idempotency_key_in_use: ["Another request with the same idempotency key is still in progress."]
}

it("every word is known by each wording, and each word is a code of the table", () => {
  for (const [word, wordings] of Object.entries(descriptions)) {
    assert.isTrue(codes.meanings.has(word), word)
    for (const wording of wordings) assert.strictEqual(wordFor(wording), word)
  }
})

const answer = (code: string) => {
  const [description] = descriptions[code] ?? []
  const error =
    description === undefined
      ? { description: "words of the vendor", reason: code }
      : { description, reason: "input_validation_failed" }
  return {
    json: {
      error: { code: "BAD_REQUEST_ERROR", ...error, source: "business", step: "payment_initiation", metadata: {} }
    }
  }
}

const request = { codes: otherCodes, answer }

codeTableTests("razorpay", {
  fake,
  make: (vendor) => razorpay({ ...optionsOf(vendor), allowCollect: true }),
  requests: [
    { ...request, flow: "hosted" },
    { ...request, flow: "intent" },
    { ...request, flow: "intent", codes, after: 1 },
    { ...request, flow: "qr" },
    { ...request, flow: "collect", codes, after: 1 }
  ]
})

codeTableTests("razorpay with its QR objects", {
  fake,
  make: (vendor) => razorpay({ ...optionsOf(vendor), qr: "qr_code" }),
  requests: [{ ...request, flow: "qr" }]
})

/** All of Acme's codes, as data. A code that is not listed means what its HTTP status means, and is never a decline. */
import { Codes } from "@paymux/provider-kit"

export const codes = Codes.table({
  // Each with the retry that may help: none, another provider, or the same one later.
  declined: {
    account_closed: { code: "account_closed", retry: "never" },
    do_not_honor: { code: "do_not_honor", retry: "other_provider" },
    insufficient_funds: { code: "insufficient_funds", retry: "same_later" },
    issuer_down: { code: "issuer_unavailable", retry: "other_provider" },
    over_limit: { code: "limit_exceeded", retry: "same_later" },
    payer_rejected: { code: "customer_canceled", retry: "same_later" },
    suspected_fraud: { code: "suspected_fraud", retry: "never" },
    // Of captures and refunds.
    amount_exceeds: { code: "processing_error", retry: "never" }
  },
  duplicate: ["key_reused"],
  accountNotEnabled: {
    method_not_enabled: {
      about: "kind",
      help: "Ask Acme to enable the payment method for your account.",
      source: "Acme's API reference, Errors: the request is rejected before a payment is made"
    }
  },
  credentials: ["merchant_suspended"]
})

/** For inquiries: a refusal is about the inquiry and declines no payment. */
export const inquiryCodes = Codes.withoutDeclines(codes)

/** Codes of which Acme documents that nothing was executed. */
export const proofCodes = ["payment_not_started"]

/** Northbank's codes, as data. A code that is not listed means what its HTTP status means, and is never a decline. */
import { Codes } from "@paymux/provider-kit"

export const codes = Codes.table({
  declined: {
    authentication_abandoned: { code: "authentication_failed", retry: "same_later" },
    bank_offline: { code: "issuer_unavailable", retry: "other_provider" },
    card_expired: { code: "expired_card", retry: "never" },
    insufficient_balance: { code: "insufficient_funds", retry: "same_later" },
    payer_canceled: { code: "customer_canceled", retry: "same_later" },
    refused_by_bank: { code: "do_not_honor", retry: "other_provider" },
    risk_blocked: { code: "suspected_fraud", retry: "never" },
    // Of refunds and cancels.
    order_closed: { code: "not_permitted", retry: "never" },
    refund_exceeds_order: { code: "not_permitted", retry: "never" }
  },
  accountNotEnabled: {
    currency_not_enabled: {
      about: "kind",
      help: "Ask Northbank to enable the currency for your account.",
      source: "Northbank's API reference, Errors: no order is opened"
    },
    foreign_card_not_enabled: {
      about: "payment",
      help: "Ask Northbank to enable cards of other countries for your account.",
      source: "Northbank's API reference, Errors: the session is not started, and the order is not paid"
    }
  }
})

/** For requests that only read: a refusal is about the request and declines no payment. */
export const readCodes = Codes.withoutDeclines(codes)

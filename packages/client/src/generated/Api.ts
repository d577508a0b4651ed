/**
 * Written by openapi-typescript from the OpenAPI document that a server serves: `pnpm client-types`. Not to be edited.
 */
/* oxlint-disable max-lines */
export interface components {
  schemas: {
    readonly Event: {
      /** @enum {string} */
      readonly type:
        | "payment.pending"
        | "payment.authorized"
        | "payment.succeeded"
        | "payment.failed"
        | "payment.canceled"
        | "payment.disputed"
        | "payment.capture_failed"
        | "payment.late_reversed"
        | "refund.pending"
        | "refund.succeeded"
        | "refund.failed"
      readonly timestamp: string
      readonly data: {
        readonly id: string
        readonly sequence: number
        readonly payment: components["schemas"]["Payment"]
        readonly refund?: components["schemas"]["Refund"]
      }
    }
    readonly Refund: {
      readonly id: string
      /** @enum {string} */
      readonly object: "refund"
      readonly livemode: boolean
      /** @description The payment it gives back. */
      readonly payment: string
      /** @enum {string} */
      readonly status: "pending" | "succeeded" | "failed"
      readonly amount: number
      readonly currency: string
      readonly reason: string | null
      readonly failure: {
        /** @enum {string} */
        readonly code:
          | "insufficient_funds"
          | "do_not_honor"
          | "expired_card"
          | "incorrect_cvc"
          | "invalid_number"
          | "authentication_required"
          | "authentication_failed"
          | "lost_or_stolen"
          | "suspected_fraud"
          | "limit_exceeded"
          | "not_permitted"
          | "issuer_unavailable"
          | "processing_error"
          | "customer_canceled"
          | "customer_timeout"
          | "invalid_vpa"
          | "incorrect_pin"
          | "account_closed"
          | "unsupported"
          | "generic_decline"
          | "provider_unavailable"
          | "request_rejected"
          | "provider_misconfigured"
          | "authorization_expired"
        readonly message: string
        readonly retryable: boolean
      } | null
      readonly provider: string
      /**
       * Format: date-time
       * @description RFC 3339, UTC
       */
      readonly created_at: string
      readonly ended_at: string | null
    }
    readonly Payment: {
      readonly id: string
      /** @enum {string} */
      readonly object: "payment"
      readonly livemode: boolean
      /** @enum {string} */
      readonly status: "pending" | "authorized" | "succeeded" | "failed" | "canceled"
      readonly pending_reason:
        | ("awaiting_customer" | "processing" | "outcome_unknown" | "awaiting_finality" | "needs_review")
        | null
      readonly amount: number
      readonly amount_captured: number
      readonly amount_refunded: number
      readonly amount_received?: number
      readonly currency: string
      /** @enum {string} */
      readonly payment_method: "upi" | "card" | "stablecoin"
      readonly payment_method_details: {
        readonly upi?: {
          /** @enum {string} */
          readonly flow: "intent" | "qr" | "collect"
          readonly vpa?: string
        }
        readonly card?: {
          readonly network: string | null
          readonly country: string | null
          readonly funding: string | null
          readonly bin: string | null
        }
        readonly stablecoin?: {
          readonly asset: string | null
          readonly network: string | null
        }
      }
      /** @enum {string} */
      readonly capture_method: "automatic" | "manual"
      readonly description: string | null
      readonly customer: {
        readonly email: string
        readonly phone: string
        readonly name: string | null
      }
      readonly metadata: {
        readonly [key: string]: string
      }
      readonly return_url: string | null
      readonly next_action:
        | {
            /** @enum {string} */
            readonly type: "upi_intent"
            readonly uri: string
            readonly expires_at: string | null
          }
        | {
            /** @enum {string} */
            readonly type: "upi_qr"
            readonly payload?: string
            readonly image?: string
            readonly expires_at: string | null
          }
        | {
            /** @enum {string} */
            readonly type: "redirect"
            readonly url: string
            readonly expires_at: string | null
          }
        | {
            /** @enum {string} */
            readonly type: "stablecoin_transfer"
            readonly address: string
            readonly uri: string
            readonly amount: string
            readonly image?: string
            readonly expires_at: string | null
          }
        | {
            /** @enum {string} */
            readonly type: "wait"
            readonly expires_at: string | null
          }
        | null
      readonly failure: {
        /** @enum {string} */
        readonly code:
          | "insufficient_funds"
          | "do_not_honor"
          | "expired_card"
          | "incorrect_cvc"
          | "invalid_number"
          | "authentication_required"
          | "authentication_failed"
          | "lost_or_stolen"
          | "suspected_fraud"
          | "limit_exceeded"
          | "not_permitted"
          | "issuer_unavailable"
          | "processing_error"
          | "customer_canceled"
          | "customer_timeout"
          | "invalid_vpa"
          | "incorrect_pin"
          | "account_closed"
          | "unsupported"
          | "generic_decline"
          | "provider_unavailable"
          | "request_rejected"
          | "provider_misconfigured"
          | "authorization_expired"
        readonly message: string
        readonly retryable: boolean
      } | null
      readonly review: {
        readonly reason: string
      } | null
      readonly late?: boolean
      /**
       * Format: date-time
       * @description RFC 3339, UTC
       */
      readonly disputed_at?: string
      readonly provider: string
      readonly routing: {
        readonly rule: string
        readonly ruleset: string
        readonly reason: string
      }
      readonly attempts: readonly {
        readonly seq: number
        readonly provider: string
        readonly status: string
        readonly reason: string
        readonly code: string | null
        readonly vendor_code: string | null
        /**
         * @description Its money is not the payment's, and is given back: how far that is.
         * @enum {string}
         */
        readonly reversal?: "pending" | "succeeded" | "failed"
        /**
         * Format: date-time
         * @description RFC 3339, UTC
         */
        readonly started_at: string
        readonly ended_at: string | null
      }[]
      /** @description Captures and cancels that were asked for. */
      readonly operations: readonly {
        readonly id: string
        /** @enum {string} */
        readonly kind: "capture" | "cancel"
        /** @enum {string} */
        readonly status: "pending" | "succeeded" | "failed"
        readonly amount: number
        readonly code: string | null
        /**
         * Format: date-time
         * @description RFC 3339, UTC
         */
        readonly created_at: string
        readonly ended_at: string | null
      }[]
      readonly version: number
      /**
       * Format: date-time
       * @description RFC 3339, UTC
       */
      readonly created_at: string
      /**
       * Format: date-time
       * @description RFC 3339, UTC
       */
      readonly updated_at: string
    }
    readonly Health: {
      /** @enum {string} */
      readonly status: "ok"
    }
    readonly RefundList: {
      /** @enum {string} */
      readonly object: "list"
      readonly data: readonly components["schemas"]["Refund"][]
      /** @enum {boolean} */
      readonly has_more: false
      readonly next_cursor: null
    }
    readonly CreateRefund: {
      /** @description Smallest unit of the payment's currency. Absent: all that is left. */
      readonly amount?: number
      readonly reason?: string | null
    }
    readonly CapturePayment: {
      /** @description Smallest unit of the payment's currency. Absent: all that is left. */
      readonly amount?: number
    }
    readonly PaymentList: {
      /** @enum {string} */
      readonly object: "list"
      readonly data: readonly components["schemas"]["Payment"][]
      /** @description More lie beyond this page, in the direction that was asked for. */
      readonly has_more: boolean
      /** @description For the same parameter again: `starting_after`, or `ending_before`. */
      readonly next_cursor: string | null
    }
    readonly CreatePayment: {
      /** @description Smallest unit of the currency: 10000 is ₹100.00 */
      readonly amount: number
      readonly currency: string
      /** @enum {string} */
      readonly payment_method: "upi" | "card" | "stablecoin"
      readonly description?: string | null
      readonly customer: {
        readonly email: string
        readonly phone: string
        readonly name?: string | null
      }
      readonly metadata?: {
        readonly [key: string]: string
      }
      /** @enum {string} */
      readonly capture_method?: "automatic" | "manual"
      readonly return_url?: string | null
      readonly client?: {
        readonly ip?: string
        readonly user_agent?: string
        readonly referer?: string
      }
      readonly payment_method_details?: {
        readonly upi?: {
          /** @enum {string} */
          readonly flow?: "intent" | "qr" | "collect"
          readonly vpa?: string | null
        }
        readonly card?: {
          readonly token?: string | null
          readonly tokens?: {
            readonly [key: string]: string | Record<string, unknown>
          }
          readonly network?: string | null
          readonly country?: string | null
          readonly funding?: ("credit" | "debit" | "prepaid" | "unknown") | null
          readonly bin?: string | null
          readonly fingerprint?: string | null
        }
        readonly stablecoin?: {
          readonly asset?: string
          readonly network?: string
        }
      }
    }
    /** @description RFC 9457. Decide by `code`; `detail` is for people. */
    readonly Problem: {
      /** Format: uri-reference */
      readonly type: string
      readonly title: string
      readonly status: number
      readonly detail: string
      /** @enum {string} */
      readonly code:
        | "invalid_request"
        | "invalid_json"
        | "raw_card_data_not_accepted"
        | "idempotency_key_invalid"
        | "webhook_stale"
        | "unauthorized"
        | "webhook_signature_invalid"
        | "not_found"
        | "method_not_allowed"
        | "request_timeout"
        | "idempotency_in_flight"
        | "operation_in_flight"
        | "operation_not_supported"
        | "payload_too_large"
        | "unsupported_media_type"
        | "idempotency_key_reused"
        | "no_route"
        | "card_not_retried"
        | "rate_limited"
        | "headers_too_large"
        | "internal"
        | "no_provider_available"
        | "service_unavailable"
      readonly errors: readonly {
        /** @description JSON pointer into the body, or the name of a parameter. */
        readonly pointer: string
        readonly message: string
      }[]
      readonly request_id: string
    }
  }
  responses: never
  parameters: never
  requestBodies: never
  headers: never
  pathItems: never
}
export interface ListPaymentsQuery {
  /** @description How many payments a page has at most. */
  readonly limit?: number
  /** @description A `next_cursor`: what comes after it. Newest first. */
  readonly starting_after?: string
  /** @description A cursor: what comes before it. Not beside `starting_after`. */
  readonly ending_before?: string
  /** @description Repeated values mean any of them. */
  readonly status?: readonly ("pending" | "authorized" | "succeeded" | "failed" | "canceled")[]
  /** @description Repeated values mean any of them. */
  readonly payment_method?: readonly ("upi" | "card" | "stablecoin")[]
  /** @description Repeated values mean any of them. */
  readonly currency?: readonly string[]
  /** @description Repeated values mean any of them. */
  readonly provider?: readonly string[]
  /** @description Repeated values mean any of them. */
  readonly customer_email?: readonly string[]
  /** @description Exclusive. RFC 3339 with a zone. */
  readonly created_after?: string
  /** @description Exclusive. RFC 3339 with a zone. */
  readonly created_before?: string
  /** @description As `metadata[order_id]=42`. */
  readonly metadata?: {
    readonly [key: string]: string
  }
}

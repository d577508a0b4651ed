/**
 * Written by openapi-typescript from the OpenAPI document that a server serves: `pnpm client-types`. Not to be edited.
 */
/* oxlint-disable max-lines */
export interface components {
  schemas: {
    readonly Event: {
      /**
       * @description What happened.
       * @enum {string}
       */
      readonly type:
        | "payment.pending"
        | "payment.authorized"
        | "payment.succeeded"
        | "payment.failed"
        | "payment.canceled"
        | "payment.disputed"
        | "payment.capture_failed"
        | "payment.late_reversed"
        | "payment.review_opened"
        | "payment.review_resolved"
        | "refund.pending"
        | "refund.succeeded"
        | "refund.failed"
      /** @description RFC 3339, UTC. When it happened. */
      readonly timestamp: string
      /** @description What it happened to. */
      readonly data: {
        /** @description The event's id, the same on every try: what you have seen before, you have seen. */
        readonly id: string
        /** @description Of this payment's events, from 1 and without a gap. */
        readonly sequence: number
        /** @description As it stood after the change. */
        readonly payment: components["schemas"]["Payment"]
        /** @description Only of `refund.*`. */
        readonly refund?: components["schemas"]["Refund"]
        /** @description Only of `payment.review_opened` and `payment.review_resolved`: the review, as the payment shows it while it is open. */
        readonly review?: {
          /** @description `rev_…`; the same for as long as the review is open. */
          readonly id: string
          /**
           * @description Why it is open: `duplicate_capture`, `late_success`, `excess_capture` and `late_authorization` name money or a hold that the payment does not want, `inquiries_exhausted` an unknown outcome.
           * @enum {string}
           */
          readonly reason:
            | "amount_mismatch"
            | "excess_capture"
            | "excess_refund"
            | "duplicate_capture"
            | "late_success"
            | "late_authorization"
            | "reference_conflict"
            | "unreadable_report"
            | "inquiries_exhausted"
            | "close_failed"
            | "capture_failed"
            | "paid_after_close"
            | "contradiction"
          /** @description The provider instance that has the money. */
          readonly provider: string
          /** @description The provider's reference of the charge, capture or refund in question. `null`: the provider reported none. */
          readonly reference: string | null
          /** @description The operation in question, `op_…`. `null`: no operation of the payment asked for it. */
          readonly operation: string | null
          /** @description How much is in question, in the smallest unit of its `currency`. */
          readonly amount: number
          /** @description ISO 4217, as the provider reported it: it may differ from the payment's. */
          readonly currency: string
          /**
           * Format: date-time
           * @description RFC 3339, UTC. When the review was opened.
           */
          readonly since: string
          /** @description Only of `payment.review_resolved`: how an operator resolved the review. `null`: later reports settled it. */
          readonly resolution?: ("succeeded" | "not_done" | "given_back" | "dismissed") | null
        }
      }
    }
    readonly Refund: {
      /** @description `re_` and 26 characters that sort by time. */
      readonly id: string
      /**
       * @description What this is.
       * @enum {string}
       */
      readonly object: "refund"
      /** @description `false`: made with a test key; no money moved. */
      readonly livemode: boolean
      /** @description The payment it gives back. */
      readonly payment: string
      /**
       * @description `failed`: nothing was given back; see `failure`.
       * @enum {string}
       */
      readonly status: "pending" | "succeeded" | "failed"
      /** @description In the smallest unit of the currency: 10000 is ₹100.00, $100.00 or ¥10000. */
      readonly amount: number
      /** @description ISO 4217, in capitals. The payment's. */
      readonly currency: string
      /** @description As it was sent. */
      readonly reason: string | null
      /** @description Only where it failed. */
      readonly failure: {
        /**
         * @description The same codes for every provider.
         * @enum {string}
         */
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
        /** @description For people; it may change. */
        readonly message: string
        /** @description Whether a new refund makes sense. */
        readonly retryable: boolean
      } | null
      /** @description The provider instance, as it is named in the configuration of the server. */
      readonly provider: string
      /**
       * Format: date-time
       * @description RFC 3339, UTC.
       */
      readonly created_at: string
      /** @description RFC 3339, UTC. `null`: it has not ended. */
      readonly ended_at: string | null
    }
    readonly Payment: {
      /** @description `pay_` and 26 characters that sort by time. */
      readonly id: string
      /**
       * @description What this is.
       * @enum {string}
       */
      readonly object: "payment"
      /** @description `false`: made with a test key; no money moved. */
      readonly livemode: boolean
      /**
       * @description `succeeded`, `failed` and `canceled` are the end, but for money that comes late. `authorized`: the money is held, and waits for a capture.
       * @enum {string}
       */
      readonly status: "pending" | "authorized" | "succeeded" | "failed" | "canceled"
      /** @description Only while it is pending. `outcome_unknown`: a provider has not said what became of it; it is asked until it is known. */
      readonly pending_reason:
        | ("awaiting_customer" | "processing" | "outcome_unknown" | "awaiting_finality" | "needs_review")
        | null
      /** @description In the smallest unit of the currency: 10000 is ₹100.00, $100.00 or ¥10000. */
      readonly amount: number
      /** @description What was taken of it. */
      readonly amount_captured: number
      /** @description What was given back of it. */
      readonly amount_refunded: number
      /** @description What arrived, where that can differ from the amount (stablecoin). */
      readonly amount_received?: number
      /** @description ISO 4217, in capitals. */
      readonly currency: string
      /**
       * @description How the payer pays.
       * @enum {string}
       */
      readonly payment_method: "upi" | "card" | "stablecoin"
      /** @description Under the name of the payment method, what is known of it. Tokens are not shown. */
      readonly payment_method_details: {
        /** @description Of a UPI payment. */
        readonly upi?: {
          /**
           * @description `intent`: a link that opens a UPI app. `qr`: a code to scan. `collect`: the payer's app asks.
           * @enum {string}
           */
          readonly flow: "intent" | "qr" | "collect"
          /** @description The payer's UPI id. */
          readonly vpa?: string
        }
        /** @description Of a card payment. */
        readonly card?: {
          /** @description In small letters, such as `visa` or `mastercard`. It decides the limit of declines. */
          readonly network: string | null
          /** @description Of the issuer: ISO 3166, two capitals. For routing. */
          readonly country: string | null
          /** @description For routing. */
          readonly funding: string | null
          /** @description The first six to eight digits. For routing. */
          readonly bin: string | null
        }
        /** @description Of a stablecoin payment. */
        readonly stablecoin?: {
          /** @description The coin, such as `USDC`. */
          readonly asset: string | null
          /** @description The chain, such as `base`. */
          readonly network: string | null
        }
      }
      /**
       * @description As it was asked for.
       * @enum {string}
       */
      readonly capture_method: "automatic" | "manual"
      /** @description As it was sent. */
      readonly description: string | null
      /** @description As it was sent. */
      readonly customer: {
        /** @description The payer's e-mail address. */
        readonly email: string
        /** @description The payer's phone, with `+` and country code. */
        readonly phone: string
        /** @description The payer's name. */
        readonly name: string | null
      }
      /** @description As it was sent. */
      readonly metadata: {
        readonly [key: string]: string
      }
      /** @description As it was sent. */
      readonly return_url: string | null
      /** @description What the payer has to do next; by its `type`. `null`: nothing. */
      readonly next_action:
        | {
            /**
             * @description `upi_intent`: open `uri` on the payer's phone. `upi_qr`: show `payload` as a code, or `image`. `redirect`: send the payer to `url`. `stablecoin_transfer`: have `amount` sent to `address`. `wait`: the payer was asked elsewhere.
             * @enum {string}
             */
            readonly type: "upi_intent"
            /** @description A link that opens the payer's app or wallet. */
            readonly uri: string
            /** @description RFC 3339, UTC. `null`: the provider sets no time. */
            readonly expires_at: string | null
          }
        | {
            /**
             * @description `upi_intent`: open `uri` on the payer's phone. `upi_qr`: show `payload` as a code, or `image`. `redirect`: send the payer to `url`. `stablecoin_transfer`: have `amount` sent to `address`. `wait`: the payer was asked elsewhere.
             * @enum {string}
             */
            readonly type: "upi_qr"
            /** @description The text of the code. */
            readonly payload?: string
            /** @description A picture of the code: an address, or `data:`. */
            readonly image?: string
            /** @description RFC 3339, UTC. `null`: the provider sets no time. */
            readonly expires_at: string | null
          }
        | {
            /**
             * @description `upi_intent`: open `uri` on the payer's phone. `upi_qr`: show `payload` as a code, or `image`. `redirect`: send the payer to `url`. `stablecoin_transfer`: have `amount` sent to `address`. `wait`: the payer was asked elsewhere.
             * @enum {string}
             */
            readonly type: "redirect"
            /** @description A page of the provider. It sends the payer back to this server, and on to `return_url`. */
            readonly url: string
            /** @description RFC 3339, UTC. `null`: the provider sets no time. */
            readonly expires_at: string | null
          }
        | {
            /**
             * @description `upi_intent`: open `uri` on the payer's phone. `upi_qr`: show `payload` as a code, or `image`. `redirect`: send the payer to `url`. `stablecoin_transfer`: have `amount` sent to `address`. `wait`: the payer was asked elsewhere.
             * @enum {string}
             */
            readonly type: "stablecoin_transfer"
            /** @description Of this payment alone. */
            readonly address: string
            /** @description A link that opens the payer's app or wallet. */
            readonly uri: string
            /** @description Decimal text in units of the coin, such as `12.50`. */
            readonly amount: string
            /** @description A picture of the code: an address, or `data:`. */
            readonly image?: string
            /** @description RFC 3339, UTC. `null`: the provider sets no time. */
            readonly expires_at: string | null
          }
        | {
            /**
             * @description `upi_intent`: open `uri` on the payer's phone. `upi_qr`: show `payload` as a code, or `image`. `redirect`: send the payer to `url`. `stablecoin_transfer`: have `amount` sent to `address`. `wait`: the payer was asked elsewhere.
             * @enum {string}
             */
            readonly type: "wait"
            /** @description RFC 3339, UTC. `null`: the provider sets no time. */
            readonly expires_at: string | null
          }
        | null
      /** @description Only where it failed. */
      readonly failure: {
        /**
         * @description The same codes for every provider.
         * @enum {string}
         */
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
        /** @description For people; it may change. */
        readonly message: string
        /** @description Whether a new payment makes sense. */
        readonly retryable: boolean
      } | null
      /** @description Captured in excess of the payment and not returned yet, at all its providers together. Absent: nothing is. It is not part of `amount_captured`. */
      readonly overpayment?: number
      /** @description What an operator has to resolve: one review for each charge or operation in question. Empty: nothing. */
      readonly reviews: readonly {
        /** @description `rev_…`; the same for as long as the review is open. */
        readonly id: string
        /**
         * @description Why it is open: `duplicate_capture`, `late_success`, `excess_capture` and `late_authorization` name money or a hold that the payment does not want, `inquiries_exhausted` an unknown outcome.
         * @enum {string}
         */
        readonly reason:
          | "amount_mismatch"
          | "excess_capture"
          | "excess_refund"
          | "duplicate_capture"
          | "late_success"
          | "late_authorization"
          | "reference_conflict"
          | "unreadable_report"
          | "inquiries_exhausted"
          | "close_failed"
          | "capture_failed"
          | "paid_after_close"
          | "contradiction"
        /** @description The provider instance that has the money. */
        readonly provider: string
        /** @description The provider's reference of the charge, capture or refund in question. `null`: the provider reported none. */
        readonly reference: string | null
        /** @description The operation in question, `op_…`. `null`: no operation of the payment asked for it. */
        readonly operation: string | null
        /** @description How much is in question, in the smallest unit of its `currency`. */
        readonly amount: number
        /** @description ISO 4217, as the provider reported it: it may differ from the payment's. */
        readonly currency: string
        /**
         * Format: date-time
         * @description RFC 3339, UTC. When the review was opened.
         */
        readonly since: string
      }[]
      /** @description `true`: the money came after the payment had failed. */
      readonly late?: boolean
      /**
       * Format: date-time
       * @description RFC 3339, UTC. When the payer first disputed it.
       */
      readonly disputed_at?: string
      /** @description The provider instance that took the money, else the latest that was tried. */
      readonly provider: string
      /** @description Why the providers were tried in this order. */
      readonly routing: {
        /** @description The rule that decided; `default` without one. */
        readonly rule: string
        /** @description The digest of the rules that were in force. */
        readonly ruleset: string
        /** @description How the rule chose, such as `priority` or `split`. */
        readonly reason: string
      }
      /** @description What was tried, first to last: one for each provider that was asked. */
      readonly attempts: readonly {
        /** @description From 1. */
        readonly seq: number
        /** @description The provider instance, as it is named in the configuration of the server. */
        readonly provider: string
        /** @description How the attempt stands. `not_executed`: proven that nothing was done, so the next provider was asked. */
        readonly status: string
        /** @description Why this provider was the one. */
        readonly reason: string
        /** @description Why it failed, by the codes of `failure`. */
        readonly code: string | null
        /** @description The provider's own code. */
        readonly vendor_code: string | null
        /**
         * @description Its money is not the payment's, and is given back: how far that is.
         * @enum {string}
         */
        readonly reversal?: "pending" | "succeeded" | "failed"
        /**
         * Format: date-time
         * @description RFC 3339, UTC.
         */
        readonly started_at: string
        /** @description RFC 3339, UTC. `null`: it has not ended. */
        readonly ended_at: string | null
      }[]
      /** @description Captures and cancels that were asked for. */
      readonly operations: readonly {
        /** @description `op_` and 26 characters that sort by time. */
        readonly id: string
        /**
         * @description What was asked for.
         * @enum {string}
         */
        readonly kind: "capture" | "cancel"
        /**
         * @description How it stands.
         * @enum {string}
         */
        readonly status: "pending" | "succeeded" | "failed"
        /** @description In the smallest unit of the currency: 10000 is ₹100.00, $100.00 or ¥10000. */
        readonly amount: number
        /** @description Why it failed, by the codes of `failure`. */
        readonly code: string | null
        /**
         * Format: date-time
         * @description RFC 3339, UTC.
         */
        readonly created_at: string
        /** @description RFC 3339, UTC. `null`: it has not ended. */
        readonly ended_at: string | null
      }[]
      /** @description Grows with every change: of two copies, the greater is the newer. */
      readonly version: number
      /**
       * Format: date-time
       * @description RFC 3339, UTC.
       */
      readonly created_at: string
      /**
       * Format: date-time
       * @description RFC 3339, UTC.
       */
      readonly updated_at: string
    }
    readonly Health: {
      /**
       * @description It answers.
       * @enum {string}
       */
      readonly status: "ok"
    }
    readonly RefundList: {
      /**
       * @description What this is.
       * @enum {string}
       */
      readonly object: "list"
      /** @description Newest first: all of them. */
      readonly data: readonly components["schemas"]["Refund"][]
      /**
       * @description `false`: a payment's refunds are one page.
       * @enum {boolean}
       */
      readonly has_more: false
      /** @description `null`. */
      readonly next_cursor: null
    }
    readonly CreateRefund: {
      /** @description Smallest unit of the payment's currency. Absent: all that is left. */
      readonly amount?: number
      /** @description Your own words, kept with the refund; some providers are told. */
      readonly reason?: string | null
    }
    readonly CapturePayment: {
      /** @description Smallest unit of the payment's currency. Absent: all that is left. */
      readonly amount?: number
    }
    readonly PaymentList: {
      /**
       * @description What this is.
       * @enum {string}
       */
      readonly object: "list"
      /** @description Newest first. */
      readonly data: readonly components["schemas"]["Payment"][]
      /** @description More lie beyond this page, in the direction that was asked for. */
      readonly has_more: boolean
      /** @description For the same parameter again: `starting_after`, or `ending_before`. */
      readonly next_cursor: string | null
    }
    readonly CreatePayment: {
      /** @description In the smallest unit of the currency: 10000 is ₹100.00, $100.00 or ¥10000. */
      readonly amount: number
      /** @description ISO 4217, in capitals. UPI takes INR. */
      readonly currency: string
      /**
       * @description How the payer pays.
       * @enum {string}
       */
      readonly payment_method: "upi" | "card" | "stablecoin"
      /** @description Your own words, kept with the payment; some providers show them to the payer. */
      readonly description?: string | null
      /** @description Who pays. */
      readonly customer: {
        /** @description The payer's e-mail address. */
        readonly email: string
        /** @description International: `+` and the country code, then digits only, such as `+919999999999`. */
        readonly phone: string
        /** @description Some providers need it. */
        readonly name?: string | null
      }
      /** @description Your own keys (1 to 40 characters) and values, kept with the payment and sent with its events. No card data, no secrets. */
      readonly metadata?: {
        readonly [key: string]: string
      }
      /**
       * @description `manual`: hold the money until it is captured; where the provider can. Default: `automatic`.
       * @enum {string}
       */
      readonly capture_method?: "automatic" | "manual"
      /** @description Where the payer comes back to from a provider's page, with `payment_id` in its query. `https` and a public host; in test mode `http://localhost`, too. */
      readonly return_url?: string | null
      /** @description The payer's device as you saw it. Some providers need it, and are left out without it. */
      readonly client?: {
        /** @description IPv4 or IPv6. */
        readonly ip?: string
        /** @description The header `User-Agent` of the payer's browser. */
        readonly user_agent?: string
        /** @description The page that the payer came from. */
        readonly referer?: string
      }
      /** @description More of the payment method: only what belongs to `payment_method`. */
      readonly payment_method_details?: {
        /** @description Default: an intent link. */
        readonly upi?: {
          /**
           * @description `intent`: a link that opens a UPI app. `qr`: a code to scan. `collect`: the payer's app asks.
           * @enum {string}
           */
          readonly flow?: "intent" | "qr" | "collect"
          /** @description The payer's UPI id, such as `name@bank`. It alone means `collect`. */
          readonly vpa?: string | null
        }
        /** @description Without a token the payer enters the card on a page of the provider. */
        readonly card?: {
          /** @description What the provider's form in the browser gave you; for every provider that `tokens` does not name. */
          readonly token?: string | null
          /** @description By provider instance, each one's own token: what failover between card providers needs. */
          readonly tokens?: {
            readonly [key: string]: string | Record<string, unknown>
          }
          /** @description In small letters, such as `visa` or `mastercard`. It decides the limit of declines. */
          readonly network?: string | null
          /** @description Of the issuer: ISO 3166, two capitals. For routing. */
          readonly country?: string | null
          /** @description For routing. */
          readonly funding?: ("credit" | "debit" | "prepaid" | "unknown") | null
          /** @description The first six to eight digits. For routing. */
          readonly bin?: string | null
          /** @description Your name of this card, the same under all of its tokens: declines are counted by it. Neither a card number nor a digest of one. */
          readonly fingerprint?: string | null
        }
        /** @description Default: a coin that a provider has for the currency. */
        readonly stablecoin?: {
          /** @description In capitals, such as `USDC`. */
          readonly asset?: string
          /** @description In small letters, such as `base` or `ethereum`. */
          readonly network?: string
        }
      }
    }
    readonly SimulatePayment: {
      /**
       * @description What happens. `authorized` is of cards; `exact`, `under`, `over`, `wrong_asset` and `reorg` are transfers of stablecoins.
       * @enum {string}
       */
      readonly outcome:
        | "succeeded"
        | "authorized"
        | "failed"
        | "expired"
        | "exact"
        | "under"
        | "over"
        | "wrong_asset"
        | "reorg"
      /**
       * @description Why it is declined; only with `failed`.
       * @enum {string}
       */
      readonly code?:
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
    }
    /** @description RFC 9457. Decide by `code`; `detail` is for people. */
    readonly Problem: {
      /**
       * Format: uri-reference
       * @description A page of this server that explains the code.
       */
      readonly type: string
      /** @description The same for every problem of this code. */
      readonly title: string
      /** @description That of the answer. */
      readonly status: number
      /** @description What was wrong this time; for people. It never repeats a value of the request. */
      readonly detail: string
      /**
       * @description What programs decide by.
       * @enum {string}
       */
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
        | "overloaded"
        | "service_unavailable"
      /** @description Every fault of the request, where there are several or one with a place. */
      readonly errors: readonly {
        /** @description JSON pointer into the body, or the name of a parameter. */
        readonly pointer: string
        /** @description What is wrong there; for people. */
        readonly message: string
      }[]
      /** @description Finds the request in the logs; also the header `Request-Id`. */
      readonly request_id: string
      /** @description Of the request's trace; only where the server traces. */
      readonly trace_id?: string
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
  /** @description As `metadata[order_id]=42`. Quick for the keys that the server has an index of (`indexedMetadata`); by default `order_id`. */
  readonly metadata?: {
    readonly [key: string]: string
  }
}

/**
 * Written by openapi-typescript from the OpenAPI document that a server serves: `pnpm generate`. Not to be edited.
 */
/* oxlint-disable max-lines */
export interface components {
  schemas: {
    readonly Event: {
      /**
       * @description The type of the event.
       * @enum {string}
       */
      readonly type:
        | "payment.pending"
        | "payment.authorized"
        | "payment.succeeded"
        | "payment.failed"
        | "payment.canceled"
        | "payment.disputed"
        | "payment.dispute_closed"
        | "payment.capture_failed"
        | "payment.late_reversed"
        | "payment.review_opened"
        | "payment.review_resolved"
        | "refund.pending"
        | "refund.succeeded"
        | "refund.failed"
      /**
       * Format: date-time
       * @description RFC 3339, UTC. When it happened.
       */
      readonly timestamp: string
      /** @description The payment, and the object that changed. */
      readonly data: {
        /** @description The event's id, the same in every delivery attempt: ignore an id that you have processed. */
        readonly id: string
        /** @description The number of the payment's event, from 1 without gaps. */
        readonly sequence: number
        /** @description The payment after the change. */
        readonly payment: components["schemas"]["Payment"]
        /** @description Only with `refund.*`. */
        readonly refund?: components["schemas"]["Refund"]
        /** @description Only with `payment.disputed` and `payment.dispute_closed`: the dispute, as the payment shows it. */
        readonly dispute?: {
          /** @description The provider's reference of the dispute, such as `dp_…`. `null`: the provider reported none. */
          readonly reference: string | null
          /** @description The provider instance whose charge is disputed. */
          readonly provider: string
          /** @description In the smallest unit of the dispute's `currency`. If the provider reported none, the whole charge. */
          readonly amount: number
          /** @description ISO 4217, as the provider reported it: it may differ from the payment's. */
          readonly currency: string
          /**
           * @description `open` and `lost` reduce the refundable amount. `won`: the money is yours again.
           * @enum {string}
           */
          readonly status: "open" | "lost" | "won"
          /**
           * @description Who the status is from: a report of the provider, or an operator.
           * @enum {string}
           */
          readonly source: "provider" | "operator"
          /**
           * Format: date-time
           * @description RFC 3339, UTC. When it was first recorded.
           */
          readonly opened_at: string
          /** @description RFC 3339, UTC. `null`: not ended. */
          readonly closed_at: string | null
        }
        /** @description Only with `payment.review_opened` and `payment.review_resolved`: the review, as the payment shows it. */
        readonly review?: {
          /** @description `rev_…`. It does not change while the review is open. */
          readonly id: string
          /**
           * @description Why it is open. `duplicate_capture`, `late_success`, `excess_capture` and `late_authorization`: money or a hold in excess of the payment. `inquiries_exhausted`: an unknown outcome. `instance_not_configured`: the provider instance is not configured, so nothing can be inquired.
           * @enum {string}
           */
          readonly reason:
            | "amount_mismatch"
            | "excess_capture"
            | "excess_refund"
            | "disputed_refund"
            | "duplicate_capture"
            | "possible_duplicate"
            | "late_success"
            | "late_authorization"
            | "reference_conflict"
            | "unreadable_report"
            | "inquiries_exhausted"
            | "instance_not_configured"
            | "close_failed"
            | "capture_failed"
            | "paid_after_close"
            | "contradiction"
          /** @description The provider instance that has the money. */
          readonly provider: string
          /** @description The provider's reference of the charge, capture or refund in question. `null`: the provider reported none. */
          readonly reference: string | null
          /** @description The operation in question, `op_…`. `null`: the payment has no operation for it. */
          readonly operation: string | null
          /** @description The amount in question, in the smallest unit of the review's `currency`. */
          readonly amount: number
          /** @description ISO 4217, as the provider reported it: it may differ from the payment's. */
          readonly currency: string
          /**
           * Format: date-time
           * @description RFC 3339, UTC. When the review was opened.
           */
          readonly since: string
          /** @description Only with `payment.review_resolved`: how an operator resolved the review. `null`: resolved by a later report of the provider. */
          readonly resolution?: ("succeeded" | "not_done" | "given_back" | "dismissed") | null
        }
      }
    }
    readonly Refund: {
      /** @description `re_` and 26 characters that sort by time. */
      readonly id: string
      /**
       * @description The type of the object.
       * @enum {string}
       */
      readonly object: "refund"
      /** @description `false`: created with a test key; no money moves. */
      readonly livemode: boolean
      /** @description The refunded payment, `pay_…`. */
      readonly payment: string
      /**
       * @description `failed`: nothing was refunded; see `failure`.
       * @enum {string}
       */
      readonly status: "pending" | "succeeded" | "failed"
      /** @description In the smallest unit of the currency: 10000 is ₹100.00, $100.00 or ¥10000. */
      readonly amount: number
      /** @description ISO 4217, in capitals: the payment's. */
      readonly currency: string
      /** @description As requested. */
      readonly reason: string | null
      /** @description `null` unless it failed. */
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
          | "account_not_enabled"
          | "details_required"
          | "authorization_expired"
        /** @description For people; it may change. */
        readonly message: string
        /** @description Whether a new refund may succeed. */
        readonly retryable: boolean
      } | null
      /** @description The provider instance, by its name in the server's configuration. */
      readonly provider: string
      /** @description The provider's reference of the refund. `null`: the provider reported none. */
      readonly reference: string | null
      /**
       * Format: date-time
       * @description RFC 3339, UTC.
       */
      readonly created_at: string
      /** @description RFC 3339, UTC. `null`: not ended. */
      readonly ended_at: string | null
    }
    readonly Payment: {
      /** @description `pay_` and 26 characters that sort by time; in a cell also `_` and its name. */
      readonly id: string
      /**
       * @description The type of the object.
       * @enum {string}
       */
      readonly object: "payment"
      /** @description `false`: created with a test key; no money moves. */
      readonly livemode: boolean
      /**
       * @description `succeeded`, `failed` and `canceled` are final, except for money that arrives late. `authorized`: the money is held and waits for a capture.
       * @enum {string}
       */
      readonly status: "pending" | "authorized" | "succeeded" | "failed" | "canceled"
      /** @description Set only while the payment is pending. `outcome_unknown`: a provider has not reported the outcome; the server inquires until it is known. */
      readonly pending_reason:
        | ("awaiting_customer" | "processing" | "outcome_unknown" | "awaiting_finality" | "needs_review")
        | null
      /** @description In the smallest unit of the currency: 10000 is ₹100.00, $100.00 or ¥10000. */
      readonly amount: number
      /** @description The captured amount. */
      readonly amount_captured: number
      /** @description The refunded amount. */
      readonly amount_refunded: number
      /** @description The received amount, where it differs from `amount`. If it is less than `amount` on a succeeded payment, an operator has accepted it. While a stablecoin payment is pending, it is the amount detected so far, final or not. */
      readonly amount_received?: number
      /** @description ISO 4217, in capitals. */
      readonly currency: string
      /**
       * @description How the payer pays.
       * @enum {string}
       */
      readonly payment_method: "upi" | "card" | "stablecoin"
      /** @description Details under the name of the payment method. Tokens are not returned. */
      readonly payment_method_details: {
        /** @description For a UPI payment. */
        readonly upi?: {
          /**
           * @description `intent`: a link that opens a UPI app. `qr`: a QR code to scan. `collect`: a payment request in the payer's UPI app.
           * @enum {string}
           */
          readonly flow: "intent" | "qr" | "collect"
          /** @description The payer's UPI id. */
          readonly vpa?: string
        }
        /** @description For a card payment. */
        readonly card?: {
          /** @description In lower case, such as `visa` or `mastercard`. It determines the limit of declines. */
          readonly network: string | null
          /** @description The issuer's country: ISO 3166, two capitals. Used for routing. */
          readonly country: string | null
          /** @description Used for routing. */
          readonly funding: string | null
          /** @description The first six to eight digits. Used for routing. */
          readonly bin: string | null
        }
        /** @description For a stablecoin payment. */
        readonly stablecoin?: {
          /** @description The coin, such as `USDC`; `null`: not chosen yet. */
          readonly asset: string | null
          /** @description The chain, such as `base`; `null`: not chosen yet. */
          readonly network: string | null
        }
      }
      /**
       * @description As requested.
       * @enum {string}
       */
      readonly capture_method: "automatic" | "manual"
      /** @description As requested. */
      readonly description: string | null
      /** @description As requested. */
      readonly customer: {
        /** @description The payer's e-mail address. */
        readonly email: string | null
        /** @description The payer's phone number: `+`, country code and digits, without separators. */
        readonly phone: string | null
        /** @description The payer's name. */
        readonly name: string | null
        /** @description The billing address. */
        readonly address: {
          /** @description Street and number. */
          readonly line1: string
          /** @description Apartment, floor or company. */
          readonly line2: string | null
          /** @description City, town or village. */
          readonly city: string | null
          /** @description State, province or region. */
          readonly state: string | null
          /** @description Postal code. */
          readonly postal_code: string | null
          /** @description ISO 3166-1, two capitals. */
          readonly country: string
        } | null
      }
      /** @description As requested. */
      readonly metadata: {
        readonly [key: string]: string
      }
      /** @description As requested. */
      readonly return_url: string | null
      /** @description As requested. Absent: none. */
      readonly order?: string
      /** @description The next step of the payer, by its `type`. `null`: none. */
      readonly next_action:
        | {
            /**
             * @description `upi_intent`: open `uri` on the payer's phone. `upi_qr`: show `payload` as a QR code, or show `image`. `redirect`: redirect the payer to `url`. `stablecoin_transfer`: ask the payer to send `amount` to `address`. `wait`: the payer confirms elsewhere.
             * @enum {string}
             */
            readonly type: "upi_intent"
            /** @description A link that opens the payer's app or wallet. */
            readonly uri: string
            /** @description A QR code of it: the URL of an image, which may be a `data:` URL. */
            readonly image?: string
            /** @description RFC 3339, UTC. `null`: the provider sets no time. */
            readonly expires_at: string | null
          }
        | {
            /**
             * @description `upi_intent`: open `uri` on the payer's phone. `upi_qr`: show `payload` as a QR code, or show `image`. `redirect`: redirect the payer to `url`. `stablecoin_transfer`: ask the payer to send `amount` to `address`. `wait`: the payer confirms elsewhere.
             * @enum {string}
             */
            readonly type: "upi_qr"
            /** @description The text of the QR code. */
            readonly payload?: string
            /** @description A QR code of it: the URL of an image, which may be a `data:` URL. */
            readonly image?: string
            /** @description RFC 3339, UTC. `null`: the provider sets no time. */
            readonly expires_at: string | null
          }
        | {
            /**
             * @description `upi_intent`: open `uri` on the payer's phone. `upi_qr`: show `payload` as a QR code, or show `image`. `redirect`: redirect the payer to `url`. `stablecoin_transfer`: ask the payer to send `amount` to `address`. `wait`: the payer confirms elsewhere.
             * @enum {string}
             */
            readonly type: "redirect"
            /** @description A page of the provider. It returns the payer to this server, which redirects to `return_url`. */
            readonly url: string
            /** @description RFC 3339, UTC. `null`: the provider sets no time. */
            readonly expires_at: string | null
          }
        | {
            /**
             * @description `upi_intent`: open `uri` on the payer's phone. `upi_qr`: show `payload` as a QR code, or show `image`. `redirect`: redirect the payer to `url`. `stablecoin_transfer`: ask the payer to send `amount` to `address`. `wait`: the payer confirms elsewhere.
             * @enum {string}
             */
            readonly type: "stablecoin_transfer"
            /** @description Used for this payment only. */
            readonly address: string
            /** @description A link that opens the payer's app or wallet. */
            readonly uri: string
            /** @description A decimal string in units of the coin, such as `12.50`. */
            readonly amount: string
            /** @description The coin to send, such as `USDC`. */
            readonly asset?: string
            /** @description The chain to send it on, such as `base`. */
            readonly network?: string
            /** @description A QR code of it: the URL of an image, which may be a `data:` URL. */
            readonly image?: string
            /** @description RFC 3339, UTC. `null`: the provider sets no time. */
            readonly expires_at: string | null
          }
        | {
            /**
             * @description `upi_intent`: open `uri` on the payer's phone. `upi_qr`: show `payload` as a QR code, or show `image`. `redirect`: redirect the payer to `url`. `stablecoin_transfer`: ask the payer to send `amount` to `address`. `wait`: the payer confirms elsewhere.
             * @enum {string}
             */
            readonly type: "wait"
            /** @description RFC 3339, UTC. `null`: the provider sets no time. */
            readonly expires_at: string | null
          }
        | null
      /** @description A page on which the payer completes the payment and sees its result. Anyone with the link can open it. `null`: this server serves no payment page. */
      readonly hosted_url: string | null
      /** @description `null` unless it failed. */
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
          | "account_not_enabled"
          | "details_required"
          | "authorization_expired"
        /** @description For people; it may change. */
        readonly message: string
        /** @description Whether a new payment may succeed. */
        readonly retryable: boolean
      } | null
      /** @description Captured in excess of the payment and not returned yet, at all its providers together. Absent: nothing. Not part of `amount_captured`. */
      readonly overpayment?: number
      /** @description The open questions for an operator: one review for each charge or operation in question. */
      readonly reviews: readonly {
        /** @description `rev_…`. It does not change while the review is open. */
        readonly id: string
        /**
         * @description Why it is open. `duplicate_capture`, `late_success`, `excess_capture` and `late_authorization`: money or a hold in excess of the payment. `inquiries_exhausted`: an unknown outcome. `instance_not_configured`: the provider instance is not configured, so nothing can be inquired.
         * @enum {string}
         */
        readonly reason:
          | "amount_mismatch"
          | "excess_capture"
          | "excess_refund"
          | "disputed_refund"
          | "duplicate_capture"
          | "possible_duplicate"
          | "late_success"
          | "late_authorization"
          | "reference_conflict"
          | "unreadable_report"
          | "inquiries_exhausted"
          | "instance_not_configured"
          | "close_failed"
          | "capture_failed"
          | "paid_after_close"
          | "contradiction"
        /** @description The provider instance that has the money. */
        readonly provider: string
        /** @description The provider's reference of the charge, capture or refund in question. `null`: the provider reported none. */
        readonly reference: string | null
        /** @description The operation in question, `op_…`. `null`: the payment has no operation for it. */
        readonly operation: string | null
        /** @description The amount in question, in the smallest unit of the review's `currency`. */
        readonly amount: number
        /** @description ISO 4217, as the provider reported it: it may differ from the payment's. */
        readonly currency: string
        /**
         * Format: date-time
         * @description RFC 3339, UTC. When the review was opened.
         */
        readonly since: string
      }[]
      /** @description `true`: the money arrived after the payment had failed. */
      readonly late?: boolean
      /**
       * Format: date-time
       * @description RFC 3339, UTC. When the payer first disputed it.
       */
      readonly disputed_at?: string
      /** @description The disputed amount of open and lost disputes together, at most the captured amount. It reduces the refundable amount. Absent: none. */
      readonly amount_disputed?: number
      /** @description One for each dispute of its charges. Absent: there was none. */
      readonly disputes?: readonly {
        /** @description The provider's reference of the dispute, such as `dp_…`. `null`: the provider reported none. */
        readonly reference: string | null
        /** @description The provider instance whose charge is disputed. */
        readonly provider: string
        /** @description In the smallest unit of the dispute's `currency`. If the provider reported none, the whole charge. */
        readonly amount: number
        /** @description ISO 4217, as the provider reported it: it may differ from the payment's. */
        readonly currency: string
        /**
         * @description `open` and `lost` reduce the refundable amount. `won`: the money is yours again.
         * @enum {string}
         */
        readonly status: "open" | "lost" | "won"
        /**
         * @description Who the status is from: a report of the provider, or an operator.
         * @enum {string}
         */
        readonly source: "provider" | "operator"
        /**
         * Format: date-time
         * @description RFC 3339, UTC. When it was first recorded.
         */
        readonly opened_at: string
        /** @description RFC 3339, UTC. `null`: not ended. */
        readonly closed_at: string | null
      }[]
      /** @description The provider instance that took the money, otherwise the latest that was tried. */
      readonly provider: string
      /** @description Why the providers were tried in this order. */
      readonly routing: {
        /** @description The routing rule that matched; `default` if none did. */
        readonly rule: string
        /** @description The digest of the rules that were in force. */
        readonly ruleset: string
        /** @description How the rule chose, such as `priority` or `split`. */
        readonly reason: string
        /** @description Providers that were not candidates, and why. */
        readonly dropped: readonly {
          /** @description A provider instance that the rule named. */
          readonly provider: string
          /** @description Why it was not a candidate, such as `currency_not_supported`, `amount_too_large`, `excluded`, `outage: maintenance` or `breaker_open`. */
          readonly reason: string
        }[]
        /** @description The experiment that the payment is part of, if the rule is one. */
        readonly experiment?: {
          /** @description Its name in the rules. */
          readonly name: string
          /** @description The provider that the payment was assigned to, whichever provider took it. */
          readonly arm: string
        }
      }
      /** @description One for each provider that was tried, in order. */
      readonly attempts: readonly {
        /** @description From 1. */
        readonly seq: number
        /** @description The provider instance, by its name in the server's configuration. */
        readonly provider: string
        /** @description The provider's reference, such as `pi_…`. `null`: the provider reported none. */
        readonly reference: string | null
        /** @description The attempt's status. `not_executed`: the provider proved that it did nothing; the next one was tried. */
        readonly status: string
        /** @description Why this provider was chosen. */
        readonly reason: string
        /** @description Why it failed: one of the codes of `failure`. */
        readonly code: string | null
        /** @description The provider's own code. */
        readonly vendor_code: string | null
        /**
         * @description The status of the reversal, for an attempt whose money is in excess of the payment.
         * @enum {string}
         */
        readonly reversal?: "pending" | "succeeded" | "failed"
        /**
         * Format: date-time
         * @description RFC 3339, UTC.
         */
        readonly started_at: string
        /** @description RFC 3339, UTC. `null`: not ended. */
        readonly ended_at: string | null
      }[]
      /** @description The requested captures and cancels. */
      readonly operations: readonly {
        /** @description `op_` and 26 characters that sort by time; in a cell also `_` and its name. */
        readonly id: string
        /**
         * @description The requested operation.
         * @enum {string}
         */
        readonly kind: "capture" | "cancel"
        /**
         * @description The operation's status.
         * @enum {string}
         */
        readonly status: "pending" | "succeeded" | "failed"
        /** @description In the smallest unit of the currency: 10000 is ₹100.00, $100.00 or ¥10000. */
        readonly amount: number
        /** @description The provider's reference, such as `pi_…`. `null`: the provider reported none. */
        readonly reference: string | null
        /** @description Why it failed: one of the codes of `failure`. */
        readonly code: string | null
        /**
         * Format: date-time
         * @description RFC 3339, UTC.
         */
        readonly created_at: string
        /** @description RFC 3339, UTC. `null`: not ended. */
        readonly ended_at: string | null
      }[]
      /** @description Increases with every change: of two copies, the greater version is the newer. */
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
       * @description The server is running.
       * @enum {string}
       */
      readonly status: "ok"
    }
    readonly EventList: {
      /**
       * @description The type of the object.
       * @enum {string}
       */
      readonly object: "list"
      /** @description In the order of the sequence, each exactly as a webhook delivers it. May be empty although `has_more` is true. */
      readonly data: readonly components["schemas"]["Event"][]
      /** @description Whether there may be more at once. If not, ask again later, with `next_cursor`. */
      readonly has_more: boolean
      /** @description The value of `after` for the next page, also on the last page: later events follow it. `null`: there are no events yet. */
      readonly next_cursor: string | null
    }
    readonly RefundList: {
      /**
       * @description The type of the object.
       * @enum {string}
       */
      readonly object: "list"
      /** @description All refunds of the payment, newest first. */
      readonly data: readonly components["schemas"]["Refund"][]
      /**
       * @description Always `false`: all refunds are on one page.
       * @enum {boolean}
       */
      readonly has_more: false
      /** @description Always `null`: all refunds are on one page. */
      readonly next_cursor: null
    }
    readonly CreateRefund: {
      /** @description In the smallest unit of the payment's currency. Absent: the whole remaining amount. */
      readonly amount?: number
      /** @description Your own text, stored with the refund; some providers receive it. */
      readonly reason?: string | null
    }
    readonly CapturePayment: {
      /** @description In the smallest unit of the payment's currency. Absent: the whole remaining amount. */
      readonly amount?: number
    }
    readonly PaymentList: {
      /**
       * @description The type of the object.
       * @enum {string}
       */
      readonly object: "list"
      /** @description Newest first. */
      readonly data: readonly components["schemas"]["Payment"][]
      /** @description Whether there are more in the requested direction. With `searched_until`, there may be: continue with `next_cursor`. */
      readonly has_more: boolean
      /** @description The value of `starting_after` or `ending_before` for the next page. */
      readonly next_cursor: string | null
      /** @description RFC 3339, UTC. Present if a search for metadata without an index ended before the page was full: payments up to this time of creation were searched, and others may match. */
      readonly searched_until?: string
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
      /** @description Your own text, stored with the payment; some providers show it to the payer. */
      readonly description?: string | null
      /** @description The payer. UPI requires an e-mail address and a phone number, other methods one of them. */
      readonly customer: {
        /** @description The payer's e-mail address. UPI requires it; other methods require it or `phone`. */
        readonly email?: string | null
        /** @description With `+` and the country code, such as `+919999999999`; spaces, dashes and brackets are removed. UPI requires it. */
        readonly phone?: string | null
        /** @description Some providers require it. */
        readonly name?: string | null
        /** @description The billing address. Some providers require it, such as Stripe in India for payments in foreign currencies. */
        readonly address?: {
          /** @description Street and number. */
          readonly line1: string
          /** @description Apartment, floor or company. */
          readonly line2?: string | null
          /** @description City, town or village. */
          readonly city?: string | null
          /** @description State, province or region. */
          readonly state?: string | null
          /** @description Postal code. */
          readonly postal_code?: string | null
          /** @description ISO 3166-1, two capitals, such as `IN`. */
          readonly country: string
        } | null
      }
      /** @description Your own keys (1 to 40 characters) and values, stored with the payment and sent with its events. No card data, no secrets. */
      readonly metadata?: {
        readonly [key: string]: string
      }
      /**
       * @description `manual`: hold the money until it is captured, where the provider supports it. Default: `automatic`.
       * @enum {string}
       */
      readonly capture_method?: "automatic" | "manual"
      /** @description Where the payer returns to from a provider's page, with `payment_id` in the query. `https` and a public host; in test mode also `http://localhost`. A link of an app, such as `myapp://done`, if the account allows its scheme (option `returnSchemes`). */
      readonly return_url?: string | null
      /** @description The payer's device as you saw it. Providers that need it are skipped without it. */
      readonly client?: {
        /** @description IPv4 or IPv6. */
        readonly ip?: string
        /** @description The `User-Agent` header of the payer's browser. */
        readonly user_agent?: string
        /** @description The page that linked to your checkout. */
        readonly referer?: string
        /** @description The `Accept` header of the payer's browser. */
        readonly accept_header?: string
        /** @description `navigator.language`, such as `en-IN`. */
        readonly language?: string
        /** @description `Intl.DateTimeFormat().resolvedOptions().timeZone`, such as `Asia/Kolkata`. */
        readonly time_zone?: string
        /** @description The payer's screen. */
        readonly screen?: {
          /** @description `screen.width`. */
          readonly width: number
          /** @description `screen.height`. */
          readonly height: number
          /** @description `screen.colorDepth`, bits per pixel. */
          readonly color_depth: number
        }
      }
      /** @description Details of the payment method: only those of `payment_method`. */
      readonly payment_method_details?: {
        /** @description Default: an intent link. */
        readonly upi?: {
          /**
           * @description `intent`: a link that opens a UPI app. `qr`: a QR code to scan. `collect`: a payment request in the payer's UPI app.
           * @enum {string}
           */
          readonly flow?: "intent" | "qr" | "collect"
          /** @description The payer's UPI id, such as `name@bank`. Without a `flow` it selects `collect`. */
          readonly vpa?: string | null
        }
        /** @description Without a token the payer enters the card on a page of the provider. */
        readonly card?: {
          /** @description The token from the provider's form in the browser; for every provider that `tokens` does not name. */
          readonly token?: string | null
          /** @description A token for each provider instance, by its name: failover between card providers needs them. */
          readonly tokens?: {
            readonly [key: string]: string | Record<string, unknown>
          }
          /** @description In lower case, such as `visa` or `mastercard`. It determines the limit of declines. */
          readonly network?: string | null
          /** @description The issuer's country: ISO 3166, two capitals. Used for routing. */
          readonly country?: string | null
          /** @description Used for routing. */
          readonly funding?: ("credit" | "debit" | "prepaid" | "unknown") | null
          /** @description The first six to eight digits. Used for routing. */
          readonly bin?: string | null
          /** @description Your identifier of this card, the same for all of its tokens. Paymux counts the card's declines by it. Not a card number, nor a digest of one. */
          readonly fingerprint?: string | null
        }
        /** @description Default: a coin that a provider supports for the currency. */
        readonly stablecoin?: {
          /** @description In capitals, such as `USDC`. */
          readonly asset?: string
          /** @description In lower case, such as `base` or `ethereum`. */
          readonly network?: string
        }
      }
      /** @description Your id of the order, 1 to 255 characters. While a payment of the order is open, authorized or paid, another one of the same account and mode is refused (`order_taken`). */
      readonly order?: string | null
      /** @description `true`: an open payment of the `order` is closed at its provider before this one begins. If that fails, this one is refused (`order_taken`). */
      readonly order_replaces?: boolean
    }
    readonly SimulatePayment: {
      /**
       * @description The outcome to simulate. `authorized` is for cards; `exact`, `under`, `over`, `wrong_asset` and `reorg` are for stablecoin transfers.
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
       * @description The decline code; only with `failed`.
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
    /** @description RFC 9457. Programs read `code`; `detail` is for people. */
    readonly Problem: {
      /**
       * Format: uri-reference
       * @description A page of this server that explains the code.
       */
      readonly type: string
      /** @description The same for every problem with this code. */
      readonly title: string
      /** @description The status of the response. */
      readonly status: number
      /** @description An explanation of the problem with this request, for people. It never contains a value of the request, except the name of a cell. */
      readonly detail: string
      /**
       * @description The stable identifier of the problem, for programs.
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
        | "order_taken"
        | "operation_in_flight"
        | "operation_not_supported"
        | "refund_exceeds_available"
        | "event_not_stored"
        | "payload_too_large"
        | "unsupported_media_type"
        | "misdirected_request"
        | "idempotency_key_reused"
        | "no_route"
        | "card_not_retried"
        | "rate_limited"
        | "headers_too_large"
        | "internal"
        | "no_provider_available"
        | "restoring"
        | "overloaded"
        | "service_unavailable"
      /** @description Every fault of the request, if there are several or one has a position. */
      readonly errors: readonly {
        /** @description JSON pointer into the body, or the name of a parameter. */
        readonly pointer: string
        /** @description An explanation of the fault at this position, for people. */
        readonly message: string
      }[]
      /** @description Identifies the request in the server's logs; also the `Request-Id` header. */
      readonly request_id: string
      /** @description The id of the request's trace, if the server records traces. */
      readonly trace_id?: string
      /** @description Only for `idempotency_key_reused`: the payment created by the first request with this key. */
      readonly payment_id?: string
      /** @description Only for `refund_exceeds_available`, in minor units: the refundable rest of the charge, and how it is computed. */
      readonly refundable?: {
        /** @description The captured amount of the charge. */
        readonly captured: number
        /** @description By refunds of this installation. */
        readonly refunded: number
        /** @description By refunds of this installation that are in progress. */
        readonly pending: number
        /** @description Outside of this installation, such as in the provider's dashboard. */
        readonly refunded_elsewhere: number
        /** @description By disputes that are open or lost. */
        readonly disputed: number
        /** @description The most that can be refunded. */
        readonly available: number
      }
      /** @description Only for `event_not_stored`: the value of `after` with which nothing that is still stored is missed. `null`: leave `after` out, to begin with the oldest event. */
      readonly resume_after?: string | null
    }
  }
  responses: never
  parameters: never
  requestBodies: never
  headers: never
  pathItems: never
}
export interface ListPaymentsQuery {
  /** @description The maximum number of payments per page. */
  readonly limit?: number
  /** @description A `next_cursor`: returns the payments after it, newest first. */
  readonly starting_after?: string
  /** @description A cursor: returns the payments before it. Cannot be combined with `starting_after`. */
  readonly ending_before?: string
  /** @description Repeat the parameter to match any of several values. */
  readonly status?: readonly ("pending" | "authorized" | "succeeded" | "failed" | "canceled")[]
  /** @description Repeat the parameter to match any of several values. */
  readonly payment_method?: readonly ("upi" | "card" | "stablecoin")[]
  /** @description Repeat the parameter to match any of several values. */
  readonly currency?: readonly string[]
  /** @description Repeat the parameter to match any of several values. */
  readonly provider?: readonly string[]
  /** @description In any spelling: case and the form of Unicode do not matter. Repeat the parameter to match any of several values. */
  readonly customer_email?: readonly string[]
  /** @description A provider's reference of an attempt, capture, cancel or refund, such as `pi_…`. Repeat the parameter to match any of several values. */
  readonly provider_reference?: readonly string[]
  /** @description Repeat the parameter to match any of several values. */
  readonly failure_code?: readonly (
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
    | "account_not_enabled"
    | "details_required"
    | "authorization_expired"
  )[]
  /** @description Repeat the parameter to match any of several values. */
  readonly card_fingerprint?: readonly string[]
  /** @description Repeat the parameter to match any of several values. */
  readonly order?: readonly string[]
  /** @description Inclusive, in minor units. Needs exactly one `currency`. */
  readonly amount_min?: number
  /** @description Inclusive, in minor units. Needs exactly one `currency`. */
  readonly amount_max?: number
  /** @description Exclusive. RFC 3339 with a zone. */
  readonly created_after?: string
  /** @description Exclusive. RFC 3339 with a zone. */
  readonly created_before?: string
  /** @description For example `metadata[order_id]=42`. Fast for the keys that the server indexes (`indexedMetadata`), by default `order_id`. */
  readonly metadata?: {
    readonly [key: string]: string
  }
}
export interface ListEventsQuery {
  /** @description A `next_cursor`, or the id of an event: returns the events after it. */
  readonly after?: string
  /** @description Repeat the parameter to match any of several types. */
  readonly types?: readonly (
    | "payment.pending"
    | "payment.authorized"
    | "payment.succeeded"
    | "payment.failed"
    | "payment.canceled"
    | "payment.disputed"
    | "payment.dispute_closed"
    | "payment.capture_failed"
    | "payment.late_reversed"
    | "payment.review_opened"
    | "payment.review_resolved"
    | "refund.pending"
    | "refund.succeeded"
    | "refund.failed"
  )[]
  /** @description Only events of this payment: `pay_…`. */
  readonly payment?: string
  /** @description The maximum number of events per page. */
  readonly limit?: number
}

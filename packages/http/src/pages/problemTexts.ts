/**
 * The meaning and remedy of each problem, for the pages of the server and the table in `docs/reference/errors.md`
 * (`pnpm generate`). Backticks mark code.
 */
import type { ProblemCode, ProblemOptions } from "../problems/Problem.ts"

export interface ProblemText {
  readonly meaning: string
  readonly remedy: string
  /** Fields for the example on the problem's page, which replace the defaults of the problem code. */
  readonly example?: Omit<ProblemOptions, "requestId" | "basePath">
  /** A link from the table in `docs/reference` to further documentation. The pages of the server omit it. */
  readonly more?: string
}

export const problemTexts: { readonly [code in ProblemCode]: ProblemText } = {
  invalid_request: {
    meaning: "The body, a query parameter or the address is not as documented; `errors` names every fault.",
    remedy: "Correct what `errors` names. The same request is refused again.",
    example: {
      errors: [
        {
          pointer: "/amount",
          message: "must be a whole number of the smallest currency unit, as a JSON number from 1 to 9007199254740991"
        }
      ]
    }
  },
  invalid_json: {
    meaning: "The body is not one strict JSON object in UTF-8. Duplicate keys and lone surrogates are refused.",
    remedy: "Write the body with a JSON library, and send the complete body.",
    example: {
      detail: "Duplicate key in the same object.",
      errors: [{ pointer: "/amount", message: "Duplicate key in the same object." }]
    }
  },
  raw_card_data_not_accepted: {
    meaning: "A card number or security code was sent, in whichever field. It was neither kept nor logged.",
    remedy:
      "Send a token of a provider, or no card at all: the payer then enters it on the provider's page. An order number of 14 to 19 digits may look like a card number: send it in `metadata.order_id`, in another key that the setting `orderNumberKeys` names, or with an uppercase prefix such as `ORD-`.",
    example: { errors: [{ pointer: "/description", message: "holds raw card data" }] }
  },
  idempotency_key_invalid: {
    meaning: "The `Idempotency-Key` header is duplicated, or its value is not 1 to 255 visible ASCII characters.",
    remedy: "Send one key, such as a random UUID, or none."
  },
  webhook_stale: {
    meaning: "A provider's webhook was signed more than five minutes ago, or ahead of this server's clock.",
    remedy: "Set the clock of this server. The provider sends the webhook again."
  },
  unauthorized: {
    meaning:
      "There is no API key, or none that is valid: it is mistyped, revoked, expired, or of another installation.",
    remedy: "Send `Authorization: Bearer <API key>`, with a key that `paymux keys create` made."
  },
  webhook_signature_invalid: {
    meaning: "A provider's webhook is not signed with the secret that is configured.",
    remedy: "Correct the secret, here or at the provider. Whatever stands before this server must not change the body."
  },
  sign_in_required: {
    meaning: "The dashboard has no session for this request: it was never started, has ended, or was signed out.",
    remedy: "Sign in. API keys are for `/v1` alone."
  },
  sign_in_failed: {
    meaning:
      "The email address, the password or the code is wrong. The answer does not say which, or whether there is such a user.",
    remedy:
      "Enter them again. A code works once: wait for the next one. If the password is lost, ask an owner for a link to set another."
  },
  forbidden: {
    meaning: "Your role in this account and mode may not do this. Nothing was changed.",
    remedy: "Ask an owner of the account to do it, or to change your role."
  },
  origin_not_allowed: {
    meaning:
      "A write to the dashboard or to the payment page did not come from a page of this server, or was sent to another host name.",
    remedy:
      "Open the dashboard at `publicUrl`. If a reverse proxy changes `Host`, set `publicUrl` to the outside address."
  },
  reauthentication_required: {
    meaning: "Keys, secrets, refunds, reviews, rules and people are changed only soon after signing in.",
    remedy: "Sign in again, then repeat the action."
  },
  not_found: {
    meaning: "Nothing is at this address, or not for this account and mode: test and live do not see each other.",
    remedy: "Check the address, and whether the API key is of the account and mode that made what you look for."
  },
  method_not_allowed: {
    meaning: "The address does not answer this method.",
    remedy: "Use one of the methods in `Allow`.",
    example: { allow: ["GET", "HEAD", "OPTIONS"] }
  },
  request_timeout: {
    meaning: "The request was not received whole in time (`paymux serve`).",
    remedy: "Send it again, with the same `Idempotency-Key`."
  },
  conflict: {
    meaning: "The object is in a state in which this cannot be done; `detail` says which. Nothing was changed.",
    remedy: "Read the object again, and decide by what it is now."
  },
  version_conflict: {
    meaning: "Another change came first. Nothing was overwritten; `current` is the object as it is now.",
    remedy:
      "Read `current`, and let the person decide again. Never repeat a capture, a cancel or a refund automatically: what was wanted may have been done.",
    example: { current: { version: 8 } }
  },
  idempotency_in_flight: {
    meaning: "The first request with this idempotency key is still running.",
    remedy: "Send the same again after `Retry-After` seconds: it then answers what the first one did."
  },
  order_taken: {
    meaning:
      "Another payment of the `order` is open, authorized or paid. `payment_id` is that payment. Nothing was written or sent, and no idempotency key was used. With `order_replaces` it could not be closed; `detail` says why.",
    remedy:
      "Read the payment at `payment_id`: show its page again, or the order as paid. To start anew while it is open, send the same with `order_replaces: true` and a new idempotency key. A payment that fails, expires or is canceled frees the order.",
    example: {
      detail: "This order has the payment pay_01JD3Y6Q0ZK8M7N5P4R2S1T0VW, which is paid; nothing was done.",
      paymentId: "pay_01JD3Y6Q0ZK8M7N5P4R2S1T0VW"
    }
  },
  operation_in_flight: {
    meaning: "Another capture, cancel or refund of the payment is not decided yet.",
    remedy: "Send it again after `Retry-After` seconds."
  },
  operation_not_supported: {
    meaning: "The provider cannot do this, or not in the present state of the payment; `detail` says which.",
    remedy: "Look at the payment's `status`. A payment that was taken is refunded, one that is held is canceled."
  },
  refund_exceeds_available: {
    meaning:
      "Disputes that are open or lost, or refunds made outside of Paymux, such as in the provider's dashboard, leave less of the charge. `refundable` has the amounts. Nothing was written or sent.",
    remedy:
      "Refund at most `refundable.available`. A dispute that is won gives its amount back. If the refund is right all the same, an operator makes it with evidence: see [disputes](../guide/refunds-and-captures.md#disputes)."
  },
  event_not_stored: {
    meaning:
      "The event that `after` names is not stored: it was deleted, or the database was restored to a moment before it. What followed it may have been deleted, too.",
    remedy:
      "Continue with `resume_after` as `after`, or without `after` if it is `null`. You receive all events that are still stored and that you may not have seen, and some again: skip the ids that you have processed. If events may be missing, list the payments of that time.",
    example: { resumeAfter: "evt_01k3zq6v9n8m4c7x2t5w0b1d3f" },
    more: "[after an outage of your receiver](../guide/webhooks.md#after-an-outage-of-your-receiver)"
  },
  payload_too_large: {
    meaning:
      "The request body exceeds the endpoint's limit: 64 KiB, or 256 KiB for provider webhooks. Configure both with `bodyLimits`.",
    remedy:
      "Send less: keep documents elsewhere, and their address in `metadata`. If a provider sends larger webhooks, raise `bodyLimits.webhooks`."
  },
  unsupported_media_type: {
    meaning: "The body is not `application/json` in UTF-8, or has a `Content-Encoding`.",
    remedy: "Send `Content-Type: application/json`, and the body uncompressed."
  },
  misdirected_request: {
    meaning:
      "The API key or the address names another cell than the one that received the request; `detail` has both. Nothing was looked up there, and nothing was done.",
    remedy:
      "Send it to the cell that it names: correct the routes of the load balancer, or the base URL of the client.",
    example: { detail: "The API key is of cell us1, and this is cell eu1." },
    more: "[cells](../guide/scale.md#cells)"
  },
  idempotency_key_reused: {
    meaning:
      "The idempotency key was used with another request. Nothing was done. `payment_id` is the payment of the first request, and `errors` names the first field that differs, if the payment still has it.",
    remedy:
      "Read the payment at `payment_id`. Use a new key for a new payment. When you retry, send the identical body, including `client`, even if the shopper's IP address has changed. A key never becomes free again.",
    example: {
      detail:
        "This idempotency key was used with another request, for payment pay_01JD3Y6Q0ZK8M7N5P4R2S1T0VW; the first difference is in /client/ip.",
      paymentId: "pay_01JD3Y6Q0ZK8M7N5P4R2S1T0VW",
      errors: [{ pointer: "/client/ip", message: "differs from the first request under this key" }]
    }
  },
  no_route: {
    meaning:
      "No configured provider can take the payment; `errors` has each one's reason. Nothing was written or charged.",
    remedy: "Change what the reasons name, or configure a provider that can. A test key reaches test providers only.",
    example: { errors: [{ pointer: "", message: "acme: currency_not_supported" }] }
  },
  card_not_retried: {
    meaning: "The card was declined for good, or as often as its network allows. Nothing was written or charged.",
    remedy: "Ask the payer for another card; this one again after `Retry-After` seconds at the earliest.",
    example: { retryAfterSeconds: 86_400 },
    more: "[cards](../guide/cards.md#retry-limits-for-declined-cards)"
  },
  precondition_required: {
    meaning: "The object is changed by several people, so the request must name the version that it is based on.",
    remedy: "Send `If-Match` with the `ETag` of the response in which you read it."
  },
  rate_limited: {
    meaning:
      "The rate limit, or the capacity of the server for lists, is exceeded. The request was not processed, and its idempotency key was not used.",
    remedy: "Send it again after `Retry-After` seconds, with the same `Idempotency-Key`; send fewer at a time."
  },
  headers_too_large: {
    meaning: "The request headers (`paymux serve`) or the URL exceed 16 KiB.",
    remedy: "Send fewer or shorter headers, and a shorter query; cookies are not needed."
  },
  internal: {
    meaning: "A fault of ours. The log has it under the `request_id`.",
    remedy:
      "Send it again with the same `Idempotency-Key`: it makes one payment, however often you ask. Report the fault."
  },
  no_provider_available: {
    meaning: "Every provider that can take the payment is down or full at the moment. Nothing was written or charged.",
    remedy: "Send it again after `Retry-After` seconds, with the same `Idempotency-Key`.",
    example: { retryAfterSeconds: 30 }
  },
  restoring: {
    meaning:
      "The database was restored, or failed over, to an earlier moment, and this server does not know the idempotency key. Whether the request was carried out before is not known yet. Nothing was written or charged.",
    remedy: "Send it again after `Retry-After` seconds, with the same `Idempotency-Key`.",
    example: { retryAfterSeconds: 60 },
    more: "[restores with the API open](../guide/scale.md#restores-with-the-api-open)"
  },
  overloaded: {
    meaning: "More payments are being made at this moment than the server can write. Nothing was written or charged.",
    remedy: "Send it again after `Retry-After` seconds, with the same `Idempotency-Key`. If it stays so, add a server.",
    more: "[limits](../guide/limits.md)"
  },
  service_unavailable: {
    meaning: "The server cannot answer at the moment: its database does not, or it is about to stop.",
    remedy: "Send it again after `Retry-After` seconds, with the same `Idempotency-Key`. A list: narrow its filters."
  }
}

/**
 * Stripe for Paymux: cards by token, and Stripe's page for cards without one.
 *
 * The rooms: `client` (HTTP), `payments` (creates), `later` (captures, cancels, refunds), `method` (what it can do, and its
 * requests), `wire` (schemas), `codes`, `declines` and `messages` (words, as data), `errors`, `webhook`, `statement`.
 */
import {
  asOfReceipt,
  defineProvider,
  type InquiryOutcome,
  type ProviderError,
  type ProviderOperation
} from "@paymux/core"
import { HttpOutcome } from "@paymux/provider-kit"
import { Effect, Redacted, Schema } from "effect"
import { makeClient } from "./client.ts"
import { makeLater } from "./later.ts"
import { capabilities } from "./method.ts"
import { makePayments } from "./payments.ts"
import { makeStatement } from "./statement.ts"
import { readWebhook } from "./webhook.ts"

/** A secret or a restricted key: it decides the mode. */
const SecretKey = Schema.String.check(
  Schema.isPattern(/^(sk|rk)_(test|live)_\w+$/, {
    message: "must be a secret or restricted key: sk_test_…, sk_live_…, rk_test_… or rk_live_…"
  })
)

const wholeMinutes = "must be a whole number from 40 to 1430"

const WebhookSecret = Schema.String.check(
  Schema.isPattern(/^whsec_[\x21-\x7e]+$/, { message: "must be the signing secret of the webhook endpoint: whsec_…" })
)

const Minutes = Schema.Number.annotate({ message: wholeMinutes }).check(
  Schema.isInt({ message: wholeMinutes }),
  Schema.isBetween({ minimum: 40, maximum: 1_430 }, { message: wholeMinutes })
)

const Country = Schema.String.check(
  Schema.isPattern(/^[A-Z]{2}$/, { message: "must be a country code of ISO 3166-1 in capitals, such as IN" })
)

const Options = Schema.Struct({
  secretKey: Schema.RedactedFromValue(SecretKey),
  /** `whsec_…` of the endpoint, the newest first; while one is being rolled, both. */
  webhookSecrets: Schema.NonEmptyArray(Schema.RedactedFromValue(WebhookSecret)),
  /** How long Stripe's page is open, 60 by default. Stripe takes half an hour to a day from when it gets the request. */
  payWithinMinutes: Schema.optionalKey(Minutes),
  /**
   * The country of the Stripe account. `IN`: for payments in other currencies than INR, Stripe's page asks for the billing
   * address, which Indian law requires. Other countries make no difference.
   */
  country: Schema.optionalKey(Country),
  /** Where the API is, without `/v1`; for tests. */
  baseUrl: Schema.optionalKey(Schema.String)
})

/**
 * An instance of Stripe.
 *
 * @example
 * ```ts
 * stripe({ secretKey: "sk_test_…", webhookSecrets: ["whsec_…"] })
 * ```
 */
export const stripe = defineProvider({
  id: "stripe",
  options: Options,
  mode: (options) => modeOf(options.secretKey),
  capabilities: () => capabilities,
  make: (options, context) =>
    Effect.map(makeClient(options), (client) => {
      const payments = makePayments(client, context.id, {
        payWithinMinutes: options.payWithinMinutes ?? 60,
        country: options.country
      })
      const later = makeLater(client)
      const inquire = (operation: ProviderOperation): Effect.Effect<InquiryOutcome, ProviderError> => {
        const { kind } = operation
        return HttpOutcome.inquiry(
          kind === "create" ? payments.inquire(operation) : later.inquire({ ...operation, kind })
        )
      }
      return {
        create: (operation) => HttpOutcome.operation(payments.create(operation)),
        capture: (operation) => HttpOutcome.operation(later.capture(operation)),
        cancel: (operation) => HttpOutcome.operation(later.cancel(operation)),
        refund: (operation) => HttpOutcome.operation(later.refund(operation)),
        inquire,
        // What Stripe appends to the address proves nothing: it is asked.
        complete: (operation) => inquire(operation),
        statement: makeStatement(client),
        webhook: asOfReceipt(readWebhook(context.id, modeOf(options.secretKey), options.webhookSecrets))
      }
    })
})

const modeOf = (secretKey: Redacted.Redacted) => (/^.k_live_/.test(Redacted.value(secretKey)) ? "live" : "test")

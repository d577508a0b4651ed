/**
 * Razorpay for Paymux: UPI on Razorpay's page (Payment Links), and by intent and QR code from server to server.
 *
 * Files: `client` (one function for each operation); `orders`, `paymentLinks`, `qrCodes` and `afterwards` (requests);
 * `api` (HTTP); `statement` and `movements` (what was settled); `wire` (schemas); `statuses`, `errors` and `codes` (what
 * answers mean); `notes`; `webhook`; `method` (capabilities).
 */
import { asOfReceipt, defineProvider } from "@paymux/core"
import { Effect, Schema } from "effect"
import { makeClient } from "./client.ts"
import { capabilitiesOf } from "./method.ts"
import { readWebhook } from "./webhook.ts"

/** It decides the mode, and is no secret. */
const KeyId = Schema.String.check(Schema.isPattern(/^rzp_(test|live)_[A-Za-z0-9]+$/))

const Options = Schema.Struct({
  keyId: KeyId,
  keySecret: Schema.RedactedFromValue(Schema.NonEmptyString),
  /** The newest first. Razorpay signs what it sends again with the secret of then: keep the old one for a day. */
  webhookSecrets: Schema.NonEmptyArray(Schema.RedactedFromValue(Schema.NonEmptyString)),
  /**
   * What the flow `qr` shows. `link` (the default): a QR code of the intent's link, which works wherever intents do.
   * `qr_code`: Razorpay's own QR object, to be enabled by Razorpay: it can be closed, but funds cannot be held.
   */
  qr: Schema.optionalKey(Schema.Literals(["link", "qr_code"])),
  /**
   * Adds the flow `collect`, for merchants whom NPCI exempts. NPCI deprecated UPI Collect on 28 February 2026: a payer
   * can no longer be asked by a UPI id, with few exemptions (IPOs and the secondary market, mandates, eRupi vouchers,
   * iOS apps and mobile web, payments across borders). A merchant without an exemption gets only declines.
   */
  allowCollect: Schema.optionalKey(Schema.Boolean),
  /**
   * Whether the books are compared with Razorpay's settlements. Default: in live mode only, because payments of test mode are
   * not settled, and would be reported as missing.
   */
  settlements: Schema.optionalKey(Schema.Boolean),
  /** Where the API is; for tests. */
  baseUrl: Schema.optionalKey(Schema.String)
})

const choicesOf = ({ allowCollect = false, keyId, qr = "link", settlements = isLive(keyId) }: typeof Options.Type) => ({
  allowCollect,
  qr,
  settlements
})

const isLive = (keyId: string): boolean => keyId.startsWith("rzp_live_")

/**
 * An instance of Razorpay.
 *
 * @example
 * ```ts
 * razorpay({ keyId: "rzp_test_…", keySecret: "…", webhookSecrets: ["…"] })
 * ```
 */
export const razorpay = defineProvider({
  id: "razorpay",
  options: Options,
  mode: ({ keyId }) => (isLive(keyId) ? "live" : "test"),
  capabilities: (options) => capabilitiesOf(choicesOf(options)),
  make: (options, context) =>
    Effect.map(makeClient({ ...options, ...choicesOf(options) }, context), ({ capture, statement, ...client }) => ({
      ...client,
      ...(choicesOf(options).settlements && { statement }),
      ...(choicesOf(options).qr === "link" && { capture }),
      webhook: asOfReceipt(readWebhook(context.id, options))
    }))
})

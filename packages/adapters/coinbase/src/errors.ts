/** Coinbase's words to those of the contract, as data. What is not listed is unknown, never a decline. */
import {
  type DeclineCode,
  type InquiryOutcome,
  misconfigured,
  Outcome,
  type ProviderError,
  type RetryClass
} from "@paymux/core"
import { HttpOutcome, type ProviderHttp } from "@paymux/provider-kit"
import { Effect, Option } from "effect"
import * as Wire from "./wire.ts"

export interface Decline {
  readonly code: DeclineCode
  readonly retry: RetryClass
}

/**
 * What an `errorType` says of what was asked.
 *
 * - a decline: a definite no, for a reason that lies in the session, the payer or the funds
 * - `busy`: not done, because another action of the session is under way
 * - `ours`: the request is wrong · `account`: our key or account may not · `duplicate`: the key was used for something else
 * - `absent`: there is no such thing · `limit`: too many requests
 * - `unclear`: it may have been done · `elsewhere`: of Coinbase's other products, and not known here
 */
type Meaning = Decline | "busy" | "ours" | "account" | "duplicate" | "absent" | "limit" | "unclear" | "elsewhere"

const all = (types: string, meaning: Meaning): { readonly [errorType: string]: Meaning } =>
  Object.fromEntries(types.split(" ").map((type) => [type, meaning]))

const no = (code: DeclineCode, retry: RetryClass = "same_later"): Decline => ({ code, retry })

export const meanings: { readonly [errorType: string]: Meaning } = {
  ...all("payment_session_already_canceled payment_session_already_authorized", no("processing_error", "never")),
  ...all("no_capturable_balance no_voidable_balance no_refundable_balance", no("processing_error", "never")),
  ...all("capture_expired refund_expired", no("processing_error", "never")),
  ...all("authorization_expired", no("customer_timeout")),
  // Of refunds: what they are paid from. Of authorizations: the payer.
  ...all("insufficient_balance insufficient_allowance insufficient_liquidity", no("insufficient_funds")),
  ...all("daily_transaction_limit_exceeded daily_amount_limit_exceeded account_limit_exceeded", no("limit_exceeded")),
  ...all("policy_violation recipient_allowlist_violation recipient_allowlist_pending", no("not_permitted")),
  ...all("travel_rules_recipient_violation customer_not_authorized", no("not_permitted")),
  ...all("settlement_failed transaction_simulation_failed", no("processing_error")),
  ...all("payment_session_action_pending", "busy"),
  ...all("invalid_request malformed_transaction transfer_amount_invalid transfer_asset_not_supported", "ours"),
  ...all("source_account_invalid target_account_invalid source_account_not_found target_account_not_found", "ours"),
  ...all("source_asset_not_supported target_asset_not_supported target_onchain_address_invalid", "ours"),
  ...all("asset_mismatch network_mismatch network_not_tradable travel_rules_field_missing", "ours"),
  ...all("metadata_too_many_entries metadata_key_too_long metadata_value_too_long", "ours"),
  ...all("unauthorized forbidden entity_not_configured_for_payment_acceptance account_not_ready", "account"),
  ...all("payment_method_required payment_required endpoint_unavailable", "account"),
  ...all("idempotency_error already_exists", "duplicate"),
  ...all("not_found", "absent"),
  ...all("rate_limit_exceeded", "limit"),
  ...all("internal_server_error bad_gateway service_unavailable timed_out", "unclear"),
  ...all("client_closed_request request_canceled", "unclear"),
  ...all(
    "faucet_limit_exceeded invalid_sql_query invalid_signature unsupported_tos_language policy_in_use",
    "elsewhere"
  ),
  ...all("guest_permission_denied guest_region_forbidden guest_transaction_limit guest_transaction_count", "elsewhere"),
  ...all("phone_number_verification_expired document_verification_failed target_email_invalid", "elsewhere"),
  ...all("otp_verification_code_invalid otp_verification_destination_mismatch otp_verification_expired", "elsewhere"),
  ...all("otp_verification_invalid otp_verification_not_found otp_verification_required", "elsewhere"),
  ...all("mfa_already_enrolled mfa_invalid_code mfa_flow_expired mfa_required mfa_not_enrolled", "elsewhere"),
  ...all("transfer_quote_expired order_quote_expired order_already_filled order_already_canceled", "elsewhere"),
  ...all("delegation_not_found delegation_expired delegation_revoked delegation_not_authorized", "elsewhere"),
  ...all("delegation_not_enabled already_enabled stale_attestation moderation_rejected", "elsewhere")
}

/** `error.code` of an authorization that failed: those that are published. */
export const declines: { readonly [code: string]: Decline } = {
  insufficient_funds: no("insufficient_funds"),
  authorization_expired: no("customer_timeout"),
  invalid_signature: no("authentication_failed")
}

/** The proof that is declared: of a capture, void or refund that was not begun. */
export const actionPending = "payment_session_action_pending"

/** `null`: the code is none that is known. */
export const declineBy = (code: string | null): Decline | null =>
  code !== null && Object.hasOwn(declines, code) ? (declines[code] ?? null) : null

/** An answer that is no 200, to whatever was asked. A word of refusal in a 5xx says nothing. */
export const errorOutcome = (answer: ProviderHttp.Answer): Effect.Effect<Outcome.SendOutcome, ProviderError> =>
  Effect.gen(function* () {
    const type = yield* errorTypeOf(answer)
    const vendorCode = type ?? `http_${answer.status}`
    const meaning = type !== null && Object.hasOwn(meanings, type) ? meanings[type] : undefined
    if (meaning === undefined || answer.status < 400 || answer.status >= 500) {
      return yield* HttpOutcome.ofStatus(answer, vendorCode)
    }
    if (typeof meaning === "object") return Outcome.declined({ ...meaning, vendorCode })
    switch (meaning) {
      case "busy":
        return Outcome.notExecuted({ reason: "proof_code", vendorCode })
      case "duplicate":
        return Outcome.unknown({ reason: "duplicate", vendorCode })
      case "account":
        return yield* Effect.fail(misconfigured(vendorCode))
      case "ours":
      case "absent":
      case "limit":
      case "unclear":
      case "elsewhere":
        return yield* HttpOutcome.ofStatus(answer, vendorCode)
    }
  })

/** The same to a create, of which nothing is declared as proof. */
export const createErrorOutcome = (answer: ProviderHttp.Answer): Effect.Effect<Outcome.SendOutcome, ProviderError> =>
  Effect.map(errorOutcome(answer), withoutProof)

/** The same to a question: what is refused then is the question. */
export const inquiryErrorOutcome = (answer: ProviderHttp.Answer): Effect.Effect<InquiryOutcome, ProviderError> =>
  Effect.gen(function* () {
    const type = yield* errorTypeOf(answer)
    return answer.status === 404 && type === "not_found"
      ? Outcome.notFound()
      : yield* HttpOutcome.ofStatus(answer, type ?? undefined)
  })

/** Of a lost answer: a refusal of the second send proves nothing of the first. */
export const withoutProof = (outcome: Outcome.SendOutcome): Outcome.SendOutcome =>
  outcome._tag === "NotExecuted" && outcome.reason === "proof_code"
    ? Outcome.unknown({
        reason: "in_progress",
        ...(outcome.vendorCode !== undefined && { vendorCode: outcome.vendorCode })
      })
    : outcome

/** Of a second send: what the first one did may be what refuses it, so a refusal is no decline either. */
export const ofReplay = (outcome: Outcome.SendOutcome): Outcome.SendOutcome => {
  // One with a reference, or in words of our own, is what became of the action, and no refusal of the request.
  const isRefused = outcome._tag === "Declined" && outcome.reference === undefined
  return isRefused && outcome.vendorCode !== undefined && Object.hasOwn(meanings, outcome.vendorCode)
    ? Outcome.unknown({ reason: "in_progress", vendorCode: outcome.vendorCode })
    : withoutProof(outcome)
}

export const errorTypeOf = (answer: ProviderHttp.Answer): Effect.Effect<string | null> =>
  Effect.map(Effect.option(answer.decode(Wire.ErrorBody)), (body) => shortCode(Option.getOrUndefined(body)?.errorType))

/** A code is a word; whatever is longer or other may repeat what was sent. */
export const shortCode = (code: string | null | undefined): string | null =>
  typeof code === "string" && /^[\w.-]{1,100}$/.test(code) ? code : null

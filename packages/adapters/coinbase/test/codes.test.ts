/** Each row of the tables, as Coinbase would answer with it. */
import { assert, describe, it } from "@effect/vitest"
import type { Codes } from "@paymux/provider-kit"
import { codeTableTests } from "@paymux/testkit"
import { Effect } from "effect"
import { actionCodes, actionPending, authorizationCodes, createCodes, fragments, unanswered } from "../src/codes.ts"
import { coinbase } from "../src/index.ts"
import { declineCodes, errorTypes } from "../src/testing/codes.ts"
import { fake } from "../src/testing/fake.ts"
import { optionsOf } from "../src/testing/options.ts"
import { refused } from "./refusals.ts"

/** A message for each code of ours. */
const messages: { readonly [code: string]: string } = {
  buyer_address_missing: "Missing fields: buyer.name, buyer.address.line1",
  buyer_name_missing: "Missing fields: buyer.name",
  buyer_fields_missing: "Missing fields: ..."
}

const answer = (code: string) => {
  const message = Object.hasOwn(messages, code) ? messages[code] : undefined
  const errorType = message === undefined ? code : "invalid_request"
  return { json: { errorType, errorMessage: message ?? "in Coinbase's words" } }
}

codeTableTests("coinbase", {
  fake,
  make: (vendor) => coinbase(optionsOf(vendor)),
  requests: [{ flow: "transfer", codes: createCodes, answer }]
})

describe("a capture, void or refund that Coinbase refuses", () => {
  for (const [code, meaning] of actionCodes.meanings) {
    it.live(`${code} is ${meaning.class}`, () =>
      Effect.gen(function* () {
        for (const kind of ["capture", "refund"] as const) {
          for (const status of [400, 403, 409, 422]) {
            const seen = yield* refused(kind, { status, ...answer(code) })
            assert.deepStrictEqual(seen, expected(code, meaning), `HTTP ${status} to a ${kind}`)
          }
        }
      })
    )
  }
})

const expected = (vendorCode: string, meaning: Codes.Meaning): object => {
  switch (meaning.class) {
    case "declined":
      return { _tag: "Declined", code: meaning.code, retry: meaning.retry, vendorCode }
    case "account_not_enabled":
      return { _tag: "AccountNotEnabled", code: vendorCode, about: meaning.about }
    case "undecided":
      return { _tag: "Unknown", reason: "in_progress", vendorCode }
    case "duplicate":
      return { _tag: "Unknown", reason: "duplicate", vendorCode }
    case "credentials":
      return { _tag: "Misconfigured", detail: vendorCode }
    case "request":
      return { _tag: "InvalidRequest", detail: vendorCode }
  }
}

describe("the tables", () => {
  /** Of other products, or the same as their status. */
  const byStatus = (
    "not_found rate_limit_exceeded internal_server_error bad_gateway service_unavailable payment_required " +
    "network_not_tradable faucet_limit_exceeded invalid_sql_query invalid_signature unsupported_tos_language " +
    "policy_in_use guest_permission_denied guest_region_forbidden guest_transaction_limit guest_transaction_count " +
    "phone_number_verification_expired document_verification_failed target_email_invalid " +
    "otp_verification_code_invalid otp_verification_destination_mismatch otp_verification_expired " +
    "otp_verification_invalid otp_verification_not_found otp_verification_required mfa_already_enrolled " +
    "mfa_invalid_code mfa_flow_expired mfa_required mfa_not_enrolled transfer_quote_expired order_quote_expired " +
    "order_already_filled order_already_canceled delegation_not_found delegation_expired delegation_revoked " +
    "delegation_not_authorized delegation_not_enabled already_enabled stale_attestation moderation_rejected"
  ).split(" ")
  const ours = Object.keys(messages)

  it("have every published errorType that is not left to its status, and no other", () => {
    assert.lengthOf(errorTypes, 92)
    const left = [...byStatus, ...unanswered]
    assert.sameMembers([...createCodes.meanings.keys(), ...left], [...errorTypes, ...ours])
    assert.sameMembers([...actionCodes.meanings.keys(), ...left, actionPending], errorTypes)
  })

  it("have every published reason of a failed authorization, and no other", () => {
    assert.sameMembers([...authorizationCodes.meanings.keys()], declineCodes)
  })

  it("have every code that a message is recognized as", () => {
    for (const [, code] of fragments)
      assert.isTrue(createCodes.meanings.has(code) || actionCodes.meanings.has(code), code)
  })

  it("refuse for good only what is about the session; funds, limits and the payer may change", () => {
    const never = [...createCodes.meanings].filter(
      ([, meaning]) => meaning.class === "declined" && meaning.retry === "never"
    )
    assert.deepStrictEqual(
      never.map(([type]) => type),
      [
        "payment_session_already_canceled",
        "payment_session_already_authorized",
        "no_capturable_balance",
        "no_voidable_balance",
        "no_refundable_balance",
        "capture_expired",
        "refund_expired"
      ]
    )
  })

  it.live("have a sentence for the operator for every account fault, of a create and of a later operation", () =>
    Effect.gen(function* () {
      const { capabilities } = coinbase(optionsOf(yield* fake.start({ mode: "test" })))
      const faults = [...createCodes.meanings, ...actionCodes.meanings].filter(
        ([, meaning]) => meaning.class === "account_not_enabled"
      )
      assert.isAbove(faults.length, 20)
      for (const [code] of faults) assert.match(capabilities.accountHelp?.[code] ?? "", /^[A-Z].*\.$/, code)
    }).pipe(Effect.scoped)
  )
})

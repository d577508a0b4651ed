import { assert, describe, it } from "@effect/vitest"
import { failureCodes } from "@paymux/core/store"
import type { FailureCode, OutcomeStatus } from "@paymux/core/store"
import { attemptSample } from "../../src/learn/attemptSample.ts"
import type { AttemptSample } from "../../src/learn/attemptSample.ts"

const codes: ReadonlyArray<FailureCode | null> = [null, ...failureCodes]

const samplesOf = (status: OutcomeStatus) => new Set(codes.map((code) => attemptSample(status, code)))

describe("attemptSample", () => {
  it("money taken or held is a success, whatever else was said", () => {
    for (const status of ["succeeded", "authorized"] as const) {
      assert.deepStrictEqual(samplesOf(status), new Set(["success"]))
    }
  })

  it("a decline counts against the provider only for a reason on the provider's side", () => {
    assert.deepStrictEqual(
      codes.filter((code) => attemptSample("declined", code) === "failure"),
      [
        "do_not_honor",
        "suspected_fraud",
        "not_permitted",
        "issuer_unavailable",
        "processing_error",
        "unsupported",
        "generic_decline"
      ]
    )
  })

  it("a decline that may be the payer's fault is a kind of its own, which a rule weighs", () => {
    const codesOf = (sample: AttemptSample) => codes.filter((code) => attemptSample("declined", code) === sample)
    assert.deepStrictEqual(codesOf("authentication_failed"), ["authentication_failed"])
    assert.deepStrictEqual(codesOf("expired"), ["customer_timeout"])
    assert.deepStrictEqual(
      samplesOf("declined"),
      new Set<AttemptSample | null>(["failure", "authentication_failed", "expired", null])
    )
  })

  it("what was not executed counts against the provider, but for a wrong request, and what the account is not for", () => {
    assert.deepStrictEqual(
      codes.filter((code) => attemptSample("not_executed", code) !== "failure"),
      ["request_rejected", "account_not_enabled", "details_required"]
    )
    for (const code of ["request_rejected", "account_not_enabled", "details_required"] as const) {
      assert.isNull(attemptSample("not_executed", code))
    }
  })

  it("a payment that was not paid in time is expired; a hold that ran out is not counted: the provider had taken it", () => {
    for (const code of codes) {
      assert.strictEqual(attemptSample("expired", code), code === "authorization_expired" ? null : "expired")
    }
  })

  it("what is open, and what the payer called off, is not counted", () => {
    for (const status of ["sending", "pending", "unknown", "canceled"] as const) {
      assert.deepStrictEqual(samplesOf(status), new Set([null]))
    }
  })
})

import { assert, describe, it } from "@effect/vitest"
import { isProviderError, Outcome } from "@paymux/core"
import { Effect } from "effect"
import { coinbase } from "../src/index.ts"
import { actionPending, declines, meanings } from "../src/errors.ts"
import { declineCodes, errorTypes } from "../src/testing/codes.ts"
import { fake } from "../src/testing/fake.ts"
import { createOperation, laterOperation, running } from "./operations.ts"
import { optionsOf } from "../src/testing/options.ts"

const begin = Effect.gen(function* () {
  const vendor = yield* fake.start({ mode: "test" })
  const { network } = vendor
  if (network === null) return yield* Effect.die(new Error("Coinbase is reached over a network"))
  const instance = yield* running(coinbase(optionsOf(vendor)))
  return { vendor, network, instance }
})

const id = "paymentSession_82c879c1-84e1-44ed-a8c2-1ac239cf09ad"

describe("Coinbase's words", () => {
  it("no published errorType is unmapped, and no mapped one is unpublished", () => {
    assert.lengthOf(errorTypes, 92)
    assert.deepStrictEqual(
      errorTypes.filter((type) => !Object.hasOwn(meanings, type)),
      []
    )
    assert.sameMembers(Object.keys(meanings), errorTypes)
  })

  it("no published reason of a failed authorization is unmapped, and no mapped one is unpublished", () => {
    assert.sameMembers(Object.keys(declines), declineCodes)
  })

  it("what refuses for good is about the session, and what may pass is about funds, limits and the payer", () => {
    const never = Object.entries(meanings).filter(
      ([, meaning]) => typeof meaning === "object" && meaning.retry === "never"
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
})

describe("answers that are no 200", () => {
  const answers: ReadonlyArray<readonly [number, string | null, "create" | "capture", object | string]> = [
    [
      400,
      "no_capturable_balance",
      "capture",
      Outcome.declined({ code: "processing_error", retry: "never", vendorCode: "no_capturable_balance" })
    ],
    [
      400,
      "capture_expired",
      "capture",
      Outcome.declined({ code: "processing_error", retry: "never", vendorCode: "capture_expired" })
    ],
    [400, actionPending, "capture", Outcome.notExecuted({ reason: "proof_code", vendorCode: actionPending })],
    [400, actionPending, "create", Outcome.unknown({ reason: "in_progress", vendorCode: actionPending })],
    [
      400,
      "daily_amount_limit_exceeded",
      "create",
      Outcome.declined({ code: "limit_exceeded", retry: "same_later", vendorCode: "daily_amount_limit_exceeded" })
    ],
    // A refusal's words in an answer that says nothing.
    [
      503,
      "no_capturable_balance",
      "capture",
      Outcome.unknown({ reason: "server_error", vendorCode: "no_capturable_balance" })
    ],
    [
      500,
      "internal_server_error",
      "create",
      Outcome.unknown({ reason: "server_error", vendorCode: "internal_server_error" })
    ],
    [502, null, "capture", Outcome.unknown({ reason: "server_error", vendorCode: "http_502" })],
    [408, "timed_out", "create", Outcome.unknown({ reason: "unmapped", vendorCode: "timed_out" })],
    [
      499,
      "client_closed_request",
      "create",
      Outcome.unknown({ reason: "unmapped", vendorCode: "client_closed_request" })
    ],
    [422, "idempotency_error", "create", Outcome.unknown({ reason: "duplicate", vendorCode: "idempotency_error" })],
    [409, "already_exists", "capture", Outcome.unknown({ reason: "duplicate", vendorCode: "already_exists" })],
    [404, "not_found", "capture", Outcome.unknown({ reason: "unmapped", vendorCode: "not_found" })],
    [400, "invalid_request", "create", "InvalidRequest"],
    [400, "otp_verification_expired", "create", "InvalidRequest"],
    [400, "out_of_luck", "capture", "InvalidRequest"],
    [400, "entity_not_configured_for_payment_acceptance", "create", "Misconfigured"],
    [402, "payment_method_required", "create", "Misconfigured"],
    [401, "unauthorized", "capture", "Misconfigured"],
    [403, "forbidden", "create", "Misconfigured"],
    [429, "rate_limit_exceeded", "create", "RateLimited"]
  ]
  for (const [status, errorType, kind, expected] of answers) {
    it.live(`${status} ${errorType ?? "without a word"} to a ${kind}`, () =>
      Effect.gen(function* () {
        const { instance, network } = yield* begin
        const json = errorType === null ? { message: "no" } : { errorType, errorMessage: "in Coinbase's words" }
        yield* network.failNext({ executed: false, reply: { status, json } })
        const created = yield* createOperation({ captureMethod: "manual" })
        const call =
          kind === "create" ? instance.create(created) : instance.capture(yield* laterOperation("capture", created, id))
        const result = yield* Effect.result(call)
        if ("success" in result) return assert.deepEqual<unknown>(result.success, expected)
        assert.isTrue(isProviderError(result.failure))
        assert.strictEqual(result.failure.reason._tag, expected)
      }).pipe(Effect.scoped)
    )
  }
})

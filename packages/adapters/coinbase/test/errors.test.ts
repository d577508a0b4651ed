import { assert, describe, it } from "@effect/vitest"
import { Outcome } from "@paymux/core"
import { Effect } from "effect"
import { actionPending } from "../src/codes.ts"
import { booksOf } from "../src/testing/objects.ts"
import { createOperation } from "./operations.ts"
import { connected, refused } from "./refusals.ts"

const unknown = (reason: Outcome.UnknownReason, vendorCode: string) => Outcome.unknown({ reason, vendorCode })
const misconfigured = (detail: string) => ({ _tag: "Misconfigured", detail })
const invalid = (detail: string) => ({ _tag: "InvalidRequest", detail })
const notEnabled = (code: string, about = "kind") => ({ _tag: "AccountNotEnabled", code, about })
const entity = "entity_not_configured_for_payment_acceptance"

describe("answers that are no 200", () => {
  const answers: ReadonlyArray<readonly [number, string | null, Parameters<typeof refused>[0], object]> = [
    [400, actionPending, "capture", Outcome.notExecuted({ reason: "proof_code", vendorCode: actionPending })],
    [400, actionPending, "create", unknown("in_progress", actionPending)],
    // A refusal's code in an answer that says nothing.
    [503, "no_capturable_balance", "capture", unknown("server_error", "no_capturable_balance")],
    [503, entity, "create", unknown("server_error", entity)],
    [503, actionPending, "capture", unknown("server_error", actionPending)],
    [502, null, "capture", unknown("server_error", "http_502")],
    // None of them proves that nothing was done, whatever the status.
    [400, "timed_out", "create", unknown("server_error", "timed_out")],
    [408, "timed_out", "refund", unknown("server_error", "timed_out")],
    [499, "client_closed_request", "create", unknown("server_error", "client_closed_request")],
    [403, "endpoint_unavailable", "create", unknown("server_error", "endpoint_unavailable")],
    [503, "endpoint_unavailable", "capture", unknown("server_error", "endpoint_unavailable")],
    [404, "not_found", "capture", unknown("unmapped", "not_found")],
    // Of other products, or not published: by the status.
    [400, "otp_verification_expired", "create", invalid("otp_verification_expired")],
    [402, "payment_required", "create", unknown("unmapped", "payment_required")],
    [400, "out_of_luck", "capture", invalid("out_of_luck")],
    [403, "out_of_luck", "create", misconfigured("out_of_luck")],
    [401, null, "create", misconfigured("http_401")],
    [402, "payment_method_required", "create", notEnabled("payment_method_required")],
    [429, entity, "create", { _tag: "RateLimited" }],
    // What `paymux doctor` learns before the first payment.
    [400, entity, "inquire", notEnabled(entity)],
    [403, entity, "inquire", notEnabled(entity)],
    [400, "no_capturable_balance", "inquire", invalid("no_capturable_balance")],
    [404, "not_found", "inquire", Outcome.notFound()]
  ]
  for (const [status, errorType, call, expected] of answers) {
    it.live(`${status} ${errorType ?? "without a code"} to ${call}`, () =>
      Effect.gen(function* () {
        const json = errorType === null ? { message: "no" } : { errorType, errorMessage: "in Coinbase's words" }
        assert.deepStrictEqual<unknown>(yield* refused(call, { status, json }), { ...expected })
      })
    )
  }

  it.live("keep nothing of a message, and read none of a type that is more specific", () =>
    Effect.gen(function* () {
      const errorMessage = "Missing fields: buyer.address of Asha Rao"
      const said = (errorType: string) => refused("create", { status: 400, json: { errorType, errorMessage } })
      assert.deepStrictEqual(yield* said("invalid_request"), notEnabled("buyer_address_missing", "customer.address"))
      assert.deepStrictEqual(yield* said("asset_mismatch"), notEnabled("asset_mismatch"))
      assert.deepStrictEqual(yield* said("out_of_luck"), invalid("out_of_luck"))
      const odd = { errorType: "invalid_request", errorMessage: { text: errorMessage } }
      assert.deepStrictEqual(yield* refused("create", { status: 400, json: odd }), invalid("invalid_request"))
    })
  )
})

describe("the buyer, whom Coinbase requires of some accounts", () => {
  const address = {
    line1: "12 MG Road",
    line2: null,
    city: "Mumbai",
    state: "MH",
    postalCode: "400001",
    country: "IN"
  }
  const payer = { email: "asha@example.com", phone: null, name: "Asha Rao", address }
  const unnamed = { ...payer, name: null, address: null }
  const device = { userAgent: null, referer: null, acceptHeader: null, language: null, timeZone: null, screen: null }

  it.live("is sent as far as it is known, with the payer's IP address", () =>
    Effect.gen(function* () {
      const { instance, network } = yield* connected
      yield* instance.create(yield* createOperation({ customer: payer, client: { ...device, ip: "203.0.113.42" } }))
      yield* instance.create(yield* createOperation({ customer: { ...payer, address: null } }))
      yield* instance.create(yield* createOperation({ customer: unnamed }))
      const sent = (yield* network.requests).map(({ body }): unknown => JSON.parse(body).compliance)
      const { city, line1, state } = address
      assert.deepStrictEqual(sent, [
        {
          requesterIpAddress: "203.0.113.42",
          buyer: { name: "Asha Rao", address: { line1, city, state, postCode: "400001", countryCode: "IN" } }
        },
        { buyer: { name: "Asha Rao" } },
        undefined
      ])
    }).pipe(Effect.scoped)
  )

  for (const errorType of ["invalid_request", "travel_rules_field_missing"] as const) {
    it.live(`is named by field if Coinbase lists it as missing by ${errorType}, and the payment is taken with it`, () =>
      Effect.gen(function* () {
        const { instance, vendor } = yield* connected
        booksOf(vendor.ledger).buyerRequiredBy = errorType
        for (const [customer, code, about] of [
          [unnamed, "buyer_address_missing", "customer.address"],
          [{ ...payer, address: null }, "buyer_address_missing", "customer.address"],
          [{ ...payer, name: null }, "buyer_name_missing", "customer.name"]
        ] as const) {
          const { reason } = yield* Effect.flip(instance.create(yield* createOperation({ customer })))
          assert.deepInclude(reason, { _tag: "AccountNotEnabled", code, about })
        }
        assert.strictEqual((yield* instance.create(yield* createOperation({ customer: payer })))._tag, "Pending")
      }).pipe(Effect.scoped)
    )
  }
})

import { assert, describe, it } from "@effect/vitest"
import { declineCodes, type InquiryOutcome, ProviderOptionsInvalid } from "@paymux/core"
import { Effect, Exit, Redacted } from "effect"
import { paymentCodes } from "../src/codes.ts"
import { declined } from "../src/errors.ts"
import { cashfree, simulatePayment } from "../src/index.ts"
import { captureAnswer, createAnswer, refundAnswer, terminationAnswer, voidAnswer } from "../src/status.ts"
import type * as Wire from "../src/wire.ts"
import { codes } from "../src/testing/codes.ts"
import { rupees } from "./operations.ts"

const order = (order_status: string): Wire.Order => ({
  order_id: "op_1",
  order_status,
  order_amount: 1_050,
  order_currency: "INR"
})

const payment = (payment_status: string, more: Partial<Wire.Payment> = {}): Wire.Payment => ({
  cf_payment_id: "1",
  payment_status,
  payment_amount: 1_050,
  payment_currency: "INR",
  ...more
})

describe("codes of Cashfree", () => {
  it("each published one of a payment is mapped to a word of the contract, and nothing else is", () => {
    const mapped = [...paymentCodes.meanings].filter(([, meaning]) => meaning.class === "declined")
    assert.sameMembers(
      mapped.map(([code]) => code),
      codes
    )
    for (const [, meaning] of mapped) assert.include(declineCodes, "code" in meaning ? meaning.code : null)
  })

  const failed = (details: Wire.ErrorDetails | null) => declined("FAILED", details, "op_1")

  it("the most specific known error decides, and is reported", () => {
    const wide = { error_code: "TRANSACTION_DECLINED", error_reason: "auth_declined" }
    const reason = (details: Wire.ErrorDetails) => {
      const answer = failed(details)
      return [answer._tag === "Declined" ? answer.code : answer._tag, answer.vendorCode]
    }
    assert.deepStrictEqual(reason({ ...wide, error_code_raw: "Z9" }), ["insufficient_funds", "Z9"])
    assert.deepStrictEqual(reason({ ...wide, error_code_raw: "QQ" }), ["do_not_honor", "QQ"])
    assert.deepStrictEqual(reason({ ...wide, error_code_raw: "" }), ["do_not_honor", "auth_declined"])
    assert.deepStrictEqual(reason({ ...wide, error_reason: null }), ["generic_decline", "TRANSACTION_DECLINED"])
  })

  it("what is not known is unknown; a failure without a code is a decline without a reason", () => {
    assert.deepInclude(failed({ error_code: "NEWS" }), { _tag: "Unknown", reason: "unmapped", vendorCode: "NEWS" })
    assert.deepInclude(failed({ error_code: "toString" }), { _tag: "Unknown", vendorCode: "toString" })
    assert.deepInclude(failed(null), { _tag: "Declined", code: "generic_decline", vendorCode: "FAILED" })
  })
})

describe("an order and its payments", () => {
  const answer = (status: string, ...payments: ReadonlyArray<Wire.Payment>): InquiryOutcome =>
    createAnswer(order(status), payments, "automatic")
  const tags = (rows: ReadonlyArray<readonly [InquiryOutcome, InquiryOutcome["_tag"]]>) =>
    assert.deepStrictEqual(
      rows.map(([{ _tag }]) => _tag),
      rows.map(([, wanted]) => wanted)
    )

  it("say by a payment's status what became of it", () => {
    tags([
      [answer("ACTIVE", payment("NOT_ATTEMPTED")), "Pending"],
      [answer("ACTIVE", payment("PENDING")), "Pending"],
      [answer("TERMINATED", payment("PENDING")), "Pending"],
      [answer("PAID", payment("SUCCESS", { is_captured: true })), "Succeeded"],
      [answer("PAID", payment("SUCCESS")), "Succeeded"],
      [answer("ACTIVE", payment("FAILED")), "Declined"],
      [answer("ACTIVE", payment("USER_DROPPED")), "Declined"],
      [answer("ACTIVE", payment("CANCELLED")), "Declined"],
      [answer("ACTIVE", payment("VOID")), "Canceled"],
      [answer("ACTIVE", payment("NEWS")), "Unknown"],
      [answer("NEWS", payment("NOT_ATTEMPTED")), "Unknown"]
    ])
  })

  it("and by the order's what it is without one that decides", () => {
    tags([
      [answer("ACTIVE"), "NotFound"],
      [answer("EXPIRED"), "Expired"],
      [answer("EXPIRED", payment("NOT_ATTEMPTED")), "Expired"],
      [answer("TERMINATED", payment("NOT_ATTEMPTED")), "Canceled"],
      [answer("TERMINATION_REQUESTED", payment("NOT_ATTEMPTED")), "Pending"],
      [answer("PAID"), "Unknown"]
    ])
  })

  it("an expired order may still be paid by what was begun before, and a success is one whatever else was tried", () => {
    tags([
      [answer("EXPIRED", payment("PENDING")), "Pending"],
      [answer("EXPIRED", payment("FAILED", { error_details: { error_code_raw: "ZM" } })), "Declined"],
      [answer("EXPIRED", payment("FAILED", { error_details: { error_code: "NEWS" } })), "Expired"],
      [answer("ACTIVE", payment("FAILED"), payment("NOT_ATTEMPTED")), "Pending"],
      [answer("ACTIVE", payment("FAILED"), payment("SUCCESS")), "Succeeded"],
      [answer("TERMINATED", payment("SUCCESS")), "Succeeded"]
    ])
  })

  it("a payment whose money moves is not given up", () => {
    const undecided = ["01", "96", "BT", "RB", "U67", "U68"].map((error_code_raw) =>
      payment("FAILED", { error_details: { error_code: "TRANSACTION_DECLINED", error_code_raw } })
    )
    const notCaptured = payment("SUCCESS", { is_captured: false })
    for (const moving of [payment("PENDING"), notCaptured, ...undecided]) {
      for (const status of ["ACTIVE", "EXPIRED", "TERMINATED"]) {
        const reported = answer(status, payment("FAILED"), moving)
        assert.deepInclude(reported, { _tag: "Pending", awaitingFinality: true })
      }
      assert.strictEqual(terminationAnswer(order("TERMINATED"), [moving], "automatic")._tag, "Pending")
      assert.strictEqual(terminationAnswer(order("EXPIRED"), [moving], "automatic")._tag, "Pending")
    }
    assert.notProperty(answer("ACTIVE", payment("NOT_ATTEMPTED")), "awaitingFinality")
  })

  it("a hold is distinguished from captured money by the payment's own field, and not by a missing one", () => {
    const held = (more: Partial<Wire.Payment>) => [payment("SUCCESS", more)]
    const done = { action: "CAPTURE", status: "SUCCESS", captured_amount: 1_050 }
    const answers = (payments: ReadonlyArray<Wire.Payment>) => [
      createAnswer(order("ACTIVE"), payments, "manual")._tag,
      captureAnswer("op_1", payments)._tag,
      voidAnswer("op_1", payments)?._tag
    ]
    assert.deepStrictEqual(answers(held({ is_captured: true })), ["Succeeded", "Succeeded", "Declined"])
    assert.deepStrictEqual(answers(held({ authorization: done })), ["Succeeded", "Succeeded", "Declined"])
    assert.deepStrictEqual(answers(held({ is_captured: false })), ["Authorized", "NotFound", "NotFound"])
    assert.deepStrictEqual(answers(held({})), ["Unknown", "Unknown", "Unknown"])
    assert.deepStrictEqual(answers([payment("VOID")]), ["Canceled", "Declined", "Succeeded"])
    const underWay = (action: string) => held({ is_captured: false, authorization: { action, status: "PENDING" } })
    assert.deepStrictEqual(answers(underWay("CAPTURE")), ["Authorized", "Pending", "NotFound"])
    assert.deepStrictEqual(answers(underWay("VOID")), ["Authorized", "NotFound", "Pending"])
  })

  it("a status that is prose is not repeated", () => {
    const prose = `declined for asha@example.com ${"x".repeat(600)}`
    const refund = { refund_id: "op1", refund_status: prose, refund_amount: 1, refund_currency: "INR" } as const
    for (const reported of [
      answer("ACTIVE", payment(prose)),
      answer(prose),
      terminationAnswer(order(prose), [], "automatic"),
      refundAnswer(refund)
    ]) {
      assert.strictEqual(reported._tag, "Unknown")
      assert.notProperty(reported, "vendorCode")
    }
  })

  it("the newest of several failures is reported", () => {
    const at = (payment_time: string, error_code_raw: string) =>
      payment("FAILED", { payment_time, error_details: { error_code_raw } })
    const reported = answer("ACTIVE", at("2026-01-02T03:04:05+05:30", "Z9"), at("2026-01-02T03:09:05+05:30", "ZM"))
    assert.deepInclude(reported, { _tag: "Declined", code: "incorrect_pin" })
  })

  it("the amount is what was paid for the order: not the surcharge, and of a hold what was captured", () => {
    const payment_surcharge = { payment_surcharge_service_charge: 20, payment_surcharge_service_tax: 4 }
    const surcharged = answer("PAID", payment("SUCCESS", { payment_amount: 1_074, payment_surcharge }))
    assert.deepInclude(surcharged, { amount: rupees(1_050) })
    const authorization = { action: "CAPTURE", status: "SUCCESS", captured_amount: 1_000 }
    assert.deepInclude(answer("PAID", payment("SUCCESS", { is_captured: true, authorization })), {
      amount: rupees(1_000)
    })
  })

  it("a termination is requested before it is done, and a refund has unspecified statuses", () => {
    assert.strictEqual(terminationAnswer(order("TERMINATION_REQUESTED"), [], "automatic")._tag, "Pending")
    assert.strictEqual(terminationAnswer(order("PAID"), [], "automatic")._tag, "Declined")
    assert.strictEqual(terminationAnswer(order("NEWS"), [], "automatic")._tag, "Unknown")
    assert.strictEqual(terminationAnswer(order("TERMINATED"), [payment("SUCCESS")], "automatic")._tag, "Declined")
    assert.strictEqual(terminationAnswer(order("TERMINATED"), [payment("NEWS")], "automatic")._tag, "Unknown")
    assert.strictEqual(terminationAnswer(order("TERMINATED"), [payment("FAILED")], "automatic")._tag, "Succeeded")
    const refund = (refund_status: string) =>
      refundAnswer({ refund_id: "op1", refund_status, refund_amount: 1, refund_currency: "INR" })._tag
    assert.deepStrictEqual(["SUCCESS", "PENDING", "ONHOLD", "CANCELLED", "FAILED", "NEWS"].map(refund), [
      "Succeeded",
      "Pending",
      "Pending",
      "Declined",
      "Declined",
      "Unknown"
    ])
  })
})

describe("keys", () => {
  const keys = { environment: "sandbox", clientId: "TEST1", clientSecret: "cfsk_ma_test_1" } as const
  const refused = (make: () => unknown): ReadonlyArray<string> => {
    try {
      make()
      return []
    } catch (error) {
      return error instanceof ProviderOptionsInvalid ? error.problems : [String(error)]
    }
  }

  it("of one environment are refused in the other, by the name of the option and without its value", () => {
    assert.deepStrictEqual(
      refused(() => cashfree({ ...keys, clientSecret: "cfsk_ma_prod_1" })),
      ["clientSecret: not valid"]
    )
    const live = { environment: "production", clientId: "1a2b", clientSecret: "cfsk_ma_prod_1" } as const
    assert.deepStrictEqual(
      refused(() => cashfree({ ...live, clientSecret: "cfsk_ma_test_1" })),
      ["clientSecret: not valid"]
    )
    assert.deepStrictEqual(
      refused(() => cashfree({ ...live, clientId: "TEST1a2b" })),
      ["clientId: not valid"]
    )
    assert.strictEqual(cashfree(live).mode, "live")
    assert.strictEqual(cashfree({ ...keys, clientId: "old", clientSecret: "without a form" }).mode, "test")
  })

  it("and options that are no options are refused", () => {
    assert.deepStrictEqual(
      refused(() => cashfree({ ...keys, payWithinMinutes: 15 })),
      ["payWithinMinutes: not valid"]
    )
    assert.deepStrictEqual(
      refused(() => cashfree({ ...keys, preauthorization: true })),
      ["preauthorization: not valid"]
    )
    const misspelt = { ...keys, preautorization: true }
    assert.deepStrictEqual(
      refused(() => cashfree(misspelt)),
      ["preautorization: is not an option of this provider"]
    )
  })

  it("say how long the payer has, and 10 minutes later no payer can have started", () => {
    for (const payWithinMinutes of [16, 20, 600]) {
      const { create } = cashfree({ ...keys, payWithinMinutes }).capabilities.operations
      assert.strictEqual(create.abandonedAfter, (payWithinMinutes + 10) * 60_000)
      assert.deepInclude(create.inquiry, { notFoundIsFinalAfter: (payWithinMinutes + 10) * 60_000 })
    }
  })

  it.live("of production simulate nothing", () =>
    Effect.gen(function* () {
      const clientSecret = Redacted.make("cfsk_ma_prod_1")
      const exit = yield* Effect.exit(
        simulatePayment({ clientId: "1", clientSecret, orderId: "op_1", status: "SUCCESS" })
      )
      assert.isTrue(Exit.isFailure(exit))
    })
  )
})

import { assert, describe, it } from "@effect/vitest"
import type { PaymentRecord } from "../../src/domain/Payment.ts"
import { requestOperation } from "../../src/domain/transition/requestOperation.ts"
import type { OperationAbility, OperationRequest, RefusalReason } from "../../src/domain/transition/requestOperation.ts"
import type { Outcome } from "../../src/domain/Outcome.ts"
import { after, asked, attempt, begun, claims, held, money, operation, paid } from "./records.ts"

const whole = (): OperationAbility => ({ support: "supported", partial: false })
const nothing = (): OperationAbility => ({ support: "not_supported", partial: false })
const capture = (minorUnits: number | null = null): OperationRequest => ({ kind: "capture", minorUnits })
const refund: OperationRequest = { kind: "refund", minorUnits: null, reason: null }
const cancel: OperationRequest = { kind: "cancel" }
const less: Outcome = { _tag: "RefundSucceeded", amount: money(20) }
const mismatched = after(asked(paid, "r", { kind: "refund", minorUnits: 30 }), ["r", less])

describe("a refused request", () => {
  const table: ReadonlyArray<readonly [PaymentRecord, OperationRequest, reason: RefusalReason, sentence: string]> = [
    [mismatched, refund, "wrong_state", "Another amount than asked moved: an operator has to look first."],
    [begun, capture(), "wrong_state", "A payment that is pending (processing) cannot be captured."],
    [paid, capture(), "wrong_state", "A payment that is succeeded cannot be captured."],
    [paid, cancel, "wrong_state", "A payment that is succeeded cannot be canceled."],
    [held, refund, "wrong_state", "A payment that is authorized cannot be refunded."],
    [
      after(asked(paid, "r", { kind: "refund" }), ["r", claims.refundSucceeded]),
      refund,
      "wrong_state",
      "All of it was refunded, or is being refunded."
    ],
    [held, capture(60), "not_supported", "p1 cannot capture a part of a payment."],
    [
      asked(held, "c", { kind: "capture" }),
      cancel,
      "in_flight",
      "Another operation of this payment is not decided yet."
    ]
  ]
  for (const [record, request, reason, sentence] of table) {
    it(`says why: ${sentence}`, () =>
      assert.deepStrictEqual(requestOperation(record, request, whole), { _tag: "Refused", reason, sentence }))
  }

  it("names the provider that cannot do it", () => {
    const sentence = "p1 cannot cancel this payment."
    assert.deepStrictEqual(requestOperation(held, cancel, nothing), {
      _tag: "Refused",
      reason: "not_supported",
      sentence
    })
  })

  it("is a capture or a cancel during a refund of the same attempt", () => {
    const refunding = asked(held, "r", { kind: "refund" })
    for (const request of [capture(), cancel]) {
      assert.deepInclude(requestOperation(refunding, request, whole), { _tag: "Refused", reason: "in_flight" })
    }
  })

  it("is the cancel of an unknown attempt without a provider reference, even if an earlier attempt has one", () => {
    const record: PaymentRecord = {
      ...begun,
      attempts: [attempt(1, { status: "declined" }), attempt(2, { status: "unknown" })],
      operations: [operation(1, { status: "declined", reference: "psp_1" }), operation(2, { status: "unknown" })]
    }
    assert.deepInclude(requestOperation(record, cancel, whole), { _tag: "Refused", reason: "wrong_state" })
  })
})

import { assert, describe, it } from "@effect/vitest"
import type { OperationStatus } from "../../../src/domain/Operation.ts"
import type { PaymentRecord } from "../../../src/domain/Payment.ts"
import { requestOperation } from "../../../src/domain/transition/requestOperation.ts"
import type { OperationAbility, OperationRequest } from "../../../src/domain/transition/requestOperation.ts"
import { after, asked, attempt, begun, claims, failed, held, operation, paid } from "../records.ts"

const all = (): OperationAbility => ({ support: "supported", partial: true })
const capture = (minorUnits: number | null = null): OperationRequest => ({ kind: "capture", minorUnits })
const refund = (minorUnits: number | null = null): OperationRequest => ({ kind: "refund", minorUnits, reason: null })
const cancel: OperationRequest = { kind: "cancel" }

const verdict = (record: PaymentRecord, request: OperationRequest, ability = all): string => {
  const answer = requestOperation(record, request, ability)
  switch (answer._tag) {
    case "Allowed":
      return `${answer.attempt.provider} ${answer.minorUnits}`
    case "Refused":
      return answer.reason
    case "TooMuch":
      return `at most ${answer.available}`
    case "ExceedsAvailable":
      return `exceeds ${answer.refundable.available}`
    case "NotAnAmount":
      return "no amount"
  }
}

const shown = after(begun, [1, claims.pending])
const unknown = after(begun, [1, claims.unknown])
const namedUnknown: PaymentRecord = {
  ...unknown,
  operations: unknown.operations.map((each) => ({ ...each, reference: "pi_1" }))
}
const canceled = after(held, [1, claims.canceled])

describe("what may be asked of a payment", () => {
  const table: ReadonlyArray<readonly [string, PaymentRecord, capture: string, cancel: string, refund: string]> = [
    ["being sent", begun, "wrong_state", "wrong_state", "wrong_state"],
    ["unknown", unknown, "wrong_state", "wrong_state", "wrong_state"],
    ["unknown, with a name at its provider", namedUnknown, "wrong_state", "p1 100", "wrong_state"],
    ["pending", shown, "wrong_state", "p1 100", "wrong_state"],
    ["authorized", held, "p1 100", "p1 100", "wrong_state"],
    ["succeeded", paid, "wrong_state", "wrong_state", "p1 100"],
    ["failed", failed, "wrong_state", "wrong_state", "wrong_state"],
    ["canceled", canceled, "wrong_state", "wrong_state", "wrong_state"]
  ]
  for (const [state, record, captured, released, refunded] of table) {
    it(`that is ${state}`, () => {
      assert.deepStrictEqual(
        [verdict(record, capture()), verdict(record, cancel), verdict(record, refund())],
        [captured, released, refunded]
      )
    })
  }

  it("is asked of the provider that has the money, and never of the one that was given it too much", () => {
    const twice: PaymentRecord = {
      ...paid,
      attempts: [
        attempt(1, { status: "succeeded", isOverpayment: true, provider: "x" }),
        attempt(2, { status: "succeeded" })
      ],
      operations: [...paid.operations, operation(2)]
    }
    assert.strictEqual(verdict(twice, refund()), "p2 100")
  })
})

describe("an amount", () => {
  it("is a positive integer", () => {
    for (const wrong of [0, -1, 0.5, Number.NaN, Number.NEGATIVE_INFINITY, 2 ** 53]) {
      assert.strictEqual(verdict(paid, refund(wrong)), "no amount", String(wrong))
      assert.strictEqual(verdict(held, capture(wrong)), "no amount", String(wrong))
    }
  })

  it("is at most what there is, and a part only where the provider takes parts", () => {
    assert.strictEqual(verdict(held, capture(101)), "at most 100")
    assert.strictEqual(verdict(paid, refund(101)), "at most 100")
    const whole = (): OperationAbility => ({ support: "supported", partial: false })
    assert.strictEqual(verdict(held, capture(99), whole), "not_supported")
    assert.strictEqual(verdict(paid, refund(99), whole), "not_supported")
    assert.strictEqual(verdict(paid, refund(100), whole), "p1 100")
    const part = after(asked(held, "c", { kind: "capture", minorUnits: 60 }), ["c", claims.succeeded])
    assert.strictEqual(verdict(part, refund(60), whole), "p1 60", "the whole of what was captured is no part")
    assert.strictEqual(verdict(part, refund(59), whole), "not_supported")
    assert.strictEqual(
      verdict(paid, refund(), () => ({ support: "not_supported", partial: true })),
      "not_supported"
    )
  })

  it("of a refund is what is left, with what is on its way counted, and what failed not", () => {
    const left = (status: OperationStatus) =>
      verdict(asked(paid, "r", { kind: "refund", minorUnits: 60, status }), refund(41))
    for (const open of ["planned", "sending", "pending", "unknown"] as const) {
      assert.strictEqual(left(open), "at most 40", open)
    }
    for (const over of ["declined", "not_executed", "canceled"] as const) assert.strictEqual(left(over), "p1 41", over)
    const refunded = after(asked(paid, "r", { kind: "refund", minorUnits: 60 }), ["r", claims.succeeded])
    assert.strictEqual(verdict(refunded, refund(41)), "at most 40")
    assert.strictEqual(verdict(refunded, refund()), "p1 40")
    const part = after(asked(held, "c", { kind: "capture", minorUnits: 30 }), ["c", claims.succeeded])
    assert.strictEqual(verdict(part, refund(31)), "at most 30")
  })
})

describe("one at a time", () => {
  it("decides over a hold: a capture or a cancel that is open refuses both", () => {
    for (const kind of ["capture", "cancel"] as const) {
      for (const status of ["planned", "sending", "pending", "unknown"] as const) {
        const open = asked(held, "o", { kind, status })
        assert.strictEqual(verdict(open, capture()), "in_flight")
        assert.strictEqual(verdict(open, cancel), "in_flight")
      }
      const over = asked(held, "o", { kind, status: "declined" })
      assert.strictEqual(verdict(over, capture()), "p1 100")
    }
  })

  it("a close for expiry on its way refuses a cancel; refunds do not wait for each other", () => {
    assert.strictEqual(verdict(asked(shown, "e", { kind: "cancel", purpose: "expiry" }), cancel), "in_flight")
    assert.strictEqual(verdict(asked(paid, "r", { kind: "refund", minorUnits: 10 }), refund(10)), "p1 10")
  })

  it("an open reversal at another provider does not block a request", () => {
    const other: PaymentRecord = {
      ...asked(paid, "v", { attemptSeq: 2, kind: "cancel", purpose: "reversal" }),
      attempts: [...paid.attempts, attempt(2, { status: "authorized", isOverpayment: true })]
    }
    assert.strictEqual(verdict(other, refund()), "p1 100")
  })
})

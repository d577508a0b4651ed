import { assert, describe, it } from "@effect/vitest"
import { cardRetryProblems } from "../../src/domain/cardRetries.ts"
import { failure, failureCodes } from "../../src/domain/Decline.ts"
import { refundFailure, refundStatus } from "../../src/domain/Refund.ts"
import { operation } from "./records.ts"

describe("a refund that failed", () => {
  it("has its provider's reason, or a general one where none was named", () => {
    const refused = operation("r", { kind: "refund", status: "declined", code: "insufficient_funds" })
    assert.strictEqual(refundStatus(refused), "failed")
    assert.deepStrictEqual(refundFailure(refused), failure("insufficient_funds", true))
    assert.deepStrictEqual(refundFailure({ ...refused, code: null }), failure("processing_error", true))
    for (const code of failureCodes) {
      const { message } = refundFailure({ ...refused, code }) ?? assert.fail()
      assert.strictEqual(
        message.includes("nothing was refunded"),
        failure(code, true).message.includes("nothing was charged")
      )
      assert.notInclude(message, "charged")
    }
  })

  it("is none while it is open or once it is done", () => {
    for (const status of ["planned", "sending", "pending", "unknown", "succeeded"] as const) {
      assert.isNull(refundFailure(operation("r", { kind: "refund", status })), status)
    }
  })
})

describe("a limit of card retries", () => {
  it("is a whole number from 1 to 100", () => {
    const problems = (declines: number) => cardRetryProblems({ limits: { visa: { declines, within: "1 day" } } })
    for (const declines of [1, 100]) assert.deepStrictEqual(problems(declines), [], String(declines))
    for (const declines of [0, -1, 1.5, 101]) assert.lengthOf(problems(declines), 1, String(declines))
  })

  it("takes times as numbers of ms and as text only", () => {
    for (const hold of [{ days: 1 }, [1, 0], true, null]) {
      assert.deepStrictEqual(cardRetryProblems({ holdAfterHardDecline: hold }), [
        'cardRetries.holdAfterHardDecline must be a number of ms, or text such as "30 days".'
      ])
    }
    for (const hold of [0, 1000, "30 days"])
      assert.deepStrictEqual(cardRetryProblems({ holdAfterHardDecline: hold }), [])
  })
})

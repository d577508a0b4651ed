/** A charge that is held, refunded or sent a second time: the first time explains nothing of the second. */
import { assert, describe, it } from "@effect/vitest"
import { chargesOf, unexplainedRefunds } from "../../src/domain/books/balance.ts"
import type { PaymentRecord } from "../../src/domain/Payment.ts"
import { after, apply, asked, attempt, changed, claims, failed, find, givenBack, held, money, paid } from "./records.ts"

const funds = (record: PaymentRecord) => {
  const [charge] = record.attempts.flatMap((each) => chargesOf(record, each))
  return [charge?.held, charge?.released]
}

describe("a hold that is raised after its release", () => {
  const inquiry = { source: "inquiry" } as const
  const released = after(held, [1, claims.canceled, inquiry])
  const raised = after(released, [1, { _tag: "Authorized", amount: money(130) }, inquiry])

  it("holds the difference, which is released as well: the books then hold nothing", () => {
    assert.deepStrictEqual([held, released, raised].map(funds), [
      [100, 0],
      [0, 100],
      [30, 100]
    ])
    assert.deepStrictEqual(funds(after(raised, [1, claims.canceled, inquiry])), [0, 130])
  })
})

describe("a refund in the provider's dashboard", () => {
  /** It is reported at 1,000 ms. */
  const refunded = after(paid, [1, givenBack(30), { reference: "re_9" }])
  const unexplained = (createdAt: number, status: "sending" | "unknown" | "succeeded") =>
    unexplainedRefunds(asked(refunded, "r", { kind: "refund", minorUnits: 30, createdAt, status }), attempt(1))

  it("may be the refund that was requested before, whose outcome is not known yet", () => {
    assert.deepStrictEqual([unexplained(999, "unknown"), unexplained(1000, "sending")], [0, 0])
  })

  it("is not explained by a refund that is requested after it", () => {
    for (const status of ["sending", "unknown", "succeeded"] as const) {
      assert.strictEqual(unexplained(1001, status), 30, status)
    }
  })
})

describe("a refund of the engine that is sent again", () => {
  const late = after(failed, [1, claims.succeeded, { lateSuccess: "reverse" }])
  const unknown = after(asked(late, "v", { kind: "refund", purpose: "reversal" }), ["v", claims.unknown])
  const again = (outcome: typeof claims.notFound | typeof claims.notExecuted) =>
    find(changed(apply(unknown, "v", outcome)).record, "v")

  it("stays unsettled where the first send was only not found: it may have been executed all the same", () => {
    assert.deepInclude(again(claims.notFound), { status: "planned", unsettled: true })
  })

  it("is settled where the provider proves that the first send was not executed", () => {
    assert.deepInclude(again(claims.notExecuted), { status: "planned", unsettled: false })
  })
})

import { assert, describe, it } from "@effect/vitest"
import { overpayment } from "../../src/domain/books/balance.ts"
import type { PaymentRecord } from "../../src/domain/Payment.ts"
import { transition } from "../../src/domain/transition/transition.ts"
import {
  after,
  answer,
  apply,
  asked,
  attempt,
  changed,
  claims,
  evidence,
  failed,
  find,
  held,
  operation,
  reasons,
  reviewOf,
  step,
  taken
} from "./records.ts"

describe("a capture found out after its hold had lapsed", () => {
  it("ends the create of its own attempt, in whatever order the operations stand", () => {
    const create = operation(2, { status: "expired" })
    const capture = operation("c", { kind: "capture", attemptSeq: 2, provider: "p2", status: "unknown" })
    const first = operation(1, { status: "declined", reference: "psp_1" })
    const orders = [
      [first, create, capture],
      [capture, create, first]
    ]
    for (const operations of orders) {
      const record: PaymentRecord = {
        ...failed,
        attempts: [attempt(1, { status: "declined" }), attempt(2, { status: "expired" })],
        operations
      }
      const late = changed(apply(record, "c", claims.captured)).record
      assert.deepStrictEqual(
        [1, 2, "c"].map((name) => find(late, name).status),
        ["declined", "succeeded", "succeeded"]
      )
      assert.deepStrictEqual(
        late.attempts.map(({ late, status }) => [status, late]),
        [
          ["declined", false],
          ["succeeded", true]
        ]
      )
      assert.strictEqual(late.payment.provider, "p2")
    }
  })

  it("keeps its provider reference", () => {
    const lapsed = after(
      asked(held, "c", { kind: "capture", reference: "psp_c" }),
      ["c", claims.unknown],
      [1, claims.expired]
    )
    assert.strictEqual(find(changed(apply(lapsed, "c", claims.captured)).record, "c").reference, "psp_c")
    const subject = find(lapsed, "c")
    const transitioned = transition(
      lapsed,
      subject,
      evidence(subject.id, { ...claims.captured, reference: "psp_d" }),
      step
    )
    assert.strictEqual(find(changed(transitioned).record, "c").reference, "psp_d")
  })
})

describe("what is done to a hold of the second attempt", () => {
  it("ends the create of that attempt, in whatever order the operations stand", () => {
    const first = operation(1, { status: "declined", endedAt: 5 })
    const second = operation(2, { status: "authorized" })
    const attempts = [attempt(1, { status: "declined" }), attempt(2, { status: "authorized" })]
    for (const [kind, status] of [
      ["capture", "succeeded"],
      ["cancel", "canceled"]
    ] as const) {
      const later = operation("o", { kind, attemptSeq: 2, provider: "p2" })
      for (const operations of [
        [first, second, later],
        [later, second, first]
      ]) {
        const done = changed(apply({ ...held, attempts, operations }, "o", claims.succeeded)).record
        assert.strictEqual(find(done, 2).status, status)
        assert.deepStrictEqual(find(done, 1), first)
        assert.strictEqual(done.attempts[1]?.status, status)
      }
    }
  })
})

describe("a capture that was refused, and is reported done under its own name", () => {
  const refused = after(asked(held, "c", { kind: "capture", minorUnits: 60, reference: "psp_c" }), [
    "c",
    claims.captureFailed
  ])

  it("by a reply or a webhook may have come in the wrong order: in the books, a review, an inquiry, and no success", () => {
    for (const source of ["webhook", "reply", "return"] as const) {
      const { event, record } = changed(apply(refused, "c", taken(60), { source, reference: "psp_c" }))
      assert.deepStrictEqual(
        [event, record.payment.state.status, find(record, "c").status],
        [null, "authorized", "declined"]
      )
      assert.deepStrictEqual(reasons(record), ["contradiction"], source)
      assert.deepInclude(reviewOf(record, "contradiction"), { reference: "psp_c", minorUnits: 60, currency: "EUR" })
      assert.deepInclude(record.entries.at(-1), { kind: "captured", reference: "psp_c", minorUnits: 60, source })
      assert.strictEqual(find(record, 1).nextCheckAt, step.now)
      assert.strictEqual(apply(record, "c", taken(60), { source, reference: "psp_c" })._tag, "Unchanged")
    }
  })

  it("by its provider's own books or an operator was done", () => {
    const doubted = after(refused, ["c", taken(60), { reference: "psp_c" }])
    for (const record of [
      after(refused, ["c", taken(60), { source: "inquiry", reference: "psp_c" }]),
      after(doubted, ["c", taken(60), { source: "inquiry", reference: "psp_c" }]),
      after(doubted, [1, taken(60), { source: "inquiry" }]),
      changed(answer(doubted, "contradiction", "succeeded")).record
    ]) {
      assert.deepStrictEqual([record.payment.state.status, record.payment.amountCaptured], ["succeeded", 60])
      assert.deepStrictEqual([find(record, "c").status, reasons(record), overpayment(record)], ["succeeded", [], 0])
    }
  })
})

import { assert, describe, it } from "@effect/vitest"
import type { PaymentRecord } from "../../src/domain/Payment.ts"
import { transition } from "../../src/domain/transition.ts"
import {
  after,
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
  step
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
      { ...evidence(subject.id, claims.captured), reference: "psp_d" },
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

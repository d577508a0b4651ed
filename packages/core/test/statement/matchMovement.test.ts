/** Each kind of difference, and what is none. */
import { assert, describe, it } from "@effect/vitest"
import type { OperationId, PaymentId } from "../../src/domain/Ids.ts"
import type { StatementMovement } from "../../src/provider/Statement.ts"
import { matchPage } from "../../src/statement/matchPage.ts"
import { indexed, plainRules } from "../../src/statement/OurOperations.ts"
import type { OurOperations } from "../../src/statement/OurOperations.ts"
import { money } from "../domain/records.ts"
import { capture, create, held, movement, opId, ourOperation, ours, refund, refundMovement } from "./sample.ts"

const results = (movements: ReadonlyArray<StatementMovement>, known: OurOperations) =>
  matchPage(movements, new Map(), known).fresh.map(({ differences, result }) => [
    result,
    ...differences.map(({ kind }) => kind)
  ])

const other = ourOperation("o", { paymentId: "pay_2" as PaymentId })

describe("a movement that agrees", () => {
  const known = ours(create, refund)

  it("is matched by the id that the provider returns, by its reference, or by the reference of the payment", () => {
    for (const name of [{ operation: create.id }, { reference: "ref_c" }, { original: "ref_c" }]) {
      assert.deepStrictEqual(results([movement(name)], known), [["matched"]], JSON.stringify(name))
    }
  })

  it("is matched by a reference that the operation had before", () => {
    const former = indexed({
      operations: [create],
      former: [{ reference: "old", paymentId: create.paymentId }],
      bookings: new Map()
    })
    assert.deepStrictEqual(results([movement({ reference: "old" })], former), [["matched"]])
  })

  it("is a refund under its own reference, under that of the payment, or one whose answer was lost", () => {
    assert.deepStrictEqual(results([refundMovement({ reference: "ref_r" })], known), [["matched"]])
    assert.deepStrictEqual(results([refundMovement({ reference: "ref_c" })], known), [["matched"]])
    const lost = ours(create, { ...refund, reference: null })
    assert.deepStrictEqual(results([refundMovement({ reference: "re_9", original: "ref_c" })], lost), [["matched"]])
  })

  it("has a reference that another payment has, too", () => {
    const twin = ourOperation("a", { kind: "refund", minorUnits: 300, paymentId: other.paymentId, reference: "ref_r" })
    const both = ours(other, twin, create, refund)
    assert.deepStrictEqual(results([refundMovement({ operation: refund.id, reference: "ref_r" })], both), [["matched"]])
  })

  it("has another amount than requested that the books know", () => {
    const more = ours({ ...create, entered: [1000, 1200].map((minorUnits) => ({ reference: "ref_c", minorUnits })) })
    assert.deepStrictEqual(results([movement({ reference: "ref_c", amount: money(1200) })], more), [["matched"]])
  })

  it("is a capture of a hold, also where the provider books each as a payment under the name of the hold", () => {
    const known = ours(held, capture("c1"), capture("c2", { minorUnits: 600 }))
    const both = [
      movement({ id: "m1", operation: held.id, reference: "ref_h", amount: money(600) }),
      movement({ id: "m2", operation: held.id, reference: "ref_h", amount: money(400) })
    ]
    assert.deepStrictEqual(results(both, known), [["matched"], ["matched"]])
    assert.deepStrictEqual(results(both.toReversed(), known), [["matched"], ["matched"]])
  })

  it("is the second booking of a refund that came back in between", () => {
    const movements = [
      refundMovement({ id: "a", operation: refund.id }),
      refundMovement({ id: "b", type: "refund_failed", direction: "in", operation: refund.id }),
      refundMovement({ id: "c", operation: refund.id })
    ]
    assert.deepStrictEqual(results(movements, known), [["matched"], ["differs", "other_status"], ["matched"]])
  })
})

describe("a movement of no payment of ours", () => {
  it("is foreign if it has no name of ours: also under the ids of another system", () => {
    const names = [{}, { operation: "order-77" }, { operation: "op_77" }, { reference: "ch_9", original: "pi_9" }]
    for (const name of names) {
      assert.deepStrictEqual(results([movement(name)], ours(create)), [["foreign"]], JSON.stringify(name))
      assert.deepStrictEqual(results([refundMovement(name)], ours(create)), [["foreign"]], JSON.stringify(name))
    }
  })

  it("is foreign if it is that of another cell, and lost if it is of this one, or of a time before cells", () => {
    const here = indexed(
      { operations: [create], former: [], bookings: new Map() },
      { ...plainRules, ownIds: { cell: "eu1", withoutCell: true } }
    )
    const named = (cell: string) => [movement({ operation: `${opId("7away")}${cell}` })]
    assert.deepStrictEqual(results(named("_us1"), here), [["foreign"]])
    assert.deepStrictEqual(results(named("_eu1"), here), [["differs", "missing_here"]])
    assert.deepStrictEqual(results(named(""), here), [["differs", "missing_here"]])
    assert.deepStrictEqual(results(named("_us1"), ours(create)), [["foreign"]])
  })

  it("is foreign without a cell, if this one had no payments before it was a cell", () => {
    const here = indexed(
      { operations: [create], former: [], bookings: new Map() },
      { ...plainRules, ownIds: { cell: "us1", withoutCell: false } }
    )
    const away = opId("7away")
    assert.deepStrictEqual(results([movement({ operation: away }), refundMovement({ operation: away })], here), [
      ["foreign"],
      ["foreign"]
    ])
    assert.deepStrictEqual(results([movement({ operation: `${away}_us1` })], here), [["differs", "missing_here"]])
    assert.deepStrictEqual(results([movement({ operation: create.id })], here), [["matched"]])
  })

  it("is ours under the id of another cell, if it is stored here: its account was moved", () => {
    const moved = { ...create, id: `${create.id}_us1` as OperationId }
    const here = indexed(
      { operations: [moved], former: [], bookings: new Map() },
      { ...plainRules, ownIds: { cell: "eu1", withoutCell: false } }
    )
    assert.deepStrictEqual(results([movement({ operation: moved.id })], here), [["matched"]])
  })

  it("is of the account if it is a fee, a payout or an adjustment", () => {
    for (const type of ["fee", "payout", "adjustment"] as const) {
      assert.deepStrictEqual(results([movement({ type, reference: "ref_c" })], ours(create)), [["account"]])
    }
  })
})

describe("a movement that differs", () => {
  const known = ours(create, refund, other)
  const cases: ReadonlyArray<readonly [string, StatementMovement, OurOperations]> = [
    ["missing_here", movement({ operation: opId("7away") }), known],
    ["missing_here", movement({ operation: opId("7away"), reference: "ref_c" }), known],
    ["other_amount", movement({ operation: create.id, amount: money(999) }), known],
    ["other_currency", movement({ operation: create.id, amount: money(1000, "USD") }), known],
    ["other_status", movement({ operation: create.id }), ours({ ...create, status: "declined" })],
    ["other_status", movement({ operation: create.id }), ours({ ...create, status: "unknown" })],
    ["other_status", movement({ reference: "ref_h", amount: money(400) }), ours({ ...held, status: "authorized" })],
    ["other_status", movement({ type: "dispute", direction: "out", original: "ref_c" }), known],
    ["unknown_refund", refundMovement({ reference: "re_9", original: "ref_c" }), known],
    ["unknown_refund", refundMovement({ reference: "ref_c", amount: money(200) }), known],
    ["other_reference", movement({ operation: create.id, reference: "ref_o" }), known],
    ["other_reference", refundMovement({ operation: refund.id, reference: "ref_o" }), known],
    ["wrong_fee", movement({ operation: create.id, fee: money(30), net: money(965) }), known],
    ["wrong_fee", refundMovement({ operation: refund.id, fee: money(30), net: money(300) }), known]
  ]
  for (const [kind, each, database] of cases) {
    it(`is ${kind}: ${each.type} ${each.operation ?? each.reference ?? each.original} of ${each.amount.minorUnits}`, () => {
      assert.deepStrictEqual(results([each], database), [["differs", kind]])
    })
  }

  it("is duplicate_there if another movement booked the operation, in the same page or before", () => {
    const twice = [movement({ operation: create.id }), movement({ id: "m9", reference: "ref_c" })]
    assert.deepStrictEqual(results(twice, known), [["matched"], ["differs", "duplicate_there"]])
    const booked = { movement: "m0", type: "payment", ...money(1000) } as const
    const before = indexed({ operations: [create], former: [], bookings: new Map([[create.id, [booked]]]) })
    assert.deepStrictEqual(results([movement({ reference: "ref_c" })], before), [["differs", "duplicate_there"]])
    const [third] = matchPage([movement({ reference: "ref_c" })], new Map(), before).fresh
    assert.deepStrictEqual(third?.differences[0]?.found, { minorUnits: 2000, currency: "EUR" })
  })

  it("of a refund without a name is of the one that is under way, not of one that was not done", () => {
    const failed = ourOperation("f", { kind: "refund", minorUnits: 300, reference: null, status: "not_executed" })
    const again = ourOperation("g", { kind: "refund", minorUnits: 300, reference: null, status: "sending" })
    const [matched] = matchPage([refundMovement({ original: "ref_c" })], new Map(), ours(create, failed, again)).fresh
    assert.strictEqual(matched?.operation?.id, again.id)
    const stray = matchPage([refundMovement({ original: "ref_c" })], new Map(), ours(create, failed)).fresh[0]
    assert.deepStrictEqual(
      stray?.differences.map(({ kind }) => kind),
      ["unknown_refund"]
    )
  })

  it("differs by no fee that was given back, if the movement adds up with it", () => {
    const returned = [
      movement({ operation: create.id, fee: money(-30), net: money(1030) }),
      refundMovement({ operation: refund.id, fee: money(-10), net: money(290) }),
      // More than the refund: the balance has gained it.
      refundMovement({ operation: refund.id, fee: money(-350), net: money(50) })
    ]
    for (const each of returned) assert.deepStrictEqual(results([each], known), [["matched"]])
    const [matched] = matchPage([{ ...(returned[1] ?? assert.fail()), fee: money(-11) }], new Map(), known).fresh
    assert.deepInclude(matched?.differences[0], { kind: "wrong_fee", expected: money(-10), found: money(-11) })
  })

  it("books neither of two payments under the names of both", () => {
    const [matched] = matchPage([movement({ operation: create.id, reference: "ref_o" })], new Map(), known).fresh
    assert.strictEqual(matched?.operation, null)
  })

  it("is judged by its fee only in one currency, and with a net amount", () => {
    const fees = [
      { fee: money(30), net: null },
      { fee: money(30, "USD"), net: money(960) },
      { fee: money(30), net: money(970) },
      { fee: money(1100), net: money(100) }
    ]
    for (const each of fees) {
      assert.deepStrictEqual(results([movement({ operation: create.id, ...each })], known), [["matched"]])
    }
  })
})

describe("a page", () => {
  it("enters a movement once, and finds another content under the same id", () => {
    const first = movement({ operation: create.id })
    const again = matchPage([first, first, { ...first, amount: money(1) }], new Map(), ours(create))
    assert.strictEqual(again.fresh.length, 1)
    assert.strictEqual(again.repeated, 1)
    assert.deepStrictEqual(
      again.changed.map(({ expected, found, kind }) => [kind, expected?.minorUnits, found?.minorUnits]),
      [["changed_movement", 1000, 1]]
    )
  })

  it("compares a movement again that was foreign, and enters it if it is ours by now", () => {
    const first = movement({ reference: "ref_c" })
    const known = new Map([["m1", { ...first, result: "foreign" as const }]])
    const still = matchPage([first], known, ours())
    assert.deepStrictEqual([still.fresh.length, still.repeated], [0, 1])
    const now = matchPage([first, first], known, ours(create))
    assert.deepStrictEqual(
      now.fresh.map(({ operation, result }) => [operation?.id, result]),
      [[create.id, "matched"]]
    )
    assert.strictEqual(now.repeated, 1)
  })

  it("accepts a payout that is named later, and no other one", () => {
    const first = movement({ operation: create.id })
    const paid = { ...first, payout: "po_1" }
    assert.strictEqual(matchPage([paid], new Map([["m1", { ...first, result: "matched" }]]), ours(create)).repeated, 1)
    assert.strictEqual(
      matchPage([{ ...paid, payout: "po_2" }], new Map([["m1", { ...paid, result: "matched" }]]), ours(create)).changed
        .length,
      1
    )
  })

  it("is completed by a fee, net amount and payout that are known later, and by no other ones", () => {
    const first = { ...movement({ operation: create.id }), result: "matched" as const }
    const later = { ...movement({ operation: create.id }), fee: money(30), net: money(970), payout: "po_1" }
    const page = matchPage([later, { ...later, fee: null }, first], new Map([["m1", first]]), ours(create))
    assert.deepStrictEqual([page.completed, page.repeated, page.changed], [[{ ...first, ...later }], 3, []])
    const known = new Map([["m1", { ...first, ...later }]])
    for (const other of [{ fee: money(31) }, { net: money(970, "USD") }, { payout: "po_2" }]) {
      const { changed, completed } = matchPage([{ ...later, ...other }], known, ours(create))
      assert.deepStrictEqual(
        changed.map(({ kind }) => kind),
        ["changed_movement"]
      )
      assert.isEmpty(completed)
    }
  })

  it("judges a fee that is known later, of what is not foreign", () => {
    const first = movement({ operation: create.id })
    const wrong = { ...first, fee: money(31), net: money(970) }
    const found = (result: "matched" | "foreign", books = ours(create)) => {
      const { changed, fresh } = matchPage([wrong], new Map([["m1", { ...first, result }]]), books)
      return [...changed, ...fresh.flatMap(({ differences }) => differences)].map(({ kind }) => kind)
    }
    assert.deepStrictEqual(found("matched"), ["wrong_fee"])
    assert.deepStrictEqual(found("foreign"), ["wrong_fee"])
    assert.deepStrictEqual(found("foreign", ours()), [])
  })
})

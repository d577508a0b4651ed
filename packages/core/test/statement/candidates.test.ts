/** Which of several operations a movement books, where more than one has its name. */
import { assert, describe, it } from "@effect/vitest"
import type { StatementMovement } from "../../src/provider/Statement.ts"
import { matchPage } from "../../src/statement/matchPage.ts"
import type { OurOperations } from "../../src/statement/OurOperations.ts"
import { money } from "../domain/records.ts"
import { capture, create, held, movement, ourOperation, ours, refund, refundMovement } from "./sample.ts"

/** Of each movement: the operation that it books, and its difference. */
const booked = (movements: ReadonlyArray<StatementMovement>, known: OurOperations) =>
  matchPage(movements, new Map(), known).fresh.map(({ differences, operation }) => [
    operation?.id ?? null,
    ...differences.map(({ kind }) => kind)
  ])

const captured = (id: string, minorUnits: number, over: Partial<StatementMovement> = {}) =>
  movement({ id, type: "capture", reference: "ref_h", amount: money(minorUnits), ...over })

const [first, second] = [capture("c1"), capture("c2", { minorUnits: 600 })]

describe("a movement with the name of several captures", () => {
  it("books the one that it returns the id of, also with the amount of another one", () => {
    assert.deepStrictEqual(booked([captured("m1", 400, { operation: second.id })], ours(held, first, second)), [
      [second.id, "other_amount"]
    ])
  })

  it("books one of the same amount that is not booked yet", () => {
    const twin = capture("c2")
    const both = [captured("m1", 400), captured("m2", 400)]
    assert.deepStrictEqual(booked(both, ours(held, first, twin)), [[first.id], [twin.id]])
    assert.deepStrictEqual(booked([...both, captured("m3", 400)], ours(held, first, twin)).at(-1), [
      first.id,
      "duplicate_there"
    ])
  })

  it("books one that succeeded before one that did not", () => {
    const declined = capture("c0", { status: "declined" })
    assert.deepStrictEqual(booked([captured("m1", 400)], ours(held, declined, first)), [[first.id]])
  })

  it("books the one of its amount under a name that only the captures have", () => {
    const [one, other] = [first, second].map((each) => ({ ...each, reference: "cap" }))
    if (one === undefined || other === undefined) return assert.fail("no captures")
    const both = [captured("m1", 600, { reference: "cap" }), captured("m2", 400, { reference: "cap" })]
    assert.deepStrictEqual(booked(both, ours(held, one, other)), [[other.id], [one.id]])
  })
})

describe("a refund under the name of its payment", () => {
  it("books the one that it returns the id of, also with another amount", () => {
    const less = refundMovement({ operation: refund.id, reference: "ref_c", amount: money(200) })
    assert.deepStrictEqual(booked([less], ours(create, refund)), [[refund.id, "other_amount"]])
  })

  it("was not requested here, if the one of its amount is booked", () => {
    const again = ourOperation("r2", { kind: "refund", minorUnits: 300, reference: null })
    const known = ours(create, { ...refund, reference: null }, again)
    const movements = ["m1", "m2", "m3"].map((id) => refundMovement({ id, reference: "ref_c" }))
    assert.deepStrictEqual(booked(movements, known), [[refund.id], [again.id], [null, "unknown_refund"]])
  })
})

describe("a second movement of one operation", () => {
  it("is a duplicate, whether the provider calls the first one a payment or a capture", () => {
    const both = [movement({ operation: create.id }), movement({ id: "m2", type: "capture", operation: create.id })]
    for (const movements of [both, both.toReversed()]) {
      assert.deepStrictEqual(booked(movements, ours(create)), [[create.id], [create.id, "duplicate_there"]])
    }
  })

  it("is not added to a dispute of it", () => {
    const disputed = ours({ ...create, disputes: [{ reference: null, isWon: false }] })
    const movements = [
      movement({ operation: create.id }),
      movement({ id: "m2", type: "dispute", direction: "out", original: "ref_c" }),
      movement({ id: "m3", operation: create.id })
    ]
    const { fresh } = matchPage(movements, new Map(), disputed)
    assert.deepStrictEqual(
      fresh.map(({ differences, result }) => [result, ...differences.map(({ found }) => found?.minorUnits)]),
      [["matched"], ["matched"], ["differs", 2000]]
    )
  })
})

/** Payments that are booked in several movements, as the transfers to one address are. */
import { assert, describe, it } from "@effect/vitest"
import type { StatementMovement } from "../../src/provider/Statement.ts"
import { differenceEvidence } from "../../src/statement/differenceEvidence.ts"
import { matchPage } from "../../src/statement/matchPage.ts"
import { indexed, plainRules } from "../../src/statement/OurOperations.ts"
import type { Booking, OurOperation } from "../../src/statement/OurOperations.ts"
import { money } from "../domain/records.ts"
import { create, movement, refund, refundMovement } from "./sample.ts"

const inParts = (operation: OurOperation, booked: ReadonlyArray<Booking> = []) =>
  indexed(
    { operations: [operation, refund], former: [], bookings: new Map([[operation.id, booked]]) },
    { ...plainRules, paymentsInParts: true }
  )

const transfers = (...amounts: ReadonlyArray<number>): ReadonlyArray<StatementMovement> =>
  amounts.map((minorUnits, n) => movement({ id: `t${n}`, reference: "ref_c", amount: money(minorUnits) }))

/** Of each movement: its differences with the amount that is found, and what the operation is booked with by then. */
const shown = (movements: ReadonlyArray<StatementMovement>, known: ReturnType<typeof inParts>) =>
  matchPage(movements, new Map(), known).fresh.map(({ booked, differences }) => [
    booked?.minorUnits ?? null,
    ...differences.map(({ found, kind }) => `${kind} ${found?.minorUnits}`)
  ])

describe("a payment of 1000 in parts", () => {
  it("agrees when the parts add up, and no part is a difference before", () => {
    assert.deepStrictEqual(shown(transfers(400, 300, 300), inParts(create)), [[null], [null], [1000]])
    assert.deepStrictEqual(shown(transfers(1000), inParts(create)), [[1000]])
  })

  it("counts what earlier statements have booked", () => {
    const booked = [{ movement: "t9", type: "payment", ...money(700) } as const]
    assert.deepStrictEqual(shown(transfers(300), inParts(create, booked)), [[1000]])
    assert.deepStrictEqual(shown(transfers(301), inParts(create, booked)), [[1001, "other_amount 1001"]])
  })

  it("may lack what was rounded away: at most a minor unit for each part", () => {
    assert.deepStrictEqual(shown(transfers(333, 333, 333), inParts(create)), [[null], [null], [1000]])
    assert.deepStrictEqual(shown(transfers(500, 497), inParts(create)), [[null], [null]])
    assert.deepStrictEqual(shown(transfers(999), inParts(create)), [[1000]])
  })

  it("is not paid by what may have been rounded away: many small parts are what they are", () => {
    const cents = transfers(...Array<number>(600).fill(1))
    for (const status of ["pending", "unknown", "sending"] as const) {
      assert.isTrue(
        shown(cents, inParts({ ...create, status })).every(
          ([booked, ...kinds]) => booked === null && kinds.length === 0
        )
      )
    }
    assert.deepStrictEqual(shown(cents, inParts({ ...create, status: "expired" })).at(-1), [null, "other_status 600"])
  })

  it("is other_amount with the sum if more came than the books have", () => {
    const [, , last] = shown(transfers(600, 400, 50), inParts(create))
    assert.deepStrictEqual(last, [1050, "other_amount 1050"])
    // The charge was reported twice while it grew; the other one came after it was paid.
    const entered = [
      { reference: null, minorUnits: 600 },
      { reference: "ref_c", minorUnits: 1000 },
      { reference: "ref_c#2", minorUnits: 50 }
    ]
    const known = inParts({ ...create, entered })
    assert.deepStrictEqual(shown(transfers(600, 400, 50), known), [[null], [null], [1000]])
    assert.deepStrictEqual(shown(transfers(600, 400, 51), known)[2], [1001, "other_amount 1051"])
    const { fresh } = matchPage(transfers(600, 400, 51), new Map(), known)
    const [evidence] = fresh.flatMap(({ differences }) => differences.map((each) => differenceEvidence(each, known)))
    // The other 50 are in the books under their own reference.
    assert.deepInclude(evidence?.outcome, { amount: money(1001), reference: "ref_c" })
  })

  it("is other_status once all of it came, with the whole amount as evidence", () => {
    for (const status of ["pending", "unknown", "sending", "planned"] as const) {
      const known = inParts({ ...create, status })
      assert.deepStrictEqual(shown(transfers(333, 333), known), [[null], [null]], status)
      assert.deepStrictEqual(shown(transfers(500, 499), known)[1], [null], status)
      assert.deepStrictEqual(shown(transfers(600, 500), known)[1], [null, "other_status 1100"], status)
      const { fresh } = matchPage(transfers(600, 500), new Map(), known)
      const evidence = fresh.flatMap(({ differences }) => differences.map((each) => differenceEvidence(each, known)))
      assert.deepInclude(evidence[0]?.outcome, { _tag: "Succeeded", amount: money(1100), reference: "ref_c" })
    }
  })

  it("is other_status if any of it came to a payment that had ended", () => {
    for (const status of ["expired", "canceled", "declined", "not_executed"] as const) {
      const known = inParts({ ...create, status })
      assert.deepStrictEqual(shown(transfers(400), known), [[null, "other_status 400"]], status)
    }
  })

  it("is other_currency if a part has another one, which counts for no sum", () => {
    const foreign = movement({ id: "t8", reference: "ref_c", amount: money(600, "USD") })
    assert.deepStrictEqual(shown([foreign, ...transfers(400, 600)], inParts(create)), [
      [null, "other_currency 600"],
      [null],
      [1000]
    ])
  })

  it("changes nothing for refunds: a second booking is a duplicate", () => {
    const again = refundMovement({ id: "m3", reference: "ref_r" })
    assert.deepStrictEqual(shown([refundMovement({ reference: "ref_r" }), again], inParts(create)), [
      [300],
      [300, "duplicate_there 600"]
    ])
  })
})

import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { cellOf, isCellName, isMadeElsewhere, otherCellOf } from "../../src/domain/Cell.ts"
import { Ids, isOperationId, isPaymentId, isRefundId, make } from "../../src/domain/Ids.ts"
import { refundId, refundOperationId } from "../../src/domain/Refund.ts"

const cellNames = fc.stringMatching(/^[a-z][0-9a-z]{0,7}$/)

describe("a cell", () => {
  it.each(["e", "eu1", "a1234567", "zzzzzzzz"])("may be named %s", (name) => {
    assert.isTrue(isCellName(name))
  })

  it.each(["", "1eu", "EU1", "eu-1", "eu_1", "eu.1", "europe001", "eu1 ", "eu1\n", "é"])("is not named %j", (name) => {
    assert.isFalse(isCellName(name))
  })

  it("is read from every id that it makes, which sort by time and are at most 38 characters long", () => {
    const times = fc.tuple(fc.nat(), fc.integer({ min: 1, max: 1_000_000 }))
    fc.assert(
      fc.property(
        fc.option(cellNames),
        fc.option(cellNames),
        times,
        fc.boolean(),
        (before, after, [time, apart], isDerived) => {
          const at = (now: number, cell: string | null) =>
            make(
              (length) => globalThis.crypto.getRandomValues(new Uint8Array(length)),
              () => now,
              (text) => new Uint8Array(32).fill(text.length),
              cell
            )
          const origin = isDerived ? ["create", "key"] : null
          // The installation may have become a cell in between.
          const [first, second] = [at(time, before), at(time + apart, after)]
          const payments = [first.payment(origin), second.payment(origin)]
          assert.deepStrictEqual(payments.toSorted(), payments)
          assert.isTrue(payments.every(isPaymentId))
          assert.deepStrictEqual(payments.map(cellOf), [before, after])
          const { id } = second.operation(origin)
          assert.isTrue(isOperationId(id) && Ids.isOperation(id) && id.length <= 38, id)
          assert.strictEqual(cellOf(id), after)
          const refund = refundId(id)
          assert.isTrue(isRefundId(refund), refund)
          assert.strictEqual(cellOf(refund), after)
          assert.strictEqual(refundOperationId(refund), id)
        }
      )
    )
  })

  it("is not read from anything else", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        assert.isNull(cellOf(text))
      })
    )
    const letters = "0".repeat(26)
    for (const id of [`evt_${letters}_eu1`, `pay_${letters}_eu1/x`, `pay_${letters}_EU1`, `pay_${letters}_`, letters]) {
      assert.isNull(cellOf(id), id)
    }
  })

  it("does not begin with a digit in the id of an operation", () => {
    const id = `op_${"0".repeat(26)}`
    assert.isTrue(Ids.isOperation(`${id}_e1`))
    for (const text of [`${id}_1e`, `${id}_`, `${id}_europe001`, `${id}\n`, `op_${"u".repeat(26)}`]) {
      assert.isFalse(Ids.isOperation(text), text)
    }
  })

  it("is another one only if an id names one that is not this one", () => {
    const of = (cell: string) => `pay_${"0".repeat(26)}${cell}`
    assert.strictEqual(otherCellOf(of("_us1"), "eu1"), "us1")
    assert.strictEqual(otherCellOf(of("_us1"), null), "us1")
    assert.isNull(otherCellOf(of("_eu1"), "eu1"))
    assert.isNull(otherCellOf(of(""), "eu1"))
    assert.isNull(otherCellOf(of(""), null))
  })

  it("has made an id that names it, and one without a cell only if it had payments before", () => {
    const of = (cell: string) => `op_${"0".repeat(26)}${cell}`
    for (const withoutCell of [true, false]) {
      const own = { cell: "eu1", withoutCell }
      assert.isFalse(isMadeElsewhere(of("_eu1"), own))
      assert.isTrue(isMadeElsewhere(of("_us1"), own))
      assert.strictEqual(isMadeElsewhere(of(""), own), !withoutCell)
    }
    assert.isFalse(isMadeElsewhere(of(""), { cell: null, withoutCell: true }))
    assert.isTrue(isMadeElsewhere(of("_us1"), { cell: null, withoutCell: true }))
  })
})

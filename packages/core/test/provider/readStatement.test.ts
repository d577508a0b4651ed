/** What is refused of a statement, with its place. */
import { assert, describe, it } from "@effect/vitest"
import { readStatementPage, StatementInvalid } from "../../src/provider/readStatement.ts"

const valid = {
  id: "txn_1",
  type: "payment",
  operation: null,
  reference: "pi_1",
  original: null,
  amount: { minorUnits: 1000, currency: "EUR" },
  direction: "in",
  fee: null,
  net: null,
  payout: null,
  bookedAt: 1_700_000_000_000
}

const refusal = (page: unknown): string => {
  const read = readStatementPage(page)
  return read instanceof StatementInvalid ? read.message : "accepted"
}

const refusalOf = (change: { readonly [member: string]: unknown }): string =>
  refusal({ movements: [valid, { ...valid, ...change }], next: null })

describe("a page of a statement", () => {
  it("is read without what the contract does not define; an empty name is none", () => {
    const page = { movements: [{ ...valid, secret: "x", operation: "", fee: undefined }], next: undefined, more: 1 }
    assert.deepStrictEqual(readStatementPage(page), { movements: [valid as never], next: null })
  })

  const cases: ReadonlyArray<readonly [{ readonly [member: string]: unknown }, RegExp]> = [
    [{ id: "" }, /movement 2 .*has no id/],
    [{ id: 7 }, /movement 2 has no id/],
    [{ id: "x".repeat(201) }, /movement 2 has no id/],
    [{ id: "a\u0000b" }, /movement 2 has no id/],
    [{ id: "a\ud800" }, /movement 2 has no id/],
    [{ reference: "a\nb" }, /invalid reference; it is text .* without control characters/],
    [{ type: "sale" }, /movement 2 \(txn_1\) has no known type; the types are payment,/],
    [{ direction: "IN" }, /has no direction/],
    [{ direction: "out" }, /is a payment with the direction "out"/],
    [{ type: "refund" }, /is a refund with the direction "in"/],
    [{ amount: { minorUnits: 0, currency: "EUR" } }, /no amount above zero/],
    [{ amount: { minorUnits: -5, currency: "EUR" } }, /no amount above zero/],
    [{ amount: { minorUnits: 10.5, currency: "EUR" } }, /no amount above zero/],
    [{ amount: { minorUnits: 2 ** 53, currency: "EUR" } }, /no amount above zero/],
    [{ amount: { minorUnits: 5, currency: "eur" } }, /no amount above zero in a known currency/],
    [{ fee: { minorUnits: -1.5, currency: "EUR" } }, /has a fee that is no amount/],
    [{ fee: { minorUnits: -1, currency: "eur" } }, /has a fee that is no amount/],
    [{ net: { minorUnits: -1, currency: "EUR" } }, /has a net amount that is no amount/],
    [{ net: 5 }, /has a net amount that is no amount/],
    [{ bookedAt: "2026-01-01" }, /no valid time of booking/],
    [{ bookedAt: null }, /no valid time of booking/],
    [{ bookedAt: Number.NaN }, /no valid time of booking/],
    [{ reference: 5 }, /invalid reference/],
    [{ operation: "x".repeat(501) }, /invalid operation/]
  ]
  it("may have a fee below zero: it was given back", () => {
    const fee = { minorUnits: -30, currency: "EUR" }
    const page = readStatementPage({ movements: [{ ...valid, fee }], next: null })
    assert.deepEqual(page instanceof StatementInvalid ? page.message : page.movements[0]?.fee, fee as never)
  })

  for (const [change, message] of cases) {
    it(`is refused with ${JSON.stringify(change).slice(0, 60)}`, () => assert.match(refusalOf(change), message))
  }

  it("is refused without a list, with a bad cursor, or with too many movements", () => {
    for (const page of [null, [], "x", {}, { movements: {} }]) assert.match(refusal(page), /page has no list/)
    assert.match(refusal({ movements: [], next: 5 }), /no valid next cursor/)
    assert.match(refusal({ movements: Array.from({ length: 1001 }, () => valid), next: null }), /1001 movements; 1000/)
    assert.match(refusal({ movements: [null], next: null }), /movement 1 is not an object/)
  })
})

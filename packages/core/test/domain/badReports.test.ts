/** Reports that no provider should send: the books take what says something, name the rest, and assign nothing. */
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { chargesOf, overpayment } from "../../src/domain/books/balance.ts"
import type { Entry } from "../../src/domain/Entry.ts"
import type { PaymentRecord } from "../../src/domain/Payment.ts"
import { dueReversals } from "../../src/domain/books/reversal.ts"
import { readEvidence } from "../../src/provider/validity.ts"
import type { Outcome } from "../../src/domain/Outcome.ts"
import {
  after,
  answer,
  apply,
  asked,
  attempt,
  begun,
  changed,
  claims,
  evidence,
  failed,
  find,
  givenBack,
  held,
  money,
  paid,
  reasons,
  reviewOf,
  taken
} from "./records.ts"

const unreadable = { _tag: "Unreadable" } as const
const read = (over: object) => readEvidence({ ...evidence(find(begun, 1).id, claims.succeeded), ...over })

const entry = (over: Partial<Entry>): Entry => ({
  attemptSeq: 1,
  operationId: find(begun, 1).id,
  kind: "captured",
  basis: "total",
  minorUnits: 100,
  currency: "EUR",
  provider: "p1",
  reference: null,
  source: "inquiry",
  recordedAt: 0,
  ...over
})

/** What counts of a payment. */
const amounts = ({ payment }: PaymentRecord) => [payment.state, payment.amountCaptured, payment.amountRefunded]

describe("a report of money in another currency", () => {
  const reports: ReadonlyArray<readonly [string, PaymentRecord, string | number, Outcome]> = [
    ["of a payment", begun, 1, taken(100, "USD")],
    ["of a capture", asked(held, "c", { kind: "capture" }), "c", taken(100, "USD")],
    ["of a refund", asked(paid, "r", { kind: "refund" }), "r", { _tag: "RefundSucceeded", amount: money(100, "USD") }]
  ]
  for (const [what, record, name, outcome] of reports) {
    it(`(${what}) is kept in its own, is not the payment's money, and is in review`, () => {
      for (const source of ["webhook", "inquiry"] as const) {
        const { event, record: reported } = changed(apply(record, name, outcome, { source, reference: "x_1" }))
        assert.deepInclude(reported.entries.at(-1), { minorUnits: 100, currency: "USD", reference: "x_1" })
        assert.deepInclude(reviewOf(reported, "amount_mismatch"), {
          minorUnits: 100,
          currency: "USD",
          reference: "x_1"
        })
        assert.deepStrictEqual(
          [reported.payment.amountCaptured, reported.payment.amountRefunded],
          [record.payment.amountCaptured, 0]
        )
        assert.deepStrictEqual([overpayment(reported), dueReversals(reported)], [0, []])
        assert.notStrictEqual(event, "payment.succeeded")
        assert.notStrictEqual(event, "refund.succeeded")
      }
    })
  }

  it("does not change what the payment's own currency comes to, wherever it stands among the entries", () => {
    const own = entry({ reference: "ch_1" })
    const other = entry({ reference: "ch_2", currency: "USD", minorUnits: 10_000 })
    for (const entries of [
      [own, other],
      [other, own]
    ]) {
      const record: PaymentRecord = { ...paid, entries }
      assert.deepStrictEqual(
        chargesOf(record, attempt(1, { status: "succeeded" })).map(({ captured, reference }) => [reference, captured]),
        [["ch_1", 100]]
      )
      assert.deepStrictEqual([overpayment(record), dueReversals(record)], [0, []])
    }
  })
})

describe("a report of no amount at all", () => {
  const reports: ReadonlyArray<readonly [PaymentRecord, string | number, Outcome]> = [
    [begun, 1, taken(0)],
    [held, 1, taken(0)],
    [asked(held, "c", { kind: "capture" }), "c", taken(0)],
    [asked(paid, "r", { kind: "refund" }), "r", givenBack(0)],
    [paid, 1, givenBack(0)],
    [failed, 1, taken(0)]
  ]
  it("adds no entry, and makes nothing succeed", () => {
    for (const [record, name, outcome] of reports) {
      const result = apply(record, name, outcome, { source: "inquiry" })
      const reported = result._tag === "Changed" ? result.record : record
      assert.deepStrictEqual(reported.entries, record.entries)
      assert.deepStrictEqual(
        [
          reported.payment.amountCaptured,
          reported.payment.amountRefunded,
          overpayment(reported),
          dueReversals(reported)
        ],
        [record.payment.amountCaptured, 0, 0, []]
      )
      assert.strictEqual(find(reported, name).status === "succeeded", find(record, name).status === "succeeded")
    }
  })

  it("does not keep a charge from being the payment's that is reported later", () => {
    const reported = apply(failed, 1, taken(0))
    assert.strictEqual(reported._tag, "Unchanged")
    assert.deepStrictEqual(after(failed, [1, taken(100)]).payment.state, { status: "succeeded", late: true })
  })
})

describe("a report that cannot be read", () => {
  const amountless = [-1, -100, 2 ** 53, 1e300, 0.5, Number.NaN, Number.POSITIVE_INFINITY, "100", null]
  it("never comes to an amount: below zero, beyond 2^53, a part of a unit, or none", () => {
    for (const _tag of ["Succeeded", "Authorized", "Captured", "RefundSucceeded", "Disputed"]) {
      for (const minorUnits of amountless) {
        assert.deepInclude(read({ outcome: { _tag, amount: { minorUnits, currency: "EUR" } } }), {
          outcome: unreadable
        })
      }
      for (const currency of ["EURO", "eur", "", null, 978]) {
        assert.deepInclude(read({ outcome: { _tag, amount: { minorUnits: 100, currency } } }), { outcome: unreadable })
      }
    }
    assert.deepInclude(read({ outcome: taken(Number.MAX_SAFE_INTEGER) }), { outcome: taken(Number.MAX_SAFE_INTEGER) })
  })

  it("keeps no reference of 10 kB; 500 characters are one", () => {
    assert.deepInclude(read({ outcome: { ...claims.succeeded, reference: "x".repeat(10_000) } }), {
      outcome: unreadable
    })
    assert.deepInclude(read({ outcome: { ...claims.succeeded, reference: "x".repeat(501) } }), { outcome: unreadable })
    assert.deepInclude(read({ outcome: { ...claims.succeeded, reference: "x".repeat(500) } }), {
      outcome: { ...claims.succeeded, reference: "x".repeat(500) }
    })
  })

  it("of a dispute has a known status, or none", () => {
    const dispute = (status: unknown) => read({ outcome: { _tag: "Disputed", reference: "dp_1", status } })
    const named = { _tag: "Disputed", reference: "dp_1" } as const
    for (const status of ["open", "lost", "won"] as const) {
      assert.deepInclude(dispute(status), { outcome: { ...named, status } })
    }
    for (const status of [undefined, null]) assert.deepInclude(dispute(status), { outcome: named })
    for (const status of ["draw", "", 1, {}]) assert.deepInclude(dispute(status), { outcome: unreadable })
  })

  it("is refused where it moves no money, or where it names nothing", () => {
    assert.isNull(read({ outcome: { _tag: "Detected", amount: { minorUnits: -1, currency: "EUR" } } }))
    assert.isNull(read({ outcome: { _tag: "Succeeded", amount: "100" }, about: {} }))
    assert.isNull(read({ outcome: { _tag: "Succeeded", amount: "100" }, occurredAt: -1 }))
  })

  it("is one review whatever the state of the payment: nothing is entered, and no status or amount changes", () => {
    const refunding = asked(paid, "r", { kind: "refund", status: "pending" })
    const capturing = asked(held, "c", { kind: "capture", status: "pending" })
    const reports: ReadonlyArray<readonly [PaymentRecord, string | number]> = [
      [begun, 1],
      [held, 1],
      [paid, 1],
      [failed, 1],
      [refunding, "r"],
      [capturing, "c"]
    ]
    for (const [record, name] of reports) {
      const { event, record: reported } = changed(apply(record, name, unreadable))
      assert.deepStrictEqual(
        [event, reasons(reported), reported.entries, reported.operations],
        [null, ["unreadable_report"], record.entries, record.operations]
      )
      const { provider, minorUnits } = find(record, name)
      assert.deepInclude(reviewOf(reported, "unreadable_report"), {
        operationId: find(record, name).id,
        provider,
        minorUnits
      })
      assert.strictEqual(reported.payment.state.status, record.payment.state.status)
      assert.deepStrictEqual(amounts(reported).slice(1), amounts(record).slice(1))
      for (let time = 0; time < 1000; time++) assert.strictEqual(apply(reported, name, unreadable)._tag, "Unchanged")
    }
  })

  it("is not dismissed while the outcome is unknown", () => {
    const lost = after(after(begun, [1, claims.unknown]), [1, unreadable])
    assert.isNull(answer(lost, "unreadable_report", "dismissed"))
    assert.deepStrictEqual(
      reasons(changed(answer(after(paid, [1, unreadable]), "unreadable_report", "dismissed")).record),
      []
    )
  })
})

describe("the largest amounts", () => {
  const most = Number.MAX_SAFE_INTEGER
  it("are kept exactly, and named in a review", () => {
    const { record } = changed(apply(begun, 1, taken(most), { reference: "ch_1" }))
    assert.deepInclude(record.entries[0], { minorUnits: most })
    assert.deepInclude(reviewOf(record, "amount_mismatch"), { minorUnits: most })
    assert.strictEqual(record.payment.amountCaptured, 0)
    const second = after(paid, [1, claims.succeeded, { reference: "ch_1" }], [1, taken(most), { reference: "ch_2" }])
    assert.deepInclude(reviewOf(second, "duplicate_capture"), { minorUnits: most, reference: "ch_2" })
    assert.deepStrictEqual([second.payment.amountCaptured, overpayment(second)], [100, most])
  })
})

describe("one report of a second charge, a thousand times and in every order", () => {
  const first = [1, claims.succeeded, { reference: "ch_1" }] as const
  const second = [1, claims.succeeded, { reference: "ch_2" }] as const
  const nameless = [1, claims.succeeded, {}] as const

  it("is one entry and one review of its amount", () => {
    const order = fc.array(fc.constantFrom(first, second, nameless), { minLength: 1000, maxLength: 1000 })
    fc.assert(
      fc.property(order, (reports) => {
        // The payment has a charge of its own: the reports that follow may come in any order.
        let record = after(begun, first)
        for (const [name, claim, over] of [...reports, second]) {
          const result = apply(record, name, claim, over)
          if (result._tag === "Changed") record = result.record
        }
        assert.deepStrictEqual(
          record.entries
            .map(({ reference }) => reference)
            .filter((reference) => reference !== null)
            .toSorted(),
          ["ch_1", "ch_2"]
        )
        assert.isAtMost(record.entries.length, 3)
        assert.isAtMost(record.payment.version, 4)
        assert.deepStrictEqual(reasons(record), ["duplicate_capture"])
        assert.deepInclude(reviewOf(record, "duplicate_capture"), { reference: "ch_2", minorUnits: 100 })
        assert.deepStrictEqual(
          [record.payment.amountCaptured, overpayment(record), dueReversals(record)],
          [100, 100, []]
        )
      }),
      { numRuns: 20 }
    )
  })

  it("leaves a refund, a dispute and a capture that were reported in any order as they are", () => {
    const refunding = asked(after(begun, first), "r", { kind: "refund", minorUnits: 60 })
    const reports = [
      second,
      [1, claims.disputed, {}],
      ["r", givenBack(60), { reference: "re_1" }],
      ["r", claims.refundSucceeded, {}]
    ] as const
    fc.assert(
      fc.property(fc.shuffledSubarray([...reports, ...reports, ...reports], { minLength: 12 }), (order) => {
        let record = refunding
        for (const [name, claim, over] of order) {
          const result = apply(record, name, claim, over)
          if (result._tag === "Changed") record = result.record
        }
        assert.deepStrictEqual(amounts(record), [{ status: "succeeded", late: false }, 100, 60])
        // The whole charge is disputed, and a part of it was refunded.
        assert.sameMembers([...reasons(record)], ["duplicate_capture", "disputed_refund"])
        assert.strictEqual(reviewOf(record, "disputed_refund").minorUnits, 60)
        assert.strictEqual(overpayment(record), 100)
      }),
      { numRuns: 300 }
    )
  })
})

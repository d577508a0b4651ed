/** The judge by itself, on facts written by hand: what each law finds, and what excuses it. */
import { assert, describe, it } from "@effect/vitest"
import { Judge } from "@paymux/testkit/simulation"

type Facts = Judge.Facts

const order: Judge.Order = {
  id: "1",
  minorUnits: 1000,
  currency: "EUR",
  captureMethod: "automatic",
  key: "order-1",
  refunds: 1
}

const payment: Judge.PaymentView = {
  id: "pay_1",
  status: "succeeded",
  amount: 1000,
  amount_captured: 1000,
  amount_refunded: 0,
  payment_method: "card",
  currency: "EUR",
  provider: "a",
  metadata: { n: "1" },
  review: null,
  attempts: [{ provider: "a", status: "succeeded" }],
  operations: []
}

const charge = (
  reference: string,
  ...movements: ReadonlyArray<readonly ["held" | "released" | "captured" | "refunded", number]>
) => ({
  provider: reference.slice(0, 1),
  reference,
  order: "1",
  currency: "EUR",
  isWaiting: false,
  movements: movements.map(([kind, minorUnits]) => ({ kind, minorUnits, at: 0, by: "request" as const }))
})

const succeeded: Judge.EventView = { payment: "pay_1", type: "payment.succeeded", sequence: 1, body: "{}", at: 1 }

const facts = (change: Partial<Facts>): Facts => ({
  orders: [order],
  charges: [charge("a1", ["captured", 1000])],
  payments: [payment],
  refunds: [],
  events: [succeeded],
  requests: [],
  unmatched: [],
  lostCommits: [],
  ...change
})

const broken = (change: Partial<Facts>): ReadonlyArray<Judge.LawName> => [
  ...new Set(Judge.judge(facts(change)).findings.map(({ law }) => law))
]

const twice = [charge("a1", ["captured", 1000]), charge("b1", ["captured", 1000])]
const reviewed = (review: Partial<Judge.ReviewView>): Partial<Facts> => ({
  charges: twice,
  payments: [
    {
      ...payment,
      reviews: [{ reason: "duplicate_capture", provider: "b", reference: "b1", amount: 1000, ...review }]
    }
  ]
})

describe("the judge", () => {
  it("finds nothing where ledger and API agree", () => {
    assert.deepStrictEqual(broken({}), [])
  })

  it("finds a second charge that the API does not show", () => {
    assert.deepStrictEqual(broken({ charges: twice }), ["capturesAreShown"])
  })

  it("takes a second charge that was refunded for none", () => {
    const charges = [charge("a1", ["captured", 1000]), charge("b1", ["captured", 1000], ["refunded", 1000])]
    assert.deepStrictEqual(broken({ charges }), [])
  })

  it("lets a review excuse the charge and the amount that it names", () => {
    assert.deepStrictEqual(broken(reviewed({})), [])
  })

  for (const [what, review] of [
    ["another amount", { amount: 999 }],
    ["no amount", { amount: null }],
    ["another charge", { reference: "b2" }],
    ["no charge", { reference: null }],
    ["another provider", { provider: "c" }],
    ["another currency", { currency: "USD" }]
  ] as const) {
    it(`lets a review excuse nothing that names ${what}`, () => {
      assert.deepStrictEqual(broken(reviewed(review)), ["reviewsNameTheCharge"])
    })
  }

  it("lets a review without items excuse nothing", () => {
    assert.deepStrictEqual(
      broken({ charges: twice, payments: [{ ...payment, review: { reason: "duplicate_capture" } }] }),
      ["reviewsNameTheCharge"]
    )
  })

  it("wants a review for each of two charges", () => {
    const { payments = [] } = reviewed({})
    assert.deepStrictEqual(broken({ charges: [...twice, charge("c1", ["captured", 1000])], payments }), [
      "reviewsNameTheCharge"
    ])
  })

  it("finds a capture beyond what was asked for, also where the API shows it", () => {
    const captured = (
      ...amounts: ReadonlyArray<readonly [name: string, minorUnits: number, kind: "accepted" | "refused"]>
    ) =>
      broken({
        orders: [{ ...order, captureMethod: "manual" }],
        charges: [charge("a1", ["held", 1000], ["captured", 1000])],
        requests: amounts.map(([name, minorUnits, kind]) => ({
          order: "1",
          call: "capture",
          key: null,
          capture: { name, minorUnits },
          at: 0,
          answer:
            kind === "refused"
              ? { kind, reason: "OperationRefused" }
              : { kind, id: "pay_1", body: name, replayed: false }
        }))
      })
    assert.deepStrictEqual(captured(["one", 500, "accepted"]), ["capturesAreAsAsked"])
    assert.deepStrictEqual(captured(["one", 500, "accepted"], ["one", 500, "accepted"]), ["capturesAreAsAsked"])
    assert.deepStrictEqual(captured(["one", 500, "accepted"], ["two", 500, "refused"]), ["capturesAreAsAsked"])
    assert.deepStrictEqual(captured(["one", 500, "accepted"], ["two", 500, "accepted"]), [])
  })

  it("finds a refund that was made twice", () => {
    const found = broken({
      charges: [charge("a1", ["captured", 1000], ["refunded", 300], ["refunded", 300])],
      payments: [{ ...payment, amount_refunded: 300 }],
      refunds: [{ id: "re_1", payment: "pay_1", status: "succeeded", amount: 300 }]
    })
    assert.deepStrictEqual(found, ["shownAmountsAreReal"])
  })

  it("finds a refund that went to the wrong charge, although the sums agree", () => {
    const found = broken({
      charges: [charge("a1", ["captured", 1000]), charge("b1", ["captured", 1000], ["refunded", 500])],
      payments: [{ ...payment, amount_refunded: 500 }],
      refunds: [{ id: "re_1", payment: "pay_1", status: "succeeded", amount: 500 }]
    })
    assert.deepStrictEqual(found, ["capturesAreShown"])
  })

  it("finds a success without money", () => {
    assert.deepStrictEqual(broken({ charges: [] }), ["shownAmountsAreReal"])
  })

  it("finds a hold that outlives its payment, and lets an authorized one have its own", () => {
    const held = (status: string) =>
      broken({
        charges: [charge("a1", ["held", 1000])],
        payments: [{ ...payment, status, amount_captured: 0 }],
        events: [{ ...succeeded, type: `payment.${status}` }]
      })
    assert.deepStrictEqual(held("canceled"), ["holdsAreReleased"])
    assert.deepStrictEqual(held("authorized"), [])
  })

  it("finds money in a currency that nobody asked for", () => {
    const charges = [{ ...charge("a1", ["captured", 1000]), currency: "USD" }]
    assert.include(broken({ charges }), "currenciesAreAsAsked")
  })

  it("finds a payment that was acknowledged and is gone, unless the database lost that moment", () => {
    const requests: Facts["requests"] = [
      {
        order: "1",
        call: "create",
        key: null,
        capture: null,
        at: 50,
        answer: { kind: "accepted", id: "pay_2", body: "{}", replayed: false }
      }
    ]
    assert.deepStrictEqual(broken({ requests }), ["acknowledgedIsKept"])
    assert.deepStrictEqual(broken({ requests, lostCommits: [{ from: 40, to: 60 }] }), [])
  })

  it("wants a charge whose payment the database lost on the list of unmatched reports", () => {
    const lost = { payments: [], events: [], lostCommits: [{ from: 0, to: 60 }] }
    assert.deepStrictEqual(broken(lost), ["capturesAreShown"])
    assert.deepStrictEqual(broken({ ...lost, unmatched: [{ provider: "a", reference: "a1" }] }), [])
  })

  it("finds what stays open for ever, unless the vendor itself still waits", () => {
    const pending = { payments: [{ ...payment, status: "pending", amount_captured: 0 }], events: [] }
    assert.deepStrictEqual(broken({ ...pending, charges: [] }), ["everythingEnds"])
    assert.deepStrictEqual(broken({ ...pending, charges: [{ ...charge("a1"), isWaiting: true }] }), [])
  })

  it("finds a gap in the events, a status without one, and a final status that changed", () => {
    assert.deepStrictEqual(broken({ events: [{ ...succeeded, sequence: 2 }] }), ["eventsAreInSequence"])
    assert.deepStrictEqual(broken({ events: [] }), ["eventsTellTheStatus"])
    const canceled = { ...succeeded, type: "payment.canceled" }
    assert.deepStrictEqual(broken({ events: [canceled, { ...succeeded, sequence: 2 }] }), ["finalStatusesStand"])
  })

  it("counts how often each law had something to judge, and how payments ended", () => {
    const { endings, judged } = Judge.judge(facts({}))
    assert.strictEqual(judged.capturesAreShown, 1)
    assert.strictEqual(judged.holdsAreReleased, 0)
    assert.deepStrictEqual(endings, { succeeded: 1 })
  })
})

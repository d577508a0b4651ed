/** The judge alone, on facts written by hand: what each expectation finds, and what excuses it. */
import { assert, describe, it } from "@effect/vitest"
import { Judge } from "@paymux/test-suites/simulation"

type Facts = Judge.Facts

const order: Judge.Order = {
  id: "1",
  minorUnits: 1000,
  currency: "EUR",
  captureMethod: "automatic",
  key: "order-1"
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
  reviews: [],
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

const succeeded: Judge.EventView = { payment: "pay_1", type: "payment.succeeded", sequence: 1, body: "{}" }

const aboutReview = (
  type: "payment.review_opened" | "payment.review_resolved",
  review: Judge.ReviewView,
  sequence: number
): Judge.EventView => ({ payment: "pay_1", type, sequence, body: JSON.stringify({ data: { review } }) })

/** Unless others are given, the events are those of the reviews that the payment shows. */
const facts = (change: Partial<Facts>): Facts => ({
  orders: [order],
  charges: [charge("a1", ["captured", 1000])],
  payments: [payment],
  refunds: [],
  events: [
    succeeded,
    ...(change.payments?.[0]?.reviews ?? []).map((review, n) => aboutReview("payment.review_opened", review, n + 2))
  ],
  requests: [],
  unmatched: [],
  lostCommits: [],
  ...change
})

const broken = (change: Partial<Facts>): ReadonlyArray<Judge.ExpectationName> => [
  ...new Set(Judge.judge(facts(change)).findings.map(({ expectation }) => expectation))
]

const twice = [charge("a1", ["captured", 1000]), charge("b1", ["captured", 1000])]
const reviewed = (review: Partial<Judge.ReviewView>): Partial<Facts> => ({
  charges: twice,
  payments: [
    {
      ...payment,
      reviews: [{ id: "rev_1", reason: "duplicate_capture", provider: "b", reference: "b1", amount: 1000, ...review }]
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
    ["another provider", { provider: "c" }],
    ["another currency", { currency: "USD" }]
  ] as const) {
    it(`lets a review excuse nothing that names ${what}`, () => {
      assert.deepStrictEqual(broken(reviewed(review)), ["capturesAreShown", "reviewsNameTheCharge"])
    })
  }

  it("wants a review for each of two charges", () => {
    const { payments = [] } = reviewed({})
    assert.deepStrictEqual(broken({ charges: [...twice, charge("c1", ["captured", 1000])], payments }), [
      "capturesAreShown",
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
          wants: { kind: "capture" as const, name, minorUnits },
          at: 0,
          answer:
            kind === "refused"
              ? { kind, reason: "OperationRefused" }
              : { kind, id: "pay_1", body: name, replayed: false, kept: true }
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
      refunds: [{ id: "re_1", payment: "pay_1", status: "succeeded", amount: 300 }],
      requests: [
        {
          order: "1",
          call: "refund",
          key: null,
          wants: { kind: "refund", name: "one", minorUnits: 300 },
          at: 0,
          answer: { kind: "unanswered" }
        }
      ]
    })
    assert.deepStrictEqual(found, ["shownAmountsAreReal"])
  })

  it("finds a refund that went to the wrong charge, although the sums agree", () => {
    const found = broken({
      charges: [charge("a1", ["captured", 1000]), charge("b1", ["captured", 1000], ["refunded", 500])],
      payments: [{ ...payment, amount_refunded: 500 }],
      refunds: [{ id: "re_1", payment: "pay_1", status: "succeeded", amount: 500 }],
      requests: [
        {
          order: "1",
          call: "refund",
          key: null,
          wants: { kind: "refund", name: "one", minorUnits: 500 },
          at: 0,
          answer: { kind: "unanswered" }
        }
      ]
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

  it("finds money in a currency that was not asked for", () => {
    const charges = [{ ...charge("a1", ["captured", 1000]), currency: "USD" }]
    assert.include(broken({ charges }), "currenciesAreAsAsked")
  })

  it("finds a payment that was acknowledged and is gone, unless the database lost that moment", () => {
    const requests: Facts["requests"] = [
      {
        order: "1",
        call: "create",
        key: null,
        wants: null,
        at: 50,
        answer: { kind: "accepted", id: "pay_2", body: "{}", replayed: false, kept: true }
      }
    ]
    assert.deepStrictEqual(broken({ requests }), ["acknowledgedIsKept"])
    assert.deepStrictEqual(broken({ requests, lostCommits: [{ from: 40, to: 60, orders: new Set(["1"]) }] }), [])
  })

  it("finds other bytes under one key, except after an answer that was not stored", () => {
    type Answer = Extract<Judge.RequestView["answer"], { readonly kind: "accepted" }>
    const first: Answer = { kind: "accepted", id: "pay_1", body: "{}", replayed: false, kept: true }
    const answered = (...answers: ReadonlyArray<Answer>) =>
      broken({
        requests: answers.map((answer) => ({ order: "1", call: "create", key: "key-1", wants: null, at: 0, answer }))
      })
    const again = { ...first, replayed: true }
    const other = { ...again, body: "[]" }
    assert.deepStrictEqual(answered(first, again), [])
    assert.deepStrictEqual(answered(first, other), ["sameKeySameAnswer"])
    assert.deepStrictEqual(answered({ ...first, kept: false }, other, other), [])
    assert.deepStrictEqual(answered({ ...first, kept: false }, other, again), ["sameKeySameAnswer"])
    assert.deepStrictEqual(answered(first, { ...again, kept: false }), ["sameKeySameAnswer"])
    assert.deepStrictEqual(answered({ ...first, id: "pay_0", kept: false }, again), [
      "acknowledgedIsKept",
      "sameKeySameAnswer"
    ])
  })

  it("wants a charge whose payment the database lost on the list of unmatched reports", () => {
    const lost = { payments: [], events: [], lostCommits: [{ from: 0, to: 60, orders: new Set(["1"]) }] }
    const listed = (amount: number) => broken({ ...lost, unmatched: [{ provider: "a", reference: "a1", amount }] })
    assert.deepStrictEqual(broken(lost), ["capturesAreShown"])
    assert.deepStrictEqual(listed(1000), [])
    assert.deepStrictEqual(listed(999), ["capturesAreShown"])
  })

  it("lets a loss of other payments' commits excuse nothing", () => {
    const lostCommits = [{ from: 0, to: 60, orders: new Set(["2"]) }]
    assert.deepStrictEqual(broken({ events: [], lostCommits }), ["eventsReportTheStatus"])
  })

  it("leaves it to the engine which of two equal charges is the payment's own", () => {
    for (const reference of ["a1", "a2"]) {
      const reviews = [{ id: "rev_1", reason: "duplicate_capture", provider: "a", reference, amount: 1000 }]
      const charges = [charge("a1", ["captured", 1000]), charge("a2", ["captured", 1000])]
      assert.deepStrictEqual(broken({ charges, payments: [{ ...payment, reviews }] }), [], reference)
    }
  })

  it("takes one review for each movement of one charge, or one for all of them", () => {
    const manual = { ...order, captureMethod: "manual" as const }
    const asked: Judge.RequestView = {
      order: "1",
      call: "capture",
      key: null,
      wants: { kind: "capture", name: "one", minorUnits: 300 },
      at: 0,
      answer: { kind: "accepted", id: "pay_1", body: "{}", replayed: false, kept: true }
    }
    const named = (...amounts: ReadonlyArray<number>) =>
      broken({
        orders: [manual],
        charges: [charge("a1", ["held", 1000], ["captured", 300], ["captured", 300], ["captured", 300])],
        requests: [asked],
        payments: [
          {
            ...payment,
            amount_captured: 300,
            reviews: amounts.map((amount, n) => ({
              id: `rev_${n}`,
              reason: "excess",
              provider: "a",
              reference: "a1",
              amount
            }))
          }
        ]
      })
    assert.deepStrictEqual(named(300, 300), [])
    assert.deepStrictEqual(named(600), [])
    assert.deepStrictEqual(named(300), ["capturesAreShown", "reviewsNameTheCharge"])
  })

  it("lets a review that names the order of a charge excuse one charge of its amount, and no second", () => {
    const ofOrder = (reference: string) => ({ ...charge(reference, ["captured", 1000]), orderReference: "b:order" })
    const reviews = [{ id: "rev_1", reason: "inquiries_exhausted", provider: "b", reference: "b:order", amount: 1000 }]
    const payments = [{ ...payment, reviews }]
    const own = charge("a1", ["captured", 1000])
    assert.deepStrictEqual(broken({ charges: [own, ofOrder("b1")], payments }), [])
    for (const charges of [
      [own, ofOrder("b1"), ofOrder("b2")],
      [own, charge("b1", ["captured", 1000])]
    ]) {
      assert.deepStrictEqual(broken({ charges, payments }), ["capturesAreShown", "reviewsNameTheCharge"])
    }
  })

  it("lets a review without a reference excuse one charge of its amount, and no second", () => {
    const reviews = [{ id: "rev_1", reason: "inquiries_exhausted", provider: "b", reference: null, amount: 1000 }]
    const payments = [{ ...payment, reviews }]
    assert.deepStrictEqual(broken({ charges: twice, payments }), [])
    assert.deepStrictEqual(broken({ charges: [...twice, charge("b2", ["captured", 1000])], payments }), [
      "capturesAreShown",
      "reviewsNameTheCharge"
    ])
  })

  for (const [what, change, expectation] of [
    ["succeeded with a part of an automatic payment", { amount_captured: 1 }, "statusesAreBacked"],
    ["is called failed, and shows money", { status: "failed" }, "statusesAreBacked"],
    ["is for another amount than the order", { amount: 5 }, "statusesAreBacked"],
    ["is in another currency than the order", { currency: "USD" }, "statusesAreBacked"],
    ["names a provider that took nothing", { provider: "z" }, "capturesAreShown"],
    ["belongs to no order", { metadata: {} }, "oneKeyOnePayment"]
  ] as const) {
    it(`finds a payment that ${what}`, () => {
      assert.include(broken({ payments: [{ ...payment, ...change }] }), expectation)
    })
  }

  it("finds an authorized payment without a hold", () => {
    const payments = [{ ...payment, status: "authorized", amount_captured: 0 }]
    const events = [{ ...succeeded, type: "payment.authorized" }]
    assert.deepStrictEqual(broken({ charges: [], payments, events }), ["statusesAreBacked"])
    // Its capture was committed, and the database has lost that commit.
    const lost = {
      orders: [{ ...order, captureMethod: "manual" as const }],
      charges: [charge("a1", ["held", 1000], ["captured", 300], ["released", 700])],
      payments,
      events,
      lostCommits: [{ from: 0, to: 60, orders: new Set(["1"]) }]
    }
    assert.deepStrictEqual(broken(lost), ["capturesAreShown", "statusesAreBacked"])
    assert.deepStrictEqual(broken({ ...lost, unmatched: [{ provider: "a", reference: "a1", amount: 300 }] }), [])
  })

  it("finds a refund of another amount than was asked, and one that was done although it is called failed", () => {
    const wants = { kind: "refund", name: "one", minorUnits: 300 } as const
    const requests: Facts["requests"] = [
      { order: "1", call: "refund", key: null, wants, at: 0, answer: { kind: "unanswered" } }
    ]
    const refunded = (minorUnits: number, status: string, reviews: ReadonlyArray<Judge.ReviewView> = []) =>
      broken({
        requests,
        charges: [
          {
            ...charge("a1", ["captured", 1000]),
            movements: [
              { kind: "captured", minorUnits: 1000, at: 0, by: "payer" },
              { kind: "refunded", minorUnits, at: 1, by: "request", operation: "op_1", reference: "a1:r1" }
            ]
          }
        ],
        payments: [{ ...payment, reviews, amount_refunded: status === "failed" ? 0 : minorUnits }],
        refunds: [{ id: "re_1", payment: "pay_1", status, amount: minorUnits }]
      })
    assert.deepStrictEqual(refunded(300, "succeeded"), [])
    assert.deepStrictEqual(refunded(1000, "succeeded"), ["refundsAreWanted"])
    assert.deepStrictEqual(refunded(300, "failed"), ["failuresAreReal", "shownAmountsAreReal"])
    const review = { id: "rev_1", reason: "excess_refund", provider: "a", reference: "a1:r1", amount: 300 }
    assert.deepStrictEqual(refunded(300, "failed", [review]), [])
    assert.deepStrictEqual(refunded(300, "failed", [{ ...review, reference: "a1" }]), [])
    for (const wrong of [{ provider: "b" }, { reference: "a2" }, { reference: null }, { amount: null }]) {
      assert.include(refunded(300, "failed", [{ ...review, ...wrong }]), "failuresAreReal", JSON.stringify(wrong))
    }
  })

  it("takes one failed refund for each refused request for none, and finds more of them, and one that was made", () => {
    const wants = { kind: "refund", name: "one", minorUnits: 300 } as const
    const answer = { kind: "refused", reason: "Unavailable" } as const
    const requests: Facts["requests"] = [{ order: "1", call: "refund", key: null, wants, at: 0, answer }]
    const shown = (...statuses: ReadonlyArray<string>) =>
      broken({
        requests,
        refunds: statuses.map((status, n) => ({ id: `re_${n}`, payment: "pay_1", status, amount: 300 }))
      })
    assert.deepStrictEqual(shown("failed"), [])
    assert.include(shown("failed", "failed"), "refundsAreWanted")
    assert.include(shown("pending"), "refundsAreWanted")
  })

  it("finds what stays open for ever, unless the vendor itself still waits", () => {
    const pending = { payments: [{ ...payment, status: "pending", amount_captured: 0 }], events: [] }
    assert.deepStrictEqual(broken({ ...pending, charges: [] }), ["everythingEnds"])
    assert.deepStrictEqual(broken({ ...pending, charges: [{ ...charge("a1"), isWaiting: true }] }), [])
  })

  it("finds a gap in the events, a status without one, and a final status that changed", () => {
    assert.deepStrictEqual(broken({ events: [{ ...succeeded, sequence: 2 }] }), ["eventsAreInSequence"])
    assert.deepStrictEqual(broken({ events: [] }), ["eventsReportTheStatus"])
    const canceled = { ...succeeded, type: "payment.canceled" }
    assert.deepStrictEqual(broken({ events: [canceled, { ...succeeded, sequence: 2 }] }), ["finalStatusesStand"])
  })

  it("finds a review that no event reports, or another one than the API shows, and one that stays open", () => {
    const { charges = [], payments = [] } = reviewed({})
    const [review] = payments.flatMap(({ reviews }) => reviews)
    assert.isDefined(review)
    const opened = aboutReview("payment.review_opened", review, 2)
    const resolved = aboutReview("payment.review_resolved", review, 3)
    const found = (events: Facts["events"], shown = payments) =>
      broken({ charges, payments: shown, events: [succeeded, ...events] })
    const wrong = ["eventsReportTheReviews"] as const
    assert.deepStrictEqual(found([opened]), [])
    assert.deepStrictEqual(found([opened, resolved, { ...opened, sequence: 4 }]), [])
    assert.deepStrictEqual(found([]), wrong)
    assert.deepStrictEqual(found([aboutReview("payment.review_opened", { ...review, amount: 999 }, 2)]), wrong)
    assert.deepStrictEqual(found([opened, resolved]), wrong)
    const none = broken({ events: [succeeded, opened] })
    assert.deepStrictEqual(none, wrong)
    assert.deepStrictEqual(broken({ events: [succeeded, opened, resolved] }), [])
    assert.deepStrictEqual(broken({ events: [succeeded, { ...resolved, sequence: 2 }] }), wrong)
  })

  it("counts how often each expectation had something to judge, and how payments ended", () => {
    const { endings, judged } = Judge.judge(facts({}))
    assert.strictEqual(judged.capturesAreShown, 1)
    assert.strictEqual(judged.holdsAreReleased, 0)
    assert.deepStrictEqual(endings, { succeeded: 1 })
  })
})

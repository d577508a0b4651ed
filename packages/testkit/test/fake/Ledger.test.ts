import { assert, describe, it } from "@effect/vitest"
import { makeLedger } from "@paymux/testkit"
import type { ScriptedOutcome, Ledger, LedgerPayment, LedgerRefund, LedgerRefusal } from "@paymux/testkit"

const ten = { minorUnits: 1_000, currency: "EUR" }

/** A ledger whose clock is set by hand. */
const opened = () => {
  const time = { now: 0 }
  return { time, ledger: makeLedger(() => time.now) }
}

const statusAfter = (scripted: ScriptedOutcome, capture: "automatic" | "manual") => {
  const { ledger } = opened()
  ledger.decide(scripted)
  return ledger.open({ amount: ten, capture })
}

const authorized = (ledger: Ledger) => ledger.open({ amount: ten, capture: "manual" }).id

const done = <A extends LedgerPayment | LedgerRefund>(answer: A | LedgerRefusal): A => {
  if (typeof answer === "string") throw new Error(`refused: ${answer}`)
  return answer
}

const reported = (ledger: Ledger) => ledger.events().map(({ payment, type }) => `${payment.id} ${type}`)

describe("what was decided becomes of a payment", () => {
  it("an approved one is captured, or authorized where the merchant captures", () => {
    const taken = statusAfter("approve", "automatic")
    assert.deepStrictEqual([taken.status, taken.captured, taken.code], ["captured", 1_000, null])
    const held = statusAfter("approve", "manual")
    assert.deepStrictEqual([held.status, held.captured, held.code], ["authorized", 0, null])
  })

  it("a declined one has the vendor's code, and nothing is taken", () => {
    const payment = statusAfter({ decline: "over_limit" }, "automatic")
    assert.deepStrictEqual([payment.status, payment.captured, payment.code], ["declined", 0, "over_limit"])
  })

  it("of which nothing was decided, it waits", () => {
    assert.strictEqual(statusAfter("wait", "automatic").status, "pending")
  })

  it("one that awaits its payer waits until the payers act, for what is decided by then", () => {
    const { ledger } = opened()
    const { id } = ledger.open({ amount: ten, awaitsPayer: true })
    assert.strictEqual(ledger.find(id)?.status, "pending")
    ledger.decide("wait")
    ledger.payersAct()
    assert.strictEqual(ledger.find(id)?.status, "pending")
    ledger.decide({ decline: "over_limit" })
    ledger.payersAct()
    assert.strictEqual(ledger.find(id)?.status, "declined")
  })

  it("once: what is decided is not decided again", () => {
    const { ledger } = opened()
    const { id } = ledger.open({ amount: ten })
    ledger.decide({ decline: "over_limit" })
    ledger.payersAct()
    ledger.expire()
    assert.strictEqual(ledger.find(id)?.status, "captured")
    assert.deepStrictEqual(reported(ledger), [`${id} captured`])
  })

  it("an expired one can no longer be paid", () => {
    const { ledger } = opened()
    const { id } = ledger.open({ amount: ten, awaitsPayer: true })
    ledger.expire()
    ledger.payersAct()
    assert.strictEqual(ledger.find(id)?.status, "expired")
    assert.deepStrictEqual(reported(ledger), [`${id} expired`])
  })

  it("a draft has no payer until it is asked, and is asked once", () => {
    const { ledger } = opened()
    const { id } = ledger.open({ amount: ten, isDraft: true })
    ledger.payersAct()
    assert.strictEqual(ledger.find(id)?.status, "draft")
    assert.strictEqual(done(ledger.ask(id, { awaitsPayer: false })).status, "captured")
    assert.notStrictEqual(ledger.find(id)?.status, "draft")
    assert.strictEqual(ledger.ask(id, { awaitsPayer: false }), "wrong_status")
    assert.strictEqual(ledger.ask("vp_0", { awaitsPayer: false }), "not_found")
  })

  it("a draft that was asked waits for its payer where the payer is awaited", () => {
    const { ledger } = opened()
    const { id } = ledger.open({ amount: ten, isDraft: true })
    assert.strictEqual(done(ledger.ask(id, { awaitsPayer: true })).status, "pending")
    ledger.payersAct()
    assert.strictEqual(ledger.find(id)?.status, "captured")
  })
})

describe("a capture", () => {
  it("takes all or a part, once", () => {
    for (const [asked, captured] of [
      [undefined, 1_000],
      [1_000, 1_000],
      [1, 1]
    ] as const) {
      const { ledger } = opened()
      const id = authorized(ledger)
      assert.strictEqual(done(ledger.capture(id, asked)).captured, captured)
      assert.strictEqual(ledger.capture(id, 1), "wrong_status")
      assert.strictEqual(ledger.find(id)?.captured, captured)
    }
  })

  it("that keeps the rest leaves it to further captures, until one does not", () => {
    const { ledger } = opened()
    const id = authorized(ledger)
    const keepsRest = { keepsRest: true, reference: "one" }
    assert.deepInclude(done(ledger.capture(id, 300, keepsRest)), { status: "captured", captured: 300 })
    assert.strictEqual(ledger.capture(id, 701), "exceeds")
    assert.strictEqual(done(ledger.capture(id, 200, { keepsRest: true })).captured, 500)
    assert.strictEqual(done(ledger.capture(id, 400)).captured, 900)
    assert.strictEqual(ledger.capture(id, 1), "wrong_status")
    const made = ledger
      .events()
      .flatMap(({ capture, payment }) => (capture ? [{ ...capture, all: payment.captured }] : []))
    assert.strictEqual(new Set(made.map((each) => each.id)).size, 3)
    assert.deepStrictEqual(
      made.map(({ all, minorUnits, reference }) => [minorUnits, all, reference]),
      [
        [300, 300, "one"],
        [200, 500, null],
        [400, 900, null]
      ]
    )
  })

  it("is refused where it is no part of what is held, and changes nothing", () => {
    const { ledger } = opened()
    const id = authorized(ledger)
    for (const asked of [1_001, 0, -1, 0.5, Number.NaN, Number.POSITIVE_INFINITY]) {
      assert.strictEqual(ledger.capture(id, asked), "exceeds", String(asked))
    }
    assert.deepStrictEqual([ledger.find(id)?.status, ledger.find(id)?.captured], ["authorized", 0])
    assert.deepStrictEqual(reported(ledger), [`${id} authorized`])
  })

  it("is refused of what is not held", () => {
    const { ledger } = opened()
    const pending = ledger.open({ amount: ten, capture: "manual", awaitsPayer: true }).id
    assert.strictEqual(ledger.capture(pending), "wrong_status")
    assert.strictEqual(ledger.capture(ledger.open({ amount: ten }).id), "wrong_status")
    assert.strictEqual(ledger.capture("vp_0"), "not_found")
  })
})

describe("a cancel", () => {
  it("gives up what is held or awaited; once more changes nothing", () => {
    const { ledger } = opened()
    const held = authorized(ledger)
    const awaited = ledger.open({ amount: ten, awaitsPayer: true }).id
    for (const id of [held, awaited]) {
      assert.strictEqual(done(ledger.cancel(id)).status, "canceled")
      assert.strictEqual(done(ledger.cancel(id)).status, "canceled")
    }
    ledger.payersAct()
    assert.strictEqual(ledger.capture(held), "wrong_status")
    assert.deepStrictEqual(reported(ledger), [`${held} authorized`, `${held} canceled`, `${awaited} canceled`])
  })

  it("is refused once money was taken, or nothing will be", () => {
    const { ledger } = opened()
    const taken = ledger.open({ amount: ten }).id
    ledger.decide({ decline: "over_limit" })
    const declined = ledger.open({ amount: ten }).id
    assert.deepStrictEqual([ledger.cancel(taken), ledger.cancel(declined)], ["wrong_status", "wrong_status"])
    assert.strictEqual(ledger.cancel("vp_0"), "not_found")
  })
})

describe("a refund", () => {
  it("gives back what is left, or a part of it, as often as there is something left", () => {
    const { ledger } = opened()
    const { id } = ledger.open({ amount: ten })
    const parts = [ledger.refund(id, 300), ledger.refund(id, 300, "again"), ledger.refund(id)].map(done)
    assert.deepStrictEqual(
      parts.map(({ minorUnits, reference }) => [minorUnits, reference]),
      [
        [300, null],
        [300, "again"],
        [400, null]
      ]
    )
    assert.strictEqual(new Set(parts.map((part) => part.id)).size, 3)
    assert.deepStrictEqual(ledger.find(id)?.refunds, parts)
    assert.deepStrictEqual([ledger.find(id)?.status, ledger.find(id)?.captured], ["captured", 1_000])
  })

  it("is refused where it is no part of what is left, and changes nothing", () => {
    const { ledger } = opened()
    const { id } = ledger.open({ amount: ten })
    done(ledger.refund(id, 999))
    for (const asked of [2, 0, -1, 0.5, Number.NaN]) assert.strictEqual(ledger.refund(id, asked), "exceeds")
    done(ledger.refund(id, 1))
    assert.strictEqual(ledger.refund(id), "exceeds")
    assert.lengthOf(ledger.find(id)?.refunds ?? [], 2)
    assert.deepStrictEqual(reported(ledger), [`${id} captured`, `${id} refunded`, `${id} refunded`])
  })

  it("is of what was captured, not of what was held", () => {
    const { ledger } = opened()
    const id = authorized(ledger)
    assert.strictEqual(ledger.refund(id), "wrong_status")
    done(ledger.capture(id, 400))
    assert.strictEqual(ledger.refund(id, 401), "exceeds")
    assert.strictEqual(done(ledger.refund(id)).minorUnits, 400)
    assert.strictEqual(ledger.refund("vp_0"), "not_found")
  })
})

describe("what is read", () => {
  it("payments in the order they were opened, each by its id and by the merchant's name of it", () => {
    const { ledger } = opened()
    const first = ledger.open({ amount: ten, reference: "order 1" })
    const second = ledger.open({ amount: { minorUnits: 5, currency: "JPY" } })
    assert.deepStrictEqual(ledger.payments(), [first, second])
    assert.deepStrictEqual(ledger.find(second.id), second)
    assert.deepStrictEqual(ledger.findByReference("order 1"), first)
    assert.isUndefined(ledger.find("vp_0"))
    assert.isUndefined(ledger.findByReference("order 2"))
  })

  it("events in the order they happened, each as it was then, under an id of its own", () => {
    const { ledger, time } = opened()
    time.now = 1
    const id = authorized(ledger)
    time.now = 2
    done(ledger.capture(id))
    time.now = 3
    const refund = done(ledger.refund(id, 10))
    assert.deepStrictEqual(
      ledger.events().map((event) => [event.type, event.occurredAt, event.payment.status, event.refund]),
      [
        ["authorized", 1, "authorized", null],
        ["captured", 2, "captured", null],
        ["refunded", 3, "captured", refund]
      ]
    )
    assert.strictEqual(new Set(ledger.events().map((event) => event.id)).size, 3)
    assert.isEmpty(ledger.events()[1]?.payment.refunds ?? [refund])
  })

  it("what was read stays as it was", () => {
    const { ledger } = opened()
    const id = authorized(ledger)
    const payments = ledger.payments()
    const events = ledger.events()
    done(ledger.capture(id))
    assert.deepStrictEqual(
      payments.map(({ status }) => status),
      ["authorized"]
    )
    assert.lengthOf(events, 1)
  })
})

describe("what is booked", () => {
  const shown = (ledger: Ledger) =>
    ledger
      .bookings()
      .map(({ amount, bookedAt, fee, net, payment, type }) => [
        type,
        `${amount.currency} ${amount.minorUnits}`,
        fee,
        net,
        bookedAt,
        payment?.id ?? null
      ])

  it("each capture and refund at its time, with its fee and what it adds to the balance", () => {
    const { ledger, time } = opened()
    time.now = 1
    const id = authorized(ledger)
    time.now = 2
    done(ledger.capture(id, 400, { keepsRest: true, reference: "one" }))
    time.now = 3
    done(ledger.capture(id, 600))
    time.now = 4
    const refund = done(ledger.refund(id, 250))
    assert.deepStrictEqual(shown(ledger), [
      ["charge", "EUR 400", 12, 388, 2, id],
      ["charge", "EUR 600", 18, 582, 3, id],
      ["refund", "EUR 250", 0, -250, 4, id]
    ])
    assert.strictEqual(ledger.bookings()[0]?.capture?.reference, "one")
    assert.deepStrictEqual(ledger.bookings()[2]?.refund, refund)
  })

  it("nothing of what was not paid, and a refund that failed twice: out, and in again", () => {
    const { ledger } = opened()
    const paid = ledger.open({ amount: ten }).id
    ledger.decide({ decline: "over_limit" })
    ledger.open({ amount: ten })
    ledger.decideRefund("pend")
    done(ledger.refund(paid))
    assert.lengthOf(ledger.bookings(), 1)
    ledger.decideRefund("fail")
    ledger.payersAct()
    assert.deepStrictEqual(
      ledger.bookings().map(({ net, type }) => [type, net]),
      [
        ["charge", 970],
        ["refund", -1_000],
        ["refund_failed", 1_000]
      ]
    )
  })

  it("what was not requested, in the order of its time, under an id of its own", () => {
    const { ledger, time } = opened()
    time.now = 9
    const { id } = ledger.open({ amount: ten })
    ledger.book({ type: "payout", amount: ten, bookedAt: 5 })
    ledger.book({ type: "refund", amount: { minorUnits: 3, currency: "EUR" }, payment: id })
    ledger.book({ type: "dispute", amount: ten, payment: id, bookedAt: 12 })
    assert.deepStrictEqual(shown(ledger), [
      ["payout", "EUR 1000", 0, -1_000, 5, null],
      ["charge", "EUR 1000", 30, 970, 9, id],
      ["refund", "EUR 3", 0, -3, 9, id],
      ["dispute", "EUR 1000", 1_500, -2_500, 12, id]
    ])
    assert.isEmpty(ledger.find(id)?.refunds ?? [ten])
    assert.strictEqual(new Set(ledger.bookings().map((booking) => booking.id)).size, 4)
  })
})

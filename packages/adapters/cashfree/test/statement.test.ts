/** The statement, over the fake: every event that moved money once, with our names; and what is refused. */
import { assert, describe, it } from "@effect/vitest"
import { isProviderError } from "@paymux/core"
import type { FakeAnswer, Fault } from "@paymux/testkit"
import { statementPages } from "@paymux/test-suites"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { setImmediate as nextTurn } from "node:timers/promises"
import { cashfree } from "../src/index.ts"
import { s2sFake } from "../src/testing/fake.ts"
import { json } from "../src/testing/literals.ts"
import { optionsOf } from "../src/testing/options.ts"
import { addRows, reconRow } from "../src/testing/recon.ts"
import { createOperation, laterOperation, rupees, running } from "./operations.ts"

const noon = Date.parse("2026-11-20T12:00:00Z")
const hour = 60 * 60_000
const range = { since: noon - 24 * hour, until: noon + hour }

const opened = Effect.gen(function* () {
  yield* TestClock.setTime(noon)
  const vendor = yield* s2sFake.start({ mode: "test" })
  const instance = yield* running(cashfree({ ...optionsOf(vendor), s2s: true }))
  const { statement } = instance
  if (statement === undefined) return yield* Effect.die(new Error("the adapter has a statement"))
  const read = (query = range) =>
    Effect.map(statementPages(statement, query), (pages) => pages.flatMap(({ movements }) => movements))
  const paid = Effect.gen(function* () {
    const created = yield* createOperation()
    yield* instance.create(created)
    yield* vendor.payersAct
    return created
  })
  return { vendor, instance, statement, read, paid }
})

const other = { id: "7001", at: noon, saleType: "CREDIT", status: "SUCCESS", minorUnits: 10_000 } as const

/** A payment of other software, with fields of its event or of the row changed. */
const changedRow = (event: object, change: object = {}) => {
  const made = reconRow({ ...other, kind: "PAYMENT" }).row as { readonly event_details: object }
  return { ...made, event_details: { ...made.event_details, ...event }, ...change }
}

describe("the statement", () => {
  it.effect("is read again for two weeks, because an event may be booked days after its time", () =>
    Effect.gen(function* () {
      const { vendor } = yield* opened
      assert.strictEqual(cashfree(optionsOf(vendor)).capabilities.statement?.bookedWithin, "14 days")
    })
  )

  it.effect("has a payment and its refund, by their operations and references", () =>
    Effect.gen(function* () {
      const { instance, paid, read } = yield* opened
      const created = yield* paid
      const refund = yield* laterOperation("refund", created, { amount: rupees(1_005) })
      const { reference: refunded } = yield* instance.refund(refund)
      const [charge, returned, ...more] = yield* read()
      assert.isEmpty(more)
      assert.deepStrictEqual(charge, {
        id: charge?.id ?? "",
        type: "payment",
        operation: created.id,
        reference: created.id,
        original: null,
        amount: rupees(17_050),
        direction: "in",
        fee: rupees(511),
        net: rupees(16_539),
        payout: "45345",
        bookedAt: noon
      })
      assert.deepStrictEqual(returned, {
        id: returned?.id ?? "",
        type: "refund",
        operation: refund.id,
        reference: refunded ?? "",
        original: created.id,
        amount: rupees(1_005),
        direction: "out",
        fee: rupees(0),
        net: rupees(1_005),
        payout: "45345",
        bookedAt: noon
      })
    })
  )

  it.effect(
    "has a payment of a link by its operation, and by its order alone where the row names no link of ours",
    () =>
      Effect.gen(function* () {
        const { read, vendor } = yield* opened
        const operation = "op_4cce5bd1b1f14d7bb7a4c0cc11"
        const row = (order: string, tags: object | null) =>
          reconRow({ ...other, id: order, kind: "PAYMENT", order, tags })
        addRows(
          vendor.ledger,
          row("CFPay_1", { link_id: `link_${operation}`, cf_link_id: "1" }),
          row("CFPay_2", { cf_link_id: "2" }),
          row(operation, { link_id: "link_op_4cce5bd1b1f14d7bb7a4c0cc12" })
        )
        const names = (yield* read()).map(({ operation: id, reference }) => [id, reference])
        assert.deepStrictEqual(names, [
          [operation, "CFPay_1"],
          [null, "CFPay_2"],
          [operation, operation]
        ])
      })
  )

  it.effect("names the order of a refund from the dashboard, and has no name of ours for what others did", () =>
    Effect.gen(function* () {
      const { paid, read, vendor } = yield* opened
      const created = yield* paid
      const [payment] = vendor.ledger.payments()
      vendor.ledger.refund(payment?.id ?? "", 100)
      addRows(vendor.ledger, reconRow({ ...other, kind: "PAYMENT", order: "shop-17", at: noon + 1 }))
      const [, refund, foreign] = yield* read()
      assert.deepInclude(refund, { type: "refund", operation: null, original: created.id })
      assert.deepInclude(foreign, { type: "payment", operation: null, reference: "shop-17" })
    })
  )

  it.effect("names disputes, settlements and adjustments, and leaves out what moved nothing", () =>
    Effect.gen(function* () {
      const { read, vendor } = yield* opened
      const minute = (n: number) => ({ ...other, id: String(7000 + n), at: noon + n })
      const adjustment = { ...minute(9), kind: "OTHER_ADJUSTMENT", saleType: "DEBIT" as const }
      addRows(
        vendor.ledger,
        reconRow({ ...minute(1), kind: "DISPUTE", saleType: "DEBIT", status: "CLOSED", order: "shop-17" }),
        reconRow({ ...minute(1), kind: "DISPUTE_REVERSAL", status: "CLOSED" }),
        reconRow({ ...minute(2), kind: "CHARGEBACK", saleType: "DEBIT", status: null }),
        reconRow({ ...minute(3), kind: "REFUND_REVERSAL" }),
        reconRow({ ...minute(4), kind: "SETTLEMENT", status: "PAID", paidOut: 9_000 }),
        reconRow({ ...minute(5), kind: "SETTLEMENT", status: "PAID", minorUnits: 0 }),
        reconRow({ ...minute(6), kind: "PAYMENT", status: "FAILED", minorUnits: 0 }),
        reconRow({ ...minute(7), kind: "PAYMENT", status: "USER_DROPPED" }),
        reconRow({ ...minute(8), kind: "REFUND", saleType: "DEBIT", status: "PENDING" }),
        reconRow({ ...adjustment, minorUnits: 300, remarks: "INSTANT_SETTLEMENT_CHARGE" }),
        reconRow({ ...adjustment, minorUnits: 54, remarks: "INSTANT_SETTLEMENT_TAX" })
      )
      const movements = yield* read()
      assert.deepStrictEqual(
        movements.map((each) => [each.type, each.direction, each.amount.minorUnits]),
        [
          ["dispute", "out", 10_000],
          ["dispute_reversed", "in", 10_000],
          ["dispute", "out", 10_000],
          ["refund_failed", "in", 10_000],
          ["payout", "out", 9_000],
          ["adjustment", "out", 300],
          ["adjustment", "out", 54]
        ]
      )
      assert.strictEqual(new Set(movements.map(({ id }) => id)).size, movements.length)
    })
  )

  it.effect("has a payment with a fee above its amount, and debits with a sign", () =>
    Effect.gen(function* () {
      const { read, vendor } = yield* opened
      const signed = (kind: string, amount: string, net: string, event: object) =>
        changedRow({ event_type: kind, event_id: kind, event_amount: amount, event_settlement_amount: net, ...event })
      const data = [
        signed("PAYMENT", "10", "-7.70", {}),
        signed("REFUND", "-100", "-100", { sale_type: "DEBIT" }),
        signed("DISPUTE", "100.00", "-117.7", { sale_type: "DEBIT" })
      ]
      yield* vendor.network.failNext({ executed: false, reply: { status: 200, text: json({ cursor: null, data }) } })
      const movements = yield* read()
      assert.deepStrictEqual(
        movements.map((each) => [each.type, each.direction, each.amount, each.fee, each.net]),
        [
          ["payment", "in", rupees(1_000), rupees(1_770), rupees(770)],
          ["refund", "out", rupees(10_000), rupees(0), rupees(10_000)],
          ["dispute", "out", rupees(10_000), rupees(1_770), rupees(11_770)]
        ]
      )
    })
  )

  it.effect("has fee and net amount once an event is in a settlement", () =>
    Effect.gen(function* () {
      const { read, vendor } = yield* opened
      const open = { settlement_details: { cf_settlement_id: null } }
      const data = [changedRow({ event_settlement_amount: "98" }, open), changedRow({ event_settlement_amount: null })]
      yield* vendor.network.failNext({ executed: false, reply: { status: 200, text: json({ cursor: null, data }) } })
      for (const { fee, net } of yield* read()) assert.deepStrictEqual([fee, net], [null, null])
    })
  )

  it.effect("has one id for an adjustment, however its amount is written, and whatever its remark contains", () =>
    Effect.gen(function* () {
      const { read, vendor } = yield* opened
      const adjustment = (amount: string, remark: string) =>
        changedRow({ event_type: "OTHER_ADJUSTMENT", event_id: "72", event_amount: amount, event_remarks: remark })
      const long = `${"x".repeat(166)}😀`
      const data = [adjustment("118", "a\tb\u0000"), adjustment("118.00", "a b"), adjustment("118", long)]
      yield* vendor.network.failNext({ executed: false, reply: { status: 200, text: json({ cursor: null, data }) } })
      const ids = (yield* read()).map(({ id }) => id)
      assert.deepStrictEqual(ids.slice(0, 2), Array(2).fill("OTHER_ADJUSTMENT 72 CREDIT 11800 a b"))
      assert.strictEqual(ids[2], `OTHER_ADJUSTMENT 72 CREDIT 11800 ${"x".repeat(166)}`)
    })
  )

  it.effect("has what was booked within the range, and each event of many pages once", () =>
    Effect.gen(function* () {
      const { read, statement, vendor } = yield* opened
      const at = (time: number) => reconRow({ ...other, id: `8${time}`, kind: "PAYMENT", at: time })
      addRows(vendor.ledger, ...[-1, 0, 999, 1_000].map((ms) => at(noon + ms)))
      const times = (yield* read({ since: noon, until: noon + 1_000 })).map(({ bookedAt }) => bookedAt)
      assert.deepStrictEqual(times, [noon, noon + 999])
      addRows(vendor.ledger, ...Array.from({ length: 250 }, (_, n) => at(noon - hour + n)))
      const movements = yield* read()
      assert.strictEqual(new Set(movements.map(({ id }) => id)).size, 254)
      const { next } = yield* statement({ ...range, cursor: null })
      assert.deepStrictEqual(yield* statement({ ...range, cursor: next }), yield* statement({ ...range, cursor: next }))
    })
  )

  it.effect("is read in the form of older versions, too", () =>
    Effect.gen(function* () {
      const { read, vendor } = yield* opened
      const flat = {
        cf_settlement_id: 45_406,
        sale_type: "DEBIT",
        event_amount: 3067.26,
        event_settlement_amount: 3067.26,
        event_type: "DISPUTE",
        event_status: "CLOSED",
        event_currency: "INR",
        event_id: "272",
        order_id: "shop-17",
        event_time: "2026-11-20T14:52:55+05:30"
      }
      yield* vendor.network.failNext({ executed: false, reply: { status: 200, json: { cursor: "", data: [flat] } } })
      assert.deepStrictEqual(yield* read(), [
        {
          id: "DISPUTE 272",
          type: "dispute",
          operation: null,
          reference: "272",
          original: "shop-17",
          amount: rupees(306_726),
          direction: "out",
          fee: rupees(0),
          net: rupees(306_726),
          payout: "45406",
          bookedAt: Date.parse("2026-11-20T09:22:55Z")
        }
      ])
    })
  )
})

describe("what is no page", () => {
  const reply = (answer: FakeAnswer): Fault => ({ executed: false, reply: answer })
  const row = (event: object, change: object = {}): Fault =>
    reply({ status: 200, text: json({ cursor: null, limit: 100, data: [changedRow(event, change)] }) })
  const faults: { readonly [what: string]: readonly [Fault, "RateLimited" | "InvalidRequest" | "Misconfigured"] } = {
    "a server error": [reply({ status: 500, json: {} }), "RateLimited"],
    "too many requests": [reply({ status: 429, headers: { "x-ratelimit-retry": "7" } }), "RateLimited"],
    "a refused key": [reply({ status: 401, json: {} }), "Misconfigured"],
    "a bad request": [reply({ status: 400, json: { code: "filters_invalid" } }), "InvalidRequest"],
    "a reset": [{ executed: false, reply: "reset" }, "RateLimited"],
    "half a body": [{ executed: true, reply: "half_body" }, "RateLimited"],
    "no JSON": [reply({ status: 200, text: "<html>" }), "RateLimited"],
    "no list": [reply({ status: 200, json: { cursor: null } }), "InvalidRequest"],
    "an unknown type": [row({ event_type: "CASHBACK" }), "InvalidRequest"],
    "an unknown status of a payment": [row({ event_status: "HALF_DONE" }), "InvalidRequest"],
    "a payment without a status": [row({ event_status: null }), "InvalidRequest"],
    "an unknown currency": [row({ event_currency: "XQX" }), "InvalidRequest"],
    "a fraction of a paisa": [row({ event_amount: 170.505 }), "InvalidRequest"],
    "a negative amount": [row({ event_amount: -1 }), "InvalidRequest"],
    "a negative adjustment that is a credit": [row({ event_type: "RISK", event_amount: "-1" }), "InvalidRequest"],
    "two signs": [row({ event_settlement_amount: "--1" }), "InvalidRequest"],
    "an amount with an exponent": [row({ event_amount: "1e3" }), "InvalidRequest"],
    "a payment without an amount": [row({ event_amount: null }), "InvalidRequest"],
    "a payment that is a debit": [row({ sale_type: "DEBIT" }), "InvalidRequest"],
    "neither a credit nor a debit": [row({ event_type: "OTHER_ADJUSTMENT", sale_type: "" }), "InvalidRequest"],
    "a time without an offset": [row({ event_time: "2026-11-20 14:52:55" }), "InvalidRequest"],
    "no event": [row({}, { event_details: null }), "InvalidRequest"]
  }
  for (const [what, [fault, reason]] of Object.entries(faults)) {
    it.effect(`${what} is ${reason}`, () =>
      Effect.gen(function* () {
        const { statement, vendor } = yield* opened
        yield* vendor.network.failNext(fault)
        const error = yield* Effect.flip(statement({ ...range, cursor: null }))
        assert.isTrue(isProviderError(error))
        assert.strictEqual(error.reason._tag, reason)
      })
    )
  }

  it.effect("no answer in time is RateLimited", () =>
    Effect.gen(function* () {
      const { statement, vendor } = yield* opened
      yield* vendor.network.failNext({ executed: false, reply: "never" })
      const reading = yield* Effect.forkChild(Effect.flip(statement({ ...range, cursor: null })))
      while ((yield* vendor.network.requests).length === 0) yield* Effect.promise(nextTurn)
      yield* TestClock.adjust("15 seconds")
      assert.strictEqual((yield* Fiber.join(reading)).reason._tag, "RateLimited")
    })
  )

  it.effect("the wait of a rate limit is Cashfree's", () =>
    Effect.gen(function* () {
      const { statement, vendor } = yield* opened
      yield* vendor.network.failNext(reply({ status: 429, headers: { "x-ratelimit-retry": "7" } }))
      const { reason } = yield* Effect.flip(statement({ ...range, cursor: null }))
      assert.strictEqual(reason._tag === "RateLimited" ? reason.retryAfterMs : null, 7_000)
    })
  )

  it.effect("a page that names itself as the next one is refused", () =>
    Effect.gen(function* () {
      const { statement, vendor } = yield* opened
      const cursor = `${range.since} ${range.until} 4 abcd`
      yield* vendor.network.failNext(reply({ status: 200, json: { cursor: "abcd", data: [] } }))
      const error = yield* Effect.flip(statement({ ...range, cursor }))
      assert.strictEqual(error.reason._tag, "InvalidRequest")
    })
  )

  it.effect("an empty page with a cursor is not the end", () =>
    Effect.gen(function* () {
      const { statement, vendor } = yield* opened
      yield* vendor.network.failNext(reply({ status: 200, json: { cursor: "abcd", data: [] } }))
      const page = yield* statement({ ...range, cursor: null })
      assert.deepStrictEqual(page, { movements: [], next: `${range.since} ${range.until} 4 abcd` })
    })
  )

  it.effect("a cursor of another form or range is refused before anything is sent", () =>
    Effect.gen(function* () {
      const { statement, vendor } = yield* opened
      const { since, until } = range
      for (const cursor of ["", "abcd", `${since} ${until} 5 abcd`, `${since} ${until} 4 `, `${since} 1 4 abcd`]) {
        const error = yield* Effect.flip(statement({ ...range, cursor }))
        assert.strictEqual(error.reason._tag, "InvalidRequest")
      }
      assert.isEmpty(yield* vendor.network.requests)
    })
  )
})

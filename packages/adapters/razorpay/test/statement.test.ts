/** The statement, over the fake: every settled movement once, with our names; and what is refused. */
import { assert, describe, it } from "@effect/vitest"
import { isProviderError, type Provider } from "@paymux/core"
import type { StatementPage } from "@paymux/core/statement"
import type { Fault, SeenRequest } from "@paymux/testkit"
import { statementPages } from "@paymux/test-suites"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { razorpay } from "../src/index.ts"
import { settlements, type SettledItem } from "../src/testing/settlements.ts"
import { begin, later, operation, rupees } from "./adapter.ts"
import { eventually } from "./testEnvironment.ts"

const day = 24 * 60 * 60_000

/** An evening in India, of which UTC has another date after half past six. */
const evening = Date.parse("2026-11-20T18:00:00Z")

const opened = Effect.fnUntraced(function* (change: { readonly qr?: "link" | "qr_code" } = {}) {
  yield* TestClock.setTime(evening)
  const made = yield* begin({ ...change, settlements: true })
  const { statement, vendor } = made
  if (statement === undefined) return yield* Effect.die(new Error("a statement was requested"))
  const read = (since = 0, until = evening + 30 * day) =>
    Effect.map(statementPages(statement, { since, until }), (pages) => ({
      movements: pages.flatMap(({ movements }) => movements),
      pages: pages.length
    }))
  const add = (...items: ReadonlyArray<SettledItem>) => settlements(vendor.ledger).added.push(...items)
  return { ...made, statement, read, add }
})

const since = evening - day

/** Of other software at the same account. */
const foreign = (number: number, change: Partial<SettledItem> = {}): SettledItem => ({
  entity_id: `pay_other${number}`,
  type: "payment",
  debit: 0,
  credit: 9_764,
  amount: 10_000,
  currency: "INR",
  fee: 236,
  tax: 36,
  on_hold: false,
  settled: true,
  created_at: evening / 1000,
  settled_at: evening / 1000,
  settlement_id: "setl_1",
  notes: { paymux_operation: "op_00000000000000000000000001" },
  payment_id: null,
  order_id: "order_other",
  order_receipt: "receipt-7",
  dispute_id: null,
  ...change
})

const paid = Effect.fnUntraced(function* ({ create, vendor }: Effect.Success<ReturnType<typeof opened>>, change = {}) {
  const created = operation(change)
  const { reference = null } = yield* create(created)
  yield* vendor.payersAct
  return { created, reference: reference ?? "" }
})

describe("the statement", () => {
  it("is declared in live mode, and in test mode if it is requested", () => {
    const keys = { keySecret: "s", webhookSecrets: ["w"] as const }
    const declared = ({ capabilities }: Provider) => capabilities.statement?.bookedWithin
    assert.isUndefined(declared(razorpay({ keyId: "rzp_test_1", ...keys })))
    assert.strictEqual(declared(razorpay({ keyId: "rzp_live_1", ...keys })), "14 days")
    assert.strictEqual(declared(razorpay({ keyId: "rzp_test_1", settlements: true, ...keys })), "14 days")
    assert.isUndefined(declared(razorpay({ keyId: "rzp_live_1", settlements: false, ...keys })))
  })

  it.effect("has a payment and its refund, by their operations and references", () =>
    Effect.gen(function* () {
      const made = yield* opened()
      const { created, reference } = yield* paid(made)
      const refund = later("refund", created, reference, { amount: rupees(2_345) })
      const refunded = yield* made.refund(refund)
      const { movements } = yield* made.read(since)
      const [charge, returned] = movements
      assert.lengthOf(movements, 2)
      assert.deepStrictEqual(charge, {
        id: charge?.id ?? "",
        type: "payment",
        operation: created.id,
        reference,
        original: null,
        amount: rupees(12_345),
        direction: "in",
        fee: rupees(370),
        net: rupees(11_975),
        payout: "setl_DGlQ1Rj8os78Ec",
        bookedAt: evening
      })
      assert.deepStrictEqual(returned, {
        id: refunded.reference ?? "",
        type: "refund",
        operation: refund.id,
        reference: refunded.reference ?? "",
        original: null,
        amount: rupees(2_345),
        direction: "out",
        fee: rupees(0),
        net: rupees(2_345),
        payout: "setl_DGlQ1Rj8os78Ec",
        bookedAt: evening
      })
    })
  )

  it.effect("has the operation of a link by the receipt, and that of a QR object by its note", () =>
    Effect.gen(function* () {
      const links = yield* opened()
      const linked = yield* paid(links, { method: { rail: "upi", flow: "hosted", vpa: null }, client: null })
      // The order of a link is not the reference that the link's create has returned.
      assert.match(linked.reference, /^plink_/)
      assert.deepInclude((yield* links.read(since)).movements[0], { operation: linked.created.id, reference: null })
      const codes = yield* opened({ qr: "qr_code" })
      const scanned = yield* paid(codes, { method: { rail: "upi", flow: "qr", vpa: null } })
      const { movements } = yield* codes.read(since)
      assert.deepInclude(movements[0], { operation: scanned.created.id, reference: null })
    })
  )

  it.effect("names the order or link of a refund from the dashboard", () =>
    Effect.gen(function* () {
      for (const flow of ["intent", "hosted"] as const) {
        const made = yield* opened()
        const { reference } = yield* paid(made, { method: { rail: "upi", flow, vpa: null } })
        const [payment] = made.vendor.ledger.payments()
        made.vendor.ledger.refund(payment?.id ?? "", 100)
        const { movements } = yield* made.read(since)
        assert.deepInclude(movements[1], { type: "refund", operation: null, original: reference })
      }
    })
  )

  it.effect("has no name of ours for what others did, whatever notes a payer wrote", () =>
    Effect.gen(function* () {
      const made = yield* opened()
      made.add(foreign(1), foreign(2, { order_receipt: null, notes: "text" }))
      const { movements } = yield* made.read(since)
      assert.deepStrictEqual(
        movements.map(({ operation: named, reference }) => [named, reference]),
        [
          [null, "order_other"],
          [null, "order_other"]
        ]
      )
    })
  )

  it.effect("names transfers, adjustments and disputes, and leaves out what is not settled", () =>
    Effect.gen(function* () {
      const made = yield* opened()
      const dispute = { type: "adjustment", dispute_id: "disp_1", fee: 0 }
      made.add(
        foreign(1, { entity_id: "trf_1", type: "transfer", debit: 10_236, credit: 0 }),
        foreign(2, { entity_id: "adj_1", type: "adjustment", credit: 10_000, fee: 0 }),
        foreign(3, { entity_id: "adj_2", ...dispute, debit: 10_000, credit: 0 }),
        foreign(4, { entity_id: "adj_3", ...dispute, credit: 10_000 }),
        foreign(5, { entity_id: "adj_4", type: "adjustment", amount: 0, credit: 0, fee: 0 }),
        foreign(6, { entity_id: "pay_held", on_hold: true, settled: false }),
        foreign(7, { entity_id: "pay_usd", currency: "USD" }),
        foreign(8, { entity_id: "pay_1_rupee", amount: 100, credit: 0, fee: 100 }),
        foreign(9, { entity_id: "pay_below", amount: 1_000, debit: 770, credit: 0, fee: 1_770 }),
        foreign(10, { entity_id: "pay_fee_credits", credit: 10_000 }),
        foreign(11, { entity_id: "rfnd_credits", type: "refund", credit: 0, fee: 0 })
      )
      const { movements } = yield* made.read(since)
      assert.deepStrictEqual(
        movements.map((each) => [each.id, each.type, each.direction, each.fee?.minorUnits, each.net?.minorUnits]),
        [
          ["trf_1", "adjustment", "out", 236, 10_236],
          ["adj_1", "adjustment", "in", 0, 10_000],
          ["adj_2", "dispute", "out", 0, 10_000],
          ["adj_3", "dispute_reversed", "in", 0, 10_000],
          ["pay_usd", "payment", "in", undefined, undefined],
          ["pay_1_rupee", "payment", "in", 100, 0],
          ["pay_below", "payment", "in", 1_770, 770],
          ["pay_fee_credits", "payment", "in", 0, 10_000],
          ["rfnd_credits", "refund", "out", undefined, 0]
        ]
      )
      assert.deepInclude(movements[2], { reference: "disp_1", original: "order_other" })
    })
  )

  it.effect("requests every day of Indian time that the range touches, and has what was settled within it", () =>
    Effect.gen(function* () {
      const made = yield* opened()
      const from = Date.parse("2026-10-30T18:30:05Z")
      const to = Date.parse("2026-11-01T18:30:05Z")
      const at = (time: number) => foreign(time, { settled_at: time / 1000 })
      made.add(at(from - 1000), at(from), at(from + 1000), at(to - 1000), at(to))
      const { movements } = yield* made.read(from, to)
      assert.deepStrictEqual(
        movements.map(({ bookedAt }) => bookedAt),
        [from, from + 1000, to - 1000]
      )
      const days = (yield* made.network.requests).map(({ path }) => new URL(path, "http://localhost").searchParams)
      const requested = days.map((query) => ["year", "month", "day"].map((name) => query.get(name)).join("-"))
      assert.deepStrictEqual([...new Set(requested)], ["2026-10-31", "2026-11-1", "2026-11-2"])
    })
  )

  it.effect("has every item of a day with many pages once, also if a page is read again", () =>
    Effect.gen(function* () {
      const made = yield* opened()
      made.add(...Array.from({ length: 2_500 }, (_, number) => foreign(number)))
      const { movements } = yield* made.read(evening - 1, evening + 1)
      // A day of several pages is read twice.
      assert.lengthOf(movements, 5_000)
      assert.strictEqual(new Set(movements.map(({ id }) => id)).size, 2_500)
      const range = { since: evening - 1, until: evening + 1 }
      const first = yield* made.statement({ ...range, cursor: null })
      const again = { ...range, cursor: first.next }
      assert.deepStrictEqual(yield* made.statement(again), yield* made.statement(again))
    })
  )

  it.effect("ends with today, whatever the end of the range", () =>
    Effect.gen(function* () {
      const made = yield* opened()
      assert.deepStrictEqual(yield* made.read(evening - day, Number.MAX_SAFE_INTEGER), { movements: [], pages: 2 })
    })
  )
})

describe("a list that changes while it is read", () => {
  it.effect("is begun again, so that nothing is lost over the border of a page", () =>
    Effect.gen(function* () {
      const made = yield* opened()
      made.add(...Array.from({ length: 1_500 }, (_, number) => foreign(number)))
      const range = { since: evening - 1, until: evening + 1 }
      const first = yield* made.statement({ ...range, cursor: null })
      settlements(made.vendor.ledger).added.unshift(foreign(999))
      const second = yield* made.statement({ ...range, cursor: first.next })
      assert.deepStrictEqual(second, { movements: [], next: `${evening - 1} ${evening + 1} 2026-11-20 1 -` })
      const third = yield* made.statement({ ...range, cursor: second.next })
      assert.include(
        third.movements.map(({ id }) => id),
        "pay_other999"
      )
    })
  )

  it.effect("is read until it was the same twice, if items were moved within a page that was read", () =>
    Effect.gen(function* () {
      const items = Array.from({ length: 1_500 }, (_, number) => foreign(number))
      const moves = {
        "one is removed, and another inserted before it": [
          foreign(999_999),
          ...items.slice(0, 998),
          ...items.slice(999)
        ],
        "two change places": [
          ...items.slice(0, 1),
          foreign(1_200),
          ...items.slice(2, 1_200),
          foreign(1),
          ...items.slice(1_201)
        ]
      }
      for (const [what, after] of Object.entries(moves)) {
        const made = yield* opened()
        made.add(...items)
        const range = { since: evening - 1, until: evening + 1 }
        const seen = new Set<string>()
        let page: StatementPage = yield* made.statement({ ...range, cursor: null })
        settlements(made.vendor.ledger).added.splice(0, items.length, ...after)
        for (;;) {
          for (const { id } of page.movements) seen.add(id)
          if (page.next === null) break
          page = yield* made.statement({ ...range, cursor: page.next })
        }
        for (const { entity_id } of after) assert.isTrue(seen.has(entity_id), `${what}: ${entity_id}`)
      }
    })
  )

  it.effect("ends the run if no two readings of a day are the same", () =>
    Effect.gen(function* () {
      const made = yield* opened()
      made.add(...Array.from({ length: 1_500 }, (_, number) => foreign(number)))
      const range = { since: evening - 1, until: evening + 1 }
      let page: StatementPage = yield* made.statement({ ...range, cursor: null })
      let change = 0
      const rest = Effect.gen(function* () {
        while (page.next !== null) {
          settlements(made.vendor.ledger).added[3] = foreign(++change + 10_000)
          page = yield* made.statement({ ...range, cursor: page.next })
        }
      })
      const { reason } = yield* Effect.flip(rest)
      assert.deepInclude(reason, { _tag: "InvalidRequest", detail: "the list of 2026-11-20 changes while it is read" })
    })
  )

  it.effect("is read with notes of more than 1 MiB", () =>
    Effect.gen(function* () {
      const made = yield* opened()
      const notes = Object.fromEntries(Array.from({ length: 15 }, (_, n) => [`note_${n}`, "n".repeat(512)]))
      made.add(...Array.from({ length: 1_000 }, (_, number) => foreign(number, { notes })))
      const { movements } = yield* made.read(evening - 1, evening + 1)
      assert.lengthOf(movements, 1_000)
    })
  )

  it.effect("ends the run if it always changes, as where skip is ignored", () =>
    Effect.gen(function* () {
      const made = yield* opened()
      const reply = { status: 200, json: { items: [foreign(1), foreign(2)] } }
      for (let request = 0; request < 8; request += 1) yield* made.network.failNext({ executed: false, reply }, request)
      const error = yield* Effect.flip(made.read(evening - 1, evening + 1))
      assert.deepInclude(error.reason, { _tag: "InvalidRequest" })
      assert.strictEqual((yield* made.network.requests).length, 8)
    })
  )
})

describe("what is no page", () => {
  const json = (items: unknown): Fault => ({ executed: false, reply: { status: 200, json: { items } } })
  const status = (code: number): Fault => ({ executed: false, reply: { status: code, json: { error: {} } } })
  const faults: { readonly [what: string]: readonly [Fault, "RateLimited" | "InvalidRequest" | "Misconfigured"] } = {
    "a server error": [status(500), "RateLimited"],
    "too many requests": [status(429), "RateLimited"],
    "a refused key": [status(401), "Misconfigured"],
    "a bad request": [status(400), "InvalidRequest"],
    "no such endpoint": [status(404), "InvalidRequest"],
    "a reset": [{ executed: false, reply: "reset" }, "RateLimited"],
    "half a body": [{ executed: false, reply: "half_body" }, "RateLimited"],
    "no JSON": [{ executed: false, reply: { status: 200, text: "<html>" } }, "RateLimited"],
    "an empty object": [{ executed: false, reply: { status: 200, json: {} } }, "InvalidRequest"],
    "an unknown type": [json([foreign(1, { type: "cashback" })]), "InvalidRequest"],
    "an unknown currency": [json([foreign(1, { currency: "XQX" })]), "InvalidRequest"],
    "an amount in rupees": [json([foreign(1, { amount: 100.5 })]), "InvalidRequest"],
    "an amount as text": [json([foreign(1, { amount: "10000" })]), "InvalidRequest"],
    "a negative amount": [json([foreign(1, { credit: -1 })]), "InvalidRequest"],
    "an item without an amount": [json([{ ...foreign(1), amount: undefined }]), "InvalidRequest"],
    "an item without its time": [json([{ ...foreign(1), settled_at: null }]), "InvalidRequest"],
    "a payment that is a debit": [json([foreign(1, { debit: 9_764, credit: 0 })]), "InvalidRequest"],
    "a payment of which the debit is not the rest of its fee": [
      json([foreign(1, { amount: 1_000, debit: 771, credit: 0, fee: 1_770 })]),
      "InvalidRequest"
    ],
    "a refund that is a credit": [json([foreign(1, { type: "refund" })]), "InvalidRequest"],
    "both a credit and a debit": [json([foreign(1, { debit: 1 })]), "InvalidRequest"],
    "an adjustment of neither": [json([foreign(1, { type: "adjustment", credit: 0 })]), "InvalidRequest"]
  }
  for (const [what, [fault, reason]] of Object.entries(faults)) {
    it.effect(`${what} is ${reason}`, () =>
      Effect.gen(function* () {
        const made = yield* opened()
        yield* made.network.failNext(fault)
        const error = yield* Effect.flip(made.statement({ since, until: evening, cursor: null }))
        assert.isTrue(isProviderError(error))
        assert.strictEqual(error.reason._tag, reason)
      })
    )
  }

  it.effect("no answer in time is RateLimited", () =>
    Effect.gen(function* () {
      const made = yield* opened()
      yield* made.network.failNext({ executed: false, reply: "never" })
      const reading = yield* Effect.forkChild(Effect.flip(made.statement({ since, until: evening, cursor: null })))
      yield* eventually(Effect.map(made.network.requests, (requests) => requests.length === 1))
      yield* TestClock.adjust("15 seconds")
      assert.strictEqual((yield* Fiber.join(reading)).reason._tag, "RateLimited")
    })
  )

  it.effect("a cursor of another form or range is refused before anything is sent", () =>
    Effect.gen(function* () {
      const made = yield* opened()
      const range = `${since} ${evening}`
      const digest = "0".repeat(32)
      const begun = `${range} 2026-11-20 0`
      const damaged = ["", "0", range, `${range} 2026-11-20`, begun, `${begun} x`, `${begun} - 5`, `${begun} - 5 1 x y`]
      for (const cursor of [...damaged, `${begun} - 5 1 ${digest}`, `${since} ${evening + 1} 2026-11-20 0 -`]) {
        const error = yield* Effect.flip(made.statement({ since, until: evening, cursor }))
        assert.strictEqual(error.reason._tag, "InvalidRequest")
      }
      const requests: ReadonlyArray<SeenRequest> = yield* made.network.requests
      assert.lengthOf(requests, 0)
    })
  )
})

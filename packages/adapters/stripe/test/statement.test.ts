/** Balance transactions as movements. What the conformance suite does not try: types, conversion, and what cannot be read. */
import { assert, describe, it } from "@effect/vitest"
import { readStatementPage } from "@paymux/core/engine"
import { Effect } from "effect"
import { existsSync, readFileSync } from "node:fs"
import { stripe } from "../src/index.ts"
import { transactionOf } from "../src/testing/balance.ts"
import { fake } from "../src/testing/fake.ts"
import { optionsOf } from "../src/testing/options.ts"
import { running } from "./operations.ts"

const window = { since: Date.UTC(2026, 9, 1), until: Date.UTC(2026, 10, 1) }
const created = Date.UTC(2026, 9, 7, 12) / 1000
const operation = "op_40123456789abcdefghjkmnpqr"

const begin = Effect.gen(function* () {
  const vendor = yield* fake.start({ mode: "test" })
  const instance = yield* running(stripe(optionsOf(vendor)))
  /** What the adapter makes of these transactions. */
  const read = Effect.fnUntraced(function* (...data: ReadonlyArray<object>) {
    const json = { object: "list", data, has_more: false, url: "/v1/balance_transactions" }
    yield* vendor.network.failNext({ executed: false, reply: { status: 200, json } })
    const page = yield* instance.statement({ ...window, cursor: null })
    assert.deepStrictEqual(readStatementPage(page), page)
    return page.movements
  })
  return { vendor, instance, read }
})

const charge = {
  id: "ch_1",
  object: "charge",
  amount: 1_000,
  amount_captured: 1_000,
  currency: "eur",
  payment_intent: "pi_1",
  metadata: { paymux_operation: operation }
}
const refund = { id: "re_1", object: "refund", amount: 400, currency: "eur", charge: "ch_1", payment_intent: "pi_1" }
const dispute = { ...refund, id: "du_1", object: "dispute" }

const transaction = (change: object) => ({
  id: "txn_1",
  object: "balance_transaction",
  type: "charge",
  amount: 1_000,
  fee: 44,
  net: 956,
  currency: "eur",
  created,
  exchange_rate: null,
  source: charge,
  ...change
})

const eur = (minorUnits: number) => ({ minorUnits, currency: "EUR" })
const usd = (minorUnits: number) => ({ minorUnits, currency: "USD" })

/** Of one transaction, the movement without what is the same in all of them. */
const movement = (change: object) =>
  Effect.gen(function* () {
    const { read } = yield* begin
    const [found, ...others] = yield* read(transaction(change))
    if (found === undefined || others.length > 0) return assert.fail("one movement")
    const { bookedAt, id, payout, ...rest } = found
    assert.deepStrictEqual({ bookedAt, id, payout }, { bookedAt: created * 1000, id: "txn_1", payout: null })
    return rest
  }).pipe(Effect.scoped)

const ours = { operation, reference: "pi_1", original: null }
const refunded = { operation: null, reference: "re_1", original: "pi_1" }

describe("a transaction is a movement", () => {
  const table: ReadonlyArray<readonly [name: string, change: object, expected: object]> = [
    ["a charge", {}, { type: "payment", ...ours, amount: eur(1_000), direction: "in", fee: eur(44), net: eur(956) }],
    [
      "a charge that was captured in part has one transaction, of what was captured",
      { amount: 600, net: 556, source: { ...charge, amount_captured: 600 } },
      { type: "payment", ...ours, amount: eur(600), direction: "in", fee: eur(44), net: eur(556) }
    ],
    [
      "a charge that was converted has the payer's amount, and fee and net amount of the settlement",
      {
        currency: "usd",
        amount: 648,
        net: 610,
        fee: 38,
        exchange_rate: 1.08,
        source: { ...charge, amount_captured: 600 }
      },
      { type: "payment", ...ours, amount: eur(600), direction: "in", fee: usd(38), net: usd(610) }
    ],
    [
      "a payment, whose fee is more than its amount",
      { type: "payment", amount: 20, fee: 30, net: -10, source: { ...charge, amount: 20, amount_captured: 20 } },
      { type: "payment", ...ours, amount: eur(20), direction: "in", fee: eur(30), net: eur(10) }
    ],
    [
      "a refund",
      {
        type: "refund",
        amount: -400,
        fee: 0,
        net: -400,
        source: { ...refund, metadata: { paymux_operation: operation } }
      },
      { type: "refund", ...refunded, operation, amount: eur(400), direction: "out", fee: eur(0), net: eur(400) }
    ],
    [
      "a refund that was converted, from the dashboard",
      { type: "payment_refund", currency: "usd", amount: -430, fee: 0, net: -430, source: refund },
      { type: "refund", ...refunded, amount: eur(400), direction: "out", fee: usd(0), net: usd(430) }
    ],
    [
      "a refund that returns a part of the fee",
      { type: "refund", amount: -400, fee: -10, net: -390, source: refund },
      { type: "refund", ...refunded, amount: eur(400), direction: "out", fee: eur(-10), net: eur(390) }
    ],
    [
      "a refund that came back",
      { type: "refund_failure", amount: 400, fee: 0, net: 400, source: refund },
      { type: "refund_failed", ...refunded, amount: eur(400), direction: "in", fee: eur(0), net: eur(400) }
    ],
    [
      "a dispute",
      { type: "adjustment", amount: -400, fee: 1_500, net: -1_900, source: dispute },
      {
        type: "dispute",
        ...refunded,
        reference: "du_1",
        amount: eur(400),
        direction: "out",
        fee: eur(1_500),
        net: eur(1_900)
      }
    ],
    [
      "a dispute that was won",
      { type: "adjustment", amount: 400, fee: -1_500, net: 1_900, source: dispute },
      {
        type: "dispute_reversed",
        ...refunded,
        reference: "du_1",
        amount: eur(400),
        direction: "in",
        fee: eur(-1_500),
        net: eur(1_900)
      }
    ],
    [
      "a fee",
      { type: "stripe_fee", amount: -250, fee: 0, net: -250, source: null },
      {
        type: "fee",
        operation: null,
        reference: null,
        original: null,
        amount: eur(250),
        direction: "out",
        fee: eur(0),
        net: eur(250)
      }
    ],
    [
      "a payout that came back",
      {
        type: "payout_failure",
        amount: 900,
        fee: 0,
        net: 900,
        source: { id: "po_1", object: "payout", amount: 900, currency: "eur" }
      },
      {
        type: "payout",
        operation: null,
        reference: "po_1",
        original: null,
        amount: eur(900),
        direction: "in",
        fee: eur(0),
        net: eur(900)
      }
    ],
    [
      "an adjustment without a dispute, of a fee alone",
      { type: "adjustment", amount: 0, fee: 15, net: -15, source: null },
      {
        type: "adjustment",
        operation: null,
        reference: null,
        original: null,
        amount: eur(15),
        direction: "out",
        fee: eur(15),
        net: eur(15)
      }
    ],
    [
      "a type that is not listed",
      { type: "constructor", amount: -70, fee: 0, net: -70, source: "tr_1" },
      {
        type: "adjustment",
        operation: null,
        reference: null,
        original: null,
        amount: eur(70),
        direction: "out",
        fee: eur(0),
        net: eur(70)
      }
    ],
    [
      "a charge of another system, whose id is no id of ours",
      { source: { ...charge, payment_intent: null, metadata: { paymux_operation: "op_1\u0000" } } },
      {
        type: "payment",
        operation: null,
        reference: "ch_1",
        original: null,
        amount: eur(1_000),
        direction: "in",
        fee: eur(44),
        net: eur(956)
      }
    ]
  ]
  for (const [name, change, expected] of table) {
    it.live(name, () =>
      Effect.map(movement(change), (seen) => assert.deepStrictEqual({ ...seen }, expected as typeof seen))
    )
  }

  it.live("unless nothing moved", () =>
    Effect.gen(function* () {
      const { read } = yield* begin
      assert.deepStrictEqual(yield* read(transaction({ type: "adjustment", amount: 0, fee: 0, net: 0 })), [])
    }).pipe(Effect.scoped)
  )

  for (const [currency, units, minorUnits] of [
    ["isk", 120_000, 1_200],
    ["ugx", 500, 5],
    ["mga", 1_234, 123_400],
    ["jpy", 1_234, 1_234],
    ["kwd", 1_230, 1_230]
  ] as const) {
    it.live(`in ${currency}: ${units} of Stripe's units are ${minorUnits} minor units`, () =>
      Effect.gen(function* () {
        const source = { ...charge, amount_captured: units, currency }
        const { amount } = yield* movement({ currency, amount: units, fee: 0, net: units, source })
        assert.deepStrictEqual({ ...amount }, { minorUnits, currency: currency.toUpperCase() } as typeof amount)
      })
    )
  }
})

describe("what cannot be read ends the page with the transaction's id", () => {
  const unreadable: ReadonlyArray<readonly [name: string, change: object]> = [
    ["a currency that does not exist", { currency: "xqq", source: { ...charge, currency: "xqq" } }],
    ["a charge in a currency that does not exist", { source: { ...charge, currency: "xqq" } }],
    ["half an Icelandic crown", { currency: "isk", amount: 150, net: 106, source: { ...charge, currency: "isk" } }],
    ["a charge that is not expanded", { source: "ch_1" }],
    [
      "a converted charge without an amount",
      { currency: "usd", source: { ...charge, amount: null, amount_captured: null } }
    ]
  ]
  for (const [name, change] of unreadable) {
    it.live(name, () =>
      Effect.gen(function* () {
        const { read } = yield* begin
        const { reason } = yield* Effect.flip(read(transaction({ id: "txn_0" }), transaction(change)))
        assert.strictEqual(reason._tag === "InvalidRequest" ? reason.detail : reason._tag, "unreadable txn_1")
      }).pipe(Effect.scoped)
    )
  }

  it.live("an amount that is text is another format", () =>
    Effect.gen(function* () {
      const { read } = yield* begin
      const { reason } = yield* Effect.flip(read(transaction({ amount: "1000" })))
      assert.strictEqual(reason._tag === "InvalidRequest" ? reason.detail : reason._tag, "unexpected_shape")
    }).pipe(Effect.scoped)
  )
})

describe("a page", () => {
  it.live("that is larger than a response may be is read in smaller parts", () =>
    Effect.gen(function* () {
      const { instance, vendor } = yield* begin
      for (let minorUnits = 1; minorUnits <= 12; minorUnits++) {
        vendor.ledger.book({ type: "charge", amount: eur(minorUnits), bookedAt: created * 1000 })
      }
      const reply = { status: 200, text: `{"data":["${"x".repeat(1024 * 1024)}"]}` }
      yield* vendor.network.failNext({ executed: false, reply })
      const page = yield* instance.statement({ ...window, cursor: null })
      assert.lengthOf(page.movements, 10)
      const rest = yield* instance.statement({ ...window, cursor: page.next })
      assert.lengthOf(rest.movements, 2)
      const limits = (yield* vendor.network.requests).map(({ path }) => new URLSearchParams(path).get("limit"))
      assert.deepStrictEqual(limits, ["100", "10", "100"])
    }).pipe(Effect.scoped)
  )

  it.live("that is empty and has more is an error, because its cursor is missing", () =>
    Effect.gen(function* () {
      const { instance, vendor } = yield* begin
      const json = { object: "list", data: [], has_more: true }
      yield* vendor.network.failNext({ executed: false, reply: { status: 200, json } })
      const { reason } = yield* Effect.flip(instance.statement({ ...window, cursor: null }))
      assert.strictEqual(reason._tag, "InvalidRequest")
    }).pipe(Effect.scoped)
  )

  it.live("whose last transaction is gone is refused with Stripe's code", () =>
    Effect.gen(function* () {
      const { instance } = yield* begin
      const cursor = `${window.since}-${window.until}-txn_gone`
      const { reason } = yield* Effect.flip(instance.statement({ ...window, cursor }))
      assert.strictEqual(reason._tag === "InvalidRequest" ? reason.detail : reason._tag, "resource_missing")
    }).pipe(Effect.scoped)
  )
})

const fixtures = new URL(
  "../../../../../shared/providers/specs/stripe/stripe-fixtures-2026-08-21.trimmed.json",
  import.meta.url
)

const isThere = existsSync(fixtures)
const skipped = isThere ? "" : " (skipped: the vendors' specifications are not beside the repository)"

describe.skipIf(!isThere)(`Stripe's fixtures of 2026-08-21${skipped}`, () => {
  it.live("have the members of the fake's transactions, with values of the same kinds", () =>
    Effect.gen(function* () {
      const { vendor } = yield* begin
      const published = JSON.parse(readFileSync(fixtures, "utf8")).resources.balance_transaction
      const booking = vendor.ledger.book({ type: "charge", amount: eur(1_000) })
      const made = transactionOf(vendor.ledger, booking, { isExpanded: false })
      const kinds = (value: object) =>
        Object.entries(value)
          .map(([name, each]) => `${name}: ${Array.isArray(each) ? "list" : typeof each}`)
          .filter((line) => !line.startsWith("description: "))
          .toSorted()
      assert.deepStrictEqual(kinds(made), kinds(published))
    }).pipe(Effect.scoped)
  )
})

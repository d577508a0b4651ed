/** Captures and refunds as movements. What the conformance suite does not try: lists that are missing, and what cannot be read. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { coinbase } from "../src/index.ts"
import { booksOf } from "../src/testing/objects.ts"
import { fake } from "../src/testing/fake.ts"
import { optionsOf } from "../src/testing/options.ts"
import { createOperation, dollars, laterOperation, running } from "./operations.ts"

const all = { since: 0, until: Number.MAX_SAFE_INTEGER, cursor: null }
const ours = "op_40123456789abcdefghjkmnpqr"
const at = "2026-10-07T12:00:00.000Z"

const begin = Effect.gen(function* () {
  const vendor = yield* fake.start({ mode: "test" })
  const instance = yield* running(coinbase(optionsOf(vendor)))
  /** What the adapter makes of these sessions. */
  const read = Effect.fnUntraced(function* (...paymentSessions: ReadonlyArray<object>) {
    yield* vendor.network.failNext({ executed: false, reply: { status: 200, json: { paymentSessions } } })
    return (yield* instance.statement(all)).movements
  })
  return { vendor, instance, read }
})

const capture = { captureId: "capture_1", status: "succeeded", amount: "20.00", createdAt: at }
const refund = { refundId: "refund_1", status: "succeeded", amount: "5", createdAt: at }

const session = (change: object) => ({
  paymentSessionId: "paymentSession_1",
  asset: "usdc",
  autoCapture: true,
  status: "capture_succeeded",
  balances: { capturable: "0", captured: "20", refundable: "20", refunded: "0" },
  externalReferenceId: ours,
  captures: [capture],
  ...change
})

const failureOf = (...sessions: ReadonlyArray<object>) =>
  Effect.gen(function* () {
    const { read } = yield* begin
    const { reason } = yield* Effect.flip(read(...sessions))
    return reason._tag === "InvalidRequest" ? reason.detail : reason._tag
  }).pipe(Effect.scoped)

describe("a session's actions are movements", () => {
  it.live("Coinbase's own capture is the payment, and a refund without our metadata is of the session alone", () =>
    Effect.gen(function* () {
      const { read } = yield* begin
      const balances = { capturable: "0", captured: "20", refundable: "15", refunded: "5.00" }
      const common = { fee: null, net: null, payout: null, bookedAt: Date.parse(at) }
      assert.deepStrictEqual(yield* read(session({ balances, refunds: [refund] })), [
        {
          id: "capture_1",
          type: "payment",
          operation: ours,
          reference: "paymentSession_1",
          original: null,
          amount: dollars(2_000),
          direction: "in",
          ...common
        },
        {
          id: "refund_1",
          type: "refund",
          operation: null,
          reference: "refund_1",
          original: "paymentSession_1",
          amount: dollars(500),
          direction: "out",
          ...common
        }
      ])
    }).pipe(Effect.scoped)
  )

  it.live("what is pending or has failed is not booked", () =>
    Effect.gen(function* () {
      const { read } = yield* begin
      const balances = { capturable: "20", captured: "0", refundable: "0", refunded: "0" }
      const captures = ["pending", "failed"].map((status) => ({ ...capture, status }))
      assert.deepStrictEqual(yield* read(session({ balances, captures })), [])
    }).pipe(Effect.scoped)
  )

  it.live("a session that no payer has paid may come without balances", () =>
    Effect.gen(function* () {
      const { read } = yield* begin
      const { balances: _balances, captures: _captures, ...created } = session({ status: "created" })
      assert.deepStrictEqual(yield* read(created), [])
    }).pipe(Effect.scoped)
  )

  it.live("a session that was canceled may come without balances, unless it has actions", () =>
    Effect.gen(function* () {
      const { read } = yield* begin
      const { balances: _balances, ...canceled } = session({ status: "canceled" })
      assert.deepStrictEqual(yield* read({ ...canceled, captures: [] }), [])
      assert.deepStrictEqual(yield* read({ ...canceled, balances: null, captures: null }), [])
      assert.strictEqual(yield* failureOf(canceled), "unreadable paymentSession_1")
    }).pipe(Effect.scoped)
  )

  it.live("a page of sessions may be larger than 1 MiB", () =>
    Effect.gen(function* () {
      const { read } = yield* begin
      const metadata = { note: "n".repeat(20_000) }
      const sessions = Array.from({ length: 100 }, (_, n) => {
        const id = { paymentSessionId: `paymentSession_${n}`, captures: [{ ...capture, captureId: `capture_${n}` }] }
        return session({ ...id, metadata })
      })
      assert.lengthOf(yield* read(...sessions), 100)
    }).pipe(Effect.scoped)
  )

  it.live("a session of another system with six decimals, or of another asset, is left out", () =>
    Effect.gen(function* () {
      const { read } = yield* begin
      const foreign = { externalReferenceId: "order-1" }
      const small = { ...foreign, balances: { captured: "0.000001", refunded: "0" } }
      const found = yield* read(
        session({ ...small, captures: [{ ...capture, amount: "0.000001" }] }),
        session({ ...foreign, asset: "weth" }),
        session({ ...foreign, captures: [{ ...capture, captureId: "capture_2" }] })
      )
      assert.deepStrictEqual(
        found.map(({ id, operation, reference }) => [id, operation, reference]),
        [["capture_2", null, "paymentSession_1"]]
      )
    }).pipe(Effect.scoped)
  )
})

describe("what cannot be read of ours ends the page with its id", () => {
  for (const [name, change, id] of [
    [
      "a fraction of a cent",
      { captures: [capture, { ...capture, captureId: "capture_2", amount: "0.001" }] },
      "capture_2"
    ],
    ["an action without a time", { captures: [{ ...capture, createdAt: null }] }, "capture_1"],
    ["an action with a new status", { captures: [capture, { ...capture, status: "settled" }] }, "capture_1"],
    ["another asset", { asset: "weth" }, "paymentSession_1"],
    ["a balance that is missing", { balances: { captured: "20" } }, "paymentSession_1"]
  ] as const) {
    it.live(name, () => Effect.map(failureOf(session(change)), (seen) => assert.strictEqual(seen, `unreadable ${id}`)))
  }
})

describe("a session whose lists are missing", () => {
  const paid = Effect.gen(function* () {
    const { instance, vendor } = yield* begin
    const create = yield* createOperation()
    const { reference } = yield* instance.create(create)
    yield* vendor.payersAct
    const given = yield* laterOperation("refund", create, reference, { amount: dollars(1_005) })
    yield* instance.refund(given)
    booksOf(vendor.ledger).isBare = true
    return { create, given, instance, vendor }
  })

  it.live("is read with them, because its balances show that something moved", () =>
    Effect.gen(function* () {
      const { create, given, instance, vendor } = yield* paid
      yield* instance.create(yield* createOperation())
      const before = (yield* vendor.network.requests).length
      const { movements } = yield* instance.statement(all)
      assert.deepStrictEqual(
        movements.map(({ amount, operation, type }) => [type, operation, amount.minorUnits]),
        [
          ["payment", create.id, 17_050],
          ["refund", given.id, 1_005]
        ]
      )
      const asked = (yield* vendor.network.requests).slice(before).map(({ path }) => path.split("/").at(-1))
      assert.deepStrictEqual(asked, ["payment-sessions?pageSize=100", "captures?pageSize=100", "refunds?pageSize=100"])
    }).pipe(Effect.scoped)
  )

  it.live("is read again if a list has less than has moved, or is not answered", () =>
    Effect.gen(function* () {
      const { instance, vendor } = yield* paid
      const failing = (json: object | null, after: number) =>
        Effect.gen(function* () {
          const reply = json === null ? { status: 500 } : { status: 200, json }
          yield* vendor.network.failNext({ executed: false, reply }, after)
          const { reason } = yield* Effect.flip(instance.statement(all))
          return reason._tag === "InvalidRequest" ? reason.detail : reason._tag
        })
      assert.strictEqual(yield* failing({ captures: [] }, 1), "RateLimited")
      assert.strictEqual(yield* failing({ refunds: [] }, 2), "RateLimited")
      assert.strictEqual(yield* failing({}, 1), "unexpected_shape")
      assert.strictEqual(yield* failing(null, 2), "RateLimited")
    }).pipe(Effect.scoped)
  )
})

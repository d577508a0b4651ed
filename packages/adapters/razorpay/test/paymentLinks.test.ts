/** Payment Links: what is sent, what the answers mean, and a payment from the minimal request to its end. */
import { assert, describe, it } from "@effect/vitest"
import { Outcome, type ProviderOperation } from "@paymux/core"
import { Effect } from "effect"
import { begin, later, operation, rupees } from "./adapter.ts"
import { linkReference } from "../src/testing/books.ts"
import { signed } from "../src/testing/posted.ts"
import { plain, settled } from "@paymux/test-suites"
import { environment, eventually, stateOf } from "./testEnvironment.ts"

const hosted = (change: Partial<ProviderOperation> = {}) =>
  operation({ method: { rail: "upi", flow: "hosted", vpa: null }, client: null, ...change })

const link = (change: object = {}) => ({
  id: "plink_Exj1234567abcd",
  status: "created",
  amount: 12_345,
  amount_paid: 0,
  currency: "INR",
  short_url: "https://rzp.io/i/x",
  payments: null,
  ...change
})

const payment = (change: object = {}) => ({
  id: "pay_1",
  entity: "payment",
  amount: 12_345,
  currency: "INR",
  status: "captured",
  captured: true,
  order_id: "order_1",
  description: "#Exj1234567abcd",
  notes: [],
  ...change
})

/** The vendor answers the next requests with these bodies. */
const answering = Effect.fnUntraced(function* (
  { network }: Pick<Effect.Success<ReturnType<typeof begin>>, "network">,
  bodies: ReadonlyArray<object>
) {
  for (const [place, json] of bodies.entries()) {
    yield* network.failNext({ executed: false, reply: { status: 200, json } }, place)
  }
})

describe("a Payment Link", () => {
  it.live("is for UPI alone, sends no messages, and expires 20 minutes after the operation began", () =>
    Effect.gen(function* () {
      const { create, network } = yield* begin()
      const asked = hosted({ returnUrl: "https://pay.example/return/1" })
      const answer = yield* create(asked)
      const [request] = yield* network.requests
      const body = JSON.parse(request?.body ?? "")
      assert.deepStrictEqual(body, {
        amount: 12_345,
        currency: "INR",
        accept_partial: false,
        reference_id: asked.id,
        description: "Order 1001",
        customer: { name: "Asha Rao", email: "asha@example.com", contact: "+919812345678" },
        notify: { sms: false, email: false },
        reminder_enable: false,
        expire_by: Math.floor(asked.createdAt / 1000) + 1200,
        notes: { order: "1001", paymux_operation: asked.id },
        callback_url: "https://pay.example/return/1",
        callback_method: "get",
        options: { checkout: { method: { upi: true, card: false, netbanking: false, wallet: false } } }
      })
      const action = answer._tag === "Pending" ? answer.nextAction : undefined
      assert.deepInclude(action, { type: "redirect", expiresAt: Math.floor(asked.createdAt) + 1_200_000 })
    }).pipe(Effect.scoped)
  )

  it.live("has no return address that is not https", () =>
    Effect.gen(function* () {
      const { create, network } = yield* begin()
      yield* create(hosted({ returnUrl: "http://localhost:4310/return/1" }))
      yield* create(hosted())
      for (const { body } of yield* network.requests) assert.notProperty(JSON.parse(body), "callback_url")
    }).pipe(Effect.scoped)
  )

  it.live("is made once: after an error, or with a reference_id that is taken, the first one is found", () =>
    Effect.gen(function* () {
      const { create, network, vendor } = yield* begin()
      const asked = hosted()
      yield* network.failNext({ executed: true, reply: { status: 502, text: "bad gateway" } })
      for (const _send of [1, 2]) {
        assert.deepInclude(yield* create(asked), { _tag: "Pending", reference: "plink_vp_1" })
      }
      assert.lengthOf(yield* vendor.payments, 1)
      const paths = (yield* network.requests).map(({ method, path }) => `${method} ${path}`)
      const lookUp = `GET /v1/payment_links?reference_id=${asked.id}`
      assert.deepStrictEqual(paths, ["POST /v1/payment_links", lookUp, "POST /v1/payment_links", lookUp])
    }).pipe(Effect.scoped)
  )

  it.live("of another amount under our reference_id is not ours", () =>
    Effect.gen(function* () {
      const context = yield* begin()
      yield* answering(context, [link({ amount: 500 })])
      assert.deepInclude(yield* context.create(hosted()), { _tag: "Unknown", vendorCode: "link_amount_mismatch" })
    }).pipe(Effect.scoped)
  )

  const reference = "plink_Exj1234567abcd"
  const paid = { status: "paid", payments: [{ payment_id: "pay_1" }] }
  for (const [what, bodies, expected] of [
    ["paid", [link(paid), payment()], Outcome.succeeded({ reference, amount: rupees(12_345) })],
    ["paid, refunded since", [link(paid), payment({ status: "refunded" })], { _tag: "Succeeded" }],
    ["paid, and its list lags behind", [link({ status: "paid" })], { _tag: "Pending", awaitingFinality: true }],
    ["expired", [link({ status: "expired" })], Outcome.expired({ reference })],
    ["cancelled", [link({ status: "cancelled" })], Outcome.canceled({ reference })],
    [
      "expired, while a payment is pending",
      [link({ status: "expired", order_id: "order_1" }), { items: [payment({ status: "created" })] }],
      { _tag: "Pending" }
    ],
    [
      "expired after the payer's bank refused",
      [
        link({ status: "expired", order_id: "order_1" }),
        { items: [payment({ status: "failed", captured: false, error_reason: "insufficient_funds" })] }
      ],
      { _tag: "Declined", code: "insufficient_funds" }
    ],
    ["partially paid, which is not allowed", [link({ status: "partially_paid" })], { _tag: "Unknown" }]
  ] as const)
    it.live(`that is ${what}`, () =>
      Effect.gen(function* () {
        const context = yield* begin()
        yield* answering(context, bodies)
        assert.deepInclude(yield* context.inquire(hosted({ reference })), expected)
      }).pipe(Effect.scoped)
    )

  for (const [name, flow, place] of [
    ["Payment Link", "hosted", 1],
    ["QR object", "qr", 2]
  ] as const) {
    it.live(`whose cancel was accepted is not refused if it cannot be read (${name})`, () =>
      Effect.gen(function* () {
        const { cancel, create, network } = yield* begin({ qr: "qr_code" })
        if (cancel === undefined) return assert.fail("it is declared")
        const asked = hosted({ method: { rail: "upi", flow, vpa: null } })
        const { reference = "" } = yield* create(asked)
        const error = { code: "BAD_REQUEST_ERROR", description: "The requested URL was not found on the server." }
        yield* network.failNext({ executed: false, reply: { status: 400, json: { error } } }, place)
        assert.deepInclude(yield* cancel(later("cancel", asked, reference)), { _tag: "Unknown" })
        assert.deepInclude(yield* cancel(later("cancel", asked, reference)), { _tag: "Succeeded" })
      }).pipe(Effect.scoped)
    )
  }

  it.live("is canceled, and one that was paid meanwhile is not", () =>
    Effect.gen(function* () {
      const { cancel, create, vendor } = yield* begin()
      if (cancel === undefined) return assert.fail("it is declared")
      const [first, second] = [hosted(), hosted()]
      const { reference = "" } = yield* create(first)
      assert.deepInclude(yield* cancel(later("cancel", first, reference)), { _tag: "Succeeded", reference })
      const { reference: other = "" } = yield* create(second)
      yield* vendor.payersAct
      assert.deepInclude(yield* cancel(later("cancel", second, other)), { _tag: "Declined", vendorCode: "paid" })
    }).pipe(Effect.scoped)
  )
})

describe("webhooks of a Payment Link", () => {
  /** As documented: the order's id has no prefix, and the envelope has the time at which the link was created. */
  const posted = (reference_id: string, change: object = {}) => ({
    entity: "event",
    event: "payment_link.paid",
    contains: ["payment_link", "order", "payment"],
    payload: {
      payment_link: { entity: link({ status: "paid", reference_id }) },
      order: { entity: { id: "1", receipt: reference_id, product_type: "payment_link_v2" } },
      payment: { entity: payment(change) }
    },
    created_at: 1_795_000_000
  })

  it.live("report its payment under the link, at no time", () =>
    Effect.gen(function* () {
      const { vendor, webhook } = yield* begin()
      const { id } = hosted()
      const receive = (event: object) => {
        const { body, headers } = signed(event, "evt_1", vendor.credentials)
        return webhook(body, headers, Date.now())
      }
      const [report] = yield* receive(posted(id))
      assert.deepInclude(report, { about: { operation: id }, occurredAt: null })
      assert.deepInclude(report?.outcome, {
        _tag: "Captured",
        reference: "plink_Exj1234567abcd",
        amount: rupees(12_345)
      })
      const [other] = yield* receive(posted("invoice 7"))
      assert.deepInclude(other?.about, { provider: "razorpay", providerReference: "plink_Exj1234567abcd" })
      assert.deepStrictEqual(yield* receive(posted(id, { status: "failed", captured: false })), [])
      // The same payment again, under its order, which is not known here.
      const captured = { event: "payment.captured", payload: { payment: { entity: payment() } }, created_at: 1 }
      assert.deepStrictEqual(yield* receive(captured), [])
    }).pipe(Effect.scoped)
  )
})

describe("the minimal request", () => {
  const minimal = {
    amount: 10_000,
    currency: "INR",
    payment_method: "upi",
    customer: { email: "asha@example.com", phone: "+919812345678" }
  }

  it.effect("gets a page of Razorpay, and is paid there", () =>
    Effect.gen(function* () {
      const here = yield* environment()
      const engine = yield* here.start
      yield* here.vendor.decide("wait")
      const record = yield* here.createOf(engine, minimal)
      const { state } = record.payment
      assert.strictEqual(state.status === "pending" ? state.nextAction?.type : state.status, "redirect")
      yield* here.vendor.decide("approve")
      yield* here.vendor.payersAct
      yield* here.nextLook(record)
      yield* eventually(Effect.map(here.current(record), (now) => stateOf(now).status === "succeeded"))
      const [paid] = yield* here.vendor.payments
      assert.strictEqual(paid?.reference, `${linkReference}${record.operations[0]?.id}`)
      yield* engine.end
    }).pipe(Effect.scoped)
  )

  it.effect("that is not paid ends with the link's expiry, without an operator", () =>
    Effect.gen(function* () {
      const here = yield* environment()
      const engine = yield* here.start
      yield* here.vendor.decide("wait")
      const record = yield* here.createOf(engine, minimal)
      yield* here.vendor.expire ?? Effect.die("it is supported")
      yield* here.untilEnded(record)
      assert.deepStrictEqual(stateOf(yield* here.current(record)), {
        status: "failed",
        code: "customer_timeout",
        reviews: []
      })
      yield* engine.end
    }).pipe(Effect.scoped)
  )

  it.effect("is canceled by the merchant while it is unpaid; an intent on an order is not", () =>
    Effect.gen(function* () {
      const here = yield* environment()
      const engine = yield* here.start
      yield* here.vendor.decide("wait")
      const record = yield* here.createOf(engine, minimal)
      yield* engine.payments.cancel(record.payment.id, plain)
      assert.deepStrictEqual(stateOf(yield* here.current(record)), settled("canceled"))
      assert.deepStrictEqual(
        (yield* here.vendor.payments).map(({ status }) => status),
        ["canceled"]
      )
      const intent = yield* here.create(engine)
      const before = (yield* here.network.requests).length
      const refused = yield* Effect.flip(engine.payments.cancel(intent.payment.id, plain))
      assert.deepInclude(refused.reason, { _tag: "OperationRefused", reason: "not_supported" })
      assert.lengthOf(yield* here.network.requests, before)
      yield* engine.end
    }).pipe(Effect.scoped)
  )
})

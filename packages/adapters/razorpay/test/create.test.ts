import { assert, describe, it } from "@effect/vitest"
import type { InquiryOutcome } from "@paymux/core"
import { Effect } from "effect"
import { razorpay } from "../src/index.ts"
import { begin, later, operation, rupees } from "./adapter.ts"
import { type ReceiptReuse, reuseReceipts } from "../src/testing/books.ts"

describe("what the payer is shown", () => {
  it.live("the intent's link comes as Razorpay made it, also in the QR code", () =>
    Effect.gen(function* () {
      const { create, network } = yield* begin()
      const link = "upi://pay?pa=a%40b&pn=Caf%C3%A9+%26+Co&tr=x&am=123.45&cu=INR&sign=MEUC%2Bw=="
      for (const flow of ["intent", "qr"] as const) {
        const reply = { status: 200, json: { razorpay_payment_id: "pay_1", link } }
        yield* network.failNext({ executed: false, reply }, 1)
        const answer = yield* create(operation({ method: { rail: "upi", flow, vpa: null } }))
        if (answer._tag !== "Pending" || answer.nextAction === undefined) return assert.fail(answer._tag)
        const { nextAction } = answer
        assert.strictEqual(nextAction.type === "upi_intent" ? nextAction.uri : null, flow === "intent" ? link : null)
        if (nextAction.type !== "upi_qr") continue
        assert.strictEqual(nextAction.payload, link)
        const [head = "", data = ""] = nextAction.image?.split(",") ?? []
        assert.strictEqual(head, "data:image/svg+xml;base64")
        assert.match(Buffer.from(data, "base64").toString("utf8"), /^<svg [^>]*viewBox=.*<\/svg>\s*$/s)
      }
    }).pipe(Effect.scoped)
  )

  it.live("a link that fits into no QR code is shown without a picture", () =>
    Effect.gen(function* () {
      const { create, network } = yield* begin()
      const link = `upi://pay?pa=a@b&tn=${"x".repeat(4_000)}`
      yield* network.failNext(
        { executed: false, reply: { status: 200, json: { razorpay_payment_id: "pay_1", link } } },
        1
      )
      const answer = yield* create(operation({ method: { rail: "upi", flow: "qr", vpa: null } }))
      const action = answer._tag === "Pending" ? answer.nextAction : undefined
      assert.deepInclude(action, { type: "upi_qr", payload: link, image: null })
    }).pipe(Effect.scoped)
  )

  it.live("without a link nothing is said to be open", () =>
    Effect.gen(function* () {
      const { create, network } = yield* begin()
      yield* network.failNext({ executed: true, reply: { status: 200, json: { razorpay_payment_id: "pay_1" } } }, 1)
      assert.deepInclude(yield* create(operation()), { _tag: "Unknown", reason: "unreadable" })
    }).pipe(Effect.scoped)
  )
})

describe("several payments on one order", () => {
  const payment = (id: string, status: string, created_at: number, error_reason: string | null = null) => ({
    id,
    status,
    created_at,
    error_reason,
    amount: 12_345,
    currency: "INR",
    order_id: "order_1"
  })
  const refunded = (id: string, captured: boolean | null) => ({ ...payment(id, "refunded", 1), captured })
  const captured = { ...payment("pay_1", "captured", 1), captured: true }
  const deemed = payment("pay_5", "failed", 0, "deemed_transaction")
  const created = payment("pay_4", "created", 4)
  const failed = payment("pay_3", "failed", 3, "payment_declined")
  const earlier = payment("pay_2", "failed", 2, "insufficient_funds")

  for (const [what, items, expected] of [
    ["money counts first", [created, failed, captured], "Succeeded"],
    ["money that was captured and given back was taken", [refunded("pay_1", true)], "Succeeded"],
    ["money that was never captured and given back was not", [refunded("pay_1", false)], "Expired"],
    ["money given back beside money taken does not count", [refunded("pay_2", false), captured], "Succeeded"],
    ["money given back beside a payer who may pay keeps it open", [created, refunded("pay_1", false)], "Pending"],
    ["refunded money of which it is not known whether it was captured", [refunded("pay_1", null)], "Unknown"],
    ["one that is still open keeps it open", [failed, created], "Pending"],
    ["captured by Razorpay soon, it is not held for us", [payment("pay_1", "authorized", 1), failed], "Pending moving"],
    ["one whose money moves keeps it under way, whatever failed since", [failed, deemed], "Pending moving"],
    ["and a payment that may still be paid", [created, deemed], "Pending moving"],
    ["if all failed, the latest decides", [earlier, failed], "Declined do_not_honor"],
    ["a status that is not known decides nothing", [payment("pay_1", "paused", 1), failed], "Unknown"],
    ["neither does a reason", [failed, payment("pay_1", "failed", 1, "a_new_reason")], "Unknown"],
    ["without any, nothing was done", [], "NotFound"]
  ] as const) {
    it.live(what, () =>
      Effect.gen(function* () {
        const { inquire, network } = yield* begin()
        yield* network.failNext({ executed: false, reply: { status: 200, json: { items } } })
        const answer = yield* inquire(operation({ reference: "order_1" }))
        assert.strictEqual(answer.reference, "order_1")
        assert.strictEqual(wordsOf(answer), expected)
      }).pipe(Effect.scoped)
    )
  }
})

const wordsOf = (answer: InquiryOutcome): string => {
  if (answer._tag === "Declined") return `${answer._tag} ${answer.code}`
  return answer._tag === "Pending" && answer.awaitingFinality === true ? "Pending moving" : answer._tag
}

describe("what is asked of Razorpay", () => {
  it.live("an order is captured late rather than given back unasked, and its payer has 10 minutes", () =>
    Effect.gen(function* () {
      const { create, network } = yield* begin({ allowCollect: true })
      for (const captureMethod of ["automatic", "manual"] as const) {
        for (const flow of ["intent", "qr", "collect"] as const) {
          const vpa = flow === "collect" ? "asha@upi" : null
          const asked = operation({ captureMethod, method: { rail: "upi", flow, vpa } })
          const answer = yield* create(asked)
          const action = answer._tag === "Pending" ? answer.nextAction : undefined
          assert.strictEqual(action?.expiresAt, asked.createdAt + 600_000)
          const [order, payment] = (yield* network.requests).slice(-2).map(({ body }) => JSON.parse(body))
          const hold = { manual_expiry_period: 7_200, refund_speed: "normal" }
          assert.deepStrictEqual(order.payment, {
            capture: captureMethod,
            capture_options: captureMethod === "manual" ? hold : { automatic_expiry_period: 7_200, ...hold }
          })
          assert.strictEqual(payment.upi.expiry_time, flow === "collect" ? 10 : undefined)
        }
      }
    }).pipe(Effect.scoped)
  )

  it.live("an order whose payment was not sent is proof that nothing was executed", () =>
    Effect.gen(function* () {
      const { create, network } = yield* begin()
      yield* network.leaveAfter(1)
      assert.deepStrictEqual(yield* create(operation()), {
        _tag: "NotExecuted",
        reason: "not_sent",
        vendorCode: "connection_refused"
      })
    }).pipe(Effect.scoped)
  )

  it.live("a payer whose phone has a collect request gets no second one", () =>
    Effect.gen(function* () {
      const { create, network } = yield* begin({ allowCollect: true })
      const asked = operation({ method: { rail: "upi", flow: "collect", vpa: "asha@upi" } })
      yield* network.failNext({ executed: true, reply: "reset" }, 1)
      assert.strictEqual((yield* create(asked))._tag, "Unknown")
      const again = yield* create(asked)
      assert.deepEqual<unknown>(again, {
        _tag: "Pending",
        reference: again.reference,
        nextAction: { type: "wait", expiresAt: asked.createdAt + 600_000 }
      })
      assert.lengthOf(
        (yield* network.requests).filter(({ path }) => path === "/v1/payments/create/upi"),
        1
      )
    }).pipe(Effect.scoped)
  )

  it.live("the payer is not asked again while money moves", () =>
    Effect.gen(function* () {
      const { create, network, vendor } = yield* begin()
      const asked = operation()
      const { reference = "" } = yield* create(asked)
      yield* vendor.decide({ decline: "deemed_transaction" })
      yield* vendor.payersAct
      assert.deepEqual<unknown>(yield* create({ ...asked, reference }), {
        _tag: "Pending",
        reference,
        vendorCode: "deemed_transaction",
        awaitingFinality: true
      })
      assert.lengthOf(
        (yield* network.requests).filter(({ path }) => path === "/v1/payments/create/upi"),
        1
      )
    }).pipe(Effect.scoped)
  )

  it.live("a description is cut, and between two characters", () =>
    Effect.gen(function* () {
      const { create, network } = yield* begin()
      yield* create(operation({ description: `${"x".repeat(254)}🧾${"x".repeat(700)}` }))
      const [, payment] = yield* network.requests
      assert.strictEqual(JSON.parse(payment?.body ?? "{}").description, "x".repeat(254))
    }).pipe(Effect.scoped)
  )

  it.live("an order under our receipt that is about other money is not paid", () =>
    Effect.gen(function* () {
      const { checkpoints, create, network } = yield* begin()
      const asked = operation()
      yield* create(asked)
      const answer = yield* create({ ...asked, amount: rupees(12_346) })
      assert.deepInclude(answer, { _tag: "Unknown", vendorCode: "order_amount_mismatch" })
      assert.lengthOf(checkpoints, 1)
      assert.lengthOf(yield* network.requests, 3)
    }).pipe(Effect.scoped)
  )

  it.live("an order that was paid meanwhile is not paid again", () =>
    Effect.gen(function* () {
      const { create, network, vendor } = yield* begin()
      const asked = operation()
      const { reference = null } = yield* create(asked)
      yield* vendor.payersAct
      const paid = { _tag: "Succeeded", reference, amount: rupees(12_345) }
      assert.deepEqual<unknown>(yield* create({ ...asked, reference }), paid)
      // Also where its reference was lost.
      assert.deepEqual<unknown>(yield* create(asked), paid)
      const made = (yield* network.requests).filter(({ path }) => path === "/v1/payments/create/upi")
      assert.lengthOf(made, 1)
    }).pipe(Effect.scoped)
  )

  it.live("notes are at most 15 of 256 characters, ours among them", () =>
    Effect.gen(function* () {
      const { create, network } = yield* begin()
      const many = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`key_${index}`, "value"]))
      const metadata = { long: "x".repeat(257), paymux_operation: "op_other", paymux_hold: "1", paymux_x: "1", ...many }
      const asked = operation({ metadata, captureMethod: "manual" })
      assert.strictEqual((yield* create(asked))._tag, "Pending")
      for (const { body } of yield* network.requests) {
        const { notes }: { readonly notes: { readonly [name: string]: string } } = JSON.parse(body)
        assert.include([14, 15], Object.keys(notes).length)
        for (const name of ["long", "paymux_x"]) assert.notProperty(notes, name)
        assert.notStrictEqual(notes["paymux_hold"], "1")
        assert.deepInclude(notes, { paymux_operation: asked.id })
      }
    }).pipe(Effect.scoped)
  )

  it.live("a refund that was made before is found by its receipt, whatever became of its key", () =>
    Effect.gen(function* () {
      const { create, network, refund, vendor } = yield* begin()
      const asked = operation()
      const { reference = "" } = yield* create(asked)
      yield* vendor.payersAct
      const part = later("refund", asked, reference, { amount: rupees(345) })
      const first = yield* refund(part)
      const second = yield* refund(part)
      assert.deepStrictEqual(second, first)
      const posts = (yield* network.requests).filter(({ path }) => path.endsWith("/refund"))
      assert.lengthOf(posts, 1)
    }).pipe(Effect.scoped)
  )

  it.live("a QR object whose reply was lost is found by its note, on any page", () =>
    Effect.gen(function* () {
      const { checkpoints, create, network, vendor } = yield* begin({ qr: "qr_code" })
      const asked = () => operation({ method: { rail: "upi", flow: "qr", vpa: null } })
      const lost = asked()
      yield* network.failNext({ executed: true, reply: "reset" })
      assert.deepInclude(yield* create(lost), { _tag: "Unknown" })
      assert.deepStrictEqual(checkpoints, [lost.id])
      for (let others = 0; others < 120; others++) yield* create(asked())
      assert.deepInclude(yield* create({ ...lost, reference: lost.id }), { _tag: "Pending", reference: "qr_vp_1" })
      assert.lengthOf(yield* vendor.payments, 121)
    }).pipe(Effect.scoped)
  )
})

/** The reply to the order was lost: the next send of the create, under the same operation. */
const afterLostOrder = Effect.fnUntraced(function* (reuse: ReceiptReuse) {
  const here = yield* begin()
  reuseReceipts(here.vendor.ledger, reuse)
  const asked = operation()
  yield* here.network.failNext({ executed: true, reply: "reset" })
  assert.deepInclude(yield* here.create(asked), { _tag: "Unknown", reason: "reset" })
  return { ...here, asked }
})

const paths = ({ network }: Pick<Effect.Success<ReturnType<typeof begin>>, "network">) =>
  Effect.map(network.requests, (requests) => requests.map(({ method, path }) => `${method} ${path.split("?")[0]}`))

const order = "POST /v1/orders"
const lookUp = "GET /v1/orders"
const pay = "POST /v1/payments/create/upi"

describe("a receipt that is used again after a lost reply", () => {
  for (const reuse of ["same_order", "refused", "refused_with_order_id"] as const) {
    it.live(`goes on with the first order (${reuse})`, () =>
      Effect.gen(function* () {
        const here = yield* afterLostOrder(reuse)
        const answer = yield* here.create(here.asked)
        assert.deepInclude(answer, { _tag: "Pending", reference: "order_vp_1" })
        assert.deepStrictEqual(here.checkpoints, ["order_vp_1"])
        assert.lengthOf(yield* here.vendor.payments, 1)
        const found = reuse === "same_order" ? [] : [lookUp, "GET /v1/orders/order_vp_1/payments"]
        assert.deepStrictEqual(yield* paths(here), [order, order, ...found, pay])
      }).pipe(Effect.scoped)
    )

    it.live(`does not pay an order again that was paid meanwhile (${reuse})`, () =>
      Effect.gen(function* () {
        const { asked, create, network, vendor } = yield* afterLostOrder(reuse)
        const { reference } = yield* create(asked)
        yield* vendor.payersAct
        assert.deepEqual<unknown>(yield* create(asked), { _tag: "Succeeded", reference, amount: rupees(12_345) })
        assert.lengthOf(yield* Effect.map(paths({ network }), (sent) => sent.filter((each) => each === pay)), 1)
      }).pipe(Effect.scoped)
    )
  }

  it.live("is looked up exactly: Razorpay lists every order whose receipt contains the text", () =>
    Effect.gen(function* () {
      const { asked, create, network } = yield* afterLostOrder("refused")
      const others = ["x", "_eu"].map((more) => ({
        id: `order_${more}`,
        status: "created",
        amount: 12_345,
        currency: "INR",
        receipt: `${asked.id}${more}`
      }))
      yield* network.failNext({ executed: false, reply: { status: 200, json: { items: others } } }, 1)
      assert.deepInclude(yield* create(asked), { _tag: "Unknown", reason: "duplicate", vendorCode: "receipt_taken" })
    }).pipe(Effect.scoped)
  )

  it.live("and about other money is not paid", () =>
    Effect.gen(function* () {
      const { asked, checkpoints, create } = yield* afterLostOrder("refused")
      const answer = yield* create({ ...asked, amount: rupees(12_346) })
      assert.deepInclude(answer, { _tag: "Unknown", vendorCode: "order_amount_mismatch" })
      assert.deepStrictEqual(checkpoints, [])
    }).pipe(Effect.scoped)
  )

  it.live("is no proof that nothing was done if its order or the order's payments cannot be read", () =>
    Effect.gen(function* () {
      const refusal = { status: 401, json: { error: { code: "BAD_REQUEST_ERROR", description: "words" } } }
      const listed = yield* afterLostOrder("refused")
      yield* listed.network.failNext({ executed: false, reply: refusal }, 1)
      assert.deepInclude(yield* listed.create(listed.asked), { _tag: "Unknown", reason: "duplicate" })
      const paid = yield* afterLostOrder("refused")
      yield* paid.network.failNext({ executed: false, reply: refusal }, 2)
      assert.deepInclude(yield* paid.create(paid.asked), { _tag: "Unknown" })
      const gone = yield* afterLostOrder("refused")
      yield* gone.network.leaveAfter(1)
      assert.deepInclude(yield* gone.create(gone.asked), { _tag: "Unknown" })
    }).pipe(Effect.scoped)
  )

  it.live("is no proof that nothing was done if a payer may have its first payment", () =>
    Effect.gen(function* () {
      const { asked, create, network } = yield* afterLostOrder("refused")
      yield* create(asked)
      const error = { code: "BAD_REQUEST_ERROR", reason: "upi_intent_not_enabled" }
      yield* network.failNext({ executed: false, reply: { status: 400, json: { error } } }, 3)
      assert.deepInclude(yield* create(asked), { _tag: "Unknown" })
      assert.strictEqual((yield* paths({ network })).at(-1), pay)
    }).pipe(Effect.scoped)
  )
})

describe("the options", () => {
  const keys = { keyId: "rzp_test_1", keySecret: "s", webhookSecrets: ["w"] } as const

  it("UPI Collect has to be asked for", () => {
    assert.notProperty(razorpay(keys).capabilities.methods.upi?.flows, "collect")
    assert.property(razorpay({ ...keys, allowCollect: true }).capabilities.methods.upi?.flows, "collect")
  })

  it("orders cannot be canceled, Payment Links and QR objects can, and only what is no QR object can be held", () => {
    const cancelable = (options: Partial<Parameters<typeof razorpay>[0]>) =>
      Object.entries(razorpay({ ...keys, allowCollect: true, ...options }).capabilities.methods.upi?.flows ?? {})
        .filter(([, flow]) => flow.cancelable !== false)
        .map(([flow]) => flow)
    assert.deepStrictEqual(cancelable({}), ["hosted"])
    assert.deepStrictEqual(cancelable({ qr: "qr_code" }), ["hosted", "qr"])
    assert.isDefined(razorpay(keys).capabilities.operations.capture)
    assert.isUndefined(razorpay({ ...keys, qr: "qr_code" }).capabilities.operations.capture)
  })

  it("the key id determines the mode; any other key is refused", () => {
    assert.strictEqual(razorpay(keys).mode, "test")
    assert.strictEqual(razorpay({ ...keys, keyId: "rzp_live_1" }).mode, "live")
    assert.throws(() => razorpay({ ...keys, keyId: "sk_live_1" }), /keyId/)
  })
})

/** Captures, refunds and closings, where more than one payment was tried or the payer was faster. */
import { assert, describe, it } from "@effect/vitest"
import type { ProviderOperation } from "@paymux/core"
import { Effect } from "effect"
import { begin, later, operation, rupees } from "./adapter.ts"
import { otherTry } from "../src/testing/books.ts"

const given = { status: "refunded", captured: false, amount_refunded: 12_345 } as const

const posts = ({ network }: Pick<TestHarness, "network">, end: string) =>
  Effect.map(network.requests, (requests) =>
    requests.filter(({ method, path }) => method === "POST" && path.endsWith(end))
  )

type TestHarness = Effect.Success<ReturnType<typeof begin>>

const order = ({ vendor }: TestHarness) =>
  Effect.flatMap(vendor.payments, ([made]) =>
    made === undefined ? Effect.die("an order was made") : Effect.succeed(made)
  )

/** A payment that its payer has agreed to. */
const paid = Effect.fnUntraced(function* (captureMethod: "automatic" | "manual") {
  const harness = yield* begin()
  const created = operation({ captureMethod })
  const { reference = "" } = yield* harness.create(created)
  yield* harness.vendor.payersAct
  return { harness, created, reference, made: yield* order(harness) }
})

const capturing = Effect.fnUntraced(function* (captureMethod: "automatic" | "manual" = "manual") {
  const { created, reference, ...rest } = yield* paid(captureMethod)
  const { capture, inquire } = rest.harness
  if (capture === undefined) return yield* Effect.die("it is declared")
  return { ...rest, capture, inquire, reference, asked: later("capture", created, reference), created }
})

const listed = ({ network }: TestHarness, items: ReadonlyArray<object>) =>
  network.failNext({ executed: false, reply: { status: 200, json: { items } } })

describe("a capture", () => {
  it.live("of a hold that lapsed is too late, and nothing is sent: what was given back was never captured", () =>
    Effect.gen(function* () {
      const { asked, capture, created, inquire, made, reference, harness } = yield* capturing()
      harness.vendor.ledger.cancel(made.id)
      const no = { _tag: "Declined", code: "processing_error", retry: "never", vendorCode: "refunded" }
      assert.deepEqual<unknown>(yield* capture(asked), no)
      assert.deepEqual<unknown>(yield* inquire(asked), no)
      assert.lengthOf(yield* posts(harness, "/capture"), 0)
      assert.deepEqual<unknown>(yield* inquire({ ...created, reference }), {
        _tag: "Expired",
        reference,
        vendorCode: "refunded"
      })
    }).pipe(Effect.scoped)
  )

  it.live("is of the payment that is held, whatever else was tried", () =>
    Effect.gen(function* () {
      const { asked, capture, inquire, made, reference, harness } = yield* capturing()
      otherTry(harness.vendor.ledger, made, given)
      otherTry(harness.vendor.ledger, made, { status: "failed", error_reason: "payment_declined" })
      // The order is what all reports of the charge are about.
      assert.deepInclude(yield* capture(asked), { _tag: "Succeeded", reference, amount: asked.amount })
      assert.deepInclude(yield* inquire(asked), { _tag: "Succeeded", reference, amount: asked.amount })
      const [sent, ...others] = yield* posts(harness, "/capture")
      assert.include(sent?.path, `/payments/pay_${made.id}_1/capture`)
      assert.lengthOf(others, 0)
    }).pipe(Effect.scoped)
  )

  it.live("that finds no payment, or one that nothing became of yet, is unknown: lists lag", () =>
    Effect.gen(function* () {
      const { asked, capture, inquire, harness } = yield* capturing()
      const open = { id: "pay_9", status: "created", amount: 12_345, currency: "INR" }
      for (const [items, vendorCode] of [
        [[], "no_payment"],
        [[open], "created"]
      ] as const) {
        yield* listed(harness, items)
        assert.deepEqual<unknown>(yield* capture(asked), { _tag: "Unknown", reason: "unmapped", vendorCode })
        yield* listed(harness, items)
        assert.strictEqual((yield* inquire(asked))._tag, "NotFound")
      }
      assert.lengthOf(yield* posts(harness, "/capture"), 0)
    }).pipe(Effect.scoped)
  )

  it.live("of what failed is too late, also when it is asked about", () =>
    Effect.gen(function* () {
      const { asked, capture, inquire, harness } = yield* capturing()
      const failed = { id: "pay_9", status: "failed", amount: 1, currency: "INR", error_reason: "payment_declined" }
      for (const ask of [capture, inquire]) {
        yield* listed(harness, [failed])
        assert.deepInclude(yield* ask(asked), { _tag: "Declined", vendorCode: "failed" })
      }
    }).pipe(Effect.scoped)
  )
})

describe("a refund of an order that was tried more than once", () => {
  it.live("is of the payment that was captured, and not of one that Razorpay gave back", () =>
    Effect.gen(function* () {
      const { created, made, reference, harness } = yield* paid("automatic")
      otherTry(harness.vendor.ledger, made, given)
      const asked = later("refund", created, reference)
      const refunded = yield* harness.refund(asked)
      assert.strictEqual(refunded._tag, "Succeeded")
      const [sent, ...more] = yield* posts(harness, "/refund")
      assert.strictEqual(sent?.path, `/v1/payments/pay_${made.id}_1/refund`)
      assert.lengthOf(more, 0)
      assert.deepEqual(yield* harness.inquire(asked), refunded)
    }).pipe(Effect.scoped)
  )

  it.live("is of a captured one with as much left, and is found on whichever it was", () =>
    Effect.gen(function* () {
      const { created, made, reference, harness } = yield* paid("automatic")
      const second = otherTry(harness.vendor.ledger, made, {
        status: "refunded",
        captured: true,
        amount_refunded: 12_345
      })
      const asked = later("refund", created, reference, { amount: rupees(345) })
      const refunded = yield* harness.refund(asked)
      assert.strictEqual(refunded._tag, "Succeeded")
      assert.notStrictEqual((yield* posts(harness, "/refund"))[0]?.path, `/v1/payments/${second}/refund`)
      assert.deepEqual(yield* harness.inquire(asked), refunded)
      assert.deepEqual(yield* harness.refund(asked), refunded)
      assert.lengthOf(yield* posts(harness, "/refund"), 1)
    }).pipe(Effect.scoped)
  )

  it.live("where none is listed is unknown, and where nothing was taken a definite no", () =>
    Effect.gen(function* () {
      const { created, reference, harness } = yield* paid("automatic")
      const asked = later("refund", created, reference)
      yield* listed(harness, [])
      assert.deepInclude(yield* harness.refund(asked), { _tag: "Unknown", vendorCode: "no_payment" })
      yield* listed(harness, [{ id: "pay_9", amount: 12_345, currency: "INR", ...given }])
      assert.deepInclude(yield* harness.refund(asked), { _tag: "Declined", vendorCode: "refunded" })
      assert.lengthOf(yield* posts(harness, "/refund"), 0)
    }).pipe(Effect.scoped)
  )
})

describe("closing a QR code", () => {
  const shown = Effect.fnUntraced(function* () {
    const harness = yield* begin({ qr: "qr_code" })
    const created = operation({ method: { rail: "upi", flow: "qr", vpa: null } })
    const { reference = "" } = yield* harness.create(created)
    const { cancel } = harness
    if (cancel === undefined) return yield* Effect.die("it is declared")
    const asked: ProviderOperation = later("cancel", created, reference)
    return { harness, cancel, asked, created: { ...created, reference }, reference, made: yield* order(harness) }
  })

  const active = (id: string) => ({
    executed: false,
    reply: { status: 200, json: { id, status: "active", image_url: "https://rzp.io/i/1", close_reason: null } }
  })

  it.live("that was paid is refused, before it is closed and after", () =>
    Effect.gen(function* () {
      const { asked, cancel, reference, harness } = yield* shown()
      yield* harness.vendor.payersAct
      assert.deepInclude(yield* cancel(asked), { _tag: "Declined", vendorCode: "paid" })
      assert.deepInclude(yield* harness.inquire(asked), { _tag: "Declined", vendorCode: "paid" })
      assert.lengthOf(yield* posts(harness, "/close"), 0)
      // It was paid between the look and the request.
      yield* harness.network.failNext(active(reference))
      assert.deepInclude(yield* cancel(asked), { _tag: "Declined", vendorCode: "paid" })
      assert.lengthOf(yield* posts(harness, "/close"), 1)
    }).pipe(Effect.scoped)
  )

  it.live("whose time was over meanwhile is done, though Razorpay refuses it", () =>
    Effect.gen(function* () {
      const { asked, cancel, reference, harness } = yield* shown()
      harness.vendor.ledger.expire()
      yield* harness.network.failNext(active(reference))
      assert.deepEqual<unknown>(yield* cancel(asked), { _tag: "Succeeded", reference })
    }).pipe(Effect.scoped)
  )

  it.live("that is refused while it is open fails as Razorpay says", () =>
    Effect.gen(function* () {
      const { asked, cancel, harness } = yield* shown()
      const error = { code: "BAD_REQUEST_ERROR", description: "words", reason: "input_validation_failed" }
      yield* harness.network.failNext({ executed: false, reply: { status: 400, json: { error } } }, 1)
      const { reason } = yield* Effect.flip(cancel(asked))
      assert.deepInclude(reason, { _tag: "InvalidRequest", detail: "input_validation_failed" })
    }).pipe(Effect.scoped)
  )

  for (const [what, reported] of [
    ["authorized", { status: "authorized" }],
    ["created", { status: "created" }],
    ["with the bank", { status: "failed", error_reason: "deemed_transaction" }]
  ] as const) {
    it.live(`under a payment that is ${what} is not done yet`, () =>
      Effect.gen(function* () {
        const { asked, cancel, created, made, reference, harness } = yield* shown()
        otherTry(harness.vendor.ledger, made, reported)
        const wait = { _tag: "Pending", reference }
        assert.deepEqual<unknown>(yield* cancel(asked), wait)
        assert.deepEqual<unknown>(yield* harness.inquire(asked), wait)
        assert.strictEqual((yield* harness.inquire(created))._tag, "Pending")
      }).pipe(Effect.scoped)
    )
  }

  it.live("under a payment that failed is done", () =>
    Effect.gen(function* () {
      const { asked, cancel, made, reference, harness } = yield* shown()
      otherTry(harness.vendor.ledger, made, { status: "failed", error_reason: "payment_declined" })
      assert.deepEqual<unknown>(yield* cancel(asked), { _tag: "Succeeded", reference })
    }).pipe(Effect.scoped)
  )

  it.live("by a payment that its list does not show yet is not done, and keeps the payment open", () =>
    Effect.gen(function* () {
      const { asked, created, reference, harness } = yield* shown()
      yield* harness.vendor.payersAct
      for (const inquiry of [asked, created]) {
        yield* harness.network.failNext({ executed: false, reply: { status: 200, json: { items: [] } } }, 1)
        assert.deepInclude(yield* harness.inquire(inquiry), { _tag: "Pending", reference })
      }
    }).pipe(Effect.scoped)
  )
})

/** What is sent for an operation, and what is made of the answers, over real connections. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { cashfree, simulatePayment } from "../src/index.ts"
import { booksOf } from "../src/testing/books.ts"
import { s2sFake } from "../src/testing/fake.ts"
import { createOperation, laterOperation, rupees, running } from "./operations.ts"
import { optionsOf } from "../src/testing/options.ts"

const begin = Effect.fnUntraced(function* (
  change: { readonly payWithinMinutes?: number; readonly preauthorization?: boolean } = {},
  mode: "test" | "live" = "test"
) {
  const vendor = yield* s2sFake.start({ mode })
  return { vendor, instance: yield* running(cashfree({ ...optionsOf(vendor), s2s: true, ...change })) }
})

describe("a create", () => {
  it.live("does nothing on an order of the same id and another amount", () =>
    Effect.gen(function* () {
      const { instance, vendor } = yield* begin()
      const operation = yield* createOperation()
      yield* instance.create(operation)
      const { key } = yield* createOperation()
      const other = { ...operation, key, amount: rupees(1) }
      const before = (yield* vendor.network?.requests ?? Effect.succeed([])).length
      const answer = yield* instance.create({ ...other, amount: rupees(17_051) })
      assert.deepInclude(answer, { _tag: "Unknown", reason: "duplicate", vendorCode: "order_differs" })
      const sent = (yield* vendor.network?.requests ?? Effect.succeed([])).slice(before)
      assert.deepStrictEqual(
        sent.map(({ method }) => method).filter((method) => method !== "GET"),
        ["POST"]
      )
    }).pipe(Effect.scoped)
  )

  for (const how of ["its first answer is repeated", "its order is refused as a duplicate"] as const) {
    it.live(`that is sent again when it was paid meanwhile opens no other session, where ${how}`, () =>
      Effect.gen(function* () {
        const { instance, vendor } = yield* begin()
        const operation = yield* createOperation()
        yield* instance.create(operation)
        yield* vendor.payersAct
        const { key } = how === "its first answer is repeated" ? operation : yield* createOperation()
        const again = yield* instance.create({ ...operation, key })
        assert.deepInclude(again, { _tag: "Succeeded", reference: operation.id, amount: rupees(17_050) })
        const sent = (yield* vendor.network?.requests ?? Effect.succeed([])).map(
          ({ method, path }) => `${method} ${path}`
        )
        assert.deepStrictEqual(sent.slice(2), [
          "POST /orders",
          `GET /orders/${operation.id}`,
          `GET /orders/${operation.id}/payments`
        ])
      }).pipe(Effect.scoped)
    )
  }

  it.live("that was sent before is not known to be undone if its order or its payments cannot be read", () =>
    Effect.gen(function* () {
      for (const place of [1, 2]) {
        for (const status of [400, 401, 403]) {
          const { instance, vendor } = yield* begin()
          const operation = yield* createOperation()
          yield* instance.create(operation)
          const json = { type: "feature_not_enabled", code: "request_failed", message: "words" }
          yield* vendor.network?.failNext({ executed: false, reply: { status, json } }, place) ?? Effect.void
          assert.deepInclude(yield* instance.create(operation), { _tag: "Unknown", vendorCode: "request_failed" })
          yield* vendor.network?.leaveAfter(place) ?? Effect.void
          assert.deepInclude(yield* instance.create(operation), { _tag: "Unknown" })
        }
      }
    }).pipe(Effect.scoped)
  )

  for (const [captureMethod, about] of [
    ["automatic", "kind"],
    ["manual", "payment"]
  ] as const) {
    it.live(`that the account is not enabled for (${captureMethod}) says so of the ${about}`, () =>
      Effect.gen(function* () {
        const { instance, vendor } = yield* begin({ preauthorization: true })
        const json = {
          type: "feature_not_enabled",
          code: "request_failed",
          message: "preauth is not enabled or approved"
        }
        yield* vendor.network?.failNext({ executed: false, reply: { status: 400, json } }, 1) ?? Effect.void
        const { reason } = yield* Effect.flip(instance.create(yield* createOperation({ captureMethod })))
        assert.deepInclude(reason, { _tag: "AccountNotEnabled", code: "feature_not_enabled", about })
      }).pipe(Effect.scoped)
    )
  }

  it.live("of a payer whose number is not of India is sent nowhere: there is no form for it", () =>
    Effect.gen(function* () {
      const { instance, vendor } = yield* begin()
      const customer = { email: "li@example.com", phone: "+6591234567", name: null, address: null }
      const answer = yield* instance.create(yield* createOperation({ customer }))
      assert.deepStrictEqual(answer, { _tag: "NotExecuted", reason: "adapter_fault" })
      assert.isEmpty(yield* vendor.network?.requests ?? Effect.succeed([]))
    }).pipe(Effect.scoped)
  )

  it.live("waits as long as x-ratelimit-retry says", () =>
    Effect.gen(function* () {
      const { instance, vendor } = yield* begin()
      const reply = vendor.network?.rateLimited(42) ?? { status: 429 }
      yield* vendor.network?.failNext({ executed: false, reply }) ?? Effect.void
      const { reason } = yield* Effect.flip(instance.create(yield* createOperation()))
      assert.deepInclude(reason, { _tag: "RateLimited", retryAfterMs: 42_000 })
    }).pipe(Effect.scoped)
  )

  it.live("shows the page of the sandbox's simulator, to which the sandbox links", () =>
    Effect.gen(function* () {
      const { instance } = yield* begin()
      const link = yield* instance.create(yield* createOperation())
      const action = link._tag === "Pending" ? link.nextAction : undefined
      assert.match(
        action?.type === "redirect" ? action.url : "",
        /^https:\/\/payments-test\.cashfree\.com\/pgbillpayuiapi\/simulator\//
      )
    }).pipe(Effect.scoped)
  )

  it.live("sends no return address that production rejects: UPI redirects no payer", () =>
    Effect.gen(function* () {
      const { instance } = yield* begin({}, "live")
      const returnUrl = "http://localhost:4310/return/pay_1/token"
      assert.strictEqual((yield* instance.create(yield* createOperation({ returnUrl })))._tag, "Pending")
    }).pipe(Effect.scoped)
  )

  it.live("shows the vendor's own link, or its picture of the code", () =>
    Effect.gen(function* () {
      const { instance } = yield* begin({}, "live")
      const { createdAt, ...rest } = yield* createOperation()
      const expiresAt = createdAt + 20 * 60_000
      const link = yield* instance.create({ ...rest, createdAt })
      assert.strictEqual(link._tag, "Pending")
      const action = link._tag === "Pending" ? link.nextAction : undefined
      assert.strictEqual(action?.type === "upi_intent" ? action.uri.slice(0, 10) : "", "upi://pay?")
      assert.strictEqual(action?.expiresAt, expiresAt)
      const code = yield* instance.create(yield* createOperation({ method: { rail: "upi", flow: "qr", vpa: null } }))
      const shown = code._tag === "Pending" ? code.nextAction : undefined
      assert.isTrue(shown?.type === "upi_qr" && shown.payload === null && shown.image?.startsWith("data:image/png"))
    }).pipe(Effect.scoped)
  )

  it.live("whose session could not be sent was not executed: an order takes no money", () =>
    Effect.gen(function* () {
      const { instance, vendor } = yield* begin()
      yield* vendor.network?.leaveAfter(1) ?? Effect.void
      const answer = yield* instance.create(yield* createOperation())
      assert.deepStrictEqual(answer, { _tag: "NotExecuted", reason: "not_sent", vendorCode: "connection_refused" })
      assert.strictEqual(booksOf(vendor.ledger).orders.size, 1)
    }).pipe(Effect.scoped)
  )

  it.live("that is sent again after a try failed opens no other session: the try is the answer", () =>
    Effect.gen(function* () {
      const { instance, vendor } = yield* begin()
      const operation = yield* createOperation()
      yield* vendor.decide({ decline: "Z9" })
      yield* instance.create(operation)
      yield* vendor.payersAct
      const again = yield* instance.create({ ...operation, reference: operation.id })
      assert.deepInclude(again, { _tag: "Declined", code: "insufficient_funds" })
      assert.lengthOf(booksOf(vendor.ledger).orders.get(operation.id)?.sessions ?? [], 1)
    }).pipe(Effect.scoped)
  )

  for (const refusal of [
    null,
    { status: 404, json: { message: "over", code: "orderpay_not_found", type: "invalid_request_error" } }
  ]) {
    const how = refusal === null ? "400 order_inactive" : "404 orderpay_not_found"
    it.live(`whose session is refused as ${how} may be paid by an earlier one: its order and payments decide`, () =>
      Effect.gen(function* () {
        const vendor = yield* s2sFake.start({ mode: "test" })
        const { ledger } = vendor
        const { orders } = booksOf(ledger)
        const instance = yield* running(cashfree({ ...optionsOf(vendor), s2s: true }), (reference: string) => {
          orders.get(reference)?.sessions.push({ id: "1", channel: "link" })
          ledger.open({ amount: { minorUnits: 17_050, currency: "INR" }, reference })
        })
        const operation = yield* createOperation()
        if (refusal !== null) yield* vendor.network.failNext({ executed: false, reply: refusal }, 1)
        const answer = yield* instance.create(operation)
        assert.deepStrictEqual(answer, { _tag: "Succeeded", reference: operation.id, amount: rupees(17_050) })
      }).pipe(Effect.scoped)
    )
  }

  it.live("that is sent again, and whose next session is refused, is not decided: the payer may have the first", () =>
    Effect.gen(function* () {
      const { instance, vendor } = yield* begin()
      const operation = yield* createOperation()
      yield* instance.create(operation)
      booksOf(vendor.ledger).hasS2s = false
      const again = yield* instance.create(operation)
      assert.deepInclude(again, { _tag: "Unknown", reason: "in_progress", vendorCode: "s2s_enabled_not_approved" })
    }).pipe(Effect.scoped)
  )

  it.live("with the shortest time for its payer arrives with more than Cashfree's least", () =>
    Effect.gen(function* () {
      const { instance } = yield* begin({ payWithinMinutes: 16 })
      assert.strictEqual((yield* instance.create(yield* createOperation()))._tag, "Pending")
    }).pipe(Effect.scoped)
  )

  it.live("cuts no address: one that is too long is left out; our own tag is not the merchant's to write", () =>
    Effect.gen(function* () {
      const { instance, vendor } = yield* begin()
      const email = `${"a".repeat(60)}@${"b".repeat(35)}.company`
      const metadata = {
        paymux_capture: "manual",
        checkout_context: "https://shop.example",
        ...Object.fromEntries("abcdefghijk".split("").map((name) => [name, "1"]))
      }
      const customer = { email, phone: "+919812345678", name: "n".repeat(200), address: null }
      const operation = yield* createOperation({ customer, metadata })
      yield* instance.create(operation)
      const order = booksOf(vendor.ledger).orders.get(operation.id)
      assert.notProperty(order?.customer, "customer_email")
      assert.propertyVal(order?.tags, "paymux_capture", "automatic")
      assert.notProperty(order?.tags, "checkout_context")
      assert.lengthOf(Object.keys(order?.tags ?? {}), 10)
    }).pipe(Effect.scoped)
  )

  it.live("refused because its key had another body says nothing of the first", () =>
    Effect.gen(function* () {
      const { instance, vendor } = yield* begin()
      const reply = { status: 422, json: { message: "no", code: "request_invalid", type: "invalid_request_error" } }
      yield* vendor.network?.failNext({ executed: false, reply }) ?? Effect.void
      const answer = yield* instance.create(yield* createOperation())
      assert.deepInclude(answer, { _tag: "Unknown", reason: "duplicate", vendorCode: "request_invalid" })
    }).pipe(Effect.scoped)
  )
})

describe("a cancel", () => {
  const created = Effect.gen(function* () {
    const { instance, vendor } = yield* begin()
    const operation = yield* createOperation()
    yield* instance.create(operation)
    return { instance, vendor, operation, cancel: yield* laterOperation("cancel", operation) }
  })

  it.live("of an order that has expired, and is refused, is done", () =>
    Effect.gen(function* () {
      const { cancel, instance, vendor } = yield* created
      yield* vendor.expire ?? Effect.void
      assert.strictEqual((yield* instance.cancel(cancel))._tag, "Succeeded")
      assert.strictEqual((yield* instance.inquire(cancel))._tag, "Succeeded")
    }).pipe(Effect.scoped)
  )

  it.live("of an order that was paid is refused for good", () =>
    Effect.gen(function* () {
      const { cancel, instance, vendor } = yield* created
      yield* vendor.payersAct
      assert.deepInclude(yield* instance.cancel(cancel), { _tag: "Declined", retry: "never" })
      assert.deepInclude(yield* instance.inquire(cancel), { _tag: "Declined", retry: "never" })
    }).pipe(Effect.scoped)
  )

  it.live("of an order whose payment is at a bank is pending until the bank has answered", () =>
    Effect.gen(function* () {
      const { cancel, instance, operation, vendor } = yield* created
      const order = booksOf(vendor.ledger).orders.get(operation.id)
      if (order === undefined) return assert.fail("there is an order")
      order.isAtBank = true
      assert.strictEqual((yield* instance.cancel(cancel))._tag, "Pending")
      assert.strictEqual((yield* instance.cancel(cancel))._tag, "Pending")
      assert.strictEqual((yield* instance.inquire(cancel))._tag, "Pending")
      order.isAtBank = false
      assert.strictEqual((yield* instance.inquire(cancel))._tag, "Succeeded")
    }).pipe(Effect.scoped)
  )

  it.live("whose order is closed, and whose payments cannot be read, is asked about", () =>
    Effect.gen(function* () {
      const { cancel, instance, vendor } = yield* created
      const reply = { status: 400, json: { message: "no", code: "bad", type: "invalid_request_error" } }
      yield* vendor.network?.failNext({ executed: false, reply }, 1) ?? Effect.void
      assert.deepInclude(yield* instance.cancel(cancel), { _tag: "Unknown", reason: "in_progress" })
    }).pipe(Effect.scoped)
  )

  it.live("of a hold that was captured is refused for good, and nothing is voided", () =>
    Effect.gen(function* () {
      const { instance, vendor } = yield* begin({ preauthorization: true })
      const operation = yield* createOperation({ captureMethod: "manual" })
      yield* instance.create(operation)
      yield* vendor.payersAct
      yield* instance.capture(yield* laterOperation("capture", operation))
      const cancel = yield* laterOperation("cancel", operation)
      assert.deepInclude(yield* instance.cancel(cancel), { _tag: "Declined", retry: "never" })
      assert.strictEqual(vendor.ledger.payments()[0]?.status, "captured")
    }).pipe(Effect.scoped)
  )
})

describe("a refund", () => {
  it.live("has a note that is cut", () =>
    Effect.gen(function* () {
      const { instance, vendor } = yield* begin()
      const operation = yield* createOperation()
      yield* instance.create(operation)
      yield* vendor.payersAct
      const refund = yield* laterOperation("refund", operation, { reason: "r".repeat(300) })
      assert.strictEqual((yield* instance.refund(refund))._tag, "Succeeded")
    }).pipe(Effect.scoped)
  )
})

describe("a simulation", () => {
  it.live("of PENDING leaves the payment at its bank, and a later one decides it", () =>
    Effect.gen(function* () {
      const { instance, vendor } = yield* begin()
      const operation = yield* createOperation()
      yield* instance.create(operation)
      const { clientId, clientSecret } = vendor.credentials
      const simulation = {
        clientId,
        clientSecret: Redacted.make(clientSecret),
        orderId: operation.id,
        baseUrl: vendor.url
      }
      yield* simulatePayment({ ...simulation, status: "PENDING" })
      assert.deepInclude(yield* instance.inquire(operation), { _tag: "Pending", awaitingFinality: true })
      yield* simulatePayment({ ...simulation, status: "USER_DROPPED" })
      assert.deepInclude(yield* instance.inquire(operation), { _tag: "Declined", code: "customer_timeout" })
    }).pipe(Effect.scoped)
  )
})

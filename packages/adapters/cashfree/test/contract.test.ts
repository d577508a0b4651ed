/** Every request of the adapter and every answer of its fake, put to the vendor's own specification. */
import { assert, describe, it } from "@effect/vitest"
import type { ScriptedOutcome, SeenRequest } from "@paymux/testkit"
import { Effect, Redacted } from "effect"
import { cashfree, simulatePayment } from "../src/index.ts"
import { booksOf } from "../src/testing/books.ts"
import { s2sFake } from "../src/testing/fake.ts"
import { createOperation, laterOperation, rupees, running } from "./operations.ts"
import { optionsOf } from "../src/testing/options.ts"
import { exceptions, faultsOf, isThere, skipped, webhookFaults } from "./specification.ts"

const begin = Effect.gen(function* () {
  const vendor = yield* s2sFake.start({ mode: "test" })
  const options = { ...optionsOf(vendor), s2s: true, preauthorization: true }
  const instance = yield* running(cashfree(options))
  const create = Effect.fnUntraced(function* (
    change: Parameters<typeof createOperation>[0],
    scripted: ScriptedOutcome
  ) {
    yield* vendor.decide(scripted)
    const operation = yield* createOperation(change)
    yield* instance.create(operation)
    yield* vendor.payersAct
    return operation
  })
  return { vendor, options, instance, create }
})

/** All that the adapter can send, and most of what it can be answered. */
const everything = Effect.gen(function* () {
  const { create, instance, options, vendor } = yield* begin
  const intent = yield* create({}, "approve")
  const bare = {
    metadata: {},
    returnUrl: null,
    customer: { email: "", phone: "+919812345678", name: null, address: null }
  }
  const failed = yield* create({ ...bare, amount: rupees(100) }, { decline: "ZM" })
  const held = yield* create({ captureMethod: "manual", amount: rupees(123_456_789) }, "approve")
  const released = yield* create({ captureMethod: "manual" }, "approve")
  const qr = yield* create({ method: { rail: "upi", flow: "qr", vpa: null }, description: null }, "wait")
  for (const operation of [intent, qr, failed, held, released]) yield* instance.inquire(operation)

  yield* instance.create({ ...intent, reference: intent.id })
  yield* instance.create({ ...qr, description: "in other words" })
  yield* instance.create(qr)
  yield* instance.create({ ...qr, key: (yield* createOperation()).key })
  yield* instance.inquire(yield* createOperation())

  const capture = yield* laterOperation("capture", held)
  yield* instance.capture(capture)
  yield* instance.inquire(capture)
  yield* Effect.ignore(instance.capture(yield* laterOperation("capture", held)))
  for (const operation of [released, qr]) {
    const cancel = yield* laterOperation("cancel", operation)
    yield* instance.cancel(cancel)
    yield* instance.inquire(cancel)
  }
  yield* Effect.ignore(instance.cancel(yield* laterOperation("cancel", intent)))

  const refund = yield* laterOperation("refund", intent, { amount: rupees(1_005) })
  yield* instance.inquire(refund)
  yield* instance.refund(refund)
  yield* instance.refund({ ...refund, key: (yield* createOperation()).key })
  yield* instance.inquire(refund)
  yield* Effect.ignore(instance.refund(yield* laterOperation("refund", intent, { reason: null })))

  booksOf(vendor.ledger).surcharge = { charge: 200, tax: 36 }
  const waiting = yield* create({}, "wait")
  const clientSecret = Redacted.make(vendor.credentials.clientSecret)
  const simulation = { ...options, clientSecret, orderId: waiting.id }
  yield* simulatePayment({ ...simulation, status: "PENDING" })
  yield* instance.inquire(waiting)
  yield* simulatePayment({ ...simulation, status: "FAILED", errorCode: "ISSUER_NOT_AVAILABLE" })

  const stranger = yield* running(cashfree({ ...options, clientId: "TEST0" }))
  yield* Effect.ignore(stranger.create(yield* createOperation()))
  return yield* vendor.network.requests
})

const endpoints = (exchanges: ReadonlyArray<SeenRequest>) =>
  new Set(
    exchanges.map(({ method, path, status }) => `${method} ${path.replaceAll(/\/op_?[0-9a-z]{26}/g, "/:id")} ${status}`)
  )

describe.skipIf(!isThere)(`the specification of Cashfree${skipped}`, () => {
  it.live("has every request of the adapter and every answer of the fake", () =>
    Effect.gen(function* () {
      const exchanges = yield* everything
      assert.deepStrictEqual(exchanges.flatMap(faultsOf), [])
      assert.includeMembers(
        [...endpoints(exchanges)],
        [
          "POST /orders 200",
          "POST /orders 401",
          "POST /orders 409",
          "POST /orders 422",
          "POST /orders/sessions 200",
          "GET /orders/:id 200",
          "GET /orders/:id 404",
          "PATCH /orders/:id 200",
          "PATCH /orders/:id 400",
          "GET /orders/:id/payments 200",
          "POST /orders/:id/authorization 200",
          "POST /orders/:id/authorization 400",
          "POST /orders/:id/refunds 200",
          "POST /orders/:id/refunds 400",
          "POST /orders/:id/refunds 409",
          "GET /orders/:id/refunds/:id 200",
          "GET /orders/:id/refunds/:id 404",
          "POST /simulate 200"
        ]
      )
    }).pipe(Effect.scoped)
  )

  it.live("refuses what is not in it: the check can fail", () =>
    Effect.gen(function* () {
      const [first] = yield* everything
      if (first === undefined) return assert.fail("no exchange")
      const wrong = (change: Partial<SeenRequest>) => faultsOf({ ...first, ...change }).length > 0
      const body = JSON.parse(first.body)
      const answer = JSON.parse(first.answer)
      assert.isFalse(wrong({}))
      assert.isTrue(wrong({ body: JSON.stringify({ ...body, order_amount: "170.50" }) }))
      assert.isTrue(wrong({ body: JSON.stringify({ ...body, order_ammount: 1 }) }))
      assert.isTrue(wrong({ body: JSON.stringify({ ...body, order_amount: 0.5 }) }))
      assert.isTrue(wrong({ answer: JSON.stringify({ ...answer, order_amount: "170.50" }) }))
      assert.isTrue(wrong({ answer: JSON.stringify({ ...answer, news: 1 }) }))
      assert.isTrue(wrong({ path: "/order" }))
      assert.isTrue(wrong({ path: "/orders/sessions" }))
      assert.isTrue(wrong({ status: 418 }))
      assert.isTrue(wrong({ headers: { ...first.headers, "x-idempotency-key": "1" } }))
    }).pipe(Effect.scoped)
  )

  it.live("has every webhook of a payment, but for what its documentation shows otherwise", () =>
    Effect.gen(function* () {
      const { create, vendor } = yield* begin
      yield* create({}, "approve")
      yield* create({}, { decline: "Z9" })
      const books = booksOf(vendor.ledger)
      books.surcharge = { charge: 200, tax: 36 }
      yield* create({ captureMethod: "manual" }, "approve")
      const { webhooks } = vendor
      if (webhooks === null) return assert.fail("Cashfree sends webhooks")
      for (const event of yield* webhooks.events) {
        const { body } = yield* webhooks.deliver([event])
        assert.deepStrictEqual(webhookFaults(JSON.stringify(documented(JSON.parse(Buffer.from(body).toString())))), [])
      }
    }).pipe(Effect.scoped)
  )

  it("is departed from in so many places, each with its reason", () => {
    assert.deepStrictEqual(
      exceptions.map(({ at }) => at),
      ["PaymentMethodUPIInPaymentsEntity"]
    )
    for (const { why } of exceptions) assert.isNotEmpty(why)
  })
})

/**
 * The samples of the documentation have three things that the specification does not: `null` for what is absent, the id
 * of a payment as a number, and `order_tags` of an order that has none.
 */
const documented = (json: unknown): unknown => {
  if (Array.isArray(json)) return json.map(documented)
  if (typeof json !== "object" || json === null) return json
  return Object.fromEntries(
    Object.entries(json).flatMap(([key, value]) => {
      if (value === null) return []
      return [[key, key === "cf_payment_id" ? String(value) : documented(value)]]
    })
  )
}

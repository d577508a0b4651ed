/** Every call, against a real server over HTTP. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import {
  Paymux,
  PaymuxApiError,
  PaymuxAuthenticationError,
  PaymuxConflictError,
  PaymuxInvalidRequestError,
  PaymuxNotFoundError,
  PaymuxUsageError
} from "../src/index.ts"
import type { Payment, PaymuxOptions } from "../src/index.ts"
import { card, openShop, rejection, upi } from "./Shop.ts"
import type { Shop } from "./Shop.ts"

let shop: Shop
let paymux: Paymux
beforeAll(async () => {
  shop = await openShop()
  paymux = shop.client()
})
afterAll(() => shop[Symbol.asyncDispose]())

const authorized = () => paymux.payments.create({ ...card, capture_method: "manual" })

describe("payments", () => {
  it("are created and got, in the JSON of the wire", async () => {
    const created = await paymux.payments.create({ ...upi, metadata: { order_id: "1" } })
    assert.strictEqual(created.status, "succeeded")
    assert.deepStrictEqual(created.metadata, { order_id: "1" })
    assert.deepStrictEqual(await paymux.payments.get(created.id), created)
    assert.deepStrictEqual(await paymux.payments.retrieve(created.id), created)
    assert.deepStrictEqual<unknown>(await shop.server.payments.get(created.id), created)
  })

  it("that are declined are answers and no errors", async () => {
    const details = { card: { token: "tok_insufficient_funds" } }
    const declined = await paymux.payments.create({ ...card, payment_method_details: details })
    assert.strictEqual(declined.status, "failed")
    assert.strictEqual(declined.failure?.code, "insufficient_funds")
  })

  it("are captured, all or a part, and canceled", async () => {
    const [whole, part, none] = await Promise.all([authorized(), authorized(), authorized()])
    assert.strictEqual(whole.status, "authorized")
    assert.strictEqual((await paymux.payments.capture(whole.id)).amount_captured, 2599)
    assert.strictEqual((await paymux.payments.capture(part.id, { amount: 1000 })).amount_captured, 1000)
    assert.strictEqual((await paymux.payments.cancel(none.id)).status, "canceled")
  })

  it("are made once for one key of the caller, on every POST", async () => {
    const options = { idempotencyKey: "order-7" }
    const first = await paymux.payments.create({ ...card, capture_method: "manual" }, options)
    const again = await paymux.payments.create({ ...card, capture_method: "manual" }, options)
    assert.strictEqual(again.id, first.id)
    const captured = await paymux.payments.capture(first.id, {}, options)
    assert.deepStrictEqual(await paymux.payments.capture(first.id, {}, options), captured)
    const refund = await paymux.refunds.create(first.id, { amount: 100 }, options)
    assert.deepStrictEqual(await paymux.refunds.create(first.id, { amount: 100 }, options), refund)
    assert.lengthOf((await paymux.refunds.list(first.id)).data, 1)
  })

  it("have a key of their own each where the caller gives none", async () => {
    const from = shop.seen.length
    const [one, two] = [await paymux.payments.create(upi), await paymux.payments.create(upi)]
    assert.notStrictEqual(one.id, two.id)
    const keys = shop.seen.slice(from).map(({ key }) => key ?? "")
    assert.strictEqual(new Set(keys).size, 2)
    for (const key of keys) assert.match(key, /^client-[0-9a-f]{32}$/)
    await paymux.payments.get(one.id)
    assert.deepInclude(shop.seen.at(-1), { method: "GET", key: null })
  })
})

describe("refunds", () => {
  it("are created, got and listed, and add up", async () => {
    const payment = await paymux.payments.create(card)
    const part = await paymux.refunds.create(payment.id, { amount: 99, reason: "one of two items" })
    const rest = await paymux.refunds.create(payment.id)
    assert.deepStrictEqual([part.amount, rest.amount, rest.payment], [99, 2500, payment.id])
    assert.deepStrictEqual(await paymux.refunds.get(part.id), part)
    assert.deepStrictEqual(await paymux.refunds.retrieve(part.id), part)
    assert.deepStrictEqual((await paymux.refunds.list(payment.id)).data, [rest, part])
    const found: Array<string> = []
    for await (const { id } of paymux.refunds.list(payment.id)) found.push(id)
    assert.deepStrictEqual(found, [rest.id, part.id])
  })
})

describe("an error", () => {
  it("has the code, the status, the request's id and every fault of the request", async () => {
    const wrong = { ...upi, amount: 0, customer: { email: "no", phone: "+919999999999" } }
    const error = await rejection(paymux.payments.create(wrong), PaymuxInvalidRequestError)
    assert.deepInclude(error, { code: "invalid_request", status: 400, retryAfter: null })
    assert.sameMembers(
      error.errors.map(({ pointer }) => pointer),
      ["/amount", "/customer/email"]
    )
    assert.match(error.requestId ?? "", /^req_/)
    assert.include(error.message, error.requestId ?? "none")
    assert.match(error.idempotencyKey ?? "", /^client-/)
  })

  it("is of the class of its status", async () => {
    const payment = await paymux.payments.create(upi)
    const key = { idempotencyKey: "twice" }
    const { id } = await paymux.payments.create(upi, key)
    const reused = await rejection(paymux.payments.create({ ...upi, amount: 1 }, key), PaymuxInvalidRequestError)
    assert.deepInclude(reused, { code: "idempotency_key_reused", status: 422, idempotencyKey: "twice", paymentId: id })
    assert.strictEqual(reused.errors[0]?.pointer, "/amount")
    const missing = await rejection(paymux.payments.get("pay_none"), PaymuxNotFoundError)
    assert.deepInclude(missing, { code: "not_found", status: 404, idempotencyKey: null })
    const conflict = await rejection(paymux.payments.cancel(payment.id), PaymuxConflictError)
    assert.deepInclude(conflict, { code: "operation_not_supported", status: 409 })
    const noRoute = await rejection(paymux.payments.create({ ...upi, amount: 1e9 }), PaymuxApiError)
    assert.deepInclude(noRoute, { code: "no_route", status: 422 })
    assert.isNotEmpty(noRoute.errors)
  })

  it("of a key that is wrong or revoked is one of authentication, and is not tried again", async () => {
    const { id, key } = await shop.server.apiKeys.create({ name: "short" })
    const other = shop.client({ apiKey: key })
    assert.strictEqual((await other.payments.list({ limit: 1 })).object, "list")
    await shop.server.apiKeys.revoke(id)
    for (const apiKey of [`pmx_test_${"A".repeat(38)}`, "x", `${shop.key}1`]) {
      const from = shop.seen.length
      const error = await rejection(shop.client({ apiKey }).payments.create(upi), PaymuxAuthenticationError)
      assert.deepInclude(error, { code: "unauthorized", status: 401 })
      assert.lengthOf(shop.seen.slice(from), 1)
    }
  })

  it("without options fails with an error that names what a client needs", () => {
    // The cast is the point: JavaScript does not check them.
    for (const none of [undefined, null, "pmx_test_key"] as unknown as ReadonlyArray<PaymuxOptions>) {
      assert.throws(() => new Paymux(none), PaymuxUsageError, "new Paymux({ apiKey, baseUrl })")
    }
  })

  it("of an id or a key that no server has is found here, and nothing is sent", async () => {
    const from = shop.seen.length
    for (const id of ["", "..", "a/b", "pay_1?x", "pay_1#", "%2e%2e", "pay 1"]) {
      await rejection(paymux.payments.get(id), PaymuxUsageError)
      await rejection(paymux.payments.cancel(id), PaymuxUsageError)
      await rejection(paymux.refunds.create(id), PaymuxUsageError)
      await rejection(paymux.refunds.list(id), PaymuxUsageError)
    }
    for (const idempotencyKey of ["", "a b", "ü", "x\r\nEvil: 1", "k".repeat(256)]) {
      await rejection(paymux.payments.create(upi, { idempotencyKey }), PaymuxUsageError)
    }
    assert.lengthOf(shop.seen.slice(from), 0)
  })
})

describe("200 at a time", () => {
  it("are 200 payments", async () => {
    const made = await Promise.all(
      Array.from({ length: 200 }, (_, index) => paymux.payments.create({ ...upi, metadata: { order_id: `c${index}` } }))
    )
    assert.strictEqual(new Set(made.map(({ id }) => id)).size, 200)
    assert.deepStrictEqual(
      made.map(({ metadata }) => metadata["order_id"]),
      Array.from({ length: 200 }, (_, index) => `c${index}`)
    )
  })

  it("with one key are one payment", async () => {
    const metadata = { order_id: "one key" }
    const made = await Promise.all(
      Array.from({ length: 200 }, () => paymux.payments.create({ ...upi, metadata }, { idempotencyKey: "one-key" }))
    )
    assert.strictEqual(new Set(made.map(({ id }: Payment) => id)).size, 1)
    assert.lengthOf((await paymux.payments.list({ metadata })).data, 1)
  })
})

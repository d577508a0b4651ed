/** Every row is of one account and one mode: over all operations of the document, another's are as absent as missing ones. */
import { assert, describe, it } from "@effect/vitest"
import { createPaymux } from "paymux"
import type { Document } from "./mutations/requests.ts"

const customer = { email: "asha@example.com", phone: "+919812345678" }
const card = {
  currency: "EUR",
  payment_method: "card",
  customer,
  payment_method_details: { card: { token: "tok_success" } }
} as const
const upi = { amount: 700, currency: "INR", payment_method: "upi", customer } as const

/** A body that each operation accepts, where it takes one. */
const bodies: { readonly [operation: string]: object } = {
  "POST /v1/payments/{id}/capture": { amount: 1 },
  "POST /v1/payments/{id}/cancel": {},
  "POST /v1/payments/{id}/refunds": { amount: 1 },
  "POST /v1/sandbox/payments/{id}/simulate": { outcome: "succeeded" }
}

describe("another account, or the other mode", () => {
  it("reads and changes nothing, whatever it asks", async () => {
    await using paymux = await createPaymux({ sandbox: true, database: ":memory:" })
    const ask = async (key: string, method: string, path: string, body?: object) => {
      const headers = {
        authorization: `Bearer ${key}`,
        ...(body !== undefined && { "content-type": "application/json" })
      }
      const request = new Request(`http://localhost${path}`, {
        method,
        headers,
        ...(body !== undefined && { body: JSON.stringify(body) })
      })
      const response = await paymux.fetch(request)
      const text = await response.text()
      return { status: response.status, text: text.replace(/"request_id":"[^"]+"/, '"request_id":""') }
    }
    const { id: keyId, key: mine } = await paymux.apiKeys.create()
    const endpoint = await paymux.webhookEndpoints.add({ url: "http://127.0.0.1:9999/hook" })
    const { key: others } = await paymux.forAccount("other").apiKeys.create()
    const { key: live } = await paymux.forAccount("default", { mode: "live" }).apiKeys.create()

    const held = await paymux.payments.create({ ...card, amount: 900, capture_method: "manual" })
    const paid = await paymux.payments.create({ ...card, amount: 800 })
    const pending = await paymux.payments.create({ ...upi, payment_method_details: { upi: { vpa: "pending@paymux" } } })
    const refund = await paymux.refunds.create(paid.id, { amount: 5 })
    const document: Document = JSON.parse((await ask(mine, "GET", "/v1/openapi.json")).text)
    const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      path.includes("{id}") ? Object.keys(methods).map((method) => [method.toUpperCase(), path] as const) : []
    )
    assert.isAtLeast(operations.length, 6)

    const ids = { payment: [held.id, paid.id, pending.id], refund: [refund.id] }
    const missing = { payment: "pay_01jd8w6x2vh6k9v0q3f7m5t1ac", refund: "re_01jd8w6x2vh6k9v0q3f7m5t1ac" }
    const before = await paymux.payments.list()
    for (const [method, path] of operations) {
      const kind = path.startsWith("/v1/refunds") ? "refund" : "payment"
      const body = method === "POST" ? (bodies[`${method} ${path}`] ?? assert.fail(`no body for ${path}`)) : undefined
      for (const key of [others, live]) {
        const absent = await ask(key, method, path.replace("{id}", missing[kind]), body)
        assert.strictEqual(absent.status, 404, path)
        for (const id of ids[kind]) {
          assert.deepStrictEqual(await ask(key, method, path.replace("{id}", id), body), absent, `${method} ${path}`)
        }
      }
    }
    for (const key of [others, live]) {
      const list = await ask(key, "GET", "/v1/payments?limit=100")
      assert.deepStrictEqual(JSON.parse(list.text).data, [])
    }
    for (const operations of [paymux.forAccount("other"), paymux.forAccount("default", { mode: "live" })]) {
      assert.deepStrictEqual((await operations.payments.list()).data, [])
      assert.deepStrictEqual(await operations.webhookEndpoints.list(), [])
      assert.isFalse(await operations.webhookEndpoints.remove(endpoint.id))
      assert.isFalse(await operations.webhookEndpoints.disable(endpoint.id))
      assert.isFalse(await operations.webhookEndpoints.enable(endpoint.id))
      assert.isNull(await operations.webhookEndpoints.update(endpoint.id, { events: null }))
      assert.isNull(await operations.webhookEndpoints.rotate(endpoint.id))
      assert.isNull(await operations.webhookEndpoints.test(endpoint.id))
      assert.deepStrictEqual((await operations.webhookDeliveries.list()).records, [])
      assert.strictEqual(await operations.webhookDeliveries.countSince(0), 0)
      assert.notInclude(JSON.stringify(await operations.apiKeys.list()), keyId)
      await operations.customers.erase({ email: customer.email })
      await operations.customers.erase({ phone: customer.phone })
      for (const asked of [
        operations.payments.get(paid.id),
        operations.payments.capture(held.id),
        operations.payments.cancel(held.id),
        operations.refunds.create(paid.id),
        operations.refunds.get(refund.id),
        operations.refunds.list(paid.id),
        operations.apiKeys.rotate(keyId),
        operations.apiKeys.revoke(keyId),
        operations.customers.erase({ payment: paid.id })
      ]) {
        const reported = await asked.then(
          () => "answered",
          (error: unknown) => String(error)
        )
        assert.match(reported, /NotFound|no such|no API key/)
      }
    }
    assert.deepStrictEqual(await paymux.payments.list(), before)
    assert.strictEqual((await paymux.webhookEndpoints.list()).length, 1)
    // To its own account it is all there.
    for (const id of ids.payment) assert.strictEqual((await ask(mine, "GET", `/v1/payments/${id}`)).status, 200)
  })
})

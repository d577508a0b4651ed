/** What a call does when the line or the server fails. */
import { afterAll, assert, beforeAll, beforeEach, describe, it, vi } from "@effect/vitest"
import { getEventListeners } from "node:events"
import {
  PaymuxAbortError,
  PaymuxApiError,
  PaymuxConflictError,
  PaymuxConnectionError,
  PaymuxInvalidRequestError,
  PaymuxRateLimitError,
  PaymuxServerError,
  PaymuxTimeoutError
} from "../src/index.ts"
import { settingsOf } from "../src/options.ts"
import type { PaymuxOptions } from "../src/options.ts"
import { payments } from "../src/payments.ts"
import { runtime } from "../src/Runtime.ts"
import { transport } from "../src/transport.ts"
import { card, openShop, rejection, upi } from "./Shop.ts"
import type { Fault, Shop } from "./Shop.ts"

let shop: Shop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop[Symbol.asyncDispose]())

let from = 0
let waits: Array<number> = []
beforeEach(() => {
  from = shop.seen.length
  waits = []
  shop.faults.length = 0
})
const seen = () => shop.seen.slice(from)

/** The client's own calls, but for the waiting: that is written down. */
const paymentsOf = (options: Partial<PaymuxOptions> = {}) =>
  payments(
    transport(settingsOf({ apiKey: shop.key, baseUrl: shop.baseUrl, ...options }), {
      ...runtime,
      chance: () => 0,
      sleep: async (ms) => void waits.push(ms)
    })
  )

const problem = (status: number, code: string, headers: object = {}): Fault => ({
  type: "answer",
  status,
  headers: { "content-type": "application/problem+json", ...headers },
  body: JSON.stringify({ type: "/x", title: "x", status, detail: "No.", code, errors: [], request_id: "req_1" })
})

const nextTurn = () => new Promise((resolve) => setImmediate(resolve, "waits on"))

const rows = async (order: string) => (await shop.server.payments.list({ metadata: { order_id: order } })).data

describe("a POST whose answer is lost", () => {
  for (const type of ["refused", "lost answer", "cut answer"] as const) {
    it(`is sent again with the same key and is one payment: ${type}`, async () => {
      const metadata = { order_id: `once ${type}` }
      shop.faults.push({ type }, { type })
      const payment = await paymentsOf().create({ ...card, metadata })
      assert.strictEqual(payment.status, "succeeded")
      assert.deepStrictEqual<unknown>(await rows(metadata.order_id), [payment])
      assert.lengthOf(seen(), 3)
      assert.strictEqual(new Set(seen().map(({ key }) => key)).size, 1)
      assert.match(seen()[0]?.key ?? "", /^client-/)
    })
  }

  it("is a capture, a cancel or a refund once, too", async () => {
    const paymux = shop.client()
    const payment = await paymux.payments.create({ ...card, capture_method: "manual" })
    shop.faults.push({ type: "lost answer" })
    assert.strictEqual((await paymux.payments.capture(payment.id, { amount: 2000 })).amount_captured, 2000)
    shop.faults.push({ type: "lost answer" })
    await paymux.refunds.create(payment.id, { amount: 500 })
    assert.strictEqual((await paymux.payments.get(payment.id)).amount_refunded, 500)
    assert.lengthOf((await paymux.refunds.list(payment.id)).data, 1)
  })

  it("keeps the key of the caller", async () => {
    shop.faults.push({ type: "lost answer" })
    await paymentsOf().create(upi, { idempotencyKey: "mine" })
    assert.deepStrictEqual(
      seen().map(({ key }) => key),
      ["mine", "mine"]
    )
  })

  it("can be made again by the caller with the key that the error has", async () => {
    const metadata = { order_id: "later" }
    shop.faults.push({ type: "lost answer" })
    const error = await rejection(paymentsOf({ maxRetries: 0 }).create({ ...upi, metadata }), PaymuxConnectionError)
    assert.strictEqual(error.code, "connection_failed")
    const idempotencyKey = error.idempotencyKey ?? ""
    const payment = await paymentsOf().create({ ...upi, metadata }, { idempotencyKey })
    assert.deepStrictEqual<unknown>(await rows("later"), [payment])
  })

  it("of 50 at a time is 50 payments", async () => {
    const metadata = { order_id: "fifty" }
    shop.faults.push(...Array.from({ length: 50 }, () => ({ type: "lost answer" as const })))
    const made = await Promise.all(
      Array.from({ length: 50 }, () => shop.client().payments.create({ ...upi, metadata }))
    )
    const kept = await shop.client().payments.list({ metadata, limit: 100 })
    assert.sameMembers(
      kept.data.map(({ id }) => id),
      made.map(({ id }) => id)
    )
    assert.lengthOf(kept.data, 50)
  })
})

describe("is tried again", () => {
  for (const [status, code] of [
    [408, "request_timeout"],
    [409, "idempotency_in_flight"],
    [429, "rate_limited"],
    [500, "internal"],
    [502, "unheard_of"],
    [503, "service_unavailable"],
    [504, "unheard_of"]
  ] as const) {
    it(`${status} ${code}`, async () => {
      shop.faults.push(problem(status, code, { "retry-after": "2" }))
      assert.strictEqual((await paymentsOf().create(upi)).status, "succeeded")
      assert.strictEqual(new Set(seen().map(({ key }) => key)).size, 1)
      assert.deepStrictEqual(waits, [2000])
    })
  }

  for (const [what, body] of [
    ["a page", "<html></html>"],
    ["nothing", ""]
  ] as const) {
    it(`under its key where a success is ${what} in place of JSON: what stands between has replaced the answer`, async () => {
      shop.faults.push({ type: "answer", status: 200, body })
      assert.strictEqual((await paymentsOf().create(upi)).status, "succeeded")
      assert.strictEqual(new Set(seen().map(({ key }) => key)).size, 1)
      assert.deepStrictEqual(waits, [250])
    })
  }

  for (const seconds of ["1000000000", "9".repeat(400)]) {
    it(`not after a Retry-After of ${seconds.length} digits: it is read as the longest wait`, async () => {
      shop.faults.push(problem(503, "service_unavailable", { "retry-after": seconds }))
      const error = await rejection(paymentsOf().create(upi), PaymuxServerError)
      assert.strictEqual(error.retryAfter, 999_999_999_000)
      assert.lengthOf(seen(), 1)
    })
  }

  it("longer apart each time, and as often as was asked", async () => {
    shop.faults.push(...Array.from({ length: 7 }, () => problem(503, "service_unavailable")))
    const error = await rejection(paymentsOf({ maxRetries: 6 }).get("pay_1"), PaymuxServerError)
    assert.strictEqual(error.code, "service_unavailable")
    assert.deepStrictEqual(waits, [250, 500, 1000, 2000, 4000, 4000])
    shop.faults.push(problem(503, "service_unavailable"))
    await rejection(paymentsOf().get("pay_1", { maxRetries: 0 }), PaymuxServerError)
    assert.lengthOf(seen(), 8)
  })

  it("at the date of the header", async () => {
    const date = new Date(Math.ceil(Date.now() / 1000) * 1000 + 10_000).toUTCString()
    shop.faults.push(problem(429, "rate_limited", { "retry-after": date }))
    await paymentsOf().list()
    assert.isAtLeast(waits[0] ?? 0, 1000)
    assert.isAtMost(waits[0] ?? 0, 11_000)
  })
})

describe("is not tried again", () => {
  for (const [status, code] of [
    [400, "invalid_request"],
    [401, "unauthorized"],
    [404, "not_found"],
    [409, "operation_in_flight"],
    [409, "operation_not_supported"],
    [413, "payload_too_large"],
    [422, "no_route"],
    [422, "card_not_retried"]
  ] as const) {
    it(`${status} ${code}`, async () => {
      shop.faults.push(problem(status, code, { "retry-after": "1" }))
      const error = await rejection(paymentsOf().create(upi), PaymuxApiError)
      assert.deepInclude(error, { status, code, requestId: "req_1", retryAfter: 1000 })
      assert.lengthOf(seen(), 1)
    })
  }

  it("what asks for a longer wait than a caller should hang: the error says how long", async () => {
    shop.faults.push(problem(429, "rate_limited", { "retry-after": "60" }))
    const error = await rejection(paymentsOf().create(upi), PaymuxRateLimitError)
    assert.strictEqual(error.retryAfter, 60_000)
    assert.lengthOf(seen(), 1)
  })
})

describe("a timeout", () => {
  it("ends one try, and the next may succeed", async () => {
    shop.faults.push({ type: "silence" })
    assert.strictEqual((await paymentsOf({ timeout: 500 }).create(upi)).status, "succeeded")
    assert.lengthOf(seen(), 2)
  })

  it("of a call is stronger than that of the client, and is an error with the key", async () => {
    shop.faults.push({ type: "silence" })
    const call = paymentsOf().create(upi, { timeout: 50, maxRetries: 0 })
    const error = await rejection(call, PaymuxTimeoutError)
    assert.deepInclude(error, { code: "timeout", status: null })
    assert.instanceOf(error, PaymuxConnectionError)
    assert.strictEqual(error.idempotencyKey, seen()[0]?.key)
  })
})

describe("a signal", () => {
  it("that is aborted before sends nothing", async () => {
    const signal = AbortSignal.abort("not needed")
    const error = await rejection(paymentsOf().create(upi, { signal }), PaymuxAbortError)
    assert.deepInclude(error, { code: "aborted", cause: "not needed" })
    assert.lengthOf(seen(), 0)
  })

  it("ends a request that is under way, and there is no other", async () => {
    const controller = new AbortController()
    shop.faults.push({ type: "silence" })
    const ended = rejection(paymentsOf().create(upi, { signal: controller.signal }), PaymuxAbortError)
    // A request that arrives after its test would take a fault of the next one.
    while (seen().length === 0) await nextTurn()
    controller.abort()
    await ended
    assert.lengthOf(seen(), 1)
    assert.deepStrictEqual(waits, [])
  })

  it("ends the wait before the next try", async () => {
    const controller = new AbortController()
    const headers = new Headers({ "retry-after": "20" })
    let tries = 0
    const fetch = async () => ({ status: 503, headers, text: async () => `try ${++tries}` })
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
    try {
      const call = shop.client({ fetch }).payments.get("pay_1", { signal: controller.signal })
      const ended = rejection(call, PaymuxAbortError)
      await nextTurn()
      assert.strictEqual(tries, 1)
      // The server of the test runs timers, too.
      const timers = vi.getTimerCount()
      controller.abort()
      assert.strictEqual(vi.getTimerCount(), timers - 1)
      assert.instanceOf(await Promise.race([ended, nextTurn()]), PaymuxAbortError)
    } finally {
      vi.useRealTimers()
    }
    assert.strictEqual(tries, 1)
  })

  it("that lives longer than its calls is released, and no timer keeps the process alive", async () => {
    const { signal } = new AbortController()
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
    try {
      const headers = new Headers()
      const answers = [{ status: 200, headers, text: async () => "{}" }]
      const fetch = async () => answers.pop() ?? Promise.reject(new Error("broken"))
      await paymentsOf({ fetch }).get("pay_1", { signal })
      await rejection(paymentsOf({ fetch }).get("pay_1", { signal }), PaymuxConnectionError)
      assert.strictEqual(vi.getTimerCount(), 0)
      const waiting = runtime.sleep(1000, signal)
      await vi.advanceTimersByTimeAsync(1000)
      await waiting
    } finally {
      vi.useRealTimers()
    }
    assert.lengthOf(getEventListeners(signal, "abort"), 0)
  })
})

describe("a newer server", () => {
  it("may return fields and values that the client does not know", async () => {
    const body = JSON.stringify({ id: "pay_1", status: "teleported", new_field: { a: [1] } })
    shop.faults.push({ type: "answer", status: 200, body })
    assert.deepStrictEqual<unknown>(await paymentsOf().get("pay_1"), JSON.parse(body))
  })

  it("may have codes and statuses that the client does not know", async () => {
    shop.faults.push(problem(418, "teapot"))
    const error = await rejection(paymentsOf().create(upi), PaymuxInvalidRequestError)
    assert.deepInclude(error, { code: "teapot", status: 418, requestId: "req_1" })
  })

  it("may write problems of another shape", async () => {
    const body = JSON.stringify({ code: "half", errors: [{ pointer: 1 }, null, "x"], request_id: 7 })
    shop.faults.push({ type: "answer", status: 409, body, headers: { "request-id": "req_2" } })
    const error = await rejection(paymentsOf().create(upi), PaymuxConflictError)
    assert.deepInclude(error, { code: "half", requestId: "req_2" })
    assert.deepStrictEqual(error.errors, [{ pointer: "", message: "" }])
  })
})

describe("what is not Paymux", () => {
  for (const [what, status, body] of [
    ["a page that forbids", 403, "<html></html>"],
    ["a redirect, which the key does not follow", 307, ""]
  ] as const) {
    it(`is reported as it is: ${what}`, async () => {
      const headers = { location: `${shop.baseUrl}/payments` }
      shop.faults.push({ type: "answer", status, body, headers })
      const error = await rejection(paymentsOf().create(upi), PaymuxApiError)
      assert.deepInclude(error, { code: "unexpected_answer", status, requestId: null })
      assert.include(error.message, "baseUrl")
      assert.lengthOf(seen(), 1)
    })
  }

  it("is reported as it is: a success that is no JSON, as often as it is tried", async () => {
    const answer = { type: "answer", status: 200, body: "<html></html>" } as const
    shop.faults.push(...Array.from({ length: 4 }, () => answer))
    const error = await rejection(paymentsOf().create(upi), PaymuxApiError)
    assert.deepInclude(error, { code: "unexpected_answer", status: 200 })
    assert.include(error.message, "baseUrl")
    assert.lengthOf(seen(), 4)
  })

  it("is tried again where it is a gateway that fails", async () => {
    shop.faults.push({ type: "answer", status: 502, body: "<html>Bad gateway</html>" })
    assert.strictEqual((await paymentsOf().create(upi)).status, "succeeded")
  })

  it("or a closed port, is a connection that failed", async () => {
    const unreachable = paymentsOf({ baseUrl: "http://127.0.0.1:1" })
    const error = await rejection(unreachable.list(), PaymuxConnectionError)
    assert.strictEqual(error.code, "connection_failed")
    assert.include(error.message, "http://127.0.0.1:1")
    assert.lengthOf(waits, 3)
  })
})

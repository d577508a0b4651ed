/** What is refused for being too much: by rate, and because more is under way than can be written. */
import { assert, describe, it } from "@effect/vitest"
import { LoadShedder } from "@paymux/core/engine"
import { Deferred, Effect } from "effect"
import * as AdmissionGate from "../src/AdmissionGate.ts"
import { createPaymux } from "../src/index.ts"
import { rateLimitOf } from "../src/options/rateLimit.ts"
import * as InFlight from "../src/InFlight.ts"

const upi = {
  amount: 10000,
  currency: "INR",
  payment_method: "upi",
  customer: { email: "asha@example.com", phone: "+919999999999" }
} as const

const sandbox = (options: Parameters<typeof createPaymux>[0] = {}) =>
  createPaymux({ sandbox: true, database: ":memory:", ...options })

type Paymux = Awaited<ReturnType<typeof sandbox>>

const asked = (paymux: Paymux, method = "POST", headers: { readonly [name: string]: string } = {}) =>
  paymux.fetch(
    new Request("http://localhost/v1/payments", {
      method,
      headers: { authorization: `Bearer ${paymux.testKey}`, "content-type": "application/json", ...headers },
      ...(method === "POST" && { body: JSON.stringify(upi) })
    })
  )

const many = <A>(count: number, make: (index: number) => Promise<A>): Promise<ReadonlyArray<A>> =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)))

const counted = async (paymux: Paymux): Promise<number> => {
  let total = 0
  let after: string | null = null
  do {
    const page: Awaited<ReturnType<Paymux["payments"]["list"]>> = await paymux.payments.list({
      limit: 100,
      ...(after !== null && { starting_after: after })
    })
    total += page.data.length
    after = page.next_cursor
  } while (after !== null)
  return total
}

describe("rateLimit", () => {
  it("is for each account and mode over HTTP; calls in this process are not limited", async () => {
    await using paymux = await sandbox({ rateLimit: { writesPerSecond: 1, readsPerSecond: 1 } })
    const writes = (await many(20, () => asked(paymux))).map(({ status }) => status)
    const reads = (await many(20, () => asked(paymux, "GET"))).map(({ status }) => status)
    assert.includeMembers(writes, [201, 429])
    assert.includeMembers(reads, [200, 429])
    const made = writes.filter((status) => status === 201).length
    assert.strictEqual(await counted(paymux), made)
    await many(50, () => paymux.payments.create(upi))
    assert.strictEqual(await counted(paymux), made + 50)
  })

  it("is a thousand writes and a thousand reads by default; of one alone, the other keeps its default", () => {
    assert.deepStrictEqual(rateLimitOf(undefined), { writesPerSecond: 1000, readsPerSecond: 1000 })
    assert.deepStrictEqual(rateLimitOf({ writesPerSecond: 5 }), { writesPerSecond: 5, readsPerSecond: 1000 })
    assert.isNull(rateLimitOf(false))
  })

  it("false: no limits for reads by id", async () => {
    await using paymux = await sandbox({ rateLimit: false })
    const { id } = await paymux.payments.create(upi)
    const headers = { authorization: `Bearer ${paymux.testKey}` }
    const address = `http://localhost/v1/payments/${id}`
    const reads = await many(1500, () => paymux.fetch(new Request(address, { headers })))
    assert.deepStrictEqual([...new Set(reads.map(({ status }) => status))], [200])
  })
})

describe("more at once than can be written", () => {
  it("is 503 overloaded with Retry-After; every 201 has its payment, no refused one has", async () => {
    await using paymux = await sandbox({ rateLimit: false })
    const answers = await many(1500, (index) => asked(paymux, "POST", { "idempotency-key": `order-${index}` }))
    const refused = answers.filter(({ status }) => status !== 201)
    assert.isAbove(refused.length, 0)
    for (const answer of refused) {
      assert.strictEqual(answer.status, 503)
      assert.strictEqual(answer.headers.get("retry-after"), "1")
      assert.deepInclude(await answer.json(), { code: "overloaded", status: 503 })
    }
    const made = answers.length - refused.length
    assert.isAtLeast(made, 64)
    assert.strictEqual(await counted(paymux), made)
    // A key that was refused is free.
    const index = answers.findIndex(({ status }) => status === 503)
    const again = await asked(paymux, "POST", { "idempotency-key": `order-${index}` })
    assert.strictEqual(again.status, 201)
    assert.isNull(again.headers.get("idempotent-replayed"))
  })

  it("rejects with Overloaded inside the process, too", async () => {
    await using paymux = await sandbox()
    const settled = await Promise.allSettled(
      Array.from({ length: 1500 }, (_, index) => paymux.payments.create(upi, { idempotencyKey: `order-${index}` }))
    )
    const reasons = settled.flatMap((each) => (each.status === "rejected" ? [each.reason] : []))
    assert.isAbove(reasons.length, 0)
    for (const { reason } of reasons) assert.deepInclude(reason, { _tag: "Overloaded", retryAfterMs: 1000 })
    assert.strictEqual(await counted(paymux), settled.length - reasons.length)
  })
})

describe("the gate", () => {
  /** Instead of a refusal. */
  const letIn: AdmissionGate.Refusal = { status: 0, headers: {}, body: "{}" }
  const full = (basePath = "") =>
    Effect.gen(function* () {
      const shedder = yield* LoadShedder
      const inFlight = InFlight.make()
      const held = yield* Deferred.make<void>()
      yield* Effect.forkChild(shedder.admit(Deferred.await(held)), { startImmediately: true })
      return {
        gate: AdmissionGate.make(basePath, inFlight, shedder),
        inFlight,
        release: Deferred.succeed(held, undefined)
      }
    })
  const withOne = Effect.provide(LoadShedder.layer({ burst: 1, sustained: 1 }))

  it.effect.each([
    ["POST", "/v1/payments"],
    ["POST", "/v1/payments?from=shop"],
    ["POST", "/cells/eu1/v1/payments"],
    ["POST", "/%76%31/payments"],
    ["POST", "/v1/p%61yments/pay_1/refunds?%ff"],
    ["POST", "/v1/payments/pay_1/capture"],
    ["POST", "/v1/payments/pay_1/cancel"],
    ["POST", "/v1/payments/pay_1/refunds"]
  ] as const)("refuses %s %s under overload, and lets it in afterwards", ([method, path]) =>
    Effect.gen(function* () {
      const { gate, release } = yield* full()
      const { body, headers, status } = gate.enter(method, path) ?? letIn
      const problem = JSON.parse(body)
      assert.strictEqual(status, 503)
      assert.strictEqual(headers["retry-after"], "1")
      assert.match(headers["request-id"] ?? "", /^req_[0-9a-f]{32}$/)
      assert.deepInclude(problem, { code: "overloaded", request_id: headers["request-id"] })
      yield* release
      yield* Effect.yieldNow
      assert.isNull(gate.enter(method, path))
    }).pipe(withOne)
  )

  it.effect.each([
    ["GET", "/v1/payments"],
    ["GET", "/v1/payments/pay_1"],
    ["HEAD", "/v1/payments"],
    ["POST", "/webhooks/acme"],
    ["POST", "/cells/eu1/webhooks/acme"],
    ["POST", "/v1/sandbox/payments/pay_1/simulate"],
    ["GET", "/return/pay_1/token"],
    ["GET", "/healthz"]
  ] as const)("lets %s %s in all along", ([method, path]) =>
    Effect.gen(function* () {
      const { gate } = yield* full()
      assert.isNull(gate.enter(method, path))
    }).pipe(withOne)
  )

  it.effect("stands under the base path", () =>
    Effect.gen(function* () {
      const { gate } = yield* full("/pay")
      const { body } = gate.enter("POST", "/pay/v1/payments") ?? letIn
      assert.strictEqual(JSON.parse(body).type, "/pay/docs/problems/overloaded")
      assert.isNull(gate.enter("POST", "/pay/webhooks/acme"))
    }).pipe(withOne)
  )

  it.effect("a request that is refused is not waited for by a shutdown", () =>
    Effect.gen(function* () {
      const { gate, inFlight } = yield* full()
      gate.enter("POST", "/v1/payments")
      yield* inFlight.close()
      const { body } = gate.enter("GET", "/v1/payments") ?? letIn
      assert.strictEqual(JSON.parse(body).code, "service_unavailable")
    }).pipe(withOne)
  )
})

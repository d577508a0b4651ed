/** The routes of the page in front of a real engine: who sees a payment, for how long, and with which headers. */
import { assert, describe, it } from "@effect/vitest"
import { decodeCreatePayment, defineProvider, Engine, Ids, Outcome, Payments } from "@paymux/core"
import type { ProviderMode } from "@paymux/core"
import { PaymentStore, StoreUnavailable } from "@paymux/core/store"
import { MemoryStore } from "@paymux/testkit/memory-store"
import { Deferred, Effect, Layer, Logger, Redacted, Schema } from "effect"
import { HttpRouter, HttpServerRequest } from "effect/http"
import { TestClock } from "effect/testing"
import { checkoutLayer, paymentLink } from "../src/index.ts"

const secret = Redacted.make("a secret of this test")
const publicUrl = "http://shop.test"
const hostedUrl = paymentLink({ secrets: [secret], publicUrl })
const day = 86_400_000

/** A payment by UPI waits for its payer, and one by card succeeds at once. */
const acme = (mode: ProviderMode) =>
  defineProvider({
    id: `acme_${mode}`,
    options: Schema.Struct({}),
    mode: () => mode,
    capabilities: () => ({
      methods: {
        upi: { currencies: ["INR"], flows: { intent: {} } },
        card: { currencies: ["EUR"], flows: { token: {} } }
      },
      operations: { create: { idempotency: { by: "header", lifetime: "24 hours" } } }
    }),
    make: () =>
      Effect.succeed({
        create: ({ method }) =>
          Effect.succeed(
            method.rail === "card"
              ? Outcome.succeeded()
              : Outcome.pending({
                  reference: "acme-1",
                  nextAction: { type: "upi_intent", uri: "upi://pay?pa=shop@acme", expiresAt: null }
                })
          )
      })
  })({})

const customer = { email: "asha@example.com", phone: "+919876543210" }
const upi = { amount: 10_000, currency: "INR", payment_method: "upi", customer }
const card = {
  ...upi,
  currency: "EUR",
  payment_method: "card",
  payment_method_details: { card: { token: "tok_1" } }
}

/** Its work ends with each payment that it makes: it would be done for each second of the days that pass in a test. */
const engine = Engine.layer({
  providers: [acme("test"), acme("live")],
  publicUrl,
  returnAddress: () => publicUrl
}).pipe(Layer.provide(Ids.layer), Layer.provide(Logger.layer([])))

/** A new payment, and the address of its page. */
const paid = Effect.fnUntraced(function* (body: object, livemode = false) {
  const request = yield* decodeCreatePayment({ ...body })
  const options = { tenant: { account: "default", livemode }, idempotency: null }
  const create = Payments.use((payments) => payments.create(request, options))
  const { record } = yield* Effect.provide(create, engine, { local: true })
  return { id: record.payment.id, url: hostedUrl(record.payment.id) }
})

const start = Effect.gen(function* () {
  const store = yield* PaymentStore
  const state = { isAway: false }
  const closing = yield* Deferred.make<void>()
  const simulated: Array<string> = []
  const routes = checkoutLayer({
    secrets: [secret],
    options: {},
    basePath: "",
    closing: Deferred.await(closing),
    simulate: ({ id }, decision) => Effect.sync(() => void simulated.push(`${id} ${decision}`)),
    addressOf: () => null,
    form: Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ text }) => Effect.orDie(text))
  })
  const failing = PaymentStore.of({
    ...store,
    get: (id) =>
      Effect.suspend(() =>
        state.isAway ? Effect.fail(new StoreUnavailable({ cause: new Error("connection refused") })) : store.get(id)
      )
  })
  const here = yield* Effect.context<never>()
  const web = yield* Effect.acquireRelease(
    Effect.sync(() =>
      HttpRouter.toWebHandler(
        routes.pipe(Layer.provide(Layer.succeed(PaymentStore, failing)), Layer.provide(Layer.succeedContext(here))),
        { disableLogger: true }
      )
    ),
    ({ dispose }) => Effect.promise(dispose)
  )
  const fetch = (url: string, init: RequestInit = {}) => Effect.promise(() => web.handler(new Request(url, init), here))
  return {
    state,
    closing,
    simulated,
    fetch,
    post: (url: string, body: string) =>
      fetch(url, { method: "POST", body, headers: { "content-type": "application/x-www-form-urlencoded" } })
  }
})

const provided = Effect.provide(MemoryStore.layer, { local: true })

describe("the page of a payment", () => {
  it.effect("is shown for 30 days after the payment ended, and is then a link like any wrong one", () =>
    Effect.gen(function* () {
      const { url } = yield* paid(card)
      yield* TestClock.adjust(30 * day)
      const { fetch } = yield* start
      for (const part of ["", "/status"]) assert.strictEqual((yield* fetch(`${url}${part}`)).status, 200)
      yield* TestClock.adjust(1)
      for (const part of ["", "/status", "/events", "/qr.svg"]) {
        assert.strictEqual((yield* fetch(`${url}${part}`)).status, 404, part)
      }
    }).pipe(provided)
  )

  it.effect("is shown for as long as the payment is open", () =>
    Effect.gen(function* () {
      const { fetch } = yield* start
      const { url } = yield* paid(upi)
      yield* TestClock.adjust(1)
      assert.strictEqual((yield* fetch(`${url}/qr.svg`)).status, 200)
    }).pipe(provided)
  )

  it.effect("lets a simulated payer decide a test payment, and no live one", () =>
    Effect.gen(function* () {
      const { post, simulated } = yield* start
      const [test, live] = [yield* paid(upi), yield* paid(upi, true)]
      for (const { url } of [live, test]) {
        assert.strictEqual((yield* post(url, "decision=approve")).status, 303)
        assert.strictEqual((yield* post(url, "decision=approve&decision=decline")).status, 303)
      }
      assert.deepStrictEqual(simulated, [`${test.id} approve`])
    }).pipe(provided)
  )

  it.effect("is kept by no cache, runs no script of its own in line and sends its address to no other page", () =>
    Effect.gen(function* () {
      const { fetch, post, state } = yield* start
      const { url } = yield* paid(upi)
      const answers = [yield* fetch(url), yield* fetch(`${url}A`), yield* post(url, "decision=approve")]
      state.isAway = true
      answers.push(yield* fetch(url))
      assert.deepStrictEqual(
        answers.map(({ status }) => status),
        [200, 404, 303, 503]
      )
      for (const { headers, status } of answers) {
        assert.strictEqual(headers.get("cache-control"), "no-store", String(status))
        assert.strictEqual(headers.get("referrer-policy"), "no-referrer", String(status))
        assert.strictEqual(headers.get("x-content-type-options"), "nosniff", String(status))
        const policy = headers.get("content-security-policy") ?? ""
        for (const rule of ["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'"]) {
          assert.include(policy.split("; "), rule, String(status))
        }
      }
    }).pipe(Effect.provide(Logger.layer([])), provided)
  )

  it.effect("asks to be loaded again while the database is away, whose fault is in the log", () => {
    const logged: Array<string> = []
    const log = Logger.layer([Logger.make(({ message }) => void logged.push(String(message)))])
    return Effect.gen(function* () {
      const { fetch, state } = yield* start
      const { url } = yield* paid(upi)
      state.isAway = true
      const { headers, status } = yield* fetch(url)
      assert.deepStrictEqual([status, headers.get("retry-after")], [503, "60"])
      assert.lengthOf(logged, 1)
      assert.match(logged[0] ?? "", /The payment page cannot read the database,.*connection refused/s)
      for (const part of ["status", "events", "qr.svg"]) {
        const answer = yield* fetch(`${url}/${part}`)
        assert.deepStrictEqual([answer.status, answer.headers.get("access-control-allow-origin")], [503, "*"], part)
      }
    }).pipe(Effect.provide(log), provided)
  })
})

describe("the events of a payment", () => {
  it.live("end when the server stops", () =>
    Effect.gen(function* () {
      const { closing, fetch } = yield* start
      const { url } = yield* paid(upi)
      const { body } = yield* fetch(`${url}/events`)
      const reader = (body ?? new ReadableStream<Uint8Array>()).getReader()
      const read = Effect.promise(() => reader.read())
      assert.include(new TextDecoder().decode((yield* read).value), '"status":"pending"')
      yield* Deferred.succeed(closing, undefined)
      const last = yield* Effect.timeoutOption(read, "10 seconds")
      assert.deepInclude(last, { _tag: "Some", value: { done: true, value: undefined } })
    }).pipe(provided)
  )
})

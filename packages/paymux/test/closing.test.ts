/** What `close` does to requests: those that have begun are answered, later ones get Retry-After. */
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { createPaymux, definePromiseProvider, Outcome, PaymentError } from "../src/index.ts"
import type { Paymux } from "../src/index.ts"

const card = {
  amount: 1200,
  currency: "EUR",
  payment_method: "card",
  payment_method_details: { card: { token: "tok_any" } },
  customer: { email: "asha@example.com", phone: "+4915112345678" }
} as const

/** A provider that has been asked, and answers when it is let. */
const held = () => {
  const asked = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const provider = definePromiseProvider({
    id: "held",
    options: Schema.Struct({}),
    mode: () => "test",
    capabilities: () => ({
      methods: { card: { currencies: "any", flows: { token: {} } } },
      operations: { create: {} }
    }),
    make: () => ({
      create: async () => {
        asked.resolve()
        await released.promise
        return Outcome.succeeded()
      }
    })
  })
  return { provider: provider({}), asked: asked.promise, release: released.resolve }
}

const post = (key: string) => ({
  method: "POST",
  headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
  body: JSON.stringify(card)
})

/** With a payment under way, that `begin` asked for, and which ends while Paymux closes. */
const whileClosing = async <A>(
  begin: (paymux: Paymux, key: string) => Promise<A>,
  meanwhile: (paymux: Paymux, key: string) => Promise<void>
): Promise<A> => {
  const { asked, provider, release } = held()
  const paymux = await createPaymux({ providers: [provider], database: ":memory:" })
  const { key } = await paymux.apiKeys.create()
  const answer = begin(paymux, key)
  await asked
  const closed = paymux.close()
  assert.strictEqual(paymux.close(), closed)
  await meanwhile(paymux, key)
  release()
  await closed
  await meanwhile(paymux, key)
  return await answer
}

const isRefused = async (response: Response) => {
  assert.strictEqual(response.status, 503)
  assert.strictEqual(response.headers.get("retry-after"), "1")
  assert.strictEqual(response.headers.get("content-type"), "application/problem+json")
  const requestId = response.headers.get("request-id") ?? ""
  assert.match(requestId, /^req_/)
  assert.deepInclude(await response.json(), { code: "service_unavailable", request_id: requestId })
}

describe("close", () => {
  it("lets a request through fetch have its answer, and refuses the next, also when it is closed", async () => {
    const answer = await whileClosing(
      (paymux, key) => paymux.fetch(new Request("http://any/v1/payments", post(key))),
      async (paymux, key) => isRefused(await paymux.fetch(new Request("http://any/v1/payments", post(key))))
    )
    assert.strictEqual(answer.status, 201)
    assert.deepInclude(await answer.json(), { object: "payment", status: "succeeded" })
  })

  it("lets a request to node:http have its answer, and refuses the next", async () => {
    const state: { handle: Paymux["node"] | null } = { handle: null }
    const server = createServer((request, response) => state.handle?.(request, response)).listen(0, "127.0.0.1")
    await once(server, "listening")
    // A TCP server that listens has an address of this form.
    const { port } = server.address() as AddressInfo
    const ask = (key: string) => fetch(`http://127.0.0.1:${port}/v1/payments`, post(key))
    const answer = await whileClosing(
      (paymux, key) => {
        state.handle = paymux.node
        return ask(key)
      },
      async (_paymux, key) => isRefused(await ask(key))
    )
    assert.strictEqual(answer.status, 201)
    assert.deepInclude(await answer.json(), { object: "payment", status: "succeeded" })
    server.close()
    server.closeAllConnections()
  })

  it("lets a call in the program end, and refuses the next as unavailable", async () => {
    const payment = await whileClosing(
      (paymux) => paymux.payments.create(card),
      async (paymux) => {
        const error = await paymux.payments.list().catch((error: unknown) => error)
        assert.strictEqual(error instanceof PaymentError && error.reason._tag, "Unavailable")
        assert.include(String(error), "This Paymux was closed")
      }
    )
    assert.strictEqual(payment.status, "succeeded")
  })

  it("does not wait for a request whose client was gone when the host handed it over: it is not started", async () => {
    const paymux = await createPaymux({ sandbox: true, database: ":memory:", logs: false })
    const gone = Promise.withResolvers<void>()
    const server = createServer((request, response) => {
      response.once("close", () => {
        paymux.node(request, response)
        gone.resolve()
      })
      abort.abort()
    }).listen(0, "127.0.0.1")
    await once(server, "listening")
    // A TCP server that listens has an address of this form.
    const { port } = server.address() as AddressInfo
    const abort = new AbortController()
    const init = { ...post(paymux.testKey ?? ""), signal: abort.signal }
    const asked = fetch(`http://127.0.0.1:${port}/v1/payments`, init).catch(() => "aborted")
    await gone.promise
    assert.strictEqual(await asked, "aborted")
    assert.notInclude(await paymux.metrics(), "paymux_http_requests_total{")
    await paymux.close()
    server.close()
    server.closeAllConnections()
  })

  it("does not wait for a client that went away", async () => {
    const { asked, provider, release } = held()
    const paymux = await createPaymux({ providers: [provider], database: ":memory:" })
    const { key } = await paymux.apiKeys.create()
    const abort = new AbortController()
    const answer = paymux.fetch(new Request("http://any/v1/payments", { ...post(key), signal: abort.signal }))
    await asked
    abort.abort()
    await answer
    release()
    await paymux.close()
  })

  it("refuses what is no server before anything is stopped; arguments of a signal or a hook are ignored", async () => {
    const paymux = await createPaymux({ sandbox: true, database: ":memory:", logs: false })
    // A caller in JavaScript may pass anything.
    const close = paymux.close as (options: unknown) => Promise<void>
    for (const server of [null, 3000, "http://localhost", {}, paymux.node]) {
      const refused = await close({ server }).catch((error: unknown) => error)
      assert.match(String(refused), /^TypeError: close: `server` must be a server/)
    }
    assert.deepStrictEqual((await paymux.payments.list()).data, [])
    await close("SIGTERM")
  })

  it("ends an event stream through fetch", async () => {
    const paymux = await createPaymux({
      sandbox: true,
      database: ":memory:",
      publicUrl: "http://shop.test",
      logs: false
    })
    const { hosted_url } = await paymux.payments.create({ ...card, metadata: { sandbox_scenario: "undecided" } })
    const stream = await paymux.fetch(new Request(`${hosted_url}/events`))
    const events = stream.text()
    await paymux.close()
    assert.match(await events, /^data: /)
  })
})

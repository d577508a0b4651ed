/** All of Paymux under a path of the host's: every address in a response leads back to it. */
import { assert, describe, it } from "@effect/vitest"
import { once } from "node:events"
import { createServer } from "node:http"
import type { RequestListener } from "node:http"
import type { AddressInfo } from "node:net"
import { vi } from "vitest"
import { createPaymux } from "../src/index.ts"
import type { Paymux } from "../src/index.ts"
import { card } from "./card.ts"

const options = {
  sandbox: true,
  database: ":memory:",
  publicUrl: "http://shop.test",
  basePath: "/shop/payments"
} as const

const headersOf = ({ testKey }: Paymux) => ({
  authorization: `Bearer ${testKey}`,
  "content-type": "application/json"
})

const ask = (paymux: Paymux, path: string, init: RequestInit = {}) =>
  paymux.fetch(new Request(new URL(path, "http://shop.test"), { headers: headersOf(paymux), ...init }))

const create = (paymux: Paymux, path: string) => ask(paymux, path, { method: "POST", body: JSON.stringify(card) })

describe("under a base path", () => {
  it("what is made can be read where Location says", async () => {
    await using paymux = await createPaymux(options)
    const created = await create(paymux, "/shop/payments/v1/payments")
    assert.strictEqual(created.status, 201)
    const location = created.headers.get("location") ?? ""
    assert.match(location, /^\/shop\/payments\/v1\/payments\/pay_\w+$/)
    const payment = await created.json()
    const read = await ask(paymux, location)
    assert.deepStrictEqual([read.status, await read.json()], [200, payment])
    const refund = await ask(paymux, `${location}/refunds`, { method: "POST", body: "{}" })
    const refundAt = refund.headers.get("location") ?? ""
    assert.match(refundAt, /^\/shop\/payments\/v1\/refunds\/re_\w+$/)
    assert.strictEqual((await ask(paymux, refundAt)).status, 200)
    const listed = await ask(paymux, "/shop/payments/v1/payments?limit=1&status=succeeded")
    assert.strictEqual(JSON.parse(await listed.text()).data.length, 1)
  })

  it("nothing is answered beside it, and every problem names its page under it", async () => {
    await using paymux = await createPaymux(options)
    for (const path of [
      "/v1/payments",
      "/shop/v1/payments",
      "/shop/paymentsv1/payments",
      "/shop/payments",
      "/shop/payments/",
      "/shop/payments?x=1",
      "//shop/payments/v1/payments",
      "/healthz"
    ]) {
      const answer = await ask(paymux, `http://shop.test${path}`)
      assert.strictEqual(answer.status, 404, path)
      assert.deepInclude(JSON.parse(await answer.text()), { type: "/shop/payments/docs/problems/not_found" })
    }
    const problems = [
      [await create(paymux, "/shop/payments/v1/refunds/re_1"), "method_not_allowed"],
      [await ask(paymux, "/shop/payments/v1/payments", { headers: {} }), "unauthorized"],
      [await ask(paymux, "/shop/payments/v1/payments?limit=0"), "invalid_request"],
      [await ask(paymux, "/shop/payments/v1/%E0%A4%A"), "invalid_request"],
      [await ask(paymux, "/shop/payments/webhooks/none", { method: "POST", body: "{}" }), "not_found"]
    ] as const
    for (const [answer, code] of problems) {
      const { type } = JSON.parse(await answer.text())
      assert.strictEqual(type, `/shop/payments/docs/problems/${code}`)
      assert.strictEqual((await ask(paymux, type)).status, 200, type)
    }
    assert.strictEqual((await ask(paymux, "/shop/payments/healthz")).status, 200)
  })

  it("the shopper goes from the sandbox's page by the return address to the merchant", async () => {
    await using paymux = await createPaymux(options)
    const payment = await paymux.payments.create({
      ...card,
      payment_method_details: { card: { token: "tok_3ds" } },
      return_url: "https://shop.example/done"
    })
    const page = payment.next_action?.type === "redirect" ? payment.next_action.url : ""
    assert.isTrue(page.startsWith("http://shop.test/shop/payments/sandbox/pay/"), page)
    const body = new URLSearchParams({ decision: "approve" })
    const decided = await paymux.fetch(new Request(page, { method: "POST", body }))
    const back = decided.headers.get("location") ?? ""
    assert.isTrue(back.startsWith("http://shop.test/shop/payments/return/op_"), back)
    const returned = await paymux.fetch(new Request(back))
    assert.strictEqual(returned.headers.get("location"), `https://shop.example/done?payment_id=${payment.id}`)
  })

  it("the payer of a test payment comes back to the payment page", async () => {
    await using paymux = await createPaymux(options)
    const payment = await paymux.payments.create({ ...card, metadata: { sandbox_scenario: "undecided" } })
    const page = payment.hosted_url ?? ""
    const body = new URLSearchParams({ decision: "approve" })
    const decided = await paymux.fetch(new Request(page, { method: "POST", body }))
    assert.strictEqual(new URL(decided.headers.get("location") ?? "", page).href, page)
  })

  it("the document names it as the server, and keeps the paths", async () => {
    await using paymux = await createPaymux(options)
    const document = JSON.parse(await (await ask(paymux, "/shop/payments/v1/openapi.json")).text())
    assert.deepStrictEqual(document.servers, [{ url: "/shop/payments" }])
    const { responses } = document.paths["/v1/payments"].post
    assert.strictEqual(
      responses[401].content["application/problem+json"].examples.unauthorized.value.type,
      "/shop/payments/docs/problems/unauthorized"
    )
  })

  it("a slash at its end, or nothing else, changes nothing", async () => {
    await using slashed = await createPaymux({ ...options, basePath: "/pay/" })
    assert.strictEqual((await ask(slashed, "/pay/healthz")).status, 200)
    await using root = await createPaymux({ ...options, basePath: "/" })
    assert.strictEqual((await ask(root, "/healthz")).status, 200)
  })

  it("may be called like the host", async () => {
    await using paymux = await createPaymux({ ...options, publicUrl: "http://payments", basePath: "/payments" })
    assert.strictEqual((await ask(paymux, "/payments/healthz")).status, 200)
  })
})

describe("under a base path, in a host of node:http", () => {
  const onPort = async (listener: RequestListener, act: (base: string) => Promise<void>) => {
    const server = createServer(listener).listen(0, "127.0.0.1")
    await once(server, "listening")
    // A TCP server that listens has an address of this form.
    const { port } = server.address() as AddressInfo
    try {
      await act(`http://127.0.0.1:${port}`)
    } finally {
      server.close()
      server.closeAllConnections()
    }
  }

  it("answers the path as it came, also where a host like Express took the mount away", async () => {
    await using paymux = await createPaymux(options)
    const stripped: RequestListener = (request, response) => {
      Object.assign(request, { originalUrl: request.url, url: (request.url ?? "").slice("/shop/payments".length) })
      paymux.node(request, response)
    }
    for (const listener of [paymux.node, stripped]) {
      await onPort(listener, async (base) => {
        const created = await fetch(`${base}/shop/payments/v1/payments`, {
          method: "POST",
          headers: headersOf(paymux),
          body: JSON.stringify(card)
        })
        assert.strictEqual(created.status, 201)
        const location = new URL(created.headers.get("location") ?? "", base)
        assert.strictEqual((await fetch(location, { headers: headersOf(paymux) })).status, 200)
      })
    }
  })
})

describe("at the root, in a host that takes a path away", () => {
  /** What is logged while requests come as a host like Express hands them over. */
  const logged = async (mount: string, paths: ReadonlyArray<string>) => {
    const error = vi.spyOn(console, "error").mockImplementation(() => undefined)
    try {
      await using paymux = await createPaymux({ sandbox: true, database: ":memory:" })
      const server = createServer((request, response) => {
        Object.assign(request, { originalUrl: request.url, url: (request.url ?? "").slice(mount.length) })
        paymux.node(request, response)
      }).listen(0, "127.0.0.1")
      await once(server, "listening")
      // A TCP server that listens has an address of this form.
      const { port } = server.address() as AddressInfo
      const headers = headersOf(paymux)
      const statuses = []
      for (const path of paths) statuses.push((await fetch(`http://127.0.0.1:${port}${path}`, { headers })).status)
      server.close()
      server.closeAllConnections()
      return { statuses, lines: error.mock.calls.flat().filter((line) => String(line).includes("mounted at")) }
    } finally {
      error.mockRestore()
    }
  }

  it("says once that nothing is found because of the mount, and names it", async () => {
    const { lines, statuses } = await logged("/v1", ["/v1/payments?limit=1", "/v1/payments"])
    assert.deepStrictEqual(statuses, [404, 404])
    assert.lengthOf(lines, 1)
    assert.include(String(lines[0]), "paymux.node is mounted at /v1, which the host takes from the path")
  })

  it("warns of nothing if the path is whole, or if it is of another application", async () => {
    const { lines, statuses } = await logged("", ["/v1/payments", "/v1/none", "/other"])
    assert.deepStrictEqual(statuses, [200, 404, 404])
    assert.deepStrictEqual(lines, [])
    assert.deepStrictEqual((await logged("/shop", ["/shop/none"])).lines, [])
  })
})

describe("owns", () => {
  const whole = ["/v1/payments", "/v1", "/webhooks/stripe", "/return/pay_1/x", "/docs/problems/not_found"]

  it("at the root: the areas of Paymux, by whole segments; the host keeps its health and its metrics", async () => {
    await using paymux = await createPaymux({ sandbox: true, database: ":memory:" })
    for (const path of [...whole, "/sandbox/pay/a/b", "/v1/payments?limit=1", "https://shop.test/v1/payments#x"]) {
      assert.isTrue(paymux.owns(path), path)
    }
    for (const path of [
      "/",
      "",
      "/v10/payments",
      "/orders/v1/x",
      "/docs",
      "/healthz",
      "/metrics",
      "v1/payments",
      "*"
    ]) {
      assert.isFalse(paymux.owns(path), path)
    }
  })

  it("under a base path: all of it, and nothing else", async () => {
    await using paymux = await createPaymux(options)
    for (const path of [...whole, "", "/", "/healthz", "/anything"]) {
      assert.isTrue(paymux.owns(`/shop/payments${path}`), path)
    }
    for (const path of [...whole, "/shop", "/shop/payments2/v1"]) assert.isFalse(paymux.owns(path), path)
  })
})

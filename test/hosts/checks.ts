/** What is true of Paymux in every host. */
import { assert, describe, it } from "@effect/vitest"
import { once } from "node:events"
import { request } from "node:http"
import type { IncomingMessage, RequestOptions } from "node:http"
import { createConnection } from "node:net"
import { text } from "node:stream/consumers"
import { afterAll, beforeAll } from "vitest"
import { isAccepting, launch, start } from "./Host.ts"
import type { Example, Running } from "./Host.ts"
import { oddBody, post, tampered } from "./webhook.ts"

/** At SIGTERM. */
interface End {
  /** The exit code. */
  readonly code: number
  /** Whether a request that has begun is answered first. */
  readonly answering: boolean
}

export interface Differences {
  readonly end?: End
  /** Whether a response reaches the client as Paymux compressed it. Default: it does. */
  readonly compressing?: boolean
}

export const checks = (
  name: string,
  example: Example,
  { compressing = true, end = { code: 0, answering: true } }: Differences = {}
): void => {
  describe(`Paymux in ${name}`, { timeout: 60_000 }, () => {
    let host: Running
    beforeAll(async () => {
      host = await start(example)
    }, 60_000)
    afterAll(() => host?.remove())

    it("ends with the reason where another has its port", async () => {
      const { ended, remove } = await launch(example, host.port)
      try {
        const { errors, exit } = await ended
        assert.match(errors, /EADDRINUSE|is in use/)
        assert.notStrictEqual(exit[0], 0)
      } finally {
        await remove()
      }
    })

    it("takes a payment with the key it prints, and finds it by a query", async () => {
      const created = await createPayment(host, { metadata: { order_id: "a b&c=d" } })
      const payment = await bodyOf(created, 201)
      assert.containsSubset(payment, { object: "payment", amount: 10_000, status: "pending" })
      const query = new URLSearchParams({ limit: "1", "metadata[order_id]": "a b&c=d" })
      const headers = { authorization: `Bearer ${host.testKey}` }
      const found = await bodyOf(await fetch(`${host.url}/v1/payments?${query.toString()}`, { headers }), 200)
      assert.containsSubset(found, { data: [{ metadata: { order_id: "a b&c=d" } }] })
    })

    it("hands over every path that is Paymux's, with its answers as they are", async () => {
      const unauthorized = await createPayment({ ...host, testKey: "none" })
      assert.strictEqual(unauthorized.headers.get("www-authenticate"), "Bearer")
      assert.strictEqual(unauthorized.headers.get("content-type"), "application/problem+json")
      assert.containsSubset(await bodyOf(unauthorized, 401), { code: "unauthorized" })
      for (const path of [
        "/v1/none",
        "/webhooks/none",
        "/return/pay_1/none",
        "/pay/none",
        "/sandbox/pay/none",
        "/docs/problems/none"
      ]) {
        const answer = await fetch(`${host.url}${path}`, { method: path === "/webhooks/none" ? "POST" : "GET" })
        assert.strictEqual(answer.status, 404, path)
        assert.match(answer.headers.get("request-id") ?? "", /^req_/, path)
      }
      const described = await bodyOf(await fetch(`${host.url}/v1/openapi.json`), 200)
      assert.containsSubset(described, { openapi: "3.1.0" })
    })

    it("serves the dashboard: its page at every address, and the program that the page loads", async () => {
      const pages = ["/dashboard/", "/dashboard", "/dashboard/default/test/payments"].map(async (path) => {
        const answer = await fetch(`${host.url}${path}`)
        const page = await answer.text()
        assert.strictEqual(answer.status, 200, page)
        assert.match(answer.headers.get("content-type") ?? "", /^text\/html/)
        assert.include(page, '<base href="/dashboard/" />')
        return /<script [^>]*src="\.\/([^"]+)"/.exec(page)?.[1]
      })
      const [program, ...others] = await Promise.all(pages)
      assert.deepStrictEqual(others, [program, program])
      const script = await fetch(`${host.url}/dashboard/${program}`, { headers: { "accept-encoding": "br" } })
      assert.strictEqual(script.status, 200)
      assert.match(script.headers.get("content-type") ?? "", /^text\/javascript/)
      // `fetch` decodes it by its header.
      assert.strictEqual(script.headers.get("content-encoding"), compressing ? "br" : null)
      assert.include(await script.text(), "import")
    })

    it("leaves the shop its own route, with its own parser", async () => {
      const headers = { "content-type": "application/json" }
      const ordered = await fetch(`${host.url}/orders`, { method: "POST", headers, body: '{ "item": "t\\u00e9" }' })
      assert.deepStrictEqual(await bodyOf(ordered, 201), { ordered: "té" })
      assert.isNull(ordered.headers.get("request-id"))
    })

    it("hands a provider's webhook over byte for byte", async () => {
      const body = oddBody()
      for (const contentType of [
        "application/json; charset=utf-8",
        "application/x-www-form-urlencoded",
        "text/plain"
      ]) {
        for (const chunked of [false, true]) {
          const posted = { body, signed: body, contentType, chunked }
          const kept = await post(host, posted)
          assert.deepStrictEqual(await bodyOf(kept, 202), { received: "kept" }, contentType)
          const refused = await post(host, { ...posted, body: tampered(body) })
          assert.containsSubset(await bodyOf(refused, 401), { code: "webhook_signature_invalid" })
        }
      }
    })

    it("refuses a webhook that is larger than any", async () => {
      const body = new Uint8Array(300 * 1024)
      for (const chunked of [false, true]) {
        const refused = await post(host, { body, signed: body, contentType: "application/json", chunked })
        assert.containsSubset(await bodyOf(refused, 413), { code: "payload_too_large" })
      }
    })

    it(`at SIGTERM ends event streams${end.answering ? ", answers what has begun," : ""} and ends with ${end.code}`, async () => {
      const stream = await openStream(host)
      const begun = await beginPayment(host)
      host.terminate()
      await stream.ended
      await refusesConnections(host)
      const answer = await begun.finish()
      if (end.answering) assert.match(answer, /^HTTP\/1\.1 201 [^]*"object":"payment"/)
      const { exit } = await host.ended
      assert.deepStrictEqual(exit, [end.code, null])
    })
  })
}

export const bodyOf = async (answer: Response, status: number): Promise<unknown> => {
  const body = await answer.text()
  assert.strictEqual(answer.status, status, body)
  return JSON.parse(body)
}

const minimal = {
  amount: 10_000,
  currency: "INR",
  payment_method: "upi",
  customer: { email: "asha@example.com", phone: "+919812345678" }
}

export const createPayment = (
  { testKey, url }: Pick<Running, "testKey" | "url">,
  more: object = {}
): Promise<Response> =>
  fetch(`${url}/v1/payments`, {
    method: "POST",
    headers: { authorization: `Bearer ${testKey}`, "content-type": "application/json" },
    body: JSON.stringify({ ...minimal, ...more })
  })

/** The event stream of a payment page that is open. `ended`: it has come to its end, and was not cut off. */
export const openStream = async ({ testKey, url }: Pick<Running, "testKey" | "url">) => {
  const headers = { authorization: `Bearer ${testKey}`, "content-type": "application/json" }
  const undecided = JSON.stringify({ ...minimal, metadata: { sandbox_scenario: "undecided" } })
  const created = await send(`${url}/v1/payments`, { method: "POST", headers }, undecided)
  const { hosted_url } = JSON.parse(await text(created))
  const events = await send(`${hosted_url}/events`)
  assert.strictEqual(events.statusCode, 200)
  const [first] = await once(events, "data")
  assert.match(String(first), /^data: /)
  return { ended: once(events.resume(), "end") }
}

/** On a connection of its own: those that `fetch` keeps may have been closed by the host. */
const send = async (url: string, options: RequestOptions = {}, body = ""): Promise<IncomingMessage> => {
  const sent = request(url, { ...options, agent: false }).end(body)
  const [answer] = await once(sent, "response")
  return answer
}

/** A request that the host has taken, and whose body is not there yet. */
const beginPayment = async ({ port, testKey }: Running) => {
  const body = JSON.stringify(minimal)
  const socket = createConnection(port, "localhost")
  socket.write(
    `POST /v1/payments HTTP/1.1\r\nHost: localhost:${port}\r\nAuthorization: Bearer ${testKey}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${body.length}\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n`
  )
  const [head] = await once(socket, "data")
  assert.match(String(head), /^HTTP\/1\.1 100 /)
  return {
    finish: () => {
      socket.write(body)
      // A host that does not answer resets the connection.
      return text(socket).catch(() => "")
    }
  }
}

/** Returns when it does. */
const refusesConnections = async ({ port }: Running): Promise<void> => {
  for (;;) if (!(await isAccepting(port))) return
}

/** Paths as no browser sends them: a client that writes them to the socket leaves the dashboard by none of them. */
import { assert, describe, it } from "@effect/vitest"
import { once } from "node:events"
import { createServer } from "node:http"
import type { Server } from "node:http"
import { createConnection } from "node:net"
import { buffer } from "node:stream/consumers"
import { brotliDecompressSync } from "node:zlib"
import { createPaymux } from "paymux"
import type { Paymux } from "paymux"
import { afterAll, beforeAll } from "vitest"

let paymux: Paymux
let server: Server
let port: number

beforeAll(async () => {
  paymux = await createPaymux({ sandbox: true, database: ":memory:", publicUrl: "http://localhost", logs: false })
  server = createServer(paymux.node).listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  port = typeof address === "object" && address !== null ? address.port : 0
})
afterAll(async () => {
  server?.closeAllConnections()
  server?.close()
  await paymux?.close()
})

/** The path is sent as it is. The key would open the API. */
const rawGet = async (path: string, headers = "") => {
  const socket = createConnection(port, "127.0.0.1")
  socket.write(
    `GET ${path} HTTP/1.0\r\nHost: localhost\r\nAuthorization: Bearer ${paymux.testKey}\r\n${headers}Connection: close\r\n\r\n`
  )
  const answer = await buffer(socket)
  const end = answer.indexOf("\r\n\r\n")
  const head = answer.subarray(0, end).toString()
  return { status: Number(head.split(" ")[1]), head, body: answer.subarray(end + 4) }
}

describe("a path that leaves the dashboard", () => {
  it("is known to lead to the API, if it is sent in one piece", async () => {
    assert.strictEqual((await rawGet("/v1/payments")).status, 200)
  })

  it.each([
    "/dashboard/../v1/payments",
    "/dashboard/..//v1/payments",
    "/dashboard/./../v1/payments",
    "/dashboard/%2e%2e/v1/payments",
    "/dashboard/%2E./v1/payments",
    "/dashboard/.%2e/v1/payments",
    "/dashboard/..%2fv1%2fpayments",
    "/dashboard/..%2Fv1/payments",
    "/dashboard/..%5cv1/payments",
    "/dashboard/..\\v1/payments",
    "/dashboard/default/../../v1/payments",
    "/dashboard/assets/../../v1/payments",
    "/dashboard/assets/..%2f..%2findex.html",
    "/dashboard/assets/../index.html",
    "/dashboard/assets/%2e%2e/index.html",
    "/dashboard/../../../../etc/passwd",
    "/dashboard/..;/v1/payments",
    "/dashboard/%2e%2e;/v1/payments",
    "/dashboard/../dashboard/api/session",
    "/v1/../dashboard",
    "/v1/%2e%2e/dashboard",
    "/dashboard/%252e%252e/v1%252fpayments%00"
  ])("is found nowhere: %s", async (path) => {
    const { body, head, status } = await rawGet(path)
    assert.strictEqual(status, 404, head)
    assert.match(head, /^content-type: application\/problem\+json/im)
    assert.strictEqual(JSON.parse(body.toString()).code, "not_found")
  })

  it("is a page, and nothing but a page, if it is encoded twice", async () => {
    const { body, status } = await rawGet("/dashboard/%252e%252e/v1/payments")
    assert.strictEqual(status, 200)
    assert.include(body.toString(), '<base href="/dashboard/" />')
  })

  it.each(["/dashboard/ /v1", "/dashboard/\u0000", "dashboard", "/dashboard\r\nx"])(
    "ends the request if it is none: %j",
    async (path) => {
      const { body, status } = await rawGet(path)
      assert.oneOf(status, [400, 404])
      assert.notInclude(body.toString(), "<base")
    }
  )
})

describe("an asset", () => {
  it("arrives compressed by Brotli, byte for byte what arrives without", async () => {
    const page = (await rawGet("/dashboard")).body.toString()
    const program = /<script [^>]*src="\.\/([^"]+)"/.exec(page)?.[1]
    const [plain, compressed] = await Promise.all([
      rawGet(`/dashboard/${program}`),
      rawGet(`/dashboard/${program}`, "Accept-Encoding: gzip, deflate, br\r\n")
    ])
    assert.notMatch(plain.head, /^content-encoding:/im)
    assert.match(compressed.head, /^content-encoding: br\r?$/im)
    assert.match(compressed.head, /^vary: accept-encoding\r?$/im)
    assert.match(compressed.head, new RegExp(`^content-length: ${compressed.body.length}\\r?$`, "im"))
    assert.isBelow(compressed.body.length, plain.body.length / 2)
    assert.isTrue(brotliDecompressSync(compressed.body).equals(plain.body))
  })
})

/** What is connected to, counted at the sockets: nothing that was not checked. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { createServer } from "node:http"
import type { RequestListener } from "node:http"
import type { AddressInfo } from "node:net"
import * as AddressPolicy from "../src/endpoint/AddressPolicy.ts"
import { NodeWebhookHttp, WebhookHttp } from "../src/index.ts"
import type { NodeWebhookHttpOptions } from "../src/index.ts"

/** Listens on every IPv4 address of the loopback, and notes at which it was reached. */
const receiver = (answer: RequestListener = (_, response) => void response.end("ok")) => {
  const reached: Array<string> = []
  const server = createServer(answer)
  server.on("connection", (socket) => reached.push(socket.localAddress ?? ""))
  return Effect.acquireRelease(
    Effect.callback<{ readonly port: number; readonly reached: ReadonlyArray<string> }>((resume) => {
      server.listen(0, "0.0.0.0", () => {
        // A TCP server's address is never a string.
        const { port } = server.address() as AddressInfo
        resume(Effect.succeed({ port, reached }))
      })
    }),
    () =>
      Effect.sync(() => {
        server.closeAllConnections()
        server.close()
      })
  )
}

/** Answers each look-up with the next of these, then with the last; notes who was asked for. */
const names = (...answers: ReadonlyArray<ReadonlyArray<string>>) => {
  const asked: Array<string> = []
  const resolve = (host: string) => {
    asked.push(host)
    return Promise.resolve(answers[Math.min(asked.length, answers.length) - 1] ?? [])
  }
  return { asked, resolve }
}

const post = (url: string, options: NodeWebhookHttpOptions, livemode = false) =>
  Effect.flatMap(WebhookHttp, (http) => http.post({ url, livemode, headers: {}, body: "{}" })).pipe(
    Effect.map(({ status }) => String(status)),
    Effect.catchTag("WebhookHttpError", ({ code }) => Effect.succeed(code)),
    Effect.provide(NodeWebhookHttp.layer(options), { local: true })
  )

const forms = (port: number): ReadonlyArray<readonly [string, string]> => [
  [`http://127.1:${port}/`, "ADDRESS_NOT_ALLOWED"],
  [`http://0x7f000001:${port}/`, "ADDRESS_NOT_ALLOWED"],
  [`http://2130706433:${port}/`, "ADDRESS_NOT_ALLOWED"],
  [`http://0177.0.0.1:${port}/`, "ADDRESS_NOT_ALLOWED"],
  [`http://127.0.0.1:${port}/`, "ADDRESS_NOT_ALLOWED"],
  [`http://0.0.0.0:${port}/`, "ADDRESS_NOT_ALLOWED"],
  [`http://[::1]:${port}/`, "ADDRESS_NOT_ALLOWED"],
  [`http://[::ffff:127.0.0.1]:${port}/`, "ADDRESS_NOT_ALLOWED"],
  [`http://[::ffff:10.0.0.1]:${port}/`, "ADDRESS_NOT_ALLOWED"],
  [`http://169.254.169.254:${port}/`, "ADDRESS_NOT_ALLOWED"],
  [`http://100.64.0.1:${port}/`, "ADDRESS_NOT_ALLOWED"],
  [`http://168.63.129.16:${port}/`, "ADDRESS_NOT_ALLOWED"],
  [`http://localhost:${port}/`, "ADDRESS_NOT_ALLOWED"],
  [`http://localhost.:${port}/`, "ADDRESS_NOT_ALLOWED"],
  [`http://user:word@127.0.0.1:${port}/`, "URL_NOT_ALLOWED"],
  ["http://shop.example.com:22/", "URL_NOT_ALLOWED"],
  ["http://shop.example.com:5432/", "URL_NOT_ALLOWED"],
  ["ftp://shop.example.com/", "URL_NOT_ALLOWED"],
  ["not a url", "URL_NOT_ALLOWED"]
]

/** What a name may resolve to, and must not be connected to. */
const internal = [
  "0.0.0.0",
  "10.0.0.1",
  "100.64.0.1",
  "100.100.100.200",
  "127.0.0.1",
  "127.0.0.53",
  "168.63.129.16",
  "169.254.169.254",
  "172.16.0.1",
  "192.0.0.192",
  "192.168.0.1",
  "198.18.0.1",
  "224.0.0.1",
  "255.255.255.255",
  "::",
  "::1",
  "::7f00:1",
  "::ffff:127.0.0.1",
  "::ffff:a9fe:a9fe",
  "64:ff9b::7f00:1",
  "64:ff9b:1::a00:1",
  "100::1",
  "2001:0:4136:e378::1",
  "2001:db8::1",
  "2002:7f00:1::",
  "2002:a9fe:a9fe::",
  "3fff::1",
  "5f00::1",
  "fc00::1",
  "fd00:ec2::254",
  "fd20:ce::254",
  "fe80::1",
  "fe80::1%lo",
  "fec0::1",
  "ff02::1",
  "localhost",
  ""
]

describe("the list of destinations that the configuration opens", () => {
  it("takes addresses, ranges and host names, and names each other entry in one sentence", () => {
    const valid = ["10.0.0.0/8", "10.1.2.3", "fd00::/8", "::1", "hooks.internal", "3.hooks.internal", "Localhost."]
    const invalid = ["10.0.0.0/33", "fd00::/129", "10.0.0.0/8/8", "10.0.0/x", "127.1", "fe80::1%eth0", "a b", "", "*"]
    assert.isNull(AddressPolicy.allowListProblem([]))
    assert.isNull(AddressPolicy.allowListProblem(valid))
    for (const entry of invalid)
      assert.strictEqual(
        AddressPolicy.allowListProblem([...valid, entry]),
        `webhooks.allow takes addresses, ranges such as 10.0.0.0/8 and host names, but not: ${entry}`
      )
    assert.isTrue(AddressPolicy.allowListProblem(invalid)?.endsWith(`but not: ${invalid.join(", ")}`))
  })
})

describe("the address guard", () => {
  it.effect("no form of an internal address is connected to, however it got into the row", () =>
    Effect.gen(function* () {
      const { port, reached } = yield* receiver()
      const { asked, resolve } = names(["127.0.0.1"])
      for (const [url, code] of forms(port)) assert.strictEqual(yield* post(url, { allow: [], resolve }), code, url)
      assert.deepStrictEqual(reached, [])
      // An address needs no look-up, and no name was looked up whose URL is refused.
      assert.deepStrictEqual(asked, [])
    })
  )

  it.effect("a public name is connected to at no internal address that it resolves to", () =>
    Effect.gen(function* () {
      const { port, reached } = yield* receiver()
      const url = `http://shop.example.com:${port}/`
      for (const address of internal) {
        for (const answer of [[address], ["93.184.215.14", address], [address, "93.184.215.14"]]) {
          const { resolve } = names(answer)
          assert.strictEqual(yield* post(url, { allow: [], resolve }), "ADDRESS_NOT_ALLOWED", answer.join())
        }
      }
      assert.deepStrictEqual(reached, [])
    })
  )

  it.effect("a name that rebinds: what was checked is connected to, without a second look-up", () =>
    Effect.gen(function* () {
      const { port, reached } = yield* receiver((_, response) => void response.setHeader("connection", "close").end())
      // 127.0.0.2 stands for the public address, 127.0.0.1 for the internal one.
      const { asked, resolve } = names(["127.0.0.2"], ["127.0.0.1"])
      const options = { allow: ["127.0.0.2"], resolve }
      const url = `http://rebinding.example.com:${port}/`
      const http = yield* Effect.service(WebhookHttp).pipe(Effect.provide(NodeWebhookHttp.layer(options)))
      const once = http.post({ url, livemode: false, headers: {}, body: "{}" })
      assert.strictEqual((yield* once).status, 200)
      assert.deepStrictEqual([asked.length, reached], [1, ["127.0.0.2"]])
      assert.strictEqual((yield* Effect.flip(once)).code, "ADDRESS_NOT_ALLOWED")
      assert.deepStrictEqual([asked.length, reached], [2, ["127.0.0.2"]])
    }).pipe(Effect.scoped)
  )

  it.effect.each([301, 302, 303, 307, 308])("a %d to an internal address is a failure, not followed", (status) =>
    Effect.gen(function* () {
      const inside = yield* receiver()
      const outside = yield* receiver((_, response) => {
        response.writeHead(status, { location: `http://127.0.0.1:${inside.port}/latest/meta-data/` }).end()
      })
      const { resolve } = names(["127.0.0.2"])
      const url = `http://shop.example.com:${outside.port}/`
      assert.strictEqual(yield* post(url, { allow: ["127.0.0.2"], resolve }), String(status))
      assert.deepStrictEqual([outside.reached, inside.reached], [["127.0.0.2"], []])
    })
  )

  it.effect("a live event goes over https only", () =>
    Effect.gen(function* () {
      const { port, reached } = yield* receiver()
      const url = `http://127.0.0.1:${port}/`
      assert.strictEqual(yield* post(url, { allow: AddressPolicy.loopback }, true), "URL_NOT_ALLOWED")
      assert.strictEqual(yield* post(url, { allow: AddressPolicy.loopback }, false), "200")
      assert.deepStrictEqual(reached, ["127.0.0.1"])
    })
  )

  it.effect("what the configuration opens is reached: a range, and a name whatever it resolves to", () =>
    Effect.gen(function* () {
      const { port, reached } = yield* receiver()
      const { asked, resolve } = names(["127.0.0.3"])
      assert.strictEqual(yield* post(`http://in.example.com:${port}/`, { allow: ["127.0.0.0/29"], resolve }), "200")
      assert.strictEqual(
        yield* post(`http://in.example.com:${port}/`, { allow: ["127.0.0.0/31"], resolve }),
        "ADDRESS_NOT_ALLOWED"
      )
      assert.deepStrictEqual(asked, ["in.example.com", "in.example.com"])
      // By the system's own look-up: the name servers know nothing of it.
      assert.strictEqual(yield* post(`http://localhost:${port}/`, { allow: ["localhost"], resolve }), "200")
      assert.deepStrictEqual([reached, asked.length], [["127.0.0.3", "127.0.0.1"], 2])
    })
  )

  it.effect("a name without an address, and a name server that does not answer, are errors with a code", () =>
    Effect.gen(function* () {
      const url = "http://shop.example.com/"
      assert.strictEqual(yield* post(url, { allow: [], resolve: names([]).resolve }), "ENOTFOUND")
      const resolve = () => Promise.reject(Object.assign(new Error("queryA ETIMEOUT"), { code: "ETIMEOUT" }))
      assert.strictEqual(yield* post(url, { allow: [], resolve }), "ETIMEOUT")
    })
  )
})

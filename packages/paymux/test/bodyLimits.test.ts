/**
 * No request makes the server read more than its route allows: every route of the running server, by `node:http` and by
 * `fetch`, with bodies that are made as they are read.
 */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import type { Identity } from "@paymux/dashboard"
import type { AddedRoute } from "@paymux/http"
import { once } from "node:events"
import { createServer } from "node:http"
import type { Server } from "node:http"
import { connect as connectHttp2, createServer as createHttp2Server } from "node:http2"
import { connect } from "node:net"
import type { AddressInfo, Socket } from "node:net"
import { amount } from "../../../test/support/amount.ts"
import { createPaymux } from "../src/index.ts"
import type { Paymux } from "../src/index.ts"
import { settingsOf } from "../src/options/PaymuxOptions.ts"
import { controlServer, publicUrl } from "./control/ControlServer.ts"
import type { ControlServer } from "./control/ControlServer.ts"

const memory = { sandbox: true, database: ":memory:", logs: false } as const
const upi = {
  amount: 10_000,
  currency: "INR",
  payment_method: "upi",
  customer: { email: "asha@example.com", phone: "+919876543210" }
} as const

const owner: Identity = {
  id: "usr_owner",
  name: "owner@shop.example",
  memberships: [{ account: null, modes: ["test", "live"], role: "owner" }],
  authenticatedAt: Date.now() + 60_000
}

const KiB = 1024
/** Bytes that Node takes from a connection at once, and that it keeps until a request is read. */
const nodeChunk = 64 * KiB

/** Patterns to be repeated. */
const fillSize = 16 * KiB
const fills = Object.fromEntries(
  ["a&", "a=b&", '{"a":', "[", "\0"].map((text) => [text, Buffer.from(text.repeat(fillSize / text.length))])
)
const fillOf = (name: string): Buffer => fills[name] ?? Buffer.alloc(fillSize)

/** Bytes. */
const sizes = { "5 MB": 5_000_000, "300 MB": 300_000_000 } as const

const inParallel = async <A>(width: number, all: ReadonlyArray<A>, work: (one: A) => Promise<void>) => {
  const left = all.values()
  await Promise.all(
    Array.from({ length: width }, async () => {
      for (const one of left) await work(one)
    })
  )
}

describe("the body of a request", () => {
  let server: ControlServer
  let http: Server
  let port = 0
  const paths = new Map<string, string>()
  /** The server's end of each connection, by the port of the client. */
  const taken = new Map<number | undefined, Socket>()

  beforeAll(async () => {
    server = await controlServer({ owner }, { sandbox: true })
    const { payments } = server.of({ account: "default", livemode: false })
    const open = await payments.create({ ...upi, metadata: { sandbox_scenario: "undecided" } })
    const hosted = await payments.create({
      ...upi,
      currency: "EUR",
      payment_method: "card",
      payment_method_details: { card: { token: "tok_3ds" } },
      return_url: "https://shop.example/thanks"
    })
    const away = hosted.next_action?.type === "redirect" ? new URL(hosted.next_action.url).pathname : ""
    const decided = await server.fetch(
      new Request(new URL(away, publicUrl), {
        method: "POST",
        headers: { "content-type": "application/x-www-form-urlencoded" },
        body: "decision=approve"
      })
    )
    paths.set("/return/:operation/:token", new URL(decided.headers.get("location") ?? "").pathname)
    paths.set("/sandbox/pay/:provider/:reference", away)
    paths.set("/pay/:payment/:token", new URL(open.hosted_url ?? "").pathname)
    paths.set("/webhooks/:provider", "/webhooks/sandbox_card_a")
    paths.set(":id", open.id)
    http = createServer(server.node).listen(0, "127.0.0.1")
    http.on("connection", (socket) => taken.set(socket.remotePort, socket))
    await once(http, "listening")
    port = (http.address() as AddressInfo).port
  })
  afterAll(async () => {
    http.closeAllConnections()
    http.close()
    await server[Symbol.asyncDispose]()
  })

  /** Of something that there is, so that nothing but the body is wrong. */
  const addressOf = ({ path }: AddedRoute): string => {
    const known = [...paths].find(([pattern]) => path.startsWith(pattern))
    const filled = known === undefined ? path : path.replace(known[0], known[1])
    return filled
      .replace(":account", "default")
      .replace(":mode", "test")
      .replace(":id", paths.get(":id") ?? "")
      .replaceAll(/:\w+/g, "x")
      .replace("*", "x")
  }

  const headersOf = ({ path }: AddedRoute): { readonly [name: string]: string } => ({
    host: new URL(publicUrl).host,
    origin: publicUrl,
    cookie: "person=owner",
    authorization: `Bearer ${server.testKey}`,
    "content-type": /^\/(?:v1|dashboard)\//.test(path) ? "application/json" : "application/x-www-form-urlencoded",
    "if-match": '"1"',
    "idempotency-key": "bodies"
  })

  const methodsOf = ({ method }: AddedRoute) => (method === "*" ? ["GET"] : [method])
  const everyRoute = () =>
    server.routes
      .filter((route) => methodsOf(route).every((method) => /^(?:GET|POST|PUT|PATCH|DELETE)$/.test(method)))
      .flatMap((route) => methodsOf(route).map((method) => ({ ...route, method })))

  /** In a part of the input one of `count`, another one at each route. */
  const shareOf = <A>(route: AddedRoute, all: ReadonlyArray<A>, count: number): ReadonlyArray<A> => {
    const place = everyRoute().findIndex(({ method, path }) => method === route.method && path === route.path)
    return amount({ part: all.filter((_, index) => index % count === place % count), all })
  }
  const fillsOf = (route: AddedRoute) => shareOf(route, Object.keys(fills), Object.keys(fills).length)

  const limitOf = ({ method, path }: AddedRoute): number => {
    if (method === "POST" && /^\/(?:pay|sandbox)\//.test(path)) return KiB
    if (method === "POST" && path.startsWith("/return/")) return 8 * KiB
    if (path.startsWith("/webhooks/")) return 256 * KiB
    if (method === "POST" && /\/rules\/(?:check|explain|publish|backtests)$/.test(path)) return 600 * KiB
    return 64 * KiB
  }

  interface Sent {
    readonly status: number
    /** Bytes that the server took from the connection. */
    readonly read: number
  }

  /** Sends as fast as the server reads, until it answers. */
  const send = async (method: string, path: string, headers: object, body: Iterable<Uint8Array>): Promise<Sent> => {
    const client = connect(port, "127.0.0.1")
    await once(client, "connect")
    client.on("error", () => {})
    const answer = once(client, "data")
    const head = Object.entries(headers).map(([name, value]) => `${name}: ${String(value)}`)
    client.write(`${method} ${path} HTTP/1.1\r\n${head.join("\r\n")}\r\n\r\n`)
    let isAnswered = false
    void answer.then(() => (isAnswered = true))
    for (const part of body) {
      if (isAnswered || client.destroyed) break
      if (!client.write(part)) await Promise.race([once(client, "drain"), answer])
    }
    const [data] = (await answer) as [Buffer]
    const end = taken.get(client.localPort)
    client.destroy()
    if (end?.destroyed === false) await new Promise((resolve) => end.once("close", resolve))
    return { status: Number(data.toString().slice(9, 12)), read: end?.bytesRead ?? Number.NaN }
  }

  function* parts(fill: Buffer, size: number) {
    for (let sent = 0; sent < size; sent += fill.length) yield fill
  }

  function* chunked(fill: Buffer, size: number) {
    const whole = Buffer.concat([Buffer.from(`${fill.length.toString(16)}\r\n`), fill, Buffer.from("\r\n")])
    for (let sent = 0; sent < size; sent += fill.length) yield whole
    yield Buffer.from("0\r\n\r\n")
  }

  /** Empty: it was refused, and no more was read than the limit and what came with it. */
  const faultsOf = (
    route: AddedRoute,
    what: string,
    { read, status }: Sent,
    more = 2 * nodeChunk
  ): ReadonlyArray<string> =>
    (status === 400 || status === 413) && read <= Math.max(limitOf(route), more / 2) + more
      ? []
      : [`${route.method} ${route.path}, ${what}: ${status} after ${read} bytes`]

  it("of every route is refused at node:http after at most its limit", async () => {
    assert.isAbove(everyRoute().length, 100)
    const wrong: Array<string> = []
    await inParallel(24, everyRoute(), async (route) => {
      const address = addressOf(route)
      const headers = headersOf(route)
      for (const [name, size] of Object.entries(sizes)) {
        const announced = await send(
          route.method,
          address,
          { ...headers, "content-length": size },
          parts(fillOf("a&"), size)
        )
        wrong.push(...faultsOf(route, `${name} announced`, announced))
      }
      for (const name of fillsOf(route)) {
        const sent = { ...headers, "transfer-encoding": "chunked" }
        const answer = await send(route.method, address, sent, chunked(fillOf(name), sizes["300 MB"]))
        // Node buffers 64 KiB of a paused body. The framing of chunks may keep the buffer just below that: then Node reads
        // once more. It depends on the sizes in which the client's bytes arrive.
        wrong.push(...faultsOf(route, `chunks of ${name}`, answer, 3 * nodeChunk))
      }
    })
    assert.deepStrictEqual(wrong, [])
  })

  it("of a wrong length is refused at node:http, on every route", async () => {
    const lengths = [
      "-1",
      "+5",
      "0x10",
      "1e3",
      "5, 5",
      "five",
      "5\r\ncontent-length: 6",
      "5\r\ntransfer-encoding: chunked"
    ]
    const wrong: Array<string> = []
    await inParallel(24, everyRoute(), async (route) => {
      for (const length of shareOf(route, lengths, 4)) {
        const sent = await send(route.method, addressOf(route), { ...headersOf(route), "content-length": length }, [
          fillOf("a&")
        ])
        wrong.push(...faultsOf(route, `length ${length}`, sent))
      }
    })
    assert.deepStrictEqual(wrong, [])
  })

  /** As `send`, to the handler of web requests. `read`: bytes that it pulled. */
  const fetched = async (route: AddedRoute, headers: object, body: Iterable<Uint8Array>): Promise<Sent> => {
    const rest = body[Symbol.iterator]()
    let read = 0
    const stream = new ReadableStream<Uint8Array>(
      {
        pull: (controller) => {
          const { done, value } = rest.next()
          if (done === true) return controller.close()
          read += value.length
          controller.enqueue(value)
        }
      },
      { highWaterMark: 0 }
    )
    const request = new Request(new URL(addressOf(route), publicUrl), {
      method: route.method,
      headers: { ...headersOf(route), ...headers },
      body: stream,
      duplex: "half"
    })
    const { status } = await server.fetch(request)
    return { status, read }
  }

  /** A web `Request` of another method has no body. */
  const routesWithBody = () => everyRoute().filter(({ method }) => method !== "GET")

  it("of every route is refused by fetch after at most its limit, whatever length it announces", async () => {
    const wrong: Array<string> = []
    for (const route of routesWithBody()) {
      for (const [name, size] of Object.entries(sizes)) {
        const announced = await fetched(route, { "content-length": String(size) }, parts(fillOf("a&"), size))
        wrong.push(...faultsOf(route, `${name} announced`, announced, fillSize))
      }
      for (const name of fillsOf(route)) {
        const body = () => parts(fillOf(name), sizes["300 MB"])
        wrong.push(...faultsOf(route, `a stream of ${name}`, await fetched(route, {}, body()), fillSize))
        const lied = await fetched(route, { "content-length": "10" }, body())
        wrong.push(...faultsOf(route, `10 bytes announced of ${name}`, lied, fillSize))
      }
      for (const length of ["-1", "+5", "0x10", "1e3", "5, 5", "five"]) {
        const odd = await fetched(route, { "content-length": length }, parts(fillOf("a&"), sizes["5 MB"]))
        wrong.push(...faultsOf(route, `length ${length}`, odd, fillSize))
      }
      const short = await fetched(route, { "content-length": "20" }, [Buffer.from("{}")])
      wrong.push(...faultsOf(route, "2 of 20 bytes", short, fillSize))
    }
    assert.deepStrictEqual(wrong, [])
  })

  it("is read by every route that takes one: a route without a declared limit would read none", async () => {
    for (const route of routesWithBody()) {
      const { status } = await fetched(route, { "content-length": "2" }, [Buffer.from("{}")])
      assert.notStrictEqual(status, 413, `${route.method} ${route.path}`)
    }
  })

  it.each(["transfer-encoding: chunked", `content-length: ${sizes["300 MB"]}`])(
    "of a server that is stopping is not read: %s",
    async (length) => {
      const paymux = await createPaymux(memory)
      await paymux.close()
      const stopping = createServer(paymux.node).listen(0, "127.0.0.1")
      await once(stopping, "listening")
      const accepted = once(stopping, "connection")
      const client = connect((stopping.address() as AddressInfo).port, "127.0.0.1")
      client.on("error", () => {})
      const [end] = (await accepted) as [Socket]
      const closed = new Promise((resolve) => end.once("close", resolve))
      client.write(`POST /v1/payments HTTP/1.1\r\nhost: x\r\n${length}\r\n\r\n`)
      for (const part of chunked(fillOf("["), sizes["300 MB"])) {
        if (client.destroyed) break
        if (!client.write(part)) await Promise.race([once(client, "drain").catch(() => null), closed])
      }
      await closed
      stopping.close()
      assert.isAtMost(end.bytesRead, 3 * nodeChunk)
    }
  )

  it("that is small is ignored by a route that reads none", async () => {
    for (const route of everyRoute().filter(({ method, path }) => method === "GET" && !path.endsWith("/events"))) {
      const headers = headersOf(route)
      const bare = await send("GET", addressOf(route), headers, [])
      const announced = await send("GET", addressOf(route), { ...headers, "content-length": 2 }, [Buffer.from("{}")])
      const chunks = { ...headers, "transfer-encoding": "chunked" }
      const unannounced = await send("GET", addressOf(route), chunks, chunked(Buffer.from("{}"), 2))
      assert.deepStrictEqual([announced.status, unannounced.status], [bare.status, bare.status], addressOf(route))
    }
  })
})

describe("over HTTP/2, without content-length", () => {
  const withClient = async (
    work: (post: (body: string) => Promise<number | undefined>) => Promise<void>
  ): Promise<void> => {
    await using paymux = await createPaymux(memory)
    // Boundary: the compatibility classes of node:http2 have the members of node:http that a listener uses.
    const server = createHttp2Server(paymux.node as unknown as Parameters<typeof createHttp2Server>[1]).listen(0)
    await once(server, "listening")
    const client = connectHttp2(`http://localhost:${(server.address() as AddressInfo).port}`)
    try {
      await work(async (body) => {
        const stream = client.request({
          ":method": "POST",
          ":path": "/v1/payments",
          authorization: `Bearer ${paymux.testKey}`,
          "content-type": "application/json"
        })
        stream.on("error", () => {})
        stream.end(body)
        const [{ ":status": status }] = await once(stream, "response")
        stream.close()
        return status
      })
    } finally {
      client.destroy()
      server.close()
    }
  }

  it("a body is read up to the limit, and a longer one is refused", () =>
    withClient(async (post) => {
      assert.strictEqual(await post(JSON.stringify(upi)), 201)
      assert.strictEqual(await post(JSON.stringify(upi).padEnd(65_536)), 201)
      assert.strictEqual(await post(JSON.stringify(upi).padEnd(65_537)), 413)
      assert.strictEqual(await post(""), 400)
    }))
})

describe("the option bodyLimits", () => {
  const create = (paymux: Paymux, size: number) =>
    paymux.fetch(
      new Request("http://localhost/v1/payments", {
        method: "POST",
        headers: { authorization: `Bearer ${paymux.testKey}`, "content-type": "application/json" },
        body: JSON.stringify(upi).padEnd(size)
      })
    )

  it("raises and lowers the limit of every route that declares none of its own", async () => {
    await using usual = await createPaymux(memory)
    await using raised = await createPaymux({ ...memory, bodyLimits: { default: 200_000 } })
    await using lowered = await createPaymux({ ...memory, bodyLimits: { default: 1024 } })
    assert.strictEqual((await create(usual, 65_537)).status, 413)
    assert.strictEqual((await create(usual, 65_536)).status, 201)
    assert.strictEqual((await create(raised, 200_000)).status, 201)
    assert.strictEqual((await create(lowered, 1025)).status, 413)
  })

  it.each([
    [{ default: 0 }, "bodyLimits.default must be a whole number of bytes from 1024 to 67108864 (64 MiB)."],
    [{ webhooks: -1 }, "bodyLimits.webhooks must be a whole number of bytes from 1024 to 67108864 (64 MiB)."],
    [{ default: 67_108_865 }, "bodyLimits.default must be a whole number of bytes from 1024 to 67108864 (64 MiB)."],
    [{ default: 1024.5 }, "bodyLimits.default must be a whole number of bytes from 1024 to 67108864 (64 MiB)."],
    [{ pages: 1024 }, 'There is no option "bodyLimits.pages".'],
    [1024, "bodyLimits must be an object of limits in bytes."]
  ])("%j is refused: %s", (bodyLimits, problem) => {
    const made = settingsOf({ sandbox: true, bodyLimits } as Parameters<typeof settingsOf>[0])
    assert.strictEqual(made._tag, "Failure")
    assert.deepStrictEqual(made._tag === "Failure" ? made.failure.problems : [], [problem])
  })
})

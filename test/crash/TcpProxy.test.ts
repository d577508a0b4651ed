import { assert, describe, it } from "@effect/vitest"
import { once } from "node:events"
import { connect, createServer } from "node:net"
import type { AddressInfo, Socket } from "node:net"
import { isIdleAgain, startTcpProxy, targetOf } from "./TcpProxy.ts"
import type { TcpProxy } from "./TcpProxy.ts"

/** Answers every chunk with itself in capitals, and remembers what it got. */
const startEcho = async () => {
  const received: Array<string> = []
  const server = createServer((socket) => {
    socket.on("error", () => undefined)
    socket.on("data", (chunk: Buffer) => {
      received.push(chunk.toString())
      socket.write(chunk.toString().toUpperCase())
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  return { port, received, close: () => server.close() }
}

const client = async (proxy: TcpProxy): Promise<Socket> => {
  const socket = connect({ host: "127.0.0.1", port: proxy.port, noDelay: true })
  socket.on("error", () => undefined)
  await once(socket, "connect")
  return socket
}

const ask = async (socket: Socket, text: string): Promise<string> => {
  const answered = once(socket, "data")
  socket.write(text)
  const [chunk] = await answered
  return String(chunk)
}

/** The error's code, or `end` where the other side said goodbye. */
const ending = (socket: Socket): Promise<string> =>
  new Promise((resolve) => {
    socket.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? "error"))
    socket.once("end", () => resolve("end"))
  })

const withEcho = async (
  use: (proxy: TcpProxy, echo: Awaited<ReturnType<typeof startEcho>>) => Promise<void>
): Promise<void> => {
  const echo = await startEcho()
  const proxy = await startTcpProxy({ host: "127.0.0.1", port: echo.port })
  try {
    await use(proxy, echo)
  } finally {
    await proxy.close()
    echo.close()
  }
}

describe("TcpProxy", () => {
  it("hands on what comes, in both directions, at once or later", () =>
    withEcho(async (proxy) => {
      const socket = await client(proxy)
      assert.strictEqual(await ask(socket, "one"), "ONE")
      proxy.set({ kind: "delay", ms: 20 })
      assert.strictEqual(await ask(socket, "two"), "TWO")
      assert.strictEqual(proxy.counts().connections, 1)
    }))

  it("resets connections that stand and connections that come", () =>
    withEcho(async (proxy) => {
      const socket = await client(proxy)
      assert.strictEqual(await ask(socket, "one"), "ONE")
      const ended = ending(socket)
      proxy.set({ kind: "reset" })
      assert.strictEqual(await ended, "ECONNRESET")
      const later = connect({ host: "127.0.0.1", port: proxy.port })
      assert.strictEqual(await ending(later), "ECONNRESET")
      proxy.set({ kind: "pass" })
      assert.strictEqual(await ask(await client(proxy), "two"), "TWO")
    }))

  it("swallows without a word, and what was swallowed never arrives", () =>
    withEcho(async (proxy, echo) => {
      const standing = await client(proxy)
      assert.strictEqual(await ask(standing, "before"), "BEFORE")
      proxy.set({ kind: "black_hole" })
      const came = await client(proxy)
      const ends = Promise.all([ending(standing), ending(came)])
      standing.write("swallowed")
      came.write("swallowed")
      // What is asked of the server meanwhile by another road shows that it runs, and that it got none of it.
      const direct = connect({ host: "127.0.0.1", port: echo.port })
      assert.strictEqual(await ask(direct, "direct"), "DIRECT")
      direct.destroy()
      assert.deepStrictEqual(echo.received, ["before", "direct"])
      proxy.set({ kind: "pass" })
      assert.deepStrictEqual(await ends, ["ECONNRESET", "ECONNRESET"])
      assert.deepStrictEqual(echo.received, ["before", "direct"])
    }))

  it("lets a request be done and its client not know, as often as requested", () =>
    withEcho(async (proxy, echo) => {
      proxy.set({ kind: "cut_answer", to: (request) => request.includes("commit"), times: 1 })
      const socket = await client(proxy)
      assert.strictEqual(await ask(socket, "insert"), "INSERT")
      const ended = ending(socket)
      socket.write("commit")
      assert.strictEqual(await ended, "ECONNRESET")
      assert.deepStrictEqual(echo.received, ["insert", "commit"])
      assert.strictEqual(await ask(await client(proxy), "commit"), "COMMIT")
      assert.strictEqual(proxy.counts().cuts, 1)
    }))

  it("waits for the whole of the answer that it cuts", () =>
    withEcho(async (proxy) => {
      const seen: Array<string> = []
      const begun = Promise.withResolvers<void>()
      const isWhole = (answer: Buffer) => {
        seen.push(answer.toString())
        begun.resolve()
        return answer.toString().endsWith("END")
      }
      proxy.set({ kind: "cut_answer", to: (request) => request.includes("first"), isWhole })
      const socket = await client(proxy)
      const ended = ending(socket)
      socket.write("first ")
      await begun.promise
      socket.write("end")
      assert.strictEqual(await ended, "ECONNRESET")
      assert.strictEqual(seen[0], "FIRST ")
      assert.strictEqual(seen.at(-1), "FIRST END")
    }))

  it("knows where PostgreSQL is, and when it has done what was asked", () => {
    assert.deepStrictEqual(targetOf("postgres://a:b@localhost:5555/c"), { host: "localhost", port: 5555 })
    assert.deepStrictEqual(targetOf("postgres://a@localhost/c"), { host: "localhost", port: 5432 })
    assert.isTrue(isIdleAgain(Buffer.from([1, 2, 0x5a, 0, 0, 0, 5, 0x49])))
    assert.isFalse(isIdleAgain(Buffer.from([0x5a, 0, 0, 0, 5, 0x54])))
  })
})

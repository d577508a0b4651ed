/** The server under a fake: it reads whole requests, lets one function answer, and breaks replies as scripted. */
import { Effect } from "effect"
import type { Scope } from "effect"
import { randomInt } from "node:crypto"
import * as Http from "node:http"
import * as Https from "node:https"
import type { Server, Socket } from "node:net"
import { type FakeRequest, fakeRequest } from "./FakeRequest.ts"
import type { FakeAnswer, Fault } from "./Fault.ts"
import { describeAnswer } from "./Fault.ts"
import { resetSocket } from "./resetSocket.ts"
import type { SeenRequest } from "./Vendor.ts"

interface FakeServer {
  readonly url: string
  readonly requests: () => ReadonlyArray<SeenRequest>
  /** One of the next requests goes wrong: the next, or the one after `after` more. What comes back is `withdraw`. */
  readonly failNext: (fault: Fault, after: number) => () => boolean
  /** Every request from now on is executed and not answered. */
  readonly fallSilent: () => void
  /** When it has answered `count` more requests it is gone: connections are refused. */
  readonly leaveAfter: (count: number) => void
  /** The same server behind TLS, at another port. */
  readonly listen: (certificate: {
    readonly key: string
    readonly cert: string
  }) => Effect.Effect<string, never, Scope.Scope>
}

export const serve = Effect.fnUntraced(function* (answer: (request: FakeRequest) => FakeAnswer) {
  const requests: Array<SeenRequest> = []
  const faults: Array<{ readonly fault: Fault; readonly at: number }> = []
  const servers: Array<Server> = []
  let last = Number.POSITIVE_INFINITY
  let isSilent = false

  const started = (server: Server): Server => {
    servers.push(server)
    return server
  }
  const leave = () => servers.forEach((server) => server.close())

  const takeFault = (index: number): Fault | null => {
    const found = faults.findIndex(({ at }) => at === index)
    const [taken] = found === -1 ? [] : faults.splice(found, 1)
    return taken?.fault ?? (isSilent ? silence : null)
  }

  const listener: Http.RequestListener = (incoming, response) => {
    const chunks: Array<Buffer> = []
    incoming.on("error", () => {})
    incoming.on("data", (chunk: Buffer) => void chunks.push(chunk))
    incoming.on("end", () => {
      const text = Buffer.concat(chunks).toString("utf8")
      const headers = plainHeaders(incoming.headers)
      const method = incoming.method ?? ""
      const target = incoming.url ?? "/"
      const fault = takeFault(requests.length)
      const executed = fault === null || fault.executed
      const right = executed ? readable(() => answer(fakeRequest({ method, target, headers, text }))) : notExecuted
      const reply = fault === null ? right : fault.reply
      requests.push({
        method,
        path: target,
        headers,
        body: text,
        ...(typeof reply === "string" ? { status: null, answer: "" } : { status: reply.status, answer: bodyOf(reply) }),
        answered: typeof reply === "string" ? reply : describeAnswer(reply),
        closed: closing(incoming.socket)
      })
      if (requests.length >= last) {
        // Before it is answered: a client that has the answer finds the server gone.
        leave()
        response.setHeader("connection", "close")
      }
      respond(response, right, reply)
    })
  }

  const url = yield* listening(() => started(Http.createServer(listener)), "http")
  return {
    url,
    requests: () => [...requests],
    fallSilent: () => {
      isSilent = true
    },
    leaveAfter: (count) => {
      last = requests.length + count
      if (count === 0) leave()
    },
    failNext: (fault, after) => {
      const planned = { fault, at: requests.length + after }
      faults.push(planned)
      return () => {
        const place = faults.indexOf(planned)
        if (place !== -1) faults.splice(place, 1)
        return place === -1
      }
    },
    listen: (certificate) => listening(() => started(Https.createServer(certificate, listener)), "https")
  } satisfies FakeServer
})

/** No server listens here: `compressnet` has never been used, and no program is given a port below 1024 unasked. */
export const CLOSED_PORT = 2

const readable = (answer: () => FakeAnswer): FakeAnswer => {
  try {
    return answer()
  } catch (error) {
    return { status: 400, text: `The fake cannot read the request: ${String(error)}` }
  }
}

const silence: Fault = { executed: true, reply: "never" }

// The body of a reply that breaks: it is not read to its end.
const notExecuted: FakeAnswer = { status: 200, json: { status: "processing" } }

const respond = (response: Http.ServerResponse, right: FakeAnswer, reply: Fault["reply"]): void => {
  if (typeof reply !== "string") return send(response, reply)
  switch (reply) {
    case "never":
      return
    case "reset":
      return reset(response.socket)
    case "not_http":
      return void response.socket?.end("530 go away\r\n\r\n")
    case "half_body":
    case "reset_in_body": {
      const body = bodyOf(right).padEnd(2)
      const half = body.slice(0, Math.max(1, Math.floor(body.length / 2)))
      response.writeHead(right.status, { ...headersOf(right), "content-length": Buffer.byteLength(body) })
      return void response.write(half, () =>
        reply === "half_body" ? response.socket?.end() : setTimeout(() => reset(response.socket), 5)
      )
    }
    case "drip": {
      response.writeHead(right.status, headersOf(right))
      const dripping = setInterval(() => response.write(" "), 20)
      return void response.on("close", () => clearInterval(dripping))
    }
  }
}

const send = (response: Http.ServerResponse, answer: FakeAnswer): void => {
  response.writeHead(answer.status, headersOf(answer))
  response.end(bodyOf(answer))
}

const headersOf = ({ headers, json }: FakeAnswer) => ({
  ...(json !== undefined && { "content-type": "application/json" }),
  ...headers
})

const bodyOf = ({ json, text }: FakeAnswer): string => text ?? (json === undefined ? "" : JSON.stringify(json))

const reset = (socket: Socket | null): void => {
  if (socket !== null) resetSocket(socket)
}

const closing = (socket: Socket): Effect.Effect<void> =>
  Effect.callback((resume) => {
    if (socket.destroyed) return resume(Effect.void)
    const closed = () => resume(Effect.void)
    socket.once("close", closed)
    return Effect.sync(() => void socket.off("close", closed))
  })

const plainHeaders = (headers: Http.IncomingHttpHeaders): { readonly [name: string]: string } =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(", ") : (value ?? "")])
  )

const listening = (make: () => Server, scheme: string): Effect.Effect<string, never, Scope.Scope> =>
  Effect.map(Effect.acquireRelease(open(make), close), (server) => `${scheme}://127.0.0.1:${portOf(server)}`)

/**
 * Below the ports that systems give to programs that name none (32768 and up on Linux, 49152 on macOS and Windows): when
 * a fake has left, another server or a connection of the machine must not be given its port.
 */
const ports = { from: 20_000, to: 32_768 }

const open = (make: () => Server): Effect.Effect<Server> =>
  Effect.callback((resume) => {
    const server = make()
    const sockets = new Set<Socket>()
    server.on("connection", (socket: Socket) => {
      socket.unref()
      sockets.add(socket)
      socket.on("error", () => {})
      socket.on("close", () => sockets.delete(socket))
    })
    server.on("stop", () => sockets.forEach((socket) => socket.destroy()))
    // A fake that was not closed does not keep the program alive.
    const listen = () => server.listen(randomInt(ports.from, ports.to), "127.0.0.1").unref()
    server.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EADDRINUSE" && error.code !== "EACCES") throw error
      listen()
    })
    server.once("listening", () => resume(Effect.succeed(server)))
    listen()
  })

/** Connections that are kept alive would keep it open. */
const close = (server: Server): Effect.Effect<void> =>
  Effect.callback((resume) => {
    server.close(() => resume(Effect.void))
    server.emit("stop")
  })

const portOf = (server: Server): number => {
  const address = server.address()
  if (address === null || typeof address === "string") throw new Error("a TCP server that listens has a port")
  return address.port
}

/** A real server on a port of its own, with faults between it and the client. */
import { once } from "node:events"
import { createServer, request as forward } from "node:http"
import type { IncomingMessage, Server, ServerResponse } from "node:http"
import { buffer } from "node:stream/consumers"
import { createPaymux } from "paymux"
import type { Paymux as Embedded } from "paymux"
import { Paymux } from "../src/index.ts"
import type { PaymuxOptions } from "../src/index.ts"

/** What befalls one request. */
export type Fault =
  /** The connection breaks before the server hears of it. */
  | { readonly type: "refused" }
  /** The server has answered, and so committed; the connection breaks before the answer is read. */
  | { readonly type: "lost answer" }
  /** The head of the answer and half of its body come, then the connection breaks. */
  | { readonly type: "cut answer" }
  /** Nothing is forwarded and nothing is answered. */
  | { readonly type: "silence" }
  /** Another one answers than the server. */
  | { readonly type: "answer"; readonly status: number; readonly headers?: object; readonly body?: string }

interface Seen {
  readonly method: string
  readonly path: string
  readonly key: string | null
}

export interface Shop extends AsyncDisposable {
  readonly server: Embedded
  readonly key: string
  readonly baseUrl: string
  /** What befalls the next requests, one after another; the server answers those after them. */
  readonly faults: Array<Fault>
  /** Requests in the order in which they came. */
  readonly seen: ReadonlyArray<Seen>
  readonly client: (options?: Partial<PaymuxOptions>) => Paymux
}

export const openShop = async (): Promise<Shop> => {
  const server = await createPaymux({ sandbox: true, database: ":memory:" })
  const behind = await listening(createServer(server.node))
  const faults: Array<Fault> = []
  const seen: Array<Seen> = []
  const front = await listening(
    createServer((request, response) => {
      const { headers, method = "", url = "" } = request
      const key = headers["idempotency-key"]
      seen.push({ method, path: url, key: typeof key === "string" ? key : null })
      void pass(request, response, portOf(behind), faults.shift())
    })
  )
  const key = server.testKey ?? ""
  const baseUrl = `http://127.0.0.1:${portOf(front)}/v1`
  return {
    server,
    key,
    baseUrl,
    faults,
    seen,
    client: (options) => new Paymux({ apiKey: key, baseUrl, ...options }),
    [Symbol.asyncDispose]: async () => {
      await closed(front)
      await closed(behind)
      await server.close()
    }
  }
}

const pass = async (request: IncomingMessage, response: ServerResponse, port: number, fault: Fault | undefined) => {
  switch (fault?.type) {
    case "refused":
      return request.socket.destroy()
    case "silence":
      return
    case "answer":
      return response.writeHead(fault.status, { ...fault.headers }).end(fault.body)
    case "lost answer":
    case "cut answer":
    case undefined: {
      const { body, headers, status } = await answerOf(request, port)
      if (fault?.type === "lost answer") return request.socket.destroy()
      response.writeHead(status, headers)
      if (fault === undefined) return response.end(body)
      return response.write(body.subarray(0, body.length / 2), () => request.socket.destroy())
    }
  }
}

const answerOf = async (request: IncomingMessage, port: number) => {
  const { headers, method, url } = request
  const asked = forward({ port, host: "127.0.0.1", method, path: url, headers })
  request.pipe(asked)
  const [answer]: Array<IncomingMessage> = await once(asked, "response")
  if (answer === undefined) throw new Error("The server did not answer")
  return { status: answer.statusCode ?? 0, headers: answer.headers, body: await buffer(answer) }
}

export const listening = async (server: Server): Promise<Server> => {
  await once(server.listen(0, "127.0.0.1"), "listening")
  return server
}

export const portOf = (server: Server): number => {
  const address = server.address()
  return typeof address === "object" && address !== null ? address.port : 0
}

export const closed = async (server: Server): Promise<void> => {
  server.closeAllConnections()
  server.close()
  if (server.listening) await once(server, "close")
}

/** What the promise was rejected with, of the class that is expected. */
export const rejection = async <Failure>(
  promise: PromiseLike<unknown>,
  expected: abstract new (...args: never) => Failure
): Promise<Failure> => {
  try {
    await promise
  } catch (error) {
    if (error instanceof expected) return error
    throw error
  }
  throw new Error("It was not rejected")
}

/** Approved at once. */
export const upi = {
  amount: 10_000,
  currency: "INR",
  payment_method: "upi",
  customer: { email: "asha@example.com", phone: "+919999999999" }
} as const

export const card = {
  amount: 2599,
  currency: "EUR",
  payment_method: "card",
  customer: { email: "asha@example.com", phone: "+4915112345678" },
  payment_method_details: { card: { token: "tok_success" } }
} as const

/**
 * A node of our own in front of the chain: it forwards requests, counts them, and misbehaves on request.
 * Three of them are three "nodes" of one chain, of which one may be away, behind, or a liar.
 */
import { createServer } from "node:http"
import type { IncomingMessage, ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"

export interface Asked {
  readonly method: string
  readonly params: ReadonlyArray<unknown>
}

/** As JSON-RPC has it: a result, or an error. */
export type Answer =
  | { readonly result: unknown }
  | { readonly error: { readonly code: number; readonly message: string } }

/** `cut`: the connection breaks. `hang`: it stands, and nothing comes. With a status: what is no JSON-RPC at all. */
type Reply = Answer | "cut" | "hang" | { readonly status: number; readonly text: string }

/** How it answers; `ask` asks the chain, whatever it likes. */
export type Behavior = (asked: Asked, ask: (asked: Asked) => Promise<Answer>) => Promise<Reply> | Reply

export interface Proxy {
  /** With a key in its path, as the nodes that are rented have it. */
  readonly url: string
  /** What must never be seen outside: the key of `url`. */
  readonly key: string
  /** What it has been asked, in the order it was. */
  readonly asked: ReadonlyArray<Asked>
  /** How often, over all methods or of one. */
  readonly count: (method?: string) => number
  readonly forget: () => void
  readonly behave: (behavior: Behavior) => void
  readonly close: () => Promise<void>
}

export const honest: Behavior = (asked, ask) => ask(asked)

let keys = 0

export const startProxy = async (target: string): Promise<Proxy> => {
  const key = `s3cret-${++keys}-of-a-node`
  let behavior = honest
  let asked: Array<Asked> = []

  const answerTo = async (request: Request): Promise<Reply> => {
    const { method, params = [] } = request
    asked.push({ method, params })
    return behavior({ method, params }, (other) => askChain(target, other))
  }

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const posted: Request | ReadonlyArray<Request> = JSON.parse(await bodyOf(request))
    const requests = Array.isArray(posted) ? posted : [posted]
    const replies = await Promise.all(requests.map(answerTo))
    if (replies.includes("cut")) return void request.socket.destroy()
    if (replies.includes("hang")) return
    const strange = replies.find((reply) => typeof reply === "object" && "status" in reply)
    if (strange !== undefined && typeof strange === "object" && "status" in strange) {
      response.statusCode = strange.status
      return void response.end(strange.text)
    }
    const answers = replies.map((reply, index) => ({ jsonrpc: "2.0", id: requests[index].id, ...Object(reply) }))
    send(response, Array.isArray(posted) ? answers : answers[0])
  }
  // The caller hung up, or the chain stopped: no answer can be given.
  const server = createServer((request, response) => {
    void serve(request, response).catch(() => request.socket.destroy())
  })
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening))
  // It listens on a port, and not on a pipe.
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/v2/${key}`,
    key,
    get asked() {
      return asked
    },
    count: (method) => asked.filter((each) => method === undefined || each.method === method).length,
    forget: () => {
      asked = []
    },
    behave: (next) => {
      behavior = next
    },
    close: () =>
      new Promise((closed) => {
        server.close(() => closed())
        server.closeAllConnections()
      })
  }
}

interface Request {
  readonly id: unknown
  readonly method: string
  readonly params?: ReadonlyArray<unknown>
}

const askChain = async (target: string, { method, params }: Asked): Promise<Answer> => {
  const response = await fetch(target, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params })
  })
  const { error, result }: { readonly error?: { code: number; message: string }; readonly result?: unknown } =
    JSON.parse(await response.text())
  return error === undefined ? { result } : { error }
}

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Array<Buffer> = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

const send = (response: ServerResponse, body: unknown): void => {
  response.setHeader("content-type", "application/json")
  response.end(JSON.stringify(body))
}

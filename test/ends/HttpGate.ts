/** Stands between a server and the vendor, and holds one request, or its answer, until the test opens it. */
import { createServer } from "node:http"
import type { IncomingMessage, ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"

export interface HttpGateOptions {
  /** Where everything goes. */
  readonly target: string
  /** The path of the POST that is held. */
  readonly path: string
  /** `request`: it has not reached the vendor yet. `answer`: the vendor has executed it. */
  readonly holds: "request" | "answer"
}

export interface HttpGate {
  readonly url: string
  /** The request, or its answer, is held now. */
  readonly held: Promise<void>
  readonly open: () => void
  readonly close: () => void
}

export const startHttpGate = async ({ holds, path, target }: HttpGateOptions): Promise<HttpGate> => {
  const held = Promise.withResolvers<void>()
  const opened = Promise.withResolvers<void>()
  const hold = () => {
    held.resolve()
    return opened.promise
  }

  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const isHeld = request.method === "POST" && request.url === path
    const body = await read(request)
    if (isHeld && holds === "request") await hold()
    const answer = await fetch(`${target}${request.url ?? ""}`, {
      method: request.method ?? "GET",
      headers: forwarded(request),
      ...(body.length > 0 && { body })
    })
    const text = await answer.text()
    if (isHeld && holds === "answer") await hold()
    response.writeHead(answer.status, { "content-type": "application/json" }).end(text)
  }

  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  // Boundary: a TCP server's address is never a pipe's name.
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    held: held.promise,
    open: opened.resolve,
    close: () => {
      opened.resolve()
      server.close()
      server.closeAllConnections()
    }
  }
}

const read = async (request: IncomingMessage): Promise<Buffer<ArrayBuffer>> => {
  const chunks: Array<Buffer> = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks)
}

const ownedByFetch = new Set(["host", "connection", "content-length", "transfer-encoding"])

const forwarded = ({ headers }: IncomingMessage): Array<[string, string]> =>
  Object.entries(headers).flatMap(([name, value]): Array<[string, string]> =>
    typeof value === "string" && !ownedByFetch.has(name) ? [[name, value]] : []
  )

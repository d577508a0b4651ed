/** Receivers of events that fail in every way a receiver does, and note what came and what they acknowledged. */
import { createHash } from "node:crypto"
import { createServer } from "node:http"
import type { IncomingMessage, ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { resetSocket } from "../../../packages/testkit/src/fake/resetSocket.ts"

interface Seen {
  /** Bodies that came under the id: one, or the promise is broken. */
  readonly bodies: Set<string>
  tries: number
  /** With a 2xx that was written to its end. */
  acknowledged: boolean
}

export interface Receiver {
  readonly url: (path: string) => string
  /** By path, then by `webhook-id`. */
  readonly seen: ReadonlyMap<string, ReadonlyMap<string, Seen>>
  readonly close: () => void
}

/** `/well` always answers 200; any other path fails for some events, at their first try or at their second too. */
export const startReceiver = async (): Promise<Receiver> => {
  const seen = new Map<string, Map<string, Seen>>()
  const server = createServer((request, response) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("error", () => undefined)
    request.on("end", () => {
      const path = request.url ?? ""
      const ofPath = seen.get(path) ?? new Map<string, Seen>()
      seen.set(path, ofPath)
      const id = String(request.headers["webhook-id"])
      const event = ofPath.get(id) ?? { bodies: new Set(), tries: 0, acknowledged: false }
      ofPath.set(id, event)
      event.bodies.add(createHash("sha256").update(Buffer.concat(chunks)).digest("hex"))
      event.tries++
      answer(request, response, path === "/well" ? "take" : faultOf(id, event.tries), event)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  // A TCP server's address is never a string.
  const { port } = server.address() as AddressInfo
  return {
    url: (path) => `http://127.0.0.1:${port}${path}`,
    seen,
    close: () => {
      server.closeAllConnections()
      server.close()
    }
  }
}

type Fault = "take" | "fail" | "reset" | "redirect" | "busy" | "hang" | "take and reset"

const answer = (request: IncomingMessage, response: ServerResponse, fault: Fault, event: Seen): void => {
  switch (fault) {
    case "take":
      event.acknowledged = true
      return void response.writeHead(200).end("ok")
    case "fail":
      return void response.writeHead(500).end("an error page")
    case "redirect":
      return void response.writeHead(302, { location: "/elsewhere" }).end()
    case "busy":
      return void response.writeHead(503, { "retry-after": "3" }).end()
    case "hang":
      return
    case "reset":
    case "take and reset":
      return resetSocket(request.socket)
    default:
      fault satisfies never
  }
}

/** Always the same for an event: a run that fails can be read. */
const faultOf = (id: string, nth: number): Fault => {
  const [kind = 0, again = 0] = createHash("sha256").update(id).digest()
  if (nth > 2 || (nth === 2 && again > 25)) return "take"
  if (kind < 20) return "fail"
  if (kind < 26) return "reset"
  if (kind < 30) return "take and reset"
  if (kind < 34) return "redirect"
  if (kind < 36) return "busy"
  return kind === 36 ? "hang" : "take"
}

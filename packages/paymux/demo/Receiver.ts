/** A merchant's webhook receiver: a small separate server that accepts nothing without a valid signature. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { Webhook } from "standardwebhooks"

export interface Received {
  readonly id: string
  readonly type: string
  readonly payment: { readonly id: string; readonly status: string }
}

export interface Receiver {
  readonly url: string
  /** The endpoint's secret, once it is known. */
  readonly trust: (secret: string) => void
  readonly received: ReadonlyArray<Received>
  readonly refused: () => number
  readonly close: () => void
}

export const startReceiver = async (onEvent: (event: Received) => void): Promise<Receiver> => {
  const received: Array<Received> = []
  const state: { verifier: Webhook | null; refused: number } = { verifier: null, refused: 0 }
  const server = createServer((request, response) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      const event = verify(state.verifier, Buffer.concat(chunks).toString("utf8"), request.headers)
      if (event === null) {
        state.refused++
        response.writeHead(401).end()
        return
      }
      received.push(event)
      onEvent(event)
      response.writeHead(204).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/webhooks`,
    trust: (secret) => {
      state.verifier = new Webhook(secret)
    },
    received,
    refused: () => state.refused,
    close: () => {
      server.close()
      server.closeAllConnections()
    }
  }
}

const verify = (
  verifier: Webhook | null,
  body: string,
  headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
): Received | null => {
  if (verifier === null) return null
  try {
    verifier.verify(body, {
      "webhook-id": String(headers["webhook-id"]),
      "webhook-timestamp": String(headers["webhook-timestamp"]),
      "webhook-signature": String(headers["webhook-signature"])
    })
  } catch {
    return null
  }
  // Its signature holds: it is what our own server wrote.
  const event = JSON.parse(body) as { type: string; data: { id: string; payment: { id: string; status: string } } }
  return { id: event.data.id, type: event.type, payment: event.data.payment }
}

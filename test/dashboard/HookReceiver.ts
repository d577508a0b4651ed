/** A receiver of webhooks whose answer a test decides, and what it was sent. */
import { once } from "node:events"
import { createServer } from "node:http"

export interface HookReceiver {
  readonly url: string
  /** Of each request, the header `webhook-id`. */
  readonly received: Array<string>
  answer: { readonly status: number; readonly body: string }
  readonly close: () => void
}

export const startHookReceiver = async (): Promise<HookReceiver> => {
  const server = createServer((request, response) => {
    receiver.received.push(String(request.headers["webhook-id"]))
    const { body, status } = receiver.answer
    request.resume().on("end", () => response.writeHead(status).end(body))
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  const port = typeof address === "string" || address === null ? 0 : address.port
  const receiver: HookReceiver = {
    url: `http://127.0.0.1:${port}/hooks`,
    received: [],
    answer: { status: 204, body: "" },
    close: () => {
      server.closeAllConnections()
      server.close()
    }
  }
  return receiver
}

/** Receives webhooks on this machine: each path answers as its receiver does. */
import { once } from "node:events"
import { createServer } from "node:http"

const answers: { readonly [path: string]: { readonly status: number; readonly body: string } } = {
  "/hooks/orders": { status: 204, body: "" },
  "/hooks/warehouse": {
    status: 503,
    body: "<html><head><title>503 Service Unavailable</title></head><body><h1>Upstream timed out</h1></body></html>"
  },
  "/hooks/crm": { status: 200, body: '{"ok":true}' }
}

export interface WebhookReceiver {
  /** `/hooks/orders` and `/hooks/crm` accept, `/hooks/warehouse` fails. */
  readonly url: (path: string) => string
  readonly close: () => void
}

export const startReceiver = async (): Promise<WebhookReceiver> => {
  const server = createServer((request, response) => {
    const { body, status } = answers[request.url ?? ""] ?? { status: 404, body: "" }
    request.resume().on("end", () => response.writeHead(status).end(body))
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  const port = typeof address === "string" || address === null ? 0 : address.port
  return {
    url: (path) => `http://127.0.0.1:${port}${path}`,
    close: () => {
      server.closeAllConnections()
      server.close()
    }
  }
}

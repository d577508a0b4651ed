/** The merchant whose month the example data is: calls the API with a key, as a server does. */
import type { HistoryEngine } from "../HistoryEngine.ts"

interface Answer {
  readonly status: number
  /** Of what was made or found. */
  readonly id: string
  readonly text: string
}

export interface Merchant {
  /** Of the API key that is in use. */
  key: string
  readonly get: (path: string) => Promise<Answer>
  readonly post: (path: string, body: unknown, idempotencyKey?: string) => Promise<Answer>
}

export const merchantOf = (engine: HistoryEngine, publicUrl: string): Merchant => {
  const ask = async (
    method: string,
    path: string,
    init: { readonly body?: string; readonly idempotencyKey?: string }
  ) => {
    const response = await engine.fetch(
      new Request(`${publicUrl}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${merchant.key}`,
          "content-type": "application/json",
          "user-agent": "shop-backend/4.2 (node 26)",
          ...(init.idempotencyKey !== undefined && { "idempotency-key": init.idempotencyKey })
        },
        ...(init.body !== undefined && { body: init.body })
      })
    )
    const text = await response.text()
    const [, id = ""] = /^\{"id":"(\w+)"/.exec(text) ?? []
    return { status: response.status, id, text }
  }
  const merchant: Merchant = {
    key: "",
    get: (path) => ask("GET", path, {}),
    post: (path, body, idempotencyKey) =>
      ask("POST", path, { body: JSON.stringify(body), ...(idempotencyKey !== undefined && { idempotencyKey }) })
  }
  return merchant
}

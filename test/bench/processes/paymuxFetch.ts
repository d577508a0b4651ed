/** Paymux as a host that speaks `fetch` has it, on a server of `node:http`. Its database is argument 1. */
import type { IncomingMessage, ServerResponse } from "node:http"
import { key, paymux } from "./benchPaymux.ts"
import { readBody } from "./ReadBody.ts"
import { serve } from "./Serve.ts"

serve((request, response) => readBody(request, (body) => void answer(request, response, body)), key, paymux.close)

const answer = async (
  { headers, method = "POST", url = "/" }: IncomingMessage,
  response: ServerResponse,
  body: string
): Promise<void> => {
  const asked = new Request(`http://${headers.host}${url}`, {
    method,
    headers: Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]),
    body
  })
  const answered = await paymux.fetch(asked)
  const bytes = Buffer.from(await answered.arrayBuffer())
  response.writeHead(answered.status, { ...Object.fromEntries(answered.headers), "content-length": bytes.length })
  response.end(bytes)
}

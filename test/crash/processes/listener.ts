/** The API on `node:http`, with crash points where its answers leave. */
import type { HttpHandler } from "@paymux/http"
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http"
import type { CrashPoint } from "../CrashPoints.ts"
import type { CrashSwitch } from "../CrashSwitch.ts"

export const makeListener = ({ fetch }: HttpHandler["Service"], crash: CrashSwitch): RequestListener => {
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const points = pointsOf(request)
    const answer = await fetch(await requestOf(request))
    const body = await answer.text()
    if (points !== null) crash.pass(points.before)
    if (points !== null) response.once("finish", () => crash.pass(points.after))
    response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(body)
  }
  return (request, response) => {
    serve(request, response).catch(() => response.destroy())
  }
}

const pointsOf = ({ method, url = "" }: IncomingMessage): { before: CrashPoint; after: CrashPoint } | null => {
  if (method !== "POST") return null
  if (url.startsWith("/webhooks/")) return { before: "webhook_answer.before", after: "webhook_answer.after" }
  return url === "/v1/payments"
    ? { before: "answer.before", after: "answer.after" }
    : { before: "later_answer.before", after: "later_answer.after" }
}

const requestOf = async (request: IncomingMessage): Promise<Request> => {
  const chunks: Array<Buffer> = []
  for await (const chunk of request) chunks.push(chunk)
  const body = Buffer.concat(chunks)
  return new Request(`http://localhost${request.url ?? "/"}`, {
    method: request.method ?? "GET",
    headers: Object.entries(request.headers).flatMap(([name, value]): Array<[string, string]> =>
      typeof value === "string" && !ownedByFetch.has(name) ? [[name, value]] : []
    ),
    ...(body.length > 0 && { body })
  })
}

/** A `Request` makes these itself. */
const ownedByFetch = new Set(["host", "connection", "content-length", "transfer-encoding", "expect"])

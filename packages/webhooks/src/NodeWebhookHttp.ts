/** Webhooks over `node:http` and `node:https`. */
import { Effect, Layer } from "effect"
import * as Http from "node:http"
import * as Https from "node:https"
import { WebhookHttp, WebhookHttpError } from "./WebhookHttp.ts"
import type { WebhookAnswer, WebhookRequest } from "./WebhookHttp.ts"

export const layer: Layer.Layer<WebhookHttp> = Layer.effect(
  WebhookHttp,
  Effect.map(
    Effect.acquireRelease(Effect.sync(makeAgents), (agents) => Effect.sync(() => closeAgents(agents))),
    (agents) => WebhookHttp.of({ post: (request) => post(agents, request) })
  )
)

interface Agents {
  readonly "http:": Http.Agent
  readonly "https:": Https.Agent
}

/**
 * Every connection, to a name or to an address as it stands, is opened by one of these two. What a name resolves to is
 * to be checked here, in their `createConnection`: the address that was checked must be the one that is connected to.
 */
function makeAgents(): Agents {
  const kept = { keepAlive: true, timeout: idleTimeout }
  // Said aloud, because NODE_TLS_REJECT_UNAUTHORIZED=0 only changes the default.
  return { "http:": new Http.Agent(kept), "https:": new Https.Agent({ ...kept, rejectUnauthorized: true }) }
}

const closeAgents = (agents: Agents): void => {
  agents["http:"].destroy()
  agents["https:"].destroy()
}

const post = (agents: Agents, { body, headers, url }: WebhookRequest): Effect.Effect<WebhookAnswer, WebhookHttpError> =>
  Effect.callback<WebhookAnswer, WebhookHttpError>((resume) => {
    const bytes = Buffer.from(body, "utf8")
    const options = { method: "POST", headers: { ...headers, "content-length": bytes.byteLength } }
    const request = url.startsWith("https:")
      ? Https.request(url, { ...options, agent: agents["https:"] })
      : Http.request(url, { ...options, agent: agents["http:"] })
    request.once("response", (response) => {
      letGo(response)
      resume(Effect.succeed({ status: response.statusCode ?? 0, retryAfter: response.headers["retry-after"] ?? null }))
    })
    // Also after the answer: an error nobody listens to would end the process.
    request.on("error", (error) => resume(Effect.fail(new WebhookHttpError({ code: codeOf(error) }))))
    request.once("close", () => resume(Effect.fail(new WebhookHttpError({ code: "connection_closed" }))))
    request.end(bytes)
    return Effect.sync(() => void request.destroy())
  })

/** The status has said it all. The body is read so far as keeps the connection for the next event, and no further. */
const letGo = (response: Http.IncomingMessage): void => {
  let read = 0
  const cut = () => void response.destroy()
  // A timer of the connection's own: nobody waits for it, and a test that moves the clock has no body to read.
  const timer = setTimeout(cut, bodyTimeout).unref()
  response.on("data", (chunk: Buffer) => {
    read += chunk.byteLength
    if (read > bodyLimit) cut()
  })
  response.on("error", cut)
  response.once("close", () => clearTimeout(timer))
}

const codeOf = (error: Error): string =>
  "code" in error && typeof error.code === "string" && /^[A-Z0-9_]{1,64}$/.test(error.code)
    ? error.code
    : "connection_failed"

/** ms that a connection is kept without use: less than the 5 s after which many servers close it. */
const idleTimeout = 4000
const bodyTimeout = 1000
const bodyLimit = 16_384

/** Sends webhooks over `node:http` and `node:https`, only to addresses that the policy allows. */
import { Effect, Layer } from "effect"
import * as Http from "node:http"
import * as Https from "node:https"
import * as AddressGuard from "./endpoint/AddressGuard.ts"
import * as AddressPolicy from "./endpoint/AddressPolicy.ts"
import { WebhookHttp, WebhookHttpError } from "./WebhookHttp.ts"
import type { WebhookAnswer, WebhookRequest } from "./WebhookHttp.ts"

export interface NodeWebhookHttpOptions {
  /** The non-public addresses, CIDR ranges and host names that may be sent to. */
  readonly allow: ReadonlyArray<string>
  /** The function that resolves host names. Default: queries the system's name servers. */
  readonly resolve?: AddressGuard.Resolve
}

export const layer = (options: NodeWebhookHttpOptions): Layer.Layer<WebhookHttp, AddressPolicy.AllowListInvalid> =>
  Layer.effect(
    WebhookHttp,
    Effect.gen(function* () {
      const policy = yield* AddressPolicy.make(options.allow)
      const guard = AddressGuard.make(policy, options.resolve ?? AddressGuard.nameServers)
      const agents = yield* Effect.acquireRelease(Effect.sync(makeAgents), (made) =>
        Effect.sync(() => closeAgents(made))
      )
      return WebhookHttp.of({ post: (request) => post(guard, agents, request) })
    })
  )

interface Agents {
  readonly "http:": Http.Agent
  readonly "https:": Https.Agent
}

function makeAgents(): Agents {
  const kept = { keepAlive: true, timeout: idleTimeout }
  // Certificates are verified explicitly, because NODE_TLS_REJECT_UNAUTHORIZED=0 changes the default.
  return { "http:": new Http.Agent(kept), "https:": new Https.Agent({ ...kept, rejectUnauthorized: true }) }
}

const closeAgents = (agents: Agents): void => {
  agents["http:"].destroy()
  agents["https:"].destroy()
}

const post = (
  guard: AddressGuard.AddressGuard,
  agents: Agents,
  { body, headers, livemode, url }: WebhookRequest
): Effect.Effect<WebhookAnswer, WebhookHttpError> =>
  Effect.callback<WebhookAnswer, WebhookHttpError>((resume) => {
    const refusal = guard.refusal(url, livemode)
    if (refusal !== null) return resume(Effect.fail(new WebhookHttpError({ code: refusal })))
    const bytes = Buffer.from(body, "utf8")
    const options = {
      method: "POST",
      headers: { ...headers, "content-length": bytes.byteLength },
      // Node calls `lookup` for each new connection to a host name. A kept-alive connection has already been checked.
      lookup: guard.lookup
    }
    const request = url.startsWith("https:")
      ? Https.request(url, { ...options, agent: agents["https:"] })
      : Http.request(url, { ...options, agent: agents["http:"] })
    let answered = false
    request.once("response", (response) => {
      answered = true
      const answer = { status: response.statusCode ?? 0, retryAfter: response.headers["retry-after"] ?? null }
      readFirst(response, (firstBytes) => resume(Effect.succeed({ ...answer, firstBytes })))
    })
    // Reports a failure without a response. Once the response headers have arrived, the body reader reports the result
    // instead.
    const failed = (code: string) => {
      if (!answered) resume(Effect.fail(new WebhookHttpError({ code })))
    }
    // Handles errors also after the response, since an unhandled error event would crash the process.
    request.on("error", (error) => failed(codeOf(error)))
    request.once("close", () => failed("connection_closed"))
    request.end(bytes)
    return Effect.sync(() => void request.destroy())
  })

/**
 * Calls `done` with the first bytes of a response body; `done` ignores further calls. A success is reported before the
 * body is read, since its status is enough. The body is read only as far as needed to reuse the connection.
 */
const readFirst = (response: Http.IncomingMessage, done: (firstBytes: Uint8Array) => void): void => {
  const kept: Array<Buffer> = []
  let read = 0
  const report = () => done(Buffer.concat(kept).subarray(0, excerptLimit))
  const cut = () => {
    report()
    response.destroy()
  }
  // Uses a real timer instead of Effect's clock: no fiber waits for it, and tests with a virtual clock have no body to
  // read.
  const timer = setTimeout(cut, bodyTimeout).unref()
  response.on("data", (chunk: Buffer) => {
    if (read < excerptLimit) kept.push(chunk)
    read += chunk.byteLength
    if (read >= excerptLimit) report()
    if (read > bodyLimit) cut()
  })
  response.on("error", cut)
  response.once("end", report)
  response.once("close", () => {
    clearTimeout(timer)
    report()
  })
  const status = response.statusCode ?? 0
  if (status >= 200 && status < 300) report()
}

const codeOf = (error: Error): string =>
  "code" in error && typeof error.code === "string" && /^[A-Z0-9_]{1,64}$/.test(error.code)
    ? error.code
    : "connection_failed"

/** The idle time of kept-alive connections, ms: less than the 5 s after which many servers close a connection. */
const idleTimeout = 4000
const bodyTimeout = 1000
const bodyLimit = 16_384
const excerptLimit = 1024

/** Webhooks over `node:http` and `node:https`, to addresses that the policy allows and to no others. */
import { Effect, Layer } from "effect"
import * as Http from "node:http"
import * as Https from "node:https"
import * as AddressGuard from "./AddressGuard.ts"
import * as AddressPolicy from "./AddressPolicy.ts"
import { WebhookHttp, WebhookHttpError } from "./WebhookHttp.ts"
import type { WebhookAnswer, WebhookRequest } from "./WebhookHttp.ts"

export interface NodeWebhookHttpOptions {
  /** Addresses, ranges (CIDR) and host names that are opened although they are not public. */
  readonly allow: ReadonlyArray<string>
  /** Default: the name servers of the system. */
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
  // Said aloud, because NODE_TLS_REJECT_UNAUTHORIZED=0 only changes the default.
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
      // Of each new connection to a name; one that is kept goes where it was checked to go.
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
    // After an answer its reader tells what came of it.
    const failed = (code: string) => {
      if (!answered) resume(Effect.fail(new WebhookHttpError({ code })))
    }
    // Also after the answer: an error nobody listens to would end the process.
    request.on("error", (error) => failed(codeOf(error)))
    request.once("close", () => failed("connection_closed"))
    request.end(bytes)
    return Effect.sync(() => void request.destroy())
  })

/**
 * `told` hears what came first of the body; its first call counts. A success waits for none of it: its status has said it
 * all. The body is read so far as keeps the connection for the next event, and no further.
 */
const readFirst = (response: Http.IncomingMessage, told: (firstBytes: Uint8Array) => void): void => {
  const kept: Array<Buffer> = []
  let read = 0
  const tell = () => told(Buffer.concat(kept).subarray(0, excerptLimit))
  const cut = () => {
    tell()
    response.destroy()
  }
  // A timer of the connection's own: nobody waits for it, and a test that moves the clock has no body to read.
  const timer = setTimeout(cut, bodyTimeout).unref()
  response.on("data", (chunk: Buffer) => {
    if (read < excerptLimit) kept.push(chunk)
    read += chunk.byteLength
    if (read >= excerptLimit) tell()
    if (read > bodyLimit) cut()
  })
  response.on("error", cut)
  response.once("end", tell)
  response.once("close", () => {
    clearTimeout(timer)
    tell()
  })
  const status = response.statusCode ?? 0
  if (status >= 200 && status < 300) tell()
}

const codeOf = (error: Error): string =>
  "code" in error && typeof error.code === "string" && /^[A-Z0-9_]{1,64}$/.test(error.code)
    ? error.code
    : "connection_failed"

/** ms that a connection is kept without use: less than the 5 s after which many servers close it. */
const idleTimeout = 4000
const bodyTimeout = 1000
const bodyLimit = 16_384
const excerptLimit = 1024

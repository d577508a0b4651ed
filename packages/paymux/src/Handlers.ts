/** The HTTP side of a running Paymux: the API, in the sandbox its pages and its simulate endpoint, as two handlers. */
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { LoadShedder } from "@paymux/core"
import { countProblem, HttpApp, HttpHandler } from "@paymux/http"
import { SandboxPage, SandboxSimulator } from "@paymux/sandbox"
import { Context, Effect, Layer } from "effect"
import { HttpMiddleware } from "effect/http"
import type { IncomingMessage, RequestListener } from "node:http"
import { ServerSecret } from "./App.ts"
import * as Door from "./Door.ts"
import type { InFlight } from "./InFlight.ts"
import type { PaymuxSettings } from "./PaymuxOptions.ts"
import { MetricsText } from "./telemetry/MetricsText.ts"
import { simulateExtension } from "./simulateExtension.ts"

export interface Handlers {
  readonly node: RequestListener
  readonly fetch: (request: Request) => Promise<Response>
}

/** They live as long as the scope they are made in, and answer until `inFlight` is closed. */
export const make = Effect.fnUntraced(function* (settings: PaymuxSettings, inFlight: InFlight) {
  const secret = yield* ServerSecret
  const simulator = yield* SandboxSimulator
  const metrics = yield* MetricsText
  const { basePath, rateLimit } = settings
  const api = HttpApp.layer({
    secret,
    basePath,
    rateLimit,
    metrics: { text: metrics.text, token: settings.metricsToken },
    ...(settings.sandbox && { extensions: [simulateExtension(simulator)], routes: SandboxPage.routes })
  })
  const routes = settings.sandbox ? Layer.mergeAll(api, SandboxPage.layer) : api
  const { effect, fetch } = Context.get(yield* Layer.build(HttpHandler.layer(routes)), HttpHandler)
  const answer: RequestListener = yield* NodeHttpServer.makeHandler(effect, { scope: yield* Effect.scope }).pipe(
    // The API makes the span of a request: one of the server would have the whole address in it.
    Effect.provideService(HttpMiddleware.TracerDisabledWhen, () => true)
  )
  const services = yield* Effect.context<never>()
  const door = Door.make(basePath, inFlight, yield* LoadShedder, (code) => countProblem(code, services))
  return { node: nodeHandler(basePath, door, answer), fetch: webHandler(door, fetch) } satisfies Handlers
})

const nodeHandler = (basePath: string, door: Door.Door, answer: RequestListener): RequestListener => {
  const whole = basePath === "" ? (request: IncomingMessage) => request : withWholePath
  return (asked, response) => {
    // Its client went away while the host had it: nobody reads an answer, and nothing would tell the door of its end.
    if (response.closed) return
    const request = whole(asked)
    const refusal = door.enter(request.method, request.url ?? "")
    if (refusal !== null) {
      const { body, headers, status } = refusal
      response.writeHead(status, { ...headers, "content-length": Buffer.byteLength(body) }).end(body)
      return
    }
    response.once("close", door.leave)
    answer(request, response)
  }
}

/** Express and its kin take the path of the mount away, and keep the whole in `originalUrl`. */
const withWholePath = (request: IncomingMessage & { readonly originalUrl?: unknown }): IncomingMessage => {
  if (typeof request.originalUrl === "string") request.url = request.originalUrl
  return request
}

const webHandler =
  (door: Door.Door, answer: Handlers["fetch"]): Handlers["fetch"] =>
  async (request) => {
    const refusal = door.enter(request.method, request.url.slice(request.url.indexOf("/", "https://".length)))
    if (refusal !== null) {
      const { body, headers, status } = refusal
      return new Response(body, { status, headers })
    }
    try {
      return await answer(request)
    } finally {
      door.leave()
    }
  }

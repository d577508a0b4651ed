/**
 * The HTTP client of provider adapters. It sends a request once and distinguishes three results: a definite {@link Answer}
 * of any status, `NotSent`, and `SentOutcomeUnknown` (rows 2–4 of the failover table).
 *
 * What it will not do: retry, follow a redirect, use a proxy, switch TLS verification off, fall back to plaintext (http
 * is for loopback only), or let a deadline wait for anything. An interrupted request closes its connection.
 *
 * @example
 * ```ts
 * const http = yield* ProviderHttp.make({
 *   baseUrl: "https://api.stripe.com/v1",
 *   headers: RequestHeaders.bearer(options.secretKey),
 *   timeout: "20 seconds"
 * })
 * const answer = yield* http.request({
 *   method: "POST",
 *   path: ["payment_intents", id, "capture"],
 *   headers: { "idempotency-key": operation.key },
 *   body: { form: { amount_to_capture: "1000" } }
 * })
 * const intent = yield* answer.decode(PaymentIntent)
 * ```
 */
import * as Cause from "effect/Cause"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import { Footprint } from "./Footprint.ts"
import * as FormEncoding from "./FormEncoding.ts"
import { type Answer } from "./HttpAnswer.ts"
import { NotSent, type SentOutcomeUnknown } from "./HttpFailure.ts"
import * as HttpTransport from "./HttpTransport.ts"
import { type RequestHeaders, reveal } from "./RequestHeaders.ts"

export { Answer } from "./HttpAnswer.ts"
export { NotSent, SentOutcomeUnknown } from "./HttpFailure.ts"

export interface Options {
  /** `https://host[:port][/prefix]`. Plain http is accepted for a loopback host only. */
  readonly baseUrl: string
  /** Sent with every request. */
  readonly headers?: RequestHeaders
  /** Until the connection is ready, TLS included. 2 s by default. */
  readonly connectTimeout?: Duration.Input
  /** From the start of the call to the last byte of the answer. 20 s by default. */
  readonly timeout?: Duration.Input
  /** How long an unused connection is kept. 4 s by default: shorter than most servers keep theirs, so that resets are rare. */
  readonly idleTimeout?: Duration.Input
  /** The largest body of an answer; 1 MiB by default. A larger one is `too_large`. Each is held in memory. */
  readonly maxBodyBytes?: number
}

export interface Request {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE"
  /**
   * Below the base URL. A string is taken as it is and must be a constant; with anything variable give the segments,
   * which are percent-encoded. `.` and `..` are refused in both.
   */
  readonly path: string | ReadonlyArray<string>
  readonly query?: FormEncoding.Form
  readonly headers?: RequestHeaders
  readonly body?: { readonly json: unknown } | { readonly form: FormEncoding.Form }
  /** For this call, instead of the client's. */
  readonly timeout?: Duration.Input
}

export interface ProviderHttp {
  readonly request: (request: Request) => Effect.Effect<Answer, NotSent | SentOutcomeUnknown>
}

/** The base URL cannot be used. It is not repeated here, because it could carry credentials. */
export class InvalidBaseUrl extends Schema.TaggedError<InvalidBaseUrl>()("InvalidBaseUrl", {
  reason: Schema.Literals(["not_a_url", "not_https", "has_credentials", "has_query"])
}) {
  override get message() {
    return `invalid base URL of a provider: ${this.reason}`
  }
}

/** A client with its own connections; they are closed with the scope. */
export const make = Effect.fnUntraced(function* (
  options: Options
): Effect.fn.Return<ProviderHttp, InvalidBaseUrl, Scope.Scope> {
  const origin = yield* Effect.fromResult(readBaseUrl(options.baseUrl))
  const defaults = {
    connectTimeout: Duration.fromInputUnsafe(options.connectTimeout ?? "2 seconds"),
    timeout: Duration.fromInputUnsafe(options.timeout ?? "20 seconds")
  }
  const transport = yield* Effect.acquireRelease(
    Effect.sync(() =>
      HttpTransport.make({
        origin,
        connectTimeoutMillis: Duration.toMillis(defaults.connectTimeout),
        idleTimeoutMillis: Duration.toMillis(Duration.fromInputUnsafe(options.idleTimeout ?? "4 seconds")),
        maxBodyBytes: options.maxBodyBytes ?? mostBodyBytes
      })
    ),
    (transport) => Effect.sync(transport.close)
  )

  const request = (request: Request) =>
    Effect.gen(function* () {
      const wire = yield* Effect.fromResult(toWire(origin, options.headers ?? {}, request))
      const timeout = request.timeout === undefined ? defaults.timeout : Duration.fromInputUnsafe(request.timeout)
      const footprint = yield* Footprint
      const answer = yield* Effect.onExit(
        send(transport, wire, { connectTimeout: defaults.connectTimeout, timeout }),
        (exit) =>
          Effect.sync(() => {
            if (request.method !== "GET" && wasSent(exit)) footprint.left = true
          })
      )
      yield* Effect.annotateCurrentSpan("http.response.status_code", answer.status)
      return answer
    }).pipe(
      Effect.withSpan("ProviderHttp.request", {
        kind: "client",
        attributes: { "http.request.method": request.method, "server.address": origin.host }
      })
    )
  return { request }
})

const mostBodyBytes = 1024 * 1024

const wasSent = (exit: Exit.Exit<Answer, NotSent | SentOutcomeUnknown>): boolean =>
  Exit.isSuccess(exit) ||
  exit.cause.reasons.some((reason) => !Cause.isFailReason(reason) || reason.error._tag !== "NotSent")

/**
 * The deadlines run in a fiber of their own and end the exchange themselves, so that they hold also where the caller
 * cannot be interrupted.
 */
const send = (
  transport: HttpTransport.Transport,
  wire: HttpTransport.WireRequest,
  limits: { readonly connectTimeout: Duration.Duration; readonly timeout: Duration.Duration }
): Effect.Effect<Answer, NotSent | SentOutcomeUnknown> =>
  Effect.contextWith((context) =>
    Effect.callback((resume) => {
      const exchange = transport.start(wire, (ending) => {
        resume(Effect.fromResult(ending))
        // An exchange can end within `start`, before there is a fiber.
        queueMicrotask(() => deadlines.interruptUnsafe())
      })
      const connectTimeout = Duration.min(limits.connectTimeout, limits.timeout)
      const deadlines = Effect.runForkWith(context)(
        Effect.gen(function* () {
          yield* Effect.sleep(connectTimeout)
          if (exchange.connecting()) return exchange.expire()
          yield* Effect.sleep(Duration.subtract(limits.timeout, connectTimeout))
          exchange.expire()
        })
      )
      return Effect.sync(() => {
        deadlines.interruptUnsafe()
        exchange.abandon()
      })
    })
  )

const readBaseUrl = (text: string): Result.Result<URL, InvalidBaseUrl> => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || url.hostname === "") return Result.fail(new InvalidBaseUrl({ reason: "not_a_url" }))
  const loopback = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname)
  if (url.protocol !== "https:" && !(url.protocol === "http:" && loopback)) {
    return Result.fail(new InvalidBaseUrl({ reason: "not_https" }))
  }
  if (url.username !== "" || url.password !== "") return Result.fail(new InvalidBaseUrl({ reason: "has_credentials" }))
  if (url.search !== "" || url.hash !== "") return Result.fail(new InvalidBaseUrl({ reason: "has_query" }))
  return Result.succeed(url)
}

const toWire = (
  origin: URL,
  defaultHeaders: RequestHeaders,
  request: Request
): Result.Result<HttpTransport.WireRequest, NotSent> => {
  const headers = reveal({ accept: "application/json", "user-agent": "paymux" }, defaultHeaders, request.headers ?? {})
  const path = toPath(request.path)
  const query = FormEncoding.encode(request.query ?? {})
  const body = toBody(request.body)
  if (headers === undefined || path === undefined || Result.isFailure(query) || Result.isFailure(body)) {
    return Result.fail(new NotSent({ reason: "invalid_request", host: origin.host }))
  }
  const prefix = origin.pathname.replace(/\/$/, "")
  return Result.succeed({
    method: request.method,
    path: `${prefix}${path}${query.success === "" ? "" : `?${query.success}`}`,
    headers: {
      ...headers,
      "accept-encoding": "identity",
      ...(body.success === undefined
        ? request.method === "GET"
          ? {}
          : { "content-length": "0" }
        : { "content-type": body.success.type, "content-length": String(body.success.bytes.byteLength) })
    },
    body: body.success?.bytes
  })
}

const toPath = (path: Request["path"]): string | undefined => {
  const text = typeof path === "string" ? path : `/${path.map(encodeSegment).join("/")}`
  const segments = text.split("/").slice(1)
  const safe = segments.every((segment) => /^(?!\.{1,2}$)[\w.~!$&'()*+,;=:@%-]+$/.test(segment))
  return text.startsWith("/") && safe ? text : undefined
}

const encodeSegment = (segment: string) => (segment.isWellFormed() ? encodeURIComponent(segment) : "")

const toBody = (
  body: Request["body"]
): Result.Result<{ readonly type: string; readonly bytes: Uint8Array } | undefined, unknown> => {
  if (body === undefined) return Result.succeed(undefined)
  if ("form" in body) {
    return Result.map(FormEncoding.encode(body.form), (text) => ({
      type: "application/x-www-form-urlencoded",
      bytes: Buffer.from(text, "utf8")
    }))
  }
  return Result.try(() => {
    const text: unknown = JSON.stringify(body.json) // undefined for a function or undefined, whatever its type says
    if (typeof text !== "string") throw new TypeError("not JSON")
    return { type: "application/json", bytes: Buffer.from(text, "utf8") }
  })
}

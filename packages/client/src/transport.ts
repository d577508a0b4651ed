/** One call: its tries, with what is waited between them. */
import { apiError } from "./apiError.ts"
import type { Answer } from "./apiError.ts"
import { checked } from "./options.ts"
import type { CallOptions, PostOptions, Settings } from "./options.ts"
import { PaymuxAbortError, PaymuxConnectionError, PaymuxError, PaymuxTimeoutError } from "./PaymuxError.ts"
import { retryWait } from "./retry.ts"
import type { Runtime } from "./Runtime.ts"

/** The JSON of the answer. Paths begin after `/v1`. Fails with `PaymuxError`. */
export interface Transport {
  readonly get: <Json>(path: string, options: CallOptions) => Promise<Json>
  readonly post: <Json>(path: string, body: object, options: PostOptions) => Promise<Json>
}

const ofCalls = ["timeout", "maxRetries", "signal"]

export const transport = (settings: Settings, runtime: Runtime): Transport => ({
  get: (path, options) => send(settings, runtime, { method: "GET", path, key: null }, checked(options, ofCalls)),
  post: async (path, body, given) => {
    const options = checked(given, [...ofCalls, "idempotencyKey"])
    const key = options.idempotencyKey ?? runtime.newKey()
    return send(settings, runtime, { method: "POST", path, key, body: JSON.stringify(body) }, options)
  }
})

interface Request {
  readonly method: "GET" | "POST"
  readonly path: string
  readonly key: string | null
  readonly body?: string
}

const send = async <Json>(
  settings: Settings,
  runtime: Runtime,
  request: Request,
  options: CallOptions
): Promise<Json> => {
  const { maxRetries = settings.maxRetries, signal, timeout = settings.timeout } = options
  for (let retry = 0; ; retry++) {
    const result = await attempt(settings, runtime, request, timeout, signal)
    // Boundary: the types are those of the server's own description; newer servers may add to it.
    if (!(result instanceof PaymuxError)) return result.json as Json
    const wait = retryWait(result, retry, maxRetries, runtime.chance())
    if (wait === null) throw result
    await runtime.sleep(wait, signal)
  }
}

/** One try. A signal that is aborted already ends it before it begins. */
const attempt = async (
  settings: Settings,
  runtime: Runtime,
  request: Request,
  timeout: number,
  signal: AbortSignal | undefined
): Promise<{ readonly json: unknown } | PaymuxError> => {
  const { key: idempotencyKey } = request
  const aborted = () =>
    new PaymuxAbortError({ code: "aborted", message: "The call was aborted.", idempotencyKey, cause: signal?.reason })
  const isAborted = () => signal?.aborted === true
  if (isAborted()) return aborted()
  const controller = new AbortController()
  const abort = () => controller.abort()
  const timer = setTimeout(() => controller.abort(outOfTime), timeout)
  signal?.addEventListener("abort", abort)
  try {
    const answer = await answerTo(settings, request, controller.signal)
    if (answer.status < 200 || answer.status > 299) return apiError(answer, idempotencyKey, runtime.now())
    return jsonOf(answer) ?? apiError(answer, idempotencyKey, runtime.now())
  } catch (cause) {
    if (isAborted()) return aborted()
    const late = controller.signal.reason === outOfTime
    const message = late
      ? `${new URL(settings.baseUrl).origin} did not answer in ${timeout} ms.`
      : `${new URL(settings.baseUrl).origin} could not be reached, or broke off.`
    return late
      ? new PaymuxTimeoutError({ code: "timeout", message, idempotencyKey })
      : new PaymuxConnectionError({ code: "connection_failed", message, idempotencyKey, cause })
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener("abort", abort)
  }
}

const outOfTime = Symbol("out of time")

const answerTo = async (
  { apiKey, baseUrl, fetch }: Settings,
  request: Request,
  signal: AbortSignal
): Promise<Answer> => {
  const response = await fetch(`${baseUrl}${request.path}`, {
    method: request.method,
    headers: {
      accept: "application/json",
      authorization: `Bearer ${apiKey}`,
      ...(request.body === undefined ? {} : { "content-type": "application/json" }),
      ...(request.key === null ? {} : { "idempotency-key": request.key })
    },
    ...(request.body === undefined ? {} : { body: request.body }),
    // Neither the key nor a POST goes where an answer points to.
    redirect: "manual",
    signal
  })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

const jsonOf = ({ text }: Answer): { readonly json: unknown } | null => {
  try {
    return { json: JSON.parse(text) }
  } catch {
    return null
  }
}

/** What a client and a call are given, checked: a wrong or misspelt option fails before anything is sent. */
import { PaymuxUsageError } from "./PaymuxError.ts"

/** The part of `fetch` that is used: that of every runtime, of undici, and what wraps them. */
export type Fetch = (
  url: string,
  init: {
    readonly method: string
    readonly headers: Record<string, string>
    readonly body?: string
    readonly redirect: "manual"
    readonly signal: AbortSignal
  }
) => Promise<{
  readonly status: number
  readonly headers: { get(name: string): string | null }
  text(): Promise<string>
}>

export interface PaymuxOptions {
  /** `pmx_test_…` or `pmx_live_…`. Secret: only for servers. */
  readonly apiKey: string
  /** The server's address, as `paymux serve` prints it. A missing `/v1` at its end is added. */
  readonly baseUrl: string
  /** ms for each try; default 30 000. For a limit on the whole call take `signal`. */
  readonly timeout?: number
  /** How often a call that is safe to repeat is repeated; default 3. */
  readonly maxRetries?: number
  /** Default: the runtime's own. */
  readonly fetch?: Fetch
}

export interface CallOptions {
  /** ms for each try. */
  readonly timeout?: number
  readonly maxRetries?: number
  /** Ends the whole call, with its retries. What was sent may be done all the same. */
  readonly signal?: AbortSignal
}

export interface PostOptions extends CallOptions {
  /** 1 to 255 visible ASCII characters. Default: one is made, and kept over the retries of this call. */
  readonly idempotencyKey?: string
}

export interface Settings {
  readonly apiKey: string
  /** Ends in `/v1`. */
  readonly baseUrl: string
  readonly timeout: number
  readonly maxRetries: number
  readonly fetch: Fetch
}

export const settingsOf = (options: PaymuxOptions): Settings => {
  if (typeof options !== "object" || options === null) {
    throw new PaymuxUsageError("The client needs options: new Paymux({ apiKey, baseUrl })")
  }
  onlyKnown(options, ["apiKey", "baseUrl", "timeout", "maxRetries", "fetch"])
  const { apiKey, baseUrl, fetch = globalThis.fetch, maxRetries = 3, timeout = 30_000 } = options
  // A runtime would repeat the whole header in its error.
  if (!isVisible(apiKey)) throw new PaymuxUsageError("apiKey must be the key alone, without spaces or line ends")
  if (typeof fetch !== "function") throw new PaymuxUsageError("fetch must be a function")
  checkTimeout(timeout)
  checkRetries(maxRetries)
  return { apiKey, baseUrl: addressOf(baseUrl), timeout, maxRetries, fetch }
}

/** The options of one call, where they are right. */
export const checked = (options: PostOptions, names: ReadonlyArray<string>): PostOptions => {
  onlyKnown(options, names)
  if (options.timeout !== undefined) checkTimeout(options.timeout)
  if (options.maxRetries !== undefined) checkRetries(options.maxRetries)
  if (
    options.idempotencyKey !== undefined &&
    !(isVisible(options.idempotencyKey) && options.idempotencyKey.length <= 255)
  ) {
    throw new PaymuxUsageError("idempotencyKey must have 1 to 255 visible ASCII characters")
  }
  return options
}

/** Of a payment or a refund, as a part of a path: nothing else may become one. */
export const idOf = (id: string): string => {
  if (typeof id === "string" && /^[A-Za-z0-9_-]{1,100}$/.test(id)) return id
  throw new PaymuxUsageError("An id has letters, digits, _ and - only")
}

const addressOf = (baseUrl: string): string => {
  const url = urlOf(baseUrl)
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "") {
    throw new PaymuxUsageError("baseUrl must be an http or https address without user and password")
  }
  if (url.search !== "" || url.hash !== "") throw new PaymuxUsageError("baseUrl must have neither query nor fragment")
  return `${url.origin}${url.pathname.replace(/\/+$/, "").replace(/\/v1$/, "")}/v1`
}

const urlOf = (text: string): URL | null => {
  try {
    return new URL(text)
  } catch {
    return null
  }
}

const onlyKnown = (options: object, names: ReadonlyArray<string>): void => {
  const unknown = Object.keys(options).find((name) => !names.includes(name))
  if (unknown !== undefined) throw new PaymuxUsageError(`There is no option ${unknown}: there are ${names.join(", ")}`)
}

const isVisible = (value: unknown): boolean => typeof value === "string" && /^[\u0021-\u007e]+$/.test(value)

/** Timers have 31 bits: a longer one would fire at once. */
const checkTimeout = (timeout: number): void => {
  if (!(Number.isInteger(timeout) && timeout >= 1 && timeout <= 2_147_483_647)) {
    throw new PaymuxUsageError("timeout must be a whole number of ms, from 1 to 2147483647")
  }
}

const checkRetries = (maxRetries: number): void => {
  if (!(Number.isInteger(maxRetries) && maxRetries >= 0 && maxRetries <= 10)) {
    throw new PaymuxUsageError("maxRetries must be a whole number from 0 to 10")
  }
}

/**
 * Follows one payment from a browser. Changes arrive as server-sent events; where those fail, the status is polled.
 *
 * The link and its status are for the payer. They prove nothing to a shop: deliver after the API or a webhook has reported
 * `succeeded`.
 *
 * @example
 * ```ts
 * import { watchPayment } from "@paymux/client/browser"
 *
 * const stop = watchPayment("https://pay.example.com/pay/pay_…/3q2-…", ({ status }) => console.log(status))
 * stop()
 * ```
 */
import type { Payment } from "../wire.ts"

/** What a payer may know of a payment. Amounts are integers in the smallest unit of the currency. */
export interface BrowserPayment extends Pick<
  Payment,
  "id" | "status" | "pending_reason" | "amount" | "currency" | "amount_received" | "next_action"
> {
  /** RFC 3339, UTC. `null`: no time limit is known. */
  readonly expires_at: string | null
  /** Increases with every change. */
  readonly version: number
}

export interface WatchOptions {
  /** Stops watching, as the returned function does. */
  readonly signal?: AbortSignal
  /** ms between two polls while the stream is broken. Default: 3 000. */
  readonly pollInterval?: number
  /** Called when a poll fails: the network is lost, or the link is no longer valid. Watching goes on. */
  readonly onError?: (error: unknown) => void
}

/** The status now. Rejects with an `Error` if the link is not valid or the server cannot be reached. */
export const paymentStatus = async (hostedUrl: string): Promise<BrowserPayment> => {
  const response = await fetch(`${hostedUrl}/status`)
  if (!response.ok) throw new Error(`Payment status unavailable: HTTP ${response.status}`)
  // Boundary: the server's own JSON.
  return (await response.json()) as BrowserPayment
}

/**
 * Calls `onChange` with the status now, and after each change, until the payment ends or the returned function is called.
 * An authorized payment has not ended: it may still be captured.
 */
export const watchPayment = (
  hostedUrl: string,
  onChange: (payment: BrowserPayment) => void,
  { onError = () => undefined, pollInterval = 3_000, signal }: WatchOptions = {}
): (() => void) => {
  let version = -1
  let timer: ReturnType<typeof setInterval> | undefined
  let retry: ReturnType<typeof setTimeout> | undefined
  let source: BrowserEventSource | undefined

  const stop = () => {
    source?.close()
    clearInterval(timer)
    clearTimeout(retry)
    signal?.removeEventListener("abort", stop)
  }
  const receive = (payment: BrowserPayment) => {
    if (payment.version <= version) return
    version = payment.version
    if (isFinal(payment)) stop()
    onChange(payment)
  }
  const poll = () => void paymentStatus(hostedUrl).then(receive, onError)
  const listen = () => {
    const stream = new (globalThis as unknown as Browser).EventSource(`${hostedUrl}/events`)
    source = stream
    stream.addEventListener("open", () => {
      clearInterval(timer)
      timer = undefined
    })
    stream.addEventListener("message", ({ data }) => receive(JSON.parse(data) as BrowserPayment))
    stream.addEventListener("error", () => {
      timer ??= setInterval(poll, pollInterval)
      // The browser reconnects, except after an answer that was no stream.
      if (stream.readyState === closed) retry = setTimeout(listen, pollInterval * 5)
    })
  }

  if (signal?.aborted === true) return stop
  signal?.addEventListener("abort", stop)
  listen()
  return stop
}

const isFinal = ({ status }: BrowserPayment): boolean =>
  status === "succeeded" || status === "failed" || status === "canceled"

const closed = 2

/** The part of a browser's `EventSource` that is used: the sources are checked without the types of a browser. */
interface BrowserEventSource {
  readonly addEventListener: (
    type: "open" | "message" | "error",
    listener: (event: { readonly data: string }) => void
  ) => void
  readonly readyState: number
  readonly close: () => void
}

interface Browser {
  readonly EventSource: new (url: string) => BrowserEventSource
}

/**
 * Reads of the dashboard have a share of the server, so that payments are not delayed. A read above it is refused with 429, and
 * sent again after the time that the server names: a page waits, and shows nothing of it. It is given up after about 30 seconds.
 */

const mostRetries = 8

/**
 * ms; pages that were refused together do not come back together. `chance`: from 0 to below 1.
 *
 * @internal Exported for its own test.
 */
export const waitOf = (retryAfter: string | null, retry: number, chance: number): number => {
  const seconds = Number(retryAfter ?? Number.NaN)
  const named = seconds > 0 && seconds <= 30 ? seconds * 1000 : 1000
  return named * (1 + retry / 4 + chance)
}

type Send = (request: Request) => Promise<Response>

/** `pause` ends early, by throwing, when the signal is aborted. */
export const patiently =
  (send: Send, pause: (ms: number, signal: AbortSignal) => Promise<void> = paused): Send =>
  async (request) => {
    if (request.method !== "GET") return send(request)
    for (let retry = 0; ; retry++) {
      const response = await send(request.clone())
      if (response.status !== 429 || retry === mostRetries) return response
      await pause(waitOf(response.headers.get("retry-after"), retry, Math.random()), request.signal)
    }
  }

const paused = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", abort)
      resolve()
    }, ms)
    if (signal.aborted) abort()
    else signal.addEventListener("abort", abort, { once: true })
  })

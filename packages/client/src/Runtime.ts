/**
 * What a call takes from the world: the clock, chance, and waiting. There is no Effect here, so this is the one file of the
 * package that asks the system for them.
 */
import { webCrypto } from "./webCrypto.ts"

export interface Runtime {
  /** ms UTC */
  readonly now: () => number
  /** From 0 to below 1. */
  readonly chance: () => number
  /** A unique idempotency key. */
  readonly newKey: () => string
  /** Ends early, without failing, where the signal aborts. */
  readonly sleep: (ms: number, signal: AbortSignal | undefined) => Promise<void>
}

export const now = (): number => Date.now()

export const runtime: Runtime = {
  now,
  chance: () => randomBytes(4).reduce((number, byte) => number * 256 + byte, 0) / 2 ** 32,
  newKey: () => `client-${[...randomBytes(16)].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`,
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted === true) return resolve()
      const done = () => {
        clearTimeout(timer)
        signal?.removeEventListener("abort", done)
        resolve()
      }
      const timer = setTimeout(done, ms)
      signal?.addEventListener("abort", done)
    })
}

const randomBytes = (length: number): Uint8Array => webCrypto().getRandomValues(new Uint8Array(length))

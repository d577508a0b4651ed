import { Effect } from "effect"
import type { NewPayment } from "../domain/Payment.ts"
import { canonicalJson } from "../routing/rulesetHash.ts"

/** SHA-256 of a decoded request: the order of keys and white space do not matter, defaults that were spelled out do not either. */
export const fingerprint = (payment: NewPayment): Effect.Effect<string> =>
  Effect.map(
    Effect.promise(() => globalThis.crypto.subtle.digest("SHA-256", encoder.encode(canonicalJson(payment)))),
    (digest) => Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("")
  )

const encoder = new TextEncoder()

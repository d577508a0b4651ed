import type { Effect } from "effect"
import type { NewPayment } from "../domain/Payment.ts"
import { canonicalJson, sha256 } from "../domain/sha256.ts"

/** Names a decoded request: neither the order of keys nor white space nor a default that was spelled out matters. */
export const fingerprint = (payment: NewPayment): Effect.Effect<string> => sha256(canonicalJson(payment))

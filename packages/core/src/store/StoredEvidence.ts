/**
 * The stored form of evidence. An outcome is stored as a snake_case word, with the outcome's reference and the vendor's
 * code in separate fields, so that the stored form does not depend on the types of the provider contract. Pure.
 */
import type { Evidence } from "../domain/Evidence.ts"
import type { Outcome } from "../domain/Outcome.ts"

/** The stored word for each outcome. A word must never change, since rows from earlier software versions contain it. */
const words: { readonly [tag in Outcome["_tag"]]: string } = {
  Succeeded: "succeeded",
  Authorized: "authorized",
  Pending: "pending",
  Declined: "declined",
  NotExecuted: "not_executed",
  Unknown: "unknown",
  NotFound: "not_found",
  Expired: "expired",
  Canceled: "canceled",
  Detected: "detected",
  Retracted: "retracted",
  Captured: "captured",
  CaptureFailed: "capture_failed",
  RefundPending: "refund_pending",
  RefundSucceeded: "refund_succeeded",
  RefundFailed: "refund_failed",
  Unreadable: "unreadable",
  Disputed: "disputed",
  NotBooked: "not_booked"
}

const tagsByWord: ReadonlyMap<unknown, string> = new Map(Object.entries(words).map(([tag, word]) => [word, tag]))

/** The word for an outcome in evidence rows, logs and the operator's commands. */
export const wordOf = ({ _tag }: Outcome): string => words[_tag]

/** Encodes evidence as the JSON object that is stored. */
export const encodeEvidence = ({ outcome, ...evidence }: Evidence): { readonly [key: string]: unknown } => {
  const { _tag, reference = null, vendorCode = null, ...facts } = outcome
  return { ...evidence, claim: { kind: words[_tag], ...absent[_tag], ...facts }, reference, vendorCode }
}

/** The default values that are stored for absent optional facts. */
const absent: { readonly [tag in Outcome["_tag"]]?: { readonly [fact: string]: null | false } } = {
  Succeeded: { amount: null },
  Authorized: { amount: null },
  Pending: { nextAction: null, awaitingFinality: false },
  Detected: { amount: null, asset: null },
  Captured: { amount: null },
  RefundSucceeded: { amount: null }
}

/**
 * Decodes a stored JSON object, also from earlier versions, which wrote every fact. `null`: the object cannot be
 * decoded.
 */
export const decodeEvidence = (stored: { readonly [key: string]: unknown }): Evidence | null => {
  const { claim, reference, vendorCode, ...evidence } = stored
  if (typeof claim !== "object" || claim === null || !("kind" in claim)) return null
  const { kind, ...facts } = claim
  const _tag = tagsByWord.get(kind)
  if (_tag === undefined) return null
  const given = Object.entries({ _tag, ...facts, reference, vendorCode }).filter(
    ([, value]) => value !== null && value !== undefined && value !== false
  )
  // Boundary: written by `encodeEvidence` of this or an earlier version.
  return { ...evidence, outcome: Object.fromEntries(given) } as unknown as Evidence
}

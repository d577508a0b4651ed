/** How an adapter ends over a webhook, as the engine sees it. */
import { type Evidence, isWebhookRefused, type WebhookRefused } from "@paymux/core"
import { readEvidence } from "@paymux/core/engine"
import { Cause, Clock, Effect, Exit } from "effect"
import { createHash } from "node:crypto"
import { isDeepStrictEqual } from "node:util"
import type { Delivery } from "../../fake/Vendor.ts"
import { CheckFailed } from "../ConformanceCheck.ts"
import { exitWithin } from "../realTime.ts"
import type { Found, TestHarness } from "../ConformanceContext.ts"

export type Received =
  | { readonly _tag: "Accepted"; readonly evidence: ReadonlyArray<Evidence> }
  | { readonly _tag: "Refused"; readonly error: WebhookRefused }
  /** It threw, failed with something else, answered no evidence, or did not end. */
  | { readonly _tag: "Broke"; readonly how: string; readonly cause: Cause.Cause<unknown> | null }

/** `receivedAt`: ms UTC; absent: now. */
export const receive = (
  harness: TestHarness,
  { body, headers }: Delivery,
  receivedAt?: number
): Effect.Effect<Received> => {
  const { webhook } = harness.operations
  if (webhook === undefined) return Effect.succeed(broke("the adapter has no `webhook`, and its vendor sends them"))
  // A copy: the next one to read it must not see what this one may write.
  return Effect.map(
    exitWithin(
      Effect.flatMap(Clock.currentTimeMillis, (now) =>
        webhook(Uint8Array.from(body), { ...headers }, receivedAt ?? now)
      )
    ),
    (exit) => (exit === null ? broke("no answer: it did not end") : receivedOf(exit))
  )
}

const receivedOf = (exit: Exit.Exit<ReadonlyArray<Evidence>, unknown>): Received => {
  if (Exit.isFailure(exit)) {
    const failure = exit.cause.reasons.find(Cause.isFailReason)
    if (failure === undefined || !isWebhookRefused(failure.error)) {
      return broke(`no answer: it broke with ${Cause.pretty(exit.cause).split("\n")[0] ?? "something"}`, exit.cause)
    }
    return { _tag: "Refused", error: failure.error }
  }
  // Boundary: TypeScript does not hold over an adapter's answers.
  const reported: unknown = exit.value
  if (!Array.isArray(reported)) return broke(`an answer that is no list of evidence: ${short(reported)}`)
  const read = reported.map(readEvidence)
  const notTaken = read.indexOf(null)
  return notTaken === -1
    ? { _tag: "Accepted", evidence: read.filter((each) => each !== null) }
    : broke(`evidence that the engine does not take: ${short(reported[notTaken])}`)
}

const broke = (how: string, cause: Cause.Cause<unknown> | null = null): Received => ({ _tag: "Broke", how, cause })

export const describeReceived = (received: Received): string => {
  switch (received._tag) {
    case "Accepted":
      return received.evidence.length === 0
        ? "authentic, and no evidence in it"
        : `accepted: ${short(received.evidence)}`
    case "Refused":
      return `WebhookRefused { reason: "${received.error.reason}" }`
    case "Broke":
      return received.how
  }
}

const short = (value: unknown): string => cut(JSON.stringify(value) ?? String(value))

const cut = (text: string): string => (text.length > 600 ? `${text.slice(0, 600)}…` : text)

/** The check fails by what was made of a webhook: it is shown instead of the requests that led to it. */
export const brokenBy = (
  harness: TestHarness,
  { body, headers }: Delivery,
  found: Found
): Effect.Effect<never, CheckFailed> =>
  Effect.mapError(
    harness.broken(found),
    ({ expected, seen, tried }) =>
      new CheckFailed({
        expected,
        seen,
        tried,
        vendor: [
          ...Object.entries(headers).map(([name, value]) =>
            cut(`its webhook: ${name}: ${JSON.stringify(value).slice(1, -1)}`)
          ),
          cut(`its webhook: ${JSON.stringify(Buffer.from(body).toString("utf8")).slice(1, -1).replaceAll('\\"', '"')}`)
        ]
      })
  )

export const expectOf = (
  harness: TestHarness,
  delivery: Delivery,
  holds: boolean,
  found: Found
): Effect.Effect<void, CheckFailed> => (holds ? Effect.void : brokenBy(harness, delivery, found))

/** What changes a payment. The vendor's times and notes may differ from one delivery to the next. */
const essence = ({ about, outcome: { reference: _reference, vendorCode: _code, ...outcome }, source }: Evidence) => ({
  about,
  outcome,
  source
})

export const isSame = (one: ReadonlyArray<Evidence>, other: ReadonlyArray<Evidence>): boolean =>
  isDeepStrictEqual(one.map(essence), other.map(essence))

/** Accepted, with exactly this evidence. */
export const isExactly = (received: Received, evidence: ReadonlyArray<Evidence>): boolean =>
  received._tag === "Accepted" && isSame(received.evidence, evidence)

/**
 * The key of each piece, as in the engine's inbox: the event's id, or else the digest of the body and the
 * place in it; a second piece of one event has a name of its own.
 */
export const keysOf = ({ body }: Delivery, evidence: ReadonlyArray<Evidence>): ReadonlyArray<string> => {
  const digest = createHash("sha256").update(body).digest("hex").slice(0, 16)
  return evidence.map(({ eventId }, place) => {
    if (eventId === null || eventId === undefined) return `its body's digest ${digest}:${place}`
    const earlier = evidence.slice(0, place).filter((other) => other.eventId === eventId).length
    return earlier === 0 ? eventId : `${eventId}#${earlier + 1}`
  })
}

/**
 * Stores a report for operators, and logs it at error level, if the row of the reported operation is missing although
 * this installation made it.
 */
import { Effect } from "effect"
import { withoutNextAction } from "../../../domain/erasure.ts"
import { canonicalJson, sha256 } from "../../../domain/sha256.ts"
import type { Evidence } from "../../../domain/Evidence.ts"
import { eventKey } from "../../../store/eventKey.ts"
import type { InboxEntry, PaymentStore } from "../../../store/PaymentStore.ts"
import { encodeEvidence, wordOf } from "../../../store/StoredEvidence.ts"

export const keepUnmatched = Effect.fnUntraced(function* (
  store: PaymentStore["Service"],
  evidence: Evidence,
  { document, livemode, provider }: Pick<InboxEntry, "provider" | "document" | "livemode">
) {
  yield* logUnmatched(provider, evidence)
  const kept = withoutNextAction(evidence)
  yield* store.inbox.keep([
    {
      provider,
      eventKey: yield* eventKey(kept, yield* sha256(canonicalJson(encodeEvidence(kept)))),
      evidence: kept,
      document,
      status: "parked",
      tries: 0,
      nextTryAt: null,
      receivedAt: yield* store.now,
      livemode,
      disposition: null
    }
  ])
})

export const logUnmatched = (provider: string, { about, outcome }: Evidence) =>
  Effect.logError(
    `${provider} reports ${wordOf(outcome)} of ${"operation" in about ? about.operation : about.providerReference}` +
      `${outcome.reference === undefined ? "" : ` (${outcome.reference})`}, and its payment is not in the database: an operator has to look`
  )

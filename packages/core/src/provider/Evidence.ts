/**
 * Everything that can change a payment, in one shape.
 *
 * An adapter's reply, a provider's webhook, an inquiry, the shopper's return, what a chain scanner observed and what an
 * operator decided are all Evidence. It enters through one door (`Payments.advance`), is judged by one pure function
 * (`transition`) and written by one compare-and-set. It may come before our own commit, twice, or in any order.
 */
import type { DeclineCode, RetryClass } from "../domain/Decline.ts"
import type { OperationId } from "../domain/Ids.ts"
import type { Money } from "../domain/Money.ts"
import type { NextAction } from "../domain/NextAction.ts"
import type { Inquiry, NotExecutedReason, UnknownReason } from "./Outcome.ts"

export type EvidenceSource = "reply" | "webhook" | "inquiry" | "return" | "observed" | "operator"

/** What the evidence is about: our operation, or the provider's name for it. */
export type EvidenceSubject =
  | { readonly operation: OperationId }
  | { readonly provider: string; readonly providerReference: string }

/** What is claimed. The words beyond an outcome are those of webhooks, chains and later operations. */
export type EvidenceClaim =
  | { readonly kind: "succeeded"; readonly amount: Money | null }
  | { readonly kind: "authorized"; readonly amount: Money | null }
  | { readonly kind: "pending"; readonly nextAction: NextAction | null; readonly awaitingFinality: boolean }
  | { readonly kind: "declined"; readonly code: DeclineCode; readonly retry: RetryClass }
  | { readonly kind: "not_executed"; readonly reason: NotExecutedReason }
  | { readonly kind: "unknown"; readonly reason: UnknownReason }
  | { readonly kind: "canceled" }
  | { readonly kind: "expired" }
  | { readonly kind: "not_found" }
  | { readonly kind: "detected"; readonly amount: Money | null; readonly asset: string | null }
  | { readonly kind: "retracted" }
  | { readonly kind: "captured"; readonly amount: Money | null }
  | { readonly kind: "capture_failed" }
  | { readonly kind: "refund_pending" }
  | { readonly kind: "refund_succeeded"; readonly amount: Money | null }
  | { readonly kind: "refund_failed" }
  | { readonly kind: "disputed" }

export interface Evidence {
  readonly source: EvidenceSource
  readonly about: EvidenceSubject
  readonly claim: EvidenceClaim
  /** The provider's reference, when it was told. */
  readonly reference: string | null
  readonly vendorCode: string | null
  /** The provider's id of the event: the same id is applied once. */
  readonly eventId: string | null
  /** ms UTC, the provider's clock. */
  readonly occurredAt: number | null
}

/** Outcome or inquiry answer → Evidence about our operation. */
export const fromAnswer = (source: EvidenceSource, operation: OperationId, answer: Inquiry): Evidence => ({
  source,
  about: { operation },
  claim: claimOf(answer),
  reference: answer.reference ?? null,
  vendorCode: answer.vendorCode ?? null,
  eventId: null,
  occurredAt: null
})

const claimOf = (answer: Inquiry): EvidenceClaim => {
  switch (answer._tag) {
    case "Succeeded":
      return { kind: "succeeded", amount: answer.amount ?? null }
    case "Authorized":
      return { kind: "authorized", amount: answer.amount ?? null }
    case "Pending":
      return {
        kind: "pending",
        nextAction: answer.nextAction ?? null,
        awaitingFinality: answer.awaitingFinality ?? false
      }
    case "Declined":
      return { kind: "declined", code: answer.code, retry: answer.retry }
    case "NotExecuted":
      return { kind: "not_executed", reason: answer.reason }
    case "Unknown":
      return { kind: "unknown", reason: answer.reason }
    case "NotFound":
      return { kind: "not_found" }
    case "Expired":
      return { kind: "expired" }
    case "Canceled":
      return { kind: "canceled" }
  }
}

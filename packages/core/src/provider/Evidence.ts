/**
 * Everything that can change a payment, in one shape.
 *
 * An adapter's reply, a provider's webhook, an inquiry, the shopper's return, what a chain scanner observed and what an
 * operator decided are all Evidence. It is applied by `Executor.advance` alone, judged by one pure function
 * (`transition`) and written by one compare-and-set. It may come before our own commit, twice, or in any order.
 *
 * An adapter makes Evidence in two places only: in `webhook`, of what the provider posted, and in `run`, of what it saw
 * by itself. What it answers to a call is an `Outcome`, and the engine makes Evidence of it.
 */
import type { DeclineCode, RetryClass } from "../domain/Decline.ts"
import type { OperationId } from "../domain/Ids.ts"
import type { Money } from "../domain/Money.ts"
import type { NextAction } from "../domain/NextAction.ts"
import { keptCode } from "./keptCode.ts"
import type { Inquiry, NotExecutedReason, UnknownReason } from "./Outcome.ts"

/**
 * Who says so. Of an adapter's evidence the engine writes it itself: `webhook` for what `webhook` answers, `observed` for
 * what is emitted.
 */
export type EvidenceSource = "reply" | "webhook" | "inquiry" | "return" | "observed" | "operator"

/** What the evidence is about. An instance is believed about its own operations only. */
export type EvidenceSubject =
  /** Our operation, where the provider hands back the id that it was given. */
  | { readonly operation: OperationId }
  /** The instance's id, and the provider's name for the operation: its `reference`. */
  | { readonly provider: string; readonly providerReference: string }

/**
 * What is claimed. The first words are those of an Outcome; those beyond are of webhooks, chains and later operations.
 * `amount` is in minor units, and `null` when the provider did not tell it.
 */
export type EvidenceClaim =
  /** Money was taken; of a capture, cancel or refund: it is done. */
  | { readonly kind: "succeeded"; readonly amount: Money | null }
  /** Funds are held. */
  | { readonly kind: "authorized"; readonly amount: Money | null }
  /** Accepted, not decided yet; `nextAction` is for the payer. */
  | { readonly kind: "pending"; readonly nextAction: NextAction | null; readonly awaitingFinality: boolean }
  /** The provider said no. */
  | { readonly kind: "declined"; readonly code: DeclineCode; readonly retry: RetryClass }
  /** Nothing was done, and that is proven. */
  | { readonly kind: "not_executed"; readonly reason: NotExecutedReason }
  /** Something may have happened. */
  | { readonly kind: "unknown"; readonly reason: UnknownReason }
  /** It was canceled before money was taken, or the hold was let go. */
  | { readonly kind: "canceled" }
  /** The payer's time is over; of a hold: it lapsed. */
  | { readonly kind: "expired" }
  /** The provider knows nothing of it: final only after the declared `notFoundIsFinalAfter`. */
  | { readonly kind: "not_found" }
  /** A transfer was seen that is not final yet (stablecoin); `asset` is what came. */
  | { readonly kind: "detected"; readonly amount: Money | null; readonly asset: string | null }
  /** What was detected is gone again, as after a reorganization of the chain. */
  | { readonly kind: "retracted" }
  /** What was held was taken. */
  | { readonly kind: "captured"; readonly amount: Money | null }
  /** A capture was refused, or taken back after it had been confirmed. */
  | { readonly kind: "capture_failed" }
  /** A refund was accepted and is under way. */
  | { readonly kind: "refund_pending" }
  /** A refund has reached the payer. */
  | { readonly kind: "refund_succeeded"; readonly amount: Money | null }
  /** A refund was refused, or came back after it had been confirmed. */
  | { readonly kind: "refund_failed" }
  /** Money moved, and the report does not say how much in a way that can be read: nothing is assigned, an operator looks. */
  | { readonly kind: "unreadable" }
  /** The payer disputes the payment. It is recorded, and told once. */
  | { readonly kind: "disputed" }

/** One claim about one operation, as it was told. */
export interface Evidence {
  /** Who says so. */
  readonly source: EvidenceSource
  /** What it is about. */
  readonly about: EvidenceSubject
  /** What is said of it. */
  readonly claim: EvidenceClaim
  /** The provider's reference, when it was told; it is kept with the operation. 500 characters at most. */
  readonly reference: string | null
  /** The vendor's own code, 500 characters at most; never the vendor's text. One that holds a card number is not kept. */
  readonly vendorCode: string | null
  /**
   * The provider's id of the event: the same id is applied once. `null`: events are told apart by the digest of the
   * webhook's bytes and the place in them.
   */
  readonly eventId: string | null
  /** ms UTC by the provider's clock, when it told the time. */
  readonly occurredAt: number | null
}

/** Makes Evidence about our operation of an answer. The engine does so with what an adapter answers. */
export const fromAnswer = (source: EvidenceSource, operation: OperationId, answer: Inquiry): Evidence => ({
  source,
  about: { operation },
  claim: claimOf(answer),
  reference: answer.reference ?? null,
  vendorCode: keptCode(answer.vendorCode),
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

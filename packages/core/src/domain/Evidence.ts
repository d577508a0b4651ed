/**
 * A report that can change a payment, in one format for all sources.
 *
 * An adapter's reply, a provider's webhook, an inquiry, the shopper's return, an observation of a chain and an operator's
 * statement all are Evidence. Only `Executor.advance` applies Evidence: one pure function (`transition`) judges it, and one
 * compare-and-set writes the change. Evidence may arrive before our own commit, twice, or in any order.
 *
 * An adapter makes Evidence in two functions only: `webhook`, from the provider's request, and `run`, from the adapter's
 * observations. The adapter's reply to a call is an `Outcome`, from which the engine makes the Evidence.
 */
import type { OperationId } from "./Ids.ts"
import type { Outcome } from "./Outcome.ts"

/**
 * The source of the report. The engine sets it for an adapter's evidence: `webhook` for the result of `webhook`, `observed` for
 * emitted evidence, `statement` for a difference between the books and the provider's statement.
 */
export type EvidenceSource = "reply" | "webhook" | "inquiry" | "return" | "observed" | "operator" | "statement"

/** The operation that the evidence is about. A provider instance can report only about its own operations. */
export type EvidenceSubject =
  /** The id of our operation, if the provider returns it. */
  | { readonly operation: OperationId }
  /** The id of the provider instance, and the provider's name for the operation: the operation's `reference`. */
  | { readonly provider: string; readonly providerReference: string }

/** One report about one operation. */
export interface Evidence {
  /** The source of the report. */
  readonly source: EvidenceSource
  /** The operation that the report is about. */
  readonly about: EvidenceSubject
  /** The reported outcome, with the provider's reference and the vendor's code. */
  readonly outcome: Outcome
  /**
   * The provider's id for the event: the same report with the same id is applied once. `null` or blank: an event is identified
   * by the digest of the webhook's bytes and the event's position in the webhook.
   */
  readonly eventId: string | null
  /** ms UTC by the provider's clock; `null`: the provider does not report the time. */
  readonly occurredAt: number | null
}

/** Evidence about our operation, from the result of a call to its provider. */
export const fromAnswer = (source: EvidenceSource, operation: OperationId, outcome: Outcome): Evidence => ({
  source,
  about: { operation },
  outcome,
  eventId: null,
  occurredAt: null
})

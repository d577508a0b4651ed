/**
 * Evidence: a report that can change a payment, in one format for all sources.
 *
 * An adapter's reply, a provider's webhook, an inquiry, the shopper's return, an observation of a chain and an
 * operator's statement all are Evidence. Only `Executor.advance` applies Evidence: one pure function (`transition`)
 * computes the change, and one compare-and-set writes it. Evidence may arrive twice, in any order, or before Paymux has
 * committed its own change.
 *
 * An adapter makes Evidence in two functions only: `webhook`, from the provider's request, and `run`, from the
 * adapter's observations. The adapter's reply to a call is an `Outcome`, from which the engine makes the Evidence.
 */
import type { OperationId } from "./Ids.ts"
import type { Outcome } from "./Outcome.ts"

/**
 * The source of the report. The engine sets the source of an adapter's evidence: `webhook` if the adapter's function
 * `webhook` returned it, `observed` if its function `run` emitted it, `statement` for a difference between the books
 * and the provider's statement.
 */
export type EvidenceSource = "reply" | "webhook" | "inquiry" | "return" | "observed" | "operator" | "statement"

/**
 * A reference to the operation that the evidence is about. A provider instance can report only about its own
 * operations.
 */
export type EvidenceSubject =
  /** The id of the operation, if the provider returns it. */
  | { readonly operation: OperationId }
  /**
   * The id of the provider instance, and the provider's own identifier of the operation (the operation's `reference`).
   */
  | { readonly provider: string; readonly providerReference: string }

/** A report about one operation. */
export interface Evidence {
  /** The source of the report. */
  readonly source: EvidenceSource
  /** The operation that the report is about. */
  readonly about: EvidenceSubject
  /** The reported outcome, with the provider's reference and the vendor's code. */
  readonly outcome: Outcome
  /**
   * The provider's id of the event: a report with the same id is applied once. If it is `null` or blank, an event is
   * identified by the digest of the webhook's bytes and the event's position in the webhook.
   */
  readonly eventId: string | null
  /** The time of the event by the provider's clock, ms UTC; `null` if the provider does not report it. */
  readonly occurredAt: number | null
}

/** Creates evidence about one of our operations from the result of a call to its provider. */
export const fromAnswer = (source: EvidenceSource, operation: OperationId, outcome: Outcome): Evidence => ({
  source,
  about: { operation },
  outcome,
  eventId: null,
  occurredAt: null
})

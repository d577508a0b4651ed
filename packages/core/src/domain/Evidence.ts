/**
 * Everything that can change a payment, in one shape.
 *
 * An adapter's reply, a provider's webhook, an inquiry, the shopper's return, an observation of a chain and an operator's
 * statement all are Evidence. `Executor.advance` alone applies it, one pure function (`transition`) judges it, and one
 * compare-and-set writes it. It may arrive before our own commit, twice, or in any order.
 *
 * An adapter makes Evidence in two places only: in `webhook`, from what the provider posted, and in `run`, from what it
 * observed. From its reply to a call, which is an `Outcome`, the engine makes the Evidence.
 */
import type { OperationId } from "./Ids.ts"
import type { Outcome } from "./Outcome.ts"

/**
 * Where it comes from. The engine sets the source of an adapter's evidence: `webhook` for what `webhook` returns,
 * `observed` for what is emitted, `statement` for a difference between the books and the provider's statement.
 */
export type EvidenceSource = "reply" | "webhook" | "inquiry" | "return" | "observed" | "operator" | "statement"

/** What the evidence is about. An instance can report about its own operations only. */
export type EvidenceSubject =
  /** Our operation, if the provider returns the id that it was given. */
  | { readonly operation: OperationId }
  /** The instance's id, and the provider's name for the operation: its `reference`. */
  | { readonly provider: string; readonly providerReference: string }

/** One report about one operation. */
export interface Evidence {
  /** Where it comes from. */
  readonly source: EvidenceSource
  /** What it is about. */
  readonly about: EvidenceSubject
  /** What is reported, with the provider's reference and the vendor's code. */
  readonly outcome: Outcome
  /**
   * The provider's id of the event: the same report under the same id is applied once. `null` or blank: events are identified
   * by the digest of the webhook's bytes and the position in them.
   */
  readonly eventId: string | null
  /** ms UTC by the provider's clock; `null`: the provider does not report the time. */
  readonly occurredAt: number | null
}

/** Evidence about our operation, from the end of a call to its provider. */
export const fromAnswer = (source: EvidenceSource, operation: OperationId, outcome: Outcome): Evidence => ({
  source,
  about: { operation },
  outcome,
  eventId: null,
  occurredAt: null
})

/** The provider's reference that a report is about. */
export const referenceOf = ({ about, outcome }: Evidence): string | null =>
  outcome.reference ?? ("providerReference" in about ? about.providerReference : null)

/** A report about an operation, from the send itself or from any other source of evidence. */
import { fromAnswer } from "../../domain/Evidence.ts"
import type { Evidence } from "../../domain/Evidence.ts"
import type { Operation } from "../../domain/Operation.ts"
import { consequencesOf } from "../../resilience/Ended.ts"
import type { Ended, OutcomeOrRefusal } from "../../resilience/Ended.ts"

export interface Report {
  /** The operation as it was last read or sent. `unsettled`: an earlier send ended without a definite answer. */
  readonly operation: Operation
  readonly evidence: Evidence
  /**
   * The input of the failover table: the outcome of the evidence or, if the provider refused the request, this refusal.
   */
  readonly ended: OutcomeOrRefusal
  /** Whether the report is the reply to a send, or about the attempt as a whole: see `FailoverFacts`. */
  readonly answerTo: "send" | "attempt"
  /** The document that proves the evidence; see `EvidenceRow`. */
  readonly document: string | null
}

/** The report of a send that ended. An outcome without a reference gets the operation's own reference. */
export const replyOf = (operation: Operation, ended: Ended): Report => {
  const { id, reference } = operation
  const { evidence: outcome, failover } = consequencesOf(ended)
  const isNamed = reference === null || outcome.reference !== undefined
  const evidence = fromAnswer("reply", id, isNamed ? outcome : { ...outcome, reference })
  return { operation, evidence, ended: failover, answerTo: "send", document: null }
}

/** Error: an operator's decision about an unmatched report was refused. Nothing was written. */
import { Data } from "effect"
import type { UnmatchedReport } from "./UnmatchedReport.ts"

/**
 * The reason of the refusal.
 *
 * - `not_found`: the report does not exist in this mode.
 * - `payment_not_found`: the payment is not in this account and mode.
 * - `no_operation`: the payment has no such operation at the provider of the report.
 * - `provider_does_not_fit`: no attempt of the payment was made at the provider of the report.
 * - `currency_does_not_fit`: the report is about another currency.
 * - `evidence_deleted`: the retention has deleted the report.
 * - `decided`: it was matched or dismissed before.
 * - `changed`: another operator or the engine has changed it at this moment.
 * - `invalid_note`: a note has 1 to 1000 characters.
 * - `cursor`: the cursor is not one that a list of reports returned.
 */
export type ReportRefusal = keyof typeof sentences

export class ReportRefused extends Data.TaggedError("ReportRefused")<{
  readonly reason: ReportRefusal
  /** The current report, if the decision is out of date (`decided`, `changed`). */
  readonly present?: UnmatchedReport
}> {
  override get message(): string {
    return sentences[this.reason]
  }
}

const sentences = {
  not_found: "There is no such report in this mode.",
  payment_not_found: "There is no such payment in this account and mode.",
  no_operation: "The payment has no such operation at the provider of the report.",
  provider_does_not_fit: "No attempt of this payment was made at the provider of the report.",
  currency_does_not_fit: "The report is about another currency than the payment.",
  evidence_deleted: "What was reported has been deleted after its retention period: it cannot be applied any more.",
  decided: "The report was matched or dismissed before.",
  changed: "The report was changed at this moment: read it again.",
  invalid_note: "A note must have 1 to 1000 characters.",
  cursor: "The cursor must be the `next` of a former page of reports."
} as const

/** How refusals of reviews are answered: at the field that each is about. */
import type { ReviewRefused } from "@paymux/core"
import { Effect } from "effect"
import { missing } from "../../api/controlHandler.ts"
import * as Operation from "../Operation.ts"

export const oneSubject = Operation.refuse("/review", "must be given, or `operation`, and not both")

export const refuseReview = ({ message, reason }: ReviewRefused) =>
  reason === "not_found" || reason === "changed"
    ? Effect.fail(missing("payment"))
    : Effect.fail(Operation.refuse(places[reason], message))

const places = {
  not_in_review: "/review",
  no_operation: "/operation",
  no_evidence: "/evidence",
  invalid_amount: "/amount",
  amount_does_not_fit: "/amount",
  needs_amount: "/amount",
  amount_below_reports: "/amount",
  operation_in_review: "/operation",
  acceptance_required: "/acceptance",
  acceptance_differs: "/acceptance/amount",
  no_acceptance_reason: "/acceptance/reason",
  reason_names_customer: "/acceptance/reason",
  nothing_to_accept: "/acceptance",
  does_not_fit: "/resolution"
} as const

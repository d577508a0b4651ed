/** How refusals of reports are answered: at the field that each is about. */
import { ApiProblem } from "@paymux/http"
import type { ReportRefused } from "@paymux/sql"
import { Effect } from "effect"
import { missing } from "../../api/controlHandler.ts"
import * as Operation from "../Operation.ts"

export const refuseReport = ({ message, present, reason }: ReportRefused) => {
  switch (reason) {
    case "not_found":
      return Effect.fail(missing("report"))
    case "evidence_deleted":
    case "decided":
    case "changed": {
      const current = present !== undefined && { current: present }
      return Effect.fail(new ApiProblem({ code: "conflict", detail: message, ...current }))
    }
    default:
      return Effect.fail(Operation.refuse(places[reason], message))
  }
}

const places = {
  payment_not_found: "/paymentId",
  provider_does_not_fit: "/paymentId",
  currency_does_not_fit: "/paymentId",
  no_operation: "/operationId",
  invalid_note: "/note",
  cursor: "/after"
} as const

/** The handlers of provider reports that match no payment. */
import type { OperationId, Tenant } from "@paymux/core"
import { isPaymentId } from "@paymux/core/wire"
import { ApiProblem } from "@paymux/http"
import { ReportRefused, UnmatchedReports } from "@paymux/sql"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { CurrentTenant } from "../../access/AccessControl.ts"
import { ControlApi } from "../ControlApi.ts"
import { bodyOf, control, invalid, missing } from "../controlHandler.ts"
import type { ControlError } from "../controlHandler.ts"
import { defaultLimit } from "../fields.ts"
import { Dismissal, Match } from "./ReportsGroup.ts"

export const reportsHandlers = HttpApiBuilder.group(ControlApi, "reports", (handlers) =>
  Effect.gen(function* () {
    const reports = yield* UnmatchedReports
    const inTenant = <A, R>(act: (tenant: Tenant) => Effect.Effect<A, ControlError | ReportRefused, R>) =>
      control(
        Effect.mapError(Effect.flatMap(CurrentTenant, act), (error) =>
          error._tag === "ReportRefused" ? problemOf(error) : error
        )
      )
    return handlers
      .handle("list", ({ query }) =>
        inTenant((tenant) =>
          Effect.map(reports.list(tenant, { limit: defaultLimit, ...query }), ({ next, reports: data }) => ({
            data,
            next
          }))
        )
      )
      .handle("get", ({ params }) => inTenant((tenant) => reports.get(tenant, params.id)))
      .handleRaw("match", ({ params }) =>
        inTenant((tenant) => Effect.flatMap(matchOf, (to) => reports.match(tenant, params.id, to)))
      )
      .handleRaw("dismiss", ({ params }) =>
        inTenant((tenant) => Effect.flatMap(bodyOf(Dismissal), ({ note }) => reports.dismiss(tenant, params.id, note)))
      )
  })
)

const matchOf = Effect.gen(function* () {
  const { operationId, paymentId } = yield* bodyOf(Match)
  if (!isPaymentId(paymentId)) return yield* new ReportRefused({ reason: "payment_not_found" })
  // Boundary: a text that is the id of no operation is refused by its payment.
  return { paymentId, ...(operationId !== undefined && { operationId: operationId as OperationId }) }
})

const problemOf = ({ message, present, reason }: ReportRefused): ApiProblem => {
  switch (reason) {
    case "not_found":
      return missing("report")
    case "evidence_deleted":
    case "decided":
    case "changed":
      return new ApiProblem({ code: "conflict", detail: message, ...(present !== undefined && { current: present }) })
    default:
      return invalid({ pointer: places[reason], message })
  }
}

const places = {
  payment_not_found: "/paymentId",
  provider_does_not_fit: "/paymentId",
  currency_does_not_fit: "/paymentId",
  no_operation: "/operationId",
  invalid_note: "/note",
  cursor: "after"
} as const

import type { OperationId } from "@paymux/core"
import { isPaymentId } from "@paymux/core/wire"
import { ReportRefused, UnmatchedReports } from "@paymux/sql"
import { Effect } from "effect"
import { HttpApiEndpoint } from "effect/http-api"
import { CurrentTenant } from "../../access/AccessControl.ts"
import { everyAccount, sensitiveWrite } from "../../access/Permission.ts"
import { described } from "../../api/described.ts"
import { idParams } from "../../api/fields.ts"
import * as Operation from "../Operation.ts"
import { refuseReport } from "./refuseReport.ts"
import { Match, Report } from "./reportShapes.ts"

/** Matches a report to a payment of the account. The engine applies it like every report of the provider, within seconds. */
export const matchReport = Operation.make(
  HttpApiEndpoint.post("match", "/reports/:id/match", { params: idParams, payload: Match, success: Report })
    .annotateMerge(everyAccount(sensitiveWrite("operator")))
    .annotateMerge(
      described(
        "Match a report to a payment",
        "The engine applies it like every report of the provider, within seconds; see `isApplied`. It cannot be undone."
      )
    ),
  Effect.fnUntraced(function* ({ id, operationId, paymentId }) {
    if (!isPaymentId(paymentId)) return yield* new ReportRefused({ reason: "payment_not_found" })
    // Boundary: a text that is the id of no operation is refused by its payment.
    const to = { paymentId, ...(operationId !== undefined && { operationId: operationId as OperationId }) }
    const tenant = yield* CurrentTenant
    return yield* UnmatchedReports.use((reports) => reports.match(tenant, id, to))
  }),
  { ReportRefused: refuseReport }
)

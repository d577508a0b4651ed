import { UnmatchedReports } from "@paymux/sql"
import { Effect } from "effect"
import { HttpApiEndpoint } from "effect/http-api"
import { CurrentTenant } from "../../access/AccessControl.ts"
import { everyAccount, write } from "../../access/Permission.ts"
import { described } from "../../api/described.ts"
import { idParams } from "../../api/fields.ts"
import * as Operation from "../Operation.ts"
import { refuseReport } from "./refuseReport.ts"
import { Dismissal, Report } from "./reportShapes.ts"

/** Dismisses a report. It is kept with the note, and can still be matched. */
export const dismissReport = Operation.make(
  HttpApiEndpoint.post("dismiss", "/reports/:id/dismiss", { params: idParams, payload: Dismissal, success: Report })
    .annotateMerge(everyAccount(write("operator")))
    .annotateMerge(described("Dismiss a report", "It is kept, and can still be matched.")),
  Effect.fnUntraced(function* ({ id, note }) {
    const tenant = yield* CurrentTenant
    return yield* UnmatchedReports.use((reports) => reports.dismiss(tenant, id, note))
  }),
  { ReportRefused: refuseReport }
)

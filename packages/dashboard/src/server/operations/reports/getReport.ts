import { UnmatchedReports } from "@paymux/sql"
import { Effect } from "effect"
import { HttpApiEndpoint } from "effect/http-api"
import { CurrentTenant } from "../../access/AccessControl.ts"
import { everyAccount, read } from "../../access/Permission.ts"
import { described } from "../../api/described.ts"
import { idParams } from "../../api/fields.ts"
import * as Operation from "../Operation.ts"
import { refuseReport } from "./refuseReport.ts"
import { Report } from "./reportShapes.ts"

export const getReport = Operation.make(
  HttpApiEndpoint.get("get", "/reports/:id", { params: idParams, success: Report })
    .annotateMerge(everyAccount(read))
    .annotateMerge(described("Get a report")),
  Effect.fnUntraced(function* ({ id }) {
    const tenant = yield* CurrentTenant
    return yield* UnmatchedReports.use((reports) => reports.get(tenant, id))
  }),
  { ReportRefused: refuseReport }
)

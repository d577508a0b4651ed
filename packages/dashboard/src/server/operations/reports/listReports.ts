import { reportStatuses, UnmatchedReports } from "@paymux/sql"
import { Effect, Schema } from "effect"
import { HttpApiEndpoint } from "effect/http-api"
import { CurrentTenant } from "../../access/AccessControl.ts"
import { everyAccount, read } from "../../access/Permission.ts"
import { described } from "../../api/described.ts"
import { defaultLimit, pageOf, pageQuery, tenantParams, Text, timeQuery } from "../../api/fields.ts"
import * as Operation from "../Operation.ts"
import { refuseReport } from "./refuseReport.ts"
import { Report } from "./reportShapes.ts"

/** Lists provider reports that match no payment. They belong to a mode and to no account. */
export const listReports = Operation.make(
  HttpApiEndpoint.get("list", "/reports", {
    params: tenantParams,
    query: {
      statuses: Schema.optionalKey(Schema.NonEmptyArray(Schema.Literals(reportStatuses))),
      provider: Schema.optionalKey(Text),
      kind: Schema.optionalKey(Text),
      ...timeQuery,
      ...pageQuery
    },
    success: pageOf(Report)
  })
    .annotateMerge(everyAccount(read))
    .annotateMerge(described("List provider reports that match no payment", "Of the mode, newest first.")),
  Effect.fnUntraced(function* ({ limit = defaultLimit, ...query }) {
    const tenant = yield* CurrentTenant
    return yield* UnmatchedReports.use((reports) => reports.list(tenant, { ...query, limit })).pipe(
      Effect.mapError((error) =>
        error._tag === "ReportRefused" && error.reason === "cursor" ? Operation.refuse("/after", error.message) : error
      )
    )
  }),
  { ReportRefused: refuseReport }
)

/** The handlers of provider reports that match no payment. */
import type { UnmatchedReports } from "@paymux/sql"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { dismissReport } from "../../operations/reports/dismissReport.ts"
import { getReport } from "../../operations/reports/getReport.ts"
import { listReports } from "../../operations/reports/listReports.ts"
import { matchReport } from "../../operations/reports/matchReport.ts"
import { served } from "../../operations/served.ts"
import { ControlApi } from "../ControlApi.ts"

export const reportsHandlers = HttpApiBuilder.group(ControlApi, "reports", (handlers) =>
  Effect.map(Effect.context<UnmatchedReports>(), (services) =>
    handlers
      .handle("list", served(listReports, services))
      .handle("get", served(getReport, services))
      .handleRaw("match", served(matchReport, services))
      .handleRaw("dismiss", served(dismissReport, services))
  )
)

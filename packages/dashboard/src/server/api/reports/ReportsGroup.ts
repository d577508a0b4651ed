/** Provider reports that match no payment. They belong to a mode and to no account: who may see them sees every account. */
import { HttpApiGroup, OpenApi } from "effect/http-api"
import { MemberAccess } from "../../access/AccessControl.ts"
import { dismissReport } from "../../operations/reports/dismissReport.ts"
import { getReport } from "../../operations/reports/getReport.ts"
import { listReports } from "../../operations/reports/listReports.ts"
import { matchReport } from "../../operations/reports/matchReport.ts"

export class ReportsGroup extends HttpApiGroup.make("reports")
  .add(listReports.endpoint, getReport.endpoint, matchReport.endpoint, dismissReport.endpoint)
  .middleware(MemberAccess)
  .annotateMerge(OpenApi.annotations({ title: "Unmatched reports" })) {}

/** Matches a report to a payment, and applies it at once if possible. */
import { Inbox } from "@paymux/core"
import type { Tenant } from "@paymux/core"
import { UnmatchedReports } from "@paymux/sql"
import type { ReportMatch } from "@paymux/sql"
import { Effect } from "effect"

/** The match is written first: what cannot be applied at this moment is applied by the engine's next look. */
export const matchReport = Effect.fnUntraced(function* (tenant: Tenant, id: string, to: ReportMatch) {
  const reports = yield* UnmatchedReports
  const report = yield* reports.match(tenant, id, to)
  const applied = Inbox.use((inbox) => inbox.tick(50)).pipe(Effect.andThen(reports.get(tenant, report.id)))
  return yield* Effect.catch(applied, () => Effect.succeed(report))
})

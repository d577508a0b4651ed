/** Unmatched reports with an audit entry for each decision, in the transaction of the decision itself. */
import type { Tenant } from "@paymux/core"
import { StoreUnavailable } from "@paymux/core/store"
import { UnmatchedReports } from "@paymux/sql"
import type { ReportRefused, UnmatchedReport } from "@paymux/sql"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { isSqlError } from "effect/sql/SqlError"
import { AuditLog } from "./AuditLog.ts"
import type { AuditAction, AuditFields } from "./AuditLog.ts"

export const auditedReports: Layer.Layer<UnmatchedReports, never, UnmatchedReports | AuditLog | SqlClient.SqlClient> =
  Layer.effect(
    UnmatchedReports,
    Effect.gen(function* () {
      const reports = yield* UnmatchedReports
      const { append } = yield* AuditLog
      const sql = yield* SqlClient.SqlClient

      const decided = (
        action: AuditAction,
        tenant: Tenant,
        id: string,
        decision: Effect.Effect<UnmatchedReport, ReportRefused | StoreUnavailable>,
        after: (report: UnmatchedReport) => AuditFields
      ) =>
        sql
          .withTransaction(
            Effect.gen(function* () {
              const before = yield* reports.get(tenant, id)
              const report = yield* decision
              yield* append({
                tenant,
                action,
                target: id,
                outcome: "done",
                before: { status: before.status },
                after: after(report)
              })
              return report
            })
          )
          .pipe(Effect.catchIf(isSqlError, (cause) => Effect.fail(new StoreUnavailable({ cause }))))

      return UnmatchedReports.of({
        ...reports,
        match: (tenant, id, to) =>
          decided("report.match", tenant, id, reports.match(tenant, id, to), ({ provider, reference, status }) => ({
            status,
            provider,
            reference,
            payment: to.paymentId,
            operation: to.operationId ?? null
          })),
        // Without the note, which may name the customer: it stands with the report, and is erased there.
        dismiss: (tenant, id, note) =>
          decided(
            "report.dismiss",
            tenant,
            id,
            reports.dismiss(tenant, id, note),
            ({ provider, reference, status }) => ({
              status,
              provider,
              reference
            })
          )
      })
    })
  )

/**
 * Provider reports that match no payment: operators list them, match them to a payment, or dismiss them.
 *
 * A match does not apply the report. It rewrites the report as one about an operation of the payment and makes it due:
 * the engine applies it like every other report, through `Executor.advance`. So an operator can match a report with or
 * without a running server.
 *
 * A report has a provider and a mode, and no account. Callers show reports only to operators who may act for every
 * account. A report of an earlier version has no mode, and counts as live.
 */
import type { OperationId, PaymentId, Tenant } from "@paymux/core"
import { encodeEvidence, PaymentStore } from "@paymux/core/store"
import type { StoreUnavailable } from "@paymux/core/store"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { Fragment } from "effect/sql/Statement"
import { unavailable } from "../dialect/unavailable.ts"
import { matchedEvidence } from "./matchedEvidence.ts"
import { findRow, listRows, readReport, refusalOf } from "./reportRows.ts"
import type { ReportRow } from "./reportRows.ts"
import type { ReportPage, ReportQuery, UnmatchedReport } from "./UnmatchedReport.ts"
import { ReportRefused } from "./ReportRefused.ts"

export interface ReportMatch {
  readonly paymentId: PaymentId
  /** The operation that the report is about. Default: the create operation at the report's provider. */
  readonly operationId?: OperationId
}

export class UnmatchedReports extends Context.Service<
  UnmatchedReports,
  {
    /** Lists the reports of the mode, at any account, newest first. */
    readonly list: (tenant: Tenant, query: ReportQuery) => Effect.Effect<ReportPage, ReportRefused | StoreUnavailable>
    readonly get: (tenant: Tenant, id: string) => Effect.Effect<UnmatchedReport, ReportRefused | StoreUnavailable>
    /** Matches a report that no operator has matched. The engine applies the report within seconds, or at its next start. */
    readonly match: (
      tenant: Tenant,
      id: string,
      to: ReportMatch
    ) => Effect.Effect<UnmatchedReport, ReportRefused | StoreUnavailable>
    /** Dismisses a report. The report is kept, and can still be matched. `note`: the reason, 1 to 1000 characters. */
    readonly dismiss: (
      tenant: Tenant,
      id: string,
      note: string
    ) => Effect.Effect<UnmatchedReport, ReportRefused | StoreUnavailable>
    /** Erases the notes on reports that were matched to this payment. */
    readonly forgetPayment: (payment: PaymentId) => Effect.Effect<void, StoreUnavailable>
  }
>()("@paymux/sql/UnmatchedReports") {
  static readonly layer: Layer.Layer<UnmatchedReports, never, SqlClient.SqlClient | PaymentStore> = Layer.effect(
    UnmatchedReports,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const store = yield* PaymentStore
      return UnmatchedReports.of({
        list: ({ livemode }, query) => listRows(sql, livemode, query),
        get: ({ livemode }, id) => Effect.map(find(sql, livemode, id), readReport),
        match: (tenant, id, to) => match(sql, store, tenant, id, to),
        dismiss: ({ livemode }, id, note) => dismiss(sql, store, livemode, id, note),
        forgetPayment: (payment) =>
          unavailable(sql`UPDATE unmatched_reports SET note = NULL WHERE payment_id = ${payment} AND note IS NOT NULL`)
      })
    })
  )
}

const find = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, livemode: boolean, id: string) {
  return (yield* findRow(sql, livemode, id)) ?? (yield* new ReportRefused({ reason: "not_found" }))
})

const match = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  store: PaymentStore["Service"],
  tenant: Tenant,
  id: string,
  { operationId, paymentId }: ReportMatch
) {
  const row = yield* find(sql, tenant.livemode, id)
  if (row.status === "matched") return yield* refusalOf("decided", row)
  const record = yield* store.find(tenant, paymentId)
  if (record === null) return yield* new ReportRefused({ reason: "payment_not_found" })
  if (row.evidence === null) return yield* new ReportRefused({ reason: "evidence_deleted" })
  const evidence = matchedEvidence(row.provider, row.evidence, record, operationId ?? null)
  if (typeof evidence === "string") return yield* new ReportRefused({ reason: evidence })
  const now = yield* store.now
  return yield* decided(
    sql,
    row,
    sql`status = 'waiting', disposition = 'matched', evidence = ${JSON.stringify(encodeEvidence(evidence))}, next_try_at = ${now}, claimed_by = NULL,
      claimed_until = NULL`,
    sql`payment_id = ${paymentId}, named = coalesce(named, ${JSON.stringify(row.about)}), decided_at = ${now}`
  )
})

const dismiss = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  store: PaymentStore["Service"],
  livemode: boolean,
  id: string,
  note: string
) {
  const text = note.trim()
  if (text.length === 0 || text.length > 1000 || text.includes("\u0000")) {
    return yield* new ReportRefused({ reason: "invalid_note" })
  }
  const row = yield* find(sql, livemode, id)
  if (row.status === "matched" || row.status === "dismissed") return yield* refusalOf("decided", row)
  return yield* decided(
    sql,
    row,
    sql`status = 'applied', disposition = 'dismissed', next_try_at = NULL, claimed_by = NULL, claimed_until = NULL`,
    sql`note = ${text}, decided_at = ${yield* store.now}`
  )
})

/**
 * Writes a decision in one transaction, if the report is unchanged since it was read: of two operators' decisions, only
 * one is stored.
 */
const decided = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  row: ReportRow,
  inbox: Fragment,
  report: Fragment
) {
  const isSame = sql.onDialectOrElse({
    pg: () => sql`disposition IS NOT DISTINCT FROM ${row.disposition}`,
    orElse: () => sql`disposition IS ${row.disposition}`
  })
  const write = sql.withTransaction(
    Effect.gen(function* () {
      const changed = yield* sql`UPDATE provider_inbox SET ${inbox}
        WHERE position = ${row.position} AND status = ${row.inboxStatus} AND ${isSame} RETURNING position`.unprepared
      if (changed.length === 0) return false
      yield* sql`UPDATE unmatched_reports SET ${report} WHERE position = ${row.position}`.unprepared
      return true
    })
  )
  const isWritten = yield* unavailable(write)
  const present = yield* findRow(sql, null, `rpt_${row.position}`)
  if (!isWritten || present === null) return yield* refusalOf("changed", present ?? row)
  return readReport(present)
})

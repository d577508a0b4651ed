/** Unmatched reports as rows: the pages of their list, and the details of one. */
import type { Evidence, PaymentId } from "@paymux/core"
import { decodeEvidence, eventIn, logCursor, readLogCursor, StoreUnavailable } from "@paymux/core/store"
import type { LogPlace } from "@paymux/core/store"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { forgotten } from "../migrations/forgetting.ts"
import { moneyOf } from "./matchedEvidence.ts"
import { reportStatuses } from "./UnmatchedReport.ts"
import type { ReportPage, ReportQuery, ReportStatus, UnmatchedReport } from "./UnmatchedReport.ts"
import { ReportRefused } from "./ReportRefused.ts"
import type { ReportRefusal } from "./ReportRefused.ts"

export const listRows = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  livemode: boolean,
  query: ReportQuery
): Effect.fn.Return<ReportPage, ReportRefused | StoreUnavailable> {
  const after = query.after === undefined ? null : readLogCursor(query.after)
  if (query.after !== undefined && after === null) return yield* new ReportRefused({ reason: "cursor" })
  const rows = yield* Effect.mapError(
    pageStatement(sql, livemode, query, after).unprepared,
    (cause) => new StoreUnavailable({ cause })
  )
  const shown = rows.slice(0, query.limit).map(rowOf)
  const last = shown.at(-1)
  return {
    reports: shown.map(readReport),
    next:
      last === undefined || rows.length <= query.limit ? null : logCursor({ at: last.receivedAt, row: last.position })
  }
})

/**
 * Each status, and each mode, is a range of an index in the order of the page.
 *
 * @internal Exported for the test of its query plan.
 */
export const pageStatement = (
  sql: SqlClient.SqlClient,
  livemode: boolean,
  { from, kind, limit, provider, statuses = reportStatuses, until }: ReportQuery,
  after: LogPlace | null
) => {
  const conditions = [
    ...(provider === undefined ? [] : [sql`provider = ${provider}`]),
    ...(kind === undefined ? [] : [sql`kind = ${kind}`]),
    ...(from === undefined ? [] : [sql`received_at >= ${from}`]),
    ...(until === undefined ? [] : [sql`received_at < ${until}`]),
    ...(after === null ? [] : [sql`(received_at, position) < (${after.at}, ${after.row})`])
  ]
  const newest = sql`ORDER BY received_at DESC, position DESC LIMIT ${limit + 1}`
  const branches = [...new Set(statuses)].flatMap((status) =>
    modesOf(sql, livemode).map(
      (mode) => sql`
        SELECT * FROM (SELECT position, received_at FROM unmatched_reports AS report
          WHERE ${sql.and([mode, sql`status = ${status}`, ...conditions])} ${newest}) AS branch`
    )
  )
  const places = branches.reduce((all, each) => sql`${all} UNION ALL ${each}`)
  return sql<Row>`SELECT ${columns(sql)} FROM (${places} ${newest}) AS page
    JOIN unmatched_reports AS report ON report.position = page.position
    JOIN provider_inbox AS entry ON entry.position = page.position
    ORDER BY page.received_at DESC, page.position DESC`
}

/**
 * A report of an earlier version has no mode. It may be about live money, so it is shown only to operators who may act in live
 * mode.
 */
const modesOf = (sql: SqlClient.SqlClient, livemode: boolean) => [
  sql`report.livemode = ${livemode}`,
  ...(livemode ? [sql`report.livemode IS NULL`] : [])
]

/** Finds the row of a report. `livemode: null`: in any mode. */
export const findRow = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  livemode: boolean | null,
  id: string
): Effect.fn.Return<ReportRow | null, StoreUnavailable> {
  const position = Number(/^rpt_([1-9]\d{0,14})$/.exec(id)?.[1])
  if (Number.isNaN(position)) return null
  const mode = livemode === null ? sql`1 = 1` : sql.or(modesOf(sql, livemode))
  const [row] = yield* Effect.mapError(
    sql<Row>`SELECT ${columns(sql)} FROM unmatched_reports AS report
      JOIN provider_inbox AS entry ON entry.position = report.position
      WHERE report.position = ${position} AND ${mode}`.unprepared,
    (cause) => new StoreUnavailable({ cause })
  )
  return row === undefined ? null : rowOf(row)
})

const columns = (sql: SqlClient.SqlClient) =>
  sql.literal(`report.position, report.provider, report.kind, report.status, report.received_at, report.named,
    report.payment_id, report.note, report.decided_at, entry.event_key, entry.evidence, entry.document,
    entry.status AS inbox_status, entry.disposition`)

interface Row {
  /** PostgreSQL returns a bigint as text. */
  readonly position: number | string
  readonly provider: string
  readonly kind: string
  readonly status: string
  readonly received_at: number | string
  readonly named: string | null
  readonly payment_id: string | null
  readonly note: string | null
  readonly decided_at: number | string | null
  readonly event_key: string
  readonly evidence: string
  readonly document: string | null
  readonly inbox_status: string
  readonly disposition: string | null
}

/** A report with the state of its entry in the inbox. */
export interface ReportRow {
  readonly position: number
  readonly receivedAt: number
  readonly inboxStatus: string
  readonly disposition: string | null
  /** `null`: the retention has deleted it. */
  readonly evidence: Evidence | null
  /** The object that the provider named. A match turns the evidence into evidence about an operation of ours. */
  readonly about: Evidence["about"] | null
  readonly row: Row
}

const rowOf = (row: Row): ReportRow => {
  // Boundary: the columns were written from evidence.
  const evidence =
    row.evidence === forgotten ? null : decodeEvidence(JSON.parse(row.evidence) as { [key: string]: unknown })
  const about = row.named === null ? (evidence?.about ?? null) : (JSON.parse(row.named) as Evidence["about"])
  return {
    position: Number(row.position),
    receivedAt: Number(row.received_at),
    inboxStatus: row.inbox_status,
    disposition: row.disposition,
    evidence,
    about,
    row
  }
}

export const readReport = ({ about, evidence, inboxStatus, position, receivedAt, row }: ReportRow): UnmatchedReport => {
  const money = evidence === null ? null : moneyOf(evidence)
  // Boundary: these columns hold words and ids that were written as such.
  const status = row.status as ReportStatus
  return {
    id: `rpt_${position}`,
    provider: row.provider,
    status,
    kind: row.kind,
    operationId: about !== null && "operation" in about ? about.operation : null,
    reference:
      evidence?.outcome.reference ?? (about !== null && "providerReference" in about ? about.providerReference : null),
    amount: money?.minorUnits ?? null,
    currency: money?.currency ?? null,
    vendorCode: evidence?.outcome.vendorCode ?? null,
    event: eventIn(row.event_key),
    document: row.document,
    receivedAt,
    occurredAt: evidence?.occurredAt ?? null,
    isComplete: evidence !== null,
    paymentId: row.payment_id as PaymentId | null,
    isApplied: status === "matched" && inboxStatus === "applied",
    note: row.note,
    decidedAt: row.decided_at === null ? null : Number(row.decided_at)
  }
}

export const refusalOf = (reason: ReportRefusal, row: ReportRow): ReportRefused =>
  new ReportRefused({ reason, present: readReport(row) })

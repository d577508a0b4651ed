/** Reads unmatched reports from rows: the pages of their list, and the details of one. */
import type { Evidence, PaymentId } from "@paymux/core"
import { decodeEvidence, eventIn } from "@paymux/core/store"
import type { LogPlace } from "@paymux/core/store"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { unavailable } from "../dialect/unavailable.ts"
import { conditionsOf, inPage, merged, readLogPage } from "../lists/logPage.ts"
import { forgotten } from "../migrations/forgetting.ts"
import { numeral, numeralOrNull, object, parsed, reading, text, textOrNull, word, wordOrNull } from "../rows/ReadRow.ts"
import type { Row } from "../rows/ReadRow.ts"
import { moneyOf } from "./matchedEvidence.ts"
import { reportStatuses } from "./UnmatchedReport.ts"
import type { ReportPage, ReportQuery, ReportStatus, UnmatchedReport } from "./UnmatchedReport.ts"
import { ReportRefused } from "./ReportRefused.ts"
import type { ReportRefusal } from "./ReportRefused.ts"

export const listRows = (sql: SqlClient.SqlClient, livemode: boolean, query: ReportQuery) =>
  Effect.map(
    readLogPage(
      query,
      () => new ReportRefused({ reason: "cursor" }),
      (after) => pageStatement(sql, livemode, query, after),
      place,
      (row) => readReport(rowOf(row))
    ),
    ({ entries, next }): ReportPage => ({ data: entries, next })
  )

const place = ["received_at", "position"] as const

/**
 * The SQL for a page of reports. Each status, and each mode, is a range of an index in the order of the page.
 *
 * @internal Exported for the test of its query plan.
 */
export const pageStatement = (
  sql: SqlClient.SqlClient,
  livemode: boolean,
  { from, kind, limit, provider, statuses = reportStatuses, until }: ReportQuery,
  after: LogPlace | null
) => {
  const conditions = conditionsOf(sql, {
    "provider =": provider,
    "kind =": kind,
    "received_at >=": from,
    "received_at <": until
  })
  const { beyond, inOrder } = inPage(sql, place, after, limit)
  const branches = [...new Set(statuses)].flatMap((status) =>
    modesOf(sql, livemode).map(
      (mode) => sql`SELECT position, received_at FROM unmatched_reports AS report
        WHERE ${sql.and([mode, sql`status = ${status}`, ...conditions, ...beyond])} ${inOrder}`
    )
  )
  return sql<Row>`SELECT ${columns(sql)} FROM (${merged(sql, branches)} ${inOrder}) AS page
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
export const findRow = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, livemode: boolean | null, id: string) {
  const position = Number(/^rpt_([1-9]\d{0,14})$/.exec(id)?.[1])
  if (Number.isNaN(position)) return null
  const mode = livemode === null ? sql`1 = 1` : sql.or(modesOf(sql, livemode))
  const [row] = yield* unavailable(
    sql<Row>`SELECT ${columns(sql)} FROM unmatched_reports AS report
      JOIN provider_inbox AS entry ON entry.position = report.position
      WHERE report.position = ${position} AND ${mode}`.unprepared
  )
  return row === undefined ? null : rowOf(row)
})

const columns = (sql: SqlClient.SqlClient) =>
  sql.literal(`report.position, report.provider, report.kind, report.status, report.received_at, report.named,
    report.payment_id, report.note, report.decided_at, entry.event_key, entry.evidence, entry.document,
    entry.status AS inbox_status, entry.disposition`)

/** Reads the columns whose values become fields of a report without conversion. */
const readStored = reading({
  position: numeral,
  provider: text,
  kind: text,
  status: word<ReportStatus>,
  receivedAt: numeral,
  paymentId: wordOrNull<PaymentId>,
  note: textOrNull,
  decidedAt: numeralOrNull,
  eventKey: text,
  document: textOrNull,
  inboxStatus: text,
  disposition: textOrNull
})

/** The evidence; `null`: the retention has deleted it. */
export interface ReportRow extends ReturnType<typeof readStored> {
  /** The evidence of the report; `null`: the retention has deleted it. */
  readonly evidence: Evidence | null
  /**
   * The object that the provider's report is about. It is kept separately, because a match replaces the evidence by
   * evidence about an operation of ours.
   */
  readonly about: Evidence["about"] | null
}

const rowOf = (row: Row): ReportRow => {
  const evidence = row["evidence"] === forgotten ? null : decodeEvidence(object(row, "evidence"))
  const about = row["named"] === null ? (evidence?.about ?? null) : parsed<Evidence["about"]>(row, "named")
  return { ...readStored(row), evidence, about }
}

export const readReport = ({
  about,
  disposition: _,
  eventKey,
  evidence,
  inboxStatus,
  position,
  ...row
}: ReportRow): UnmatchedReport => {
  const money = evidence === null ? null : moneyOf(evidence)
  return {
    ...row,
    id: `rpt_${position}`,
    operationId: about !== null && "operation" in about ? about.operation : null,
    reference:
      evidence?.outcome.reference ?? (about !== null && "providerReference" in about ? about.providerReference : null),
    amount: money?.minorUnits ?? null,
    currency: money?.currency ?? null,
    vendorCode: evidence?.outcome.vendorCode ?? null,
    event: eventIn(eventKey),
    occurredAt: evidence?.occurredAt ?? null,
    isComplete: evidence !== null,
    isApplied: row.status === "matched" && inboxStatus === "applied"
  }
}

export const refusalOf = (reason: ReportRefusal, row: ReportRow): ReportRefused =>
  new ReportRefused({ reason, present: readReport(row) })

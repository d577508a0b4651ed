/** What `paymux.reports` does: provider reports that match no payment, and what an operator decides about them. */
import type { OperationId, Tenant } from "@paymux/core"
import { isPaymentId, paymentError, PaymentNotFound } from "@paymux/core/wire"
import { reportStatuses, UnmatchedReports } from "@paymux/sql"
import type { ReportPage, ReportQuery, UnmatchedReport } from "@paymux/sql"
import { Effect } from "effect"
import * as PaymentCalls from "./PaymentCalls.ts"

/**
 * A report belongs to a provider in test or live mode, and to no account: these calls show all reports of the mode. Refusals
 * are `ReportRefused`; its `reason` says why, and `present` is the report if another operator has decided about it.
 */
export interface ReportOperations {
  /** Newest first; 20 unless `limit` says otherwise (at most 1000). */
  readonly list: (query?: Partial<ReportQuery>) => Promise<ReportPage>
  readonly get: (id: string) => Promise<UnmatchedReport>
  /**
   * The report is about this payment of the account. The engine applies it like every report of the provider, within
   * seconds: then `get` has `isApplied`.
   */
  readonly match: (id: string, to: MatchedTo) => Promise<UnmatchedReport>
  /** It is kept, with your note, and can still be matched. */
  readonly dismiss: (id: string, options: { readonly note: string }) => Promise<UnmatchedReport>
}

export interface MatchedTo {
  /** `pay_…` */
  readonly paymentId: string
  /** `op_…`, such as a refund. Default: the create operation at the provider of the report. */
  readonly operationId?: string
}

export const list = Effect.fnUntraced(function* (tenant: Tenant, query: Partial<ReportQuery>) {
  yield* PaymentCalls.onlyKnown(query, ["statuses", "provider", "kind", "from", "until", "after", "limit"])
  const limit = yield* PaymentCalls.asLimit(query.limit)
  for (const name of ["from", "until"] as const) yield* PaymentCalls.asTime(query[name], `/${name}`)
  for (const name of ["provider", "kind", "after"] as const) yield* PaymentCalls.asText(query[name], `/${name}`)
  const { statuses } = query
  if (statuses !== undefined && (!Array.isArray(statuses) || statuses.length === 0)) {
    return yield* PaymentCalls.invalid("/statuses", "must be a list of statuses")
  }
  for (const [place, status] of (statuses ?? []).entries()) {
    yield* PaymentCalls.asOneOf(status, reportStatuses, `/statuses/${place}`)
  }
  return yield* UnmatchedReports.use((reports) => reports.list(tenant, { ...query, limit }))
})

export const get = Effect.fnUntraced(function* (tenant: Tenant, id: string) {
  yield* PaymentCalls.asText(id, "/id")
  return yield* UnmatchedReports.use((reports) => reports.get(tenant, id))
})

export const match = Effect.fnUntraced(function* (tenant: Tenant, id: string, to: MatchedTo) {
  yield* PaymentCalls.asText(id, "/id")
  yield* PaymentCalls.onlyKnown(to, ["paymentId", "operationId"])
  const { operationId, paymentId } = to
  yield* PaymentCalls.asText(operationId, "/operationId")
  if (typeof paymentId !== "string") return yield* PaymentCalls.invalid("/paymentId", "must be text")
  if (!isPaymentId(paymentId)) return yield* paymentError(new PaymentNotFound())
  // Boundary: a text that is the id of no operation is refused by its payment.
  const chosen = { paymentId, ...(operationId !== undefined && { operationId: operationId as OperationId }) }
  return yield* UnmatchedReports.use((reports) => reports.match(tenant, id, chosen))
})

export const dismiss = Effect.fnUntraced(function* (tenant: Tenant, id: string, options: { readonly note: string }) {
  yield* PaymentCalls.asText(id, "/id")
  yield* PaymentCalls.onlyKnown(options, ["note"])
  const { note } = options
  if (typeof note !== "string") return yield* PaymentCalls.invalid("/note", "must be text")
  return yield* UnmatchedReports.use((reports) => reports.dismiss(tenant, id, note))
})

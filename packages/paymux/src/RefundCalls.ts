/** What `paymux.refunds.search` does: refunds of all payments, newest first. */
import type { Tenant } from "@paymux/core"
import { refundStatuses } from "@paymux/core/store"
import { refundJson } from "@paymux/core/wire"
import type { RefundJson } from "@paymux/core/wire"
import { listRefunds } from "@paymux/sql"
import type { RefundQuery } from "@paymux/sql"
import { Effect } from "effect"
import * as PaymentCalls from "./PaymentCalls.ts"

export interface RefundPageJson {
  readonly refunds: ReadonlyArray<RefundJson>
  /** The cursor of the next page; `null`: this page is the last. */
  readonly next: string | null
}

/** As `/v1` writes refunds. */
export const pageOf = (tenant: Tenant, query: RefundQuery) =>
  Effect.map(listRefunds(tenant, query), ({ next, refunds }): RefundPageJson => ({
    refunds: refunds.map(({ operation, payment }) => refundJson({ payment }, operation)),
    next
  }))

export const search = Effect.fnUntraced(function* (tenant: Tenant, query: Partial<RefundQuery>) {
  yield* PaymentCalls.onlyKnown(query, ["statuses", "paymentId", "provider", "from", "until", "after", "limit"])
  const limit = yield* PaymentCalls.asLimit(query.limit)
  for (const name of ["from", "until"] as const) yield* PaymentCalls.asTime(query[name], `/${name}`)
  for (const name of ["paymentId", "provider", "after"] as const) {
    yield* PaymentCalls.asText(query[name], `/${name}`)
  }
  const { statuses } = query
  if (statuses !== undefined && (!Array.isArray(statuses) || statuses.length === 0)) {
    return yield* PaymentCalls.invalid("/statuses", "must be a list of refund statuses")
  }
  const misspelt = statuses?.findIndex((status) => !refundStatuses.includes(status)) ?? -1
  if (misspelt >= 0) {
    return yield* PaymentCalls.invalid(`/statuses/${misspelt}`, `must be one of ${refundStatuses.join(", ")}`)
  }
  return yield* pageOf(tenant, { ...query, limit })
})

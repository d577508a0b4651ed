/** What `paymux.refunds.search` does: refunds of all payments, newest first. */
import type { Tenant } from "@paymux/core"
import { refundStatuses } from "@paymux/core/store"
import { refundPage } from "@paymux/dashboard"
import type { RefundQuery } from "@paymux/sql"
import { Effect } from "effect"
import * as PaymentCalls from "./PaymentCalls.ts"

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
  return yield* refundPage(tenant, { ...query, limit })
})

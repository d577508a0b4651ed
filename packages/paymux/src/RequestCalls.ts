/** What `paymux.requests` does: the merchant's calls of `/v1`, as a log. */
import type { Tenant } from "@paymux/core"
import { mostRequestsOfPage, RequestLog, statusClasses } from "@paymux/http"
import type { RequestDetails, RequestPage, RequestQuery } from "@paymux/http"
import { Effect } from "effect"
import * as PaymentCalls from "./PaymentCalls.ts"

export interface RequestOperations {
  /** Newest first; 20 unless `limit` says otherwise (at most 100). Calls in this process are not requests. */
  readonly list: (query?: Partial<RequestQuery>) => Promise<RequestPage>
  /** With what is kept of its body. `null`: this account and mode has no such request, or no longer. */
  readonly get: (id: string) => Promise<RequestDetails | null>
}

const texts = ["method", "route", "keyId", "problem", "requestId", "paymentId", "after"] as const

export const list = Effect.fnUntraced(function* (tenant: Tenant, query: Partial<RequestQuery>) {
  yield* PaymentCalls.onlyKnown(query, ["status", ...texts, "from", "until", "limit"])
  const limit = yield* PaymentCalls.asLimit(query.limit, mostRequestsOfPage)
  for (const name of ["from", "until"] as const) yield* PaymentCalls.asTime(query[name], `/${name}`)
  for (const name of texts) yield* PaymentCalls.asText(query[name], `/${name}`)
  if (query.status !== undefined && !isStatus(query.status)) {
    return yield* PaymentCalls.invalid("/status", `must be an HTTP status, or one of ${statusClasses.join(", ")}`)
  }
  return yield* RequestLog.use((log) => log.list(tenant, { ...query, limit }))
})

const isStatus = (status: unknown): boolean =>
  (Number.isInteger(status) && Number(status) >= 100 && Number(status) <= 599) ||
  statusClasses.some((known) => known === status)

export const get = (tenant: Tenant, id: string) => RequestLog.use((log) => log.get(tenant, id))

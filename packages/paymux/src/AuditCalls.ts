/** What `paymux.auditLog` does. */
import type { Tenant } from "@paymux/core"
import { AuditLog } from "@paymux/dashboard"
import type { AuditPage, AuditQuery } from "@paymux/dashboard"
import { Effect } from "effect"
import * as PaymentCalls from "./PaymentCalls.ts"

export interface AuditOperations {
  /** Administrative actions on this account and mode, newest first; 20 unless `limit` says otherwise (at most 1000). */
  readonly list: (query?: Partial<AuditQuery>) => Promise<AuditPage>
}

export const list = Effect.fnUntraced(function* (tenant: Tenant, query: Partial<AuditQuery>) {
  yield* PaymentCalls.onlyKnown(query, ["action", "actorId", "target", "outcome", "from", "until", "after", "limit"])
  const limit = yield* PaymentCalls.asLimit(query.limit)
  for (const name of ["from", "until"] as const) yield* PaymentCalls.asTime(query[name], `/${name}`)
  for (const name of ["action", "actorId", "target", "outcome", "after"] as const) {
    yield* PaymentCalls.asText(query[name], `/${name}`)
  }
  return yield* AuditLog.use((log) => log.list(tenant, { ...query, limit }))
})

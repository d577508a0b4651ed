/** What `paymux.requests` does: the merchant's calls of `/v1`, as a log. */
import type { Tenant } from "@paymux/core"
import { RequestLog } from "@paymux/http"
import type { RequestDetails, RequestPage, RequestQuery } from "@paymux/http"

export interface RequestOperations {
  /** Newest first; 20 unless `limit` says otherwise (at most 100). Calls in this process are not requests. */
  readonly list: (query?: Partial<RequestQuery>) => Promise<RequestPage>
  /** With what is kept of its body. `null`: this account and mode has no such request, or no longer. */
  readonly get: (id: string) => Promise<RequestDetails | null>
}

export const get = (tenant: Tenant, id: string) => RequestLog.use((log) => log.get(tenant, id))

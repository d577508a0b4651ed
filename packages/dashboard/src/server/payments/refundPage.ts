/** The refunds of all payments, newest first, as `/v1` writes them. */
import type { Tenant } from "@paymux/core"
import { refundJson } from "@paymux/core/wire"
import type { RefundJson } from "@paymux/core/wire"
import { listRefunds } from "@paymux/sql"
import type { RefundQuery } from "@paymux/sql"
import { Effect } from "effect"

export interface RefundPageJson {
  readonly data: ReadonlyArray<RefundJson>
  /** The cursor of the next page; `null`: this page is the last. */
  readonly next: string | null
}

/** Errors: `RefundCursorInvalid`, `StoreUnavailable`. */
export const refundPage = (tenant: Tenant, query: RefundQuery) =>
  Effect.map(listRefunds(tenant, query), ({ data, next }): RefundPageJson => ({
    data: data.map(({ operation, payment }) => refundJson({ payment }, operation)),
    next
  }))

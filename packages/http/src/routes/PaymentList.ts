/** Lists a page of payments as JSON, for `GET /v1/payments` and the embedded call. */
import { Payments } from "@paymux/core"
import type { Tenant } from "@paymux/core"
import { timeOfPaymentId } from "@paymux/core/store"
import type { Page } from "@paymux/core/store"
import { HostedPage, paymentJson, PaymentJson } from "@paymux/core/wire"
import { Effect, Schema } from "effect"
import type { Cursors } from "../request/Cursor.ts"
import { listQuery } from "../request/ListParameters.ts"
import type { QueryValues } from "../request/QueryParameters.ts"

export const PaymentListJson = Schema.Struct({
  object: Schema.Literal("list").annotate({ description: "The type of the object." }),
  data: Schema.Array(PaymentJson).annotate({ description: "Newest first." }),
  has_more: Schema.Boolean.annotate({
    description:
      "Whether there are more in the requested direction. With `searched_until`, there may be: continue with `next_cursor`."
  }),
  next_cursor: Schema.NullOr(Schema.String).annotate({
    description: "The value of `starting_after` or `ending_before` for the next page."
  }),
  searched_until: Schema.optionalKey(
    Schema.String.annotate({
      description:
        "RFC 3339, UTC. Present if a search for metadata without an index ended before the page was full: payments up to this time of creation were searched, and others may match."
    })
  )
}).annotate({ identifier: "PaymentList" })
export type PaymentListJson = typeof PaymentListJson.Type

/**
 * Lists a page of payments as JSON. `values` are the parameters of the query. `next_cursor` continues in the direction
 * that the query requested.
 */
export const listPayments = Effect.fnUntraced(function* (tenant: Tenant, values: QueryValues, cursors: Cursors) {
  const query = yield* listQuery(values, tenant, cursors)
  const hostedUrl = yield* HostedPage
  const page = yield* Payments.use((payments) => payments.list(tenant, query))
  return {
    object: "list" as const,
    data: page.records.map((record) => paymentJson(record, hostedUrl)),
    has_more: page.hasMore,
    next_cursor: nextCursor(page, query.position?.side ?? "after", tenant, cursors),
    ...(page.stoppedAt !== null && { searched_until: new Date(timeOfPaymentId(page.stoppedAt)).toISOString() })
  } satisfies PaymentListJson
})

/**
 * Returns the cursor of the next page. It is after the last payment of this page, or, backwards, before the first one.
 * If the search stopped early, it is at the last payment that was searched. `null` if this page is the last.
 */
const nextCursor = (page: Page, side: "after" | "before", tenant: Tenant, cursors: Cursors): string | null => {
  const last = page.stoppedAt ?? page.records.at(side === "after" ? -1 : 0)?.payment.id
  return page.hasMore && last !== undefined ? cursors.write(tenant, last) : null
}

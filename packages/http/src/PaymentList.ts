/** One page of payments as JSON: what `GET /v1/payments` answers, and the embedded call alike. */
import { Payments } from "@paymux/core"
import type { PaymentError, Tenant } from "@paymux/core"
import type { Page } from "@paymux/core/store"
import { paymentJson, PaymentJson } from "@paymux/core/wire"
import { Effect, Schema } from "effect"
import type { ApiProblem } from "./ApiProblem.ts"
import type { Cursors } from "./Cursor.ts"
import { listQuery } from "./ListParameters.ts"
import type { QueryValues } from "./ListParameters.ts"

export const PaymentListJson = Schema.Struct({
  object: Schema.Literal("list"),
  data: Schema.Array(PaymentJson),
  has_more: Schema.Boolean.annotate({ description: "More lie beyond this page, in the direction that was asked for." }),
  next_cursor: Schema.NullOr(Schema.String).annotate({
    description: "For the same parameter again: `starting_after`, or `ending_before`."
  })
}).annotate({ identifier: "PaymentList" })
export type PaymentListJson = typeof PaymentListJson.Type

/** `values`: the query's parameters, as written. `next_cursor` goes on in the direction that was asked for. */
export const listPayments = Effect.fnUntraced(function* (
  tenant: Tenant,
  values: QueryValues,
  cursors: Cursors
): Effect.fn.Return<PaymentListJson, ApiProblem | PaymentError, Payments> {
  const query = yield* listQuery(values, tenant, cursors)
  const page = yield* Payments.use((payments) => payments.list(tenant, query))
  return {
    object: "list",
    data: page.records.map(paymentJson),
    has_more: page.hasMore,
    next_cursor: nextCursor(page, query.position?.side ?? "after", tenant, cursors)
  }
})

/** Going back, the next page ends before the first of this one. */
const nextCursor = (page: Page, side: "after" | "before", tenant: Tenant, cursors: Cursors): string | null => {
  const last = page.records.at(side === "after" ? -1 : 0)
  return page.hasMore && last !== undefined ? cursors.write(tenant, last.payment.id) : null
}

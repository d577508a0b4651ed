/** Lists the refunds of a payment as JSON, for `GET /v1/payments/{id}/refunds` and the embedded call. */
import type { PaymentRecord } from "@paymux/core"
import { refundsOf } from "@paymux/core/store"
import { refundJson, RefundJson } from "@paymux/core/wire"
import { Schema } from "effect"

export const RefundListJson = Schema.Struct({
  object: Schema.Literal("list").annotate({ description: "The type of the object." }),
  data: Schema.Array(RefundJson).annotate({ description: "All refunds of the payment, newest first." }),
  has_more: Schema.Literal(false).annotate({ description: "Always `false`: all refunds are on one page." }),
  next_cursor: Schema.Null.annotate({ description: "Always `null`: all refunds are on one page." })
}).annotate({ identifier: "RefundList" })
export type RefundListJson = typeof RefundListJson.Type

/** Lists all refunds of the payment, newest first. */
export const refundList = (record: PaymentRecord): RefundListJson => ({
  object: "list",
  data: refundsOf(record)
    .map((refund) => refundJson(record, refund))
    .toReversed(),
  has_more: false,
  next_cursor: null
})

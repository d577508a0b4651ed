/** Finds payments that share their `metadata.order_id` with another one. The SQL scans the index of that key, and not the table. */
import { repeatsWithin } from "@paymux/core/store"
import type { RepeatedOrders, RepeatedOrdersQuery } from "@paymux/core/store"
import type { StatementText } from "../dialect/Fragments.ts"
import { flag, numeral } from "../rows/ReadRow.ts"
import type { Row } from "../rows/ReadRow.ts"
import { readPaymentId } from "../rows/rows.ts"

export const orderNumberKey = "order_id"

/** Reads each payment that has the same order as another payment, and the last payment that was scanned. */
export const selectRepeated =
  ({ after, before, limit }: RepeatedOrdersQuery): StatementText =>
  ({ bind, sql: { payment } }) => {
    const [indexed, orderNumber] = [payment.metadataIndex(orderNumberKey), payment.metadata(orderNumberKey)]
    const { phone } = payment
    return `WITH walked AS MATERIALIZED (
    SELECT id, account, livemode, status, minor_units, currency, customer_email, ${phone} AS phone, order_ref, created_at,
      ${indexed} AS indexed, ${orderNumber} AS order_number
    FROM payments WHERE id > ${bind(after)} AND id < ${bind(before)} ORDER BY id LIMIT ${bind(limit)}
  ), looked AS (SELECT count(*) AS total, max(id) AS last FROM walked),
  judged AS (
    SELECT walked.id, walked.status = 'succeeded' AND walked.indexed IS NOT NULL AND EXISTS (
      SELECT 1 FROM payments WHERE payments.account = walked.account AND payments.livemode = walked.livemode
        AND (${indexed}) = walked.indexed AND (${indexed}) IS NOT NULL AND payments.id < walked.id
        AND payments.status = 'succeeded' AND ${orderNumber} = walked.order_number
        AND (payments.order_ref IS NULL OR walked.order_ref IS NULL)
        AND payments.minor_units = walked.minor_units AND payments.currency = walked.currency
        AND payments.customer_email = walked.customer_email
        AND (walked.customer_email <> '' OR ${phone} = walked.phone)
        AND payments.created_at BETWEEN walked.created_at - ${repeatsWithin} AND walked.created_at + ${repeatsWithin}
    ) AS is_repeated FROM walked
  ) SELECT judged.id AS payment_id, is_repeated, total FROM judged, looked
    WHERE is_repeated OR judged.id = looked.last ORDER BY judged.id`
  }

export const readRepeatedOrders = (rows: ReadonlyArray<Row>, { limit }: RepeatedOrdersQuery): RepeatedOrders => {
  const last = rows.at(-1)
  const payments = rows.filter((row) => flag(row, "is_repeated")).map(readPaymentId)
  return {
    payments,
    next: last === undefined || numeral(last, "total") < limit ? null : readPaymentId(last)
  }
}

export const noRepeatedOrders: RepeatedOrders = { payments: [], next: null }

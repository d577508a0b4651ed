/**
 * Adds the merchant's order of a payment. A second column has the same order only while the payment is open or paid;
 * its unique index makes the database refuse a second payment for the order. Older code would not clear this column, so
 * it is not compatible with this migration.
 */
import type { Migration } from "@paymux/core/store"
import { word } from "./payments.ts"

const indexes = [
  `CREATE UNIQUE INDEX payments_order_held ON payments (account, livemode, order_held) WHERE order_held IS NOT NULL`,
  `CREATE INDEX payments_by_order ON payments (account, livemode, order_ref, id) WHERE order_ref IS NOT NULL`
]

export const orders: Migration = {
  id: 29,
  name: "orders",
  sqlite: [
    "ALTER TABLE payments ADD COLUMN order_ref TEXT",
    "ALTER TABLE payments ADD COLUMN order_held TEXT",
    ...indexes
  ],
  pg: [
    `ALTER TABLE payments ADD COLUMN order_ref ${word}`,
    `ALTER TABLE payments ADD COLUMN order_held ${word}`,
    ...indexes
  ]
}

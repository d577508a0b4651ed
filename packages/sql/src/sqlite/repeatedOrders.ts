/** Payments that repeat an order, on SQLite. */
import type { PaymentStore } from "@paymux/core/store"
import { indexedKeys, sqliteIndexes } from "../MetadataIndexes.ts"
import { sqliteMetadata } from "../migrations/metadata.ts"
import { noRepeatedOrders, orderNumberKey, readRepeatedOrders, repeatedOrdersText } from "../repeatedOrders.ts"
import type { SqliteAccess } from "./providerTables.ts"

export const repeatedOrders =
  ({ prepare, read }: SqliteAccess): PaymentStore["Service"]["repeatedOrders"] =>
  (query) =>
    read(
      // Read from the file each time: the index is created without a notification.
      () =>
        indexedKeys(prepare(sqliteIndexes).all()).has(orderNumberKey)
          ? prepare(selectRepeated).all({ ...query })
          : null,
      (rows) => (rows === null ? noRepeatedOrders : readRepeatedOrders(rows, query))
    )

/** @internal Exported for the test of its query plan. */
export const selectRepeated = repeatedOrdersText({
  after: ":after",
  before: ":before",
  limit: ":limit",
  indexed: sqliteMetadata(orderNumberKey),
  orderNumber: sqliteMetadata(orderNumberKey),
  phone: "customer ->> '$.phone'"
})

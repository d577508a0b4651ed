/** The merchants' orders on SQLite. */
import type { OrderStore } from "@paymux/core/store"
import { indexedKeys, sqliteIndexes } from "../MetadataIndexes.ts"
import { sqliteMetadata } from "../migrations/metadata.ts"
import { noRepeatedOrders, orderNumberKey, readRepeatedOrders, repeatedOrdersText } from "../repeatedOrders.ts"
import { readPaymentId } from "../rows.ts"
import { orderValues } from "./commits.ts"
import type { SqliteAccess } from "./providerTables.ts"
import { selectOrderHolder } from "./statements.ts"

export const orders = ({ prepare, read }: SqliteAccess): OrderStore => ({
  holder: (tenant, order) =>
    read(
      () => prepare(selectOrderHolder).get(...orderValues(tenant, order)),
      (row) => (row === undefined ? null : readPaymentId(row))
    ),
  repeated: (query) =>
    read(
      // Read from the file each time: the index is created without a notification.
      () =>
        indexedKeys(prepare(sqliteIndexes).all()).has(orderNumberKey)
          ? prepare(selectRepeated).all({ ...query })
          : null,
      (rows) => (rows === null ? noRepeatedOrders : readRepeatedOrders(rows, query))
    )
})

/** @internal Exported for the test of its query plan. */
export const selectRepeated = repeatedOrdersText({
  after: ":after",
  before: ":before",
  limit: ":limit",
  indexed: sqliteMetadata(orderNumberKey),
  orderNumber: sqliteMetadata(orderNumberKey),
  phone: "customer ->> '$.phone'"
})

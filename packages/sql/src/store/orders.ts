/** The merchants' orders in the store. */
import type { Tenant } from "@paymux/core"
import type { OrderStore, StoreUnavailable } from "@paymux/core/store"
import { Effect } from "effect"
import type { StatementRunner, StatementText } from "../dialect/Fragments.ts"
import { noRepeatedOrders, orderNumberKey, readRepeatedOrders, selectRepeated } from "./repeatedOrders.ts"
import { readPaymentId } from "../rows/rows.ts"
import { firstOf } from "../rows/ReadRow.ts"

/** The operations on orders. `indexed`: the metadata keys for which the database has an index. */
export const orders = (
  { read }: StatementRunner,
  indexed: Effect.Effect<ReadonlySet<string>, StoreUnavailable>
): OrderStore => ({
  holder: (tenant, order) => Effect.map(read(selectOrderHolder(tenant, order)), firstOf(readPaymentId)),
  repeated: (query) =>
    Effect.flatMap(indexed, (keys) =>
      keys.has(orderNumberKey)
        ? Effect.map(read(selectRepeated(query)), (rows) => readRepeatedOrders(rows, query))
        : Effect.succeed(noRepeatedOrders)
    )
})

/** The open or paid payment that has the order. */
const selectOrderHolder =
  (tenant: Tenant, order: string): StatementText =>
  ({ bind, isOf }) =>
    `SELECT id AS payment_id FROM payments WHERE ${isOf(tenant)} AND order_held = ${bind(order)}`

/** The merchants' orders on PostgreSQL. */
import type { OrderStore, RepeatedOrdersQuery } from "@paymux/core/store"
import { Effect } from "effect"
import { withoutUnicodeEscapes } from "../migrations/cards.ts"
import { pgMetadata, pgMetadataPrefix } from "../migrations/metadata.ts"
import { noRepeatedOrders, orderNumberKey, readRepeatedOrders, repeatedOrdersText } from "../repeatedOrders.ts"
import { readPaymentId } from "../rows.ts"
import { statementOf } from "./Fragments.ts"
import type { Run } from "./providerTables.ts"
import { selectOrderHolder } from "./statements.ts"

/** `indexed`: the keys of metadata that the database has an index of. */
export const orders = (run: Run, indexed: ReadonlySet<string>): OrderStore => ({
  holder: (tenant, order) =>
    Effect.map(run(selectOrderHolder(tenant, order)), ([row]) => (row === undefined ? null : readPaymentId(row))),
  repeated: (query) =>
    indexed.has(orderNumberKey)
      ? Effect.map(run(selectRepeated(query)), (rows) => readRepeatedOrders(rows, query))
      : Effect.succeed(noRepeatedOrders)
})

/** @internal Exported for the test of its query plan. */
export const selectRepeated = ({ after, before, limit }: RepeatedOrdersQuery) =>
  statementOf(({ bind }) =>
    repeatedOrdersText({
      after: bind(after, "text"),
      before: bind(before, "text"),
      limit: bind(limit, "bigint"),
      indexed: pgMetadataPrefix(orderNumberKey),
      orderNumber: pgMetadata(orderNumberKey),
      phone: `(${withoutUnicodeEscapes("customer")}::json ->> 'phone')`
    })
  )

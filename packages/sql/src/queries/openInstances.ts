/** Counts the open operations of each provider instance, for commands that run without a payment store. */
import { mostCounted, openOperationsOf } from "@paymux/core/store"
import type { OpenOperations } from "@paymux/core/store"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { numeral, text } from "../rows/ReadRow.ts"
import type { Row } from "../rows/ReadRow.ts"
import { countOpenOperations, selectOpenProviders } from "../store/dueProviders.ts"

/** The provider instances for which `isWanted` holds and that have open operations. */
export const openInstances = Effect.fnUntraced(function* (
  isWanted: (id: string) => boolean
): Effect.fn.Return<ReadonlyArray<OpenOperations>, SqlError, SqlClient.SqlClient> {
  const sql = yield* SqlClient.SqlClient
  const parameter = sql.onDialectOrElse({ pg: () => "$1", orElse: () => "?" })
  const instances = yield* sql.unsafe<Row>(selectOpenProviders)
  const wanted = instances.map((row) => text(row, "provider")).filter(isWanted)
  const counted = yield* Effect.forEach(wanted, (provider) =>
    Effect.map(sql.unsafe<Row>(countOpenOperations(parameter, mostCounted + 1), [provider]), ([row = {}]) =>
      openOperationsOf(provider, numeral(row, "total"), numeral(row, "live"))
    )
  )
  return counted.filter(({ live, test }) => live + test > 0)
})

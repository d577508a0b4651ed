/** The open operations of each provider instance, for code without a store. */
import { mostCounted, openOperationsOf } from "@paymux/core/store"
import type { OpenOperations } from "@paymux/core/store"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { countOpenOperations, selectOpenProviders } from "../store/dueProviders.ts"

/** The provider instances for which `isWanted` holds and that have open operations. */
export const openInstances = Effect.fnUntraced(function* (
  isWanted: (id: string) => boolean
): Effect.fn.Return<ReadonlyArray<OpenOperations>, SqlError, SqlClient.SqlClient> {
  const sql = yield* SqlClient.SqlClient
  const parameter = sql.onDialectOrElse({ pg: () => "$1", orElse: () => "?" })
  const instances = yield* sql.unsafe<{ readonly provider: string }>(selectOpenProviders)
  const wanted = instances.map(({ provider }) => provider).filter(isWanted)
  const counted = yield* Effect.forEach(wanted, (provider) =>
    Effect.map(sql.unsafe<CountRow>(countOpenOperations(parameter, mostCounted + 1), [provider]), ([row]) =>
      openOperationsOf(provider, Number(row?.total ?? 0), Number(row?.live ?? 0))
    )
  )
  return counted.filter(({ live, test }) => live + test > 0)
})

interface CountRow {
  readonly total: number | string
  readonly live: number | string
}

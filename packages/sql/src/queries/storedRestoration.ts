/**
 * Reads the mark of a restored database, for commands that run without a payment store. It does not detect a restore
 * and writes nothing: see `RestorationStore.read`.
 */
import type { Restoration } from "@paymux/core/store"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import type { Row } from "../rows/ReadRow.ts"
import { readRestoration, selectRestoration } from "../store/restoration.ts"

export const storedRestoration: Effect.Effect<Restoration, SqlError, SqlClient.SqlClient> = SqlClient.SqlClient.use(
  (sql) => Effect.map(sql.unsafe<Row>(selectRestoration), ([row]) => readRestoration(row))
)

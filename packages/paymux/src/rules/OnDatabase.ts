import type { PaymentStore, StoreUnavailable } from "@paymux/core/store"
import type { AuditLog } from "@paymux/dashboard"
import type { Effect } from "effect"
import type { SqlClient } from "effect/sql"

/** Runs what needs the database; an error of the database becomes `StoreUnavailable`. */
export type OnDatabase = <A, E>(
  effect: Effect.Effect<A, E, SqlClient.SqlClient | PaymentStore | AuditLog>
) => Effect.Effect<A, Exclude<E, { readonly _tag: "SqlError" }> | StoreUnavailable>

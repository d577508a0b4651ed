import { StoreUnavailable } from "@paymux/core/store"
import { Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"

/** Converts a failure of the database, `SqlError`, to the error `StoreUnavailable`. */
export const unavailable = <A, E, R>(effect: Effect.Effect<A, E | SqlError, R>) =>
  Effect.catchTag(effect, "SqlError", (cause) => Effect.fail(new StoreUnavailable({ cause })))

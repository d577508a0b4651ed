import { StoreUnavailable } from "@paymux/core/store"
import { Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"

/** The database's own errors are its driver's matter: callers learn that it did not answer, as with payments. */
export const stored = <A, E, R>(effect: Effect.Effect<A, E | SqlError, R>) =>
  Effect.catchTag(effect, "SqlError", (cause) => Effect.fail(new StoreUnavailable({ cause })))

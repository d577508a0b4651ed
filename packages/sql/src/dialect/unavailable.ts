import { StoreUnavailable } from "@paymux/core/store"
import { Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"

/** Reports a failure of the database as an unavailable store. */
export const unavailable = <A, E, R>(effect: Effect.Effect<A, E | SqlError, R>) =>
  Effect.catchTag(effect, "SqlError", (cause) => Effect.fail(new StoreUnavailable({ cause })))

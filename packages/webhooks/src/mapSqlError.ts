import { StoreUnavailable } from "@paymux/core/store"
import { Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"

/** Maps the driver's errors to `StoreUnavailable`, as the payment store does. */
export const mapSqlError = <A, E, R>(effect: Effect.Effect<A, E | SqlError, R>) =>
  Effect.catchTag(effect, "SqlError", (cause) => Effect.fail(new StoreUnavailable({ cause })))

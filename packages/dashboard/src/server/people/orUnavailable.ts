import { StoreUnavailable } from "@paymux/core/store"
import { Effect } from "effect"
import { isSqlError } from "effect/sql/SqlError"
import type { SqlError } from "effect/sql/SqlError"

/** Maps the driver's errors to `StoreUnavailable`. */
export const orUnavailable = <A, E, R>(
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, Exclude<E, SqlError> | StoreUnavailable, R> =>
  Effect.catch(effect, (error) =>
    Effect.fail(
      // The check narrows to what is no SqlError, which the compiler cannot see of a type parameter.
      isSqlError(error) ? new StoreUnavailable({ cause: error }) : (error as Exclude<E, SqlError>)
    )
  )

import { Effect } from "effect"
import { paymentError, Unavailable } from "../domain/PaymentError.ts"
import type { PaymentError } from "../domain/PaymentError.ts"
import type { StoreUnavailable } from "../store/PaymentStore.ts"

/** A store that is away, in the words of the service. */
export const orUnavailable = <A>(effect: Effect.Effect<A, StoreUnavailable>): Effect.Effect<A, PaymentError> =>
  Effect.mapError(effect, ({ cause }) => paymentError(new Unavailable({ cause })))

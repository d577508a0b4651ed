import { Effect } from "effect"
import type { PaymentId } from "../domain/Ids.ts"
import { paymentError, Unavailable } from "../domain/PaymentError.ts"
import type { PaymentError } from "../domain/PaymentError.ts"
import type { Admission } from "../resilience/ProviderGuard.ts"

/** A first commit that was acknowledged after its request had been refused. The operation is settled as after a crash. */
export const leaveUnsent = (admission: Admission, id: PaymentId): Effect.Effect<never, PaymentError> =>
  Effect.suspend(() => {
    admission.release()
    const sentence = `Payment ${id} was committed after its request had been refused: nothing was sent, and an inquiry settles it`
    return Effect.andThen(
      Effect.logWarning(sentence),
      Effect.fail(paymentError(new Unavailable({ cause: new Error(sentence) })))
    )
  })

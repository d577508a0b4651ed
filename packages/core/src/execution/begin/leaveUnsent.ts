import { Effect } from "effect"
import type { Operation } from "../../domain/Operation.ts"
import type { PaymentRecord } from "../../domain/Payment.ts"
import { paymentError, Unavailable } from "../../domain/PaymentError.ts"
import type { PaymentError } from "../../domain/PaymentError.ts"
import type { Admission } from "../../resilience/ProviderGuard.ts"
import type { Executor } from "../Executor.ts"

/**
 * Ends an operation whose first commit was acknowledged after its request had been refused. The refusal stated that
 * nothing is sent, and the payer may have paid in another way already, so no provider is tried.
 */
export const leaveUnsent = (
  executor: Executor["Service"],
  admission: Admission,
  record: PaymentRecord,
  operation: Operation
): Effect.Effect<never, PaymentError> =>
  Effect.suspend(() => {
    admission.release()
    const what = `Payment ${record.payment.id}: the ${operation.kind} was committed after its request had been refused`
    return executor.endUnsent(record, operation).pipe(
      Effect.andThen(Effect.logWarning(`${what}; it was ended, and nothing was sent`)),
      Effect.catch(({ cause }) => Effect.logError(`${what}; nothing was sent, and an inquiry settles it`, cause)),
      Effect.andThen(Effect.fail(paymentError(new Unavailable({ cause: new Error(what) }))))
    )
  })

/**
 * An adapter's functions, failing with nothing but the errors of the contract.
 *
 * TypeScript does not hold at this boundary. What else an adapter fails with, an error of the contract that lacks a part
 * among it, is a defect: how far the request got is not known then, and the engine treats it so.
 */
import { Effect } from "effect"
import type { ProviderOperations } from "./Provider.ts"
import type { ProviderError } from "./ProviderError.ts"
import { isProviderError, isWebhookRefused } from "./ProviderError.ts"

/** What the engine calls in place of an adapter's own functions. For suites that try adapters as the engine does. */
export const onlyContractErrors = (operations: ProviderOperations): ProviderOperations => {
  // Called on what they are part of: an adapter may be an object with a `this`.
  const { cancel, capture, complete, inquire, refund, run, webhook } = operations
  return {
    create: (operation) => judged(operations.create(operation)),
    ...(inquire && { inquire: (operation) => judged(inquire.call(operations, operation)) }),
    ...(capture && { capture: (operation) => judged(capture.call(operations, operation)) }),
    ...(cancel && { cancel: (operation) => judged(cancel.call(operations, operation)) }),
    ...(refund && { refund: (operation) => judged(refund.call(operations, operation)) }),
    ...(complete && { complete: (operation, query) => judged(complete.call(operations, operation, query)) }),
    ...(webhook && {
      webhook: (body, headers) =>
        Effect.catch(webhook.call(operations, body, headers), (error) =>
          isWebhookRefused(error) ? Effect.fail(error) : Effect.die(error)
        )
    }),
    ...(run && { run })
  }
}

const judged = <A>(call: Effect.Effect<A, ProviderError>): Effect.Effect<A, ProviderError> =>
  Effect.catch(call, (error) => (isProviderError(error) ? Effect.fail(error) : Effect.die(error)))

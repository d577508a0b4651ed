/** The shopper came back from a provider's page: the adapter is asked what that means, and its answer goes through the door. */
import { Effect, Option } from "effect"
import type { PaymentId } from "../domain/Ids.ts"
import type { Payment } from "../domain/Payment.ts"
import { paymentError, PaymentNotFound } from "../domain/PaymentError.ts"
import { openAttempt } from "../domain/surplus.ts"
import { fromAnswer } from "../provider/Evidence.ts"
import type { ProviderRegistry } from "../provider/ProviderRegistry.ts"
import type { ProviderGuard } from "../resilience/ProviderGuard.ts"
import type { PaymentStore } from "../store/PaymentStore.ts"
import type { Executor } from "./Executor.ts"
import { orUnavailable } from "./orUnavailable.ts"
import { providerOperation } from "./providerOperation.ts"
import { timings } from "./timings.ts"

interface Needs {
  readonly store: PaymentStore["Service"]
  readonly registry: ProviderRegistry["Service"]
  readonly guard: ProviderGuard["Service"]
  readonly executor: Executor["Service"]
  readonly returnAddress: (payment: Payment) => string | null
}

/** Idempotent; nothing is believed of the query itself. Answers the payment as it stands afterwards. */
export const shopperReturn = ({ executor, guard, registry, returnAddress, store }: Needs) =>
  Effect.fnUntraced(function* (id: PaymentId, query: { readonly [key: string]: string }) {
    const record = yield* orUnavailable(store.get(id))
    if (record === null) return yield* paymentError(new PaymentNotFound())
    const attempt = openAttempt(record)
    const operation = record.operations.find(({ attemptSeq, kind }) => kind === "create" && attemptSeq === attempt?.seq)
    const running = operation && registry.serving(operation.provider, record.payment.livemode)
    const complete = running?.operations.complete
    if (operation === undefined || complete === undefined || operation.status === "sending") return record
    const asked = providerOperation(record, operation, returnAddress)
    const deadlineAt = (yield* store.now) + timings.inquiry
    const call = Effect.suspend(() => complete({ ...asked, deadlineAt }, query))
    // A shopper who goes away while waiting for a place takes none.
    const result = yield* Effect.acquireUseRelease(
      Effect.option(guard.admit(operation.provider, "complete")),
      Option.match({ onNone: () => Effect.succeed(null), onSome: (place) => place.call(call, timings.inquiry) }),
      Option.match({ onNone: () => Effect.void, onSome: (place) => place.release })
    )
    // Where the provider is not to be asked now, its webhook or an inquiry tells.
    if (result?._tag !== "Answered") return record
    const { answer } = result
    // Not to have reached the provider proves nothing about what was sent before.
    if (answer._tag === "Unknown" || answer._tag === "NotFound" || answer._tag === "NotExecuted") return record
    const advanced = yield* orUnavailable(executor.advance(fromAnswer("return", operation.id, answer)))
    return advanced._tag === "Unmatched" ? record : advanced.record
  })

/**
 * Refuses captures, cancels and refunds with unknown idempotency keys on a restored database, because they may have
 * been sent before.
 */
import { Effect } from "effect"
import { isHolding } from "../../domain/restoredMark.ts"
import type { OperationKind } from "../../domain/Operation.ts"
import type { Payment } from "../../domain/Payment.ts"
import { paymentError, Restoring } from "../../domain/PaymentError.ts"
import type { PaymentError } from "../../domain/PaymentError.ts"
import type { ProviderRegistry } from "../../provider/ProviderRegistry.ts"
import type { PaymentStore } from "../../store/PaymentStore.ts"
import { mapStoreError } from "../begin/requests.ts"
import type { Restorations } from "./Restorations.ts"
import { refusesSecond } from "./sendSafety.ts"

interface Services {
  readonly registry: ProviderRegistry["Service"]
  readonly restorations: Restorations["Service"]
  readonly store: PaymentStore["Service"]
}

/**
 * Fails with `Restoring` if the operation may have been sent before, unless the provider refuses a second execution or
 * an operator accepted duplicates at this provider.
 */
export const refuseUnknown = Effect.fnUntraced(function* (
  { registry, restorations, store }: Services,
  { createdAt }: Payment,
  provider: string,
  kind: OperationKind
): Effect.fn.Return<void, PaymentError> {
  const declared = registry.declared(provider, kind)
  const { by } = declared.idempotency
  // The restore marker is read from the database again only if the provider has no idempotency keys. This is rare.
  const { mark } = yield* mapStoreError(by === "none" || by === "lookup" ? restorations.reread : restorations.known)
  if (mark === null || createdAt >= mark.markedAt || mark.acceptedDoubles.includes(provider)) return
  const now = yield* store.now
  if (!isHolding(mark, now) || refusesSecond(declared, mark, now)) return
  return yield* paymentError(new Restoring({ retryAfterMs: mark.until - now }))
})

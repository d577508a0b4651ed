/**
 * Stores the time since which an instance is not configured in a mode, test or live. All processes share this time: an
 * instance that is configured in any process is not absent.
 */
import { Effect } from "effect"
import type { PaymentStore, StoreUnavailable } from "../store/PaymentStore.ts"

/** Finds the time since which an instance is not configured, ms UTC; `now` if it was configured until now. */
export const absentSince = Effect.fnUntraced(function* (
  store: Pick<PaymentStore["Service"], "providerState">,
  instance: string,
  livemode: boolean,
  now: number
): Effect.fn.Return<number, StoreUnavailable> {
  const { providerState } = store
  const key = keyOf(livemode)
  const stored = yield* providerState.get(instance, key)
  if (stored !== null && stored !== present) return Number(stored)
  const isFirst = yield* providerState.compareAndSet(instance, key, stored, String(now), null)
  // Another process has stored its time first: read that time.
  return isFirst ? now : yield* absentSince(store, instance, livemode, now)
})

/** Ends the absence of an instance that is configured. */
export const endAbsence = Effect.fnUntraced(function* (
  { providerState }: Pick<PaymentStore["Service"], "providerState">,
  instance: string,
  livemode: boolean
): Effect.fn.Return<void, StoreUnavailable> {
  const key = keyOf(livemode)
  const stored = yield* providerState.get(instance, key)
  if (stored !== null && stored !== present) yield* providerState.compareAndSet(instance, key, stored, present, null)
})

const present = "configured"

/** The key of the stored time. The adapter's own keys are in the same store; adapters do not use this key. */
const keyOf = (livemode: boolean): string => `paymux.absent_since.${livemode ? "live" : "test"}`

/** What erasing a customer asks of a store. */
import type { Effect } from "effect"
import type { PaymentId } from "../domain/Ids.ts"
import type { PaymentRecord, Tenant } from "../domain/Payment.ts"
import type { PaymentEvent } from "../domain/PaymentEvent.ts"
import type { StoreUnavailable } from "./StoreUnavailable.ts"

/** A payment without its personal data, in one commit with every copy of it. */
export interface EraseCommit {
  /** As read; its version and `updatedAt` are compared. */
  readonly before: PaymentRecord
  /** Version is one higher. Of operations only the reason may be another. */
  readonly after: PaymentRecord
  /** All of its events, as they read from now on. Whether they were dispatched stays as it is. */
  readonly events: ReadonlyArray<PaymentEvent>
}

/** A stretch of a tenant's payments, oldest first by id, looked through for a phone number. */
export interface PhoneQuery {
  /** As it was given with the payments. */
  readonly phone: string
  /** Only payments that come after this one. */
  readonly after: PaymentId | null
  /** How many payments are looked at. */
  readonly limit: number
}

export interface PhoneStretch {
  readonly found: ReadonlyArray<PaymentId>
  /** The payment that was looked at last, and when it was made (ms UTC). `null`: there are no more. */
  readonly last: { readonly id: PaymentId; readonly createdAt: number } | null
}

export interface ErasureStore {
  /** By sequence. */
  readonly eventsOf: (id: PaymentId) => Effect.Effect<ReadonlyArray<PaymentEvent>, StoreUnavailable>
  /**
   * Writes the payment and its events, and forgets with them: the bytes of answers kept under its idempotency keys, and
   * what operators wrote as evidence. The keys stay bound. `false`: the payment was changed by someone else, and nothing
   * was written.
   */
  readonly erase: (commit: EraseCommit) => Effect.Effect<boolean, StoreUnavailable>
  /** Forgets the bytes of answers kept under the payment's idempotency keys, which stay bound. */
  readonly forgetAnswers: (id: PaymentId) => Effect.Effect<void, StoreUnavailable>
  /** There is no index by phone: a call looks at a bounded number of payments. */
  readonly withPhone: (tenant: Tenant, query: PhoneQuery) => Effect.Effect<PhoneStretch, StoreUnavailable>
  /** After many were erased: cuts off what the database keeps of former contents beside its tables, where it can. */
  readonly cutBack: () => Effect.Effect<void, StoreUnavailable>
}

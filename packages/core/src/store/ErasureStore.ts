/** The operations of a store that erase a customer. */
import type { Effect } from "effect"
import type { PaymentId } from "../domain/Ids.ts"
import type { PaymentRecord, Tenant } from "../domain/Payment.ts"
import type { PaymentEvent } from "../domain/PaymentEvent.ts"
import type { StoreUnavailable } from "./StoreUnavailable.ts"

/** A payment without its personal data, committed together with all copies of these data. */
export interface EraseCommit {
  /** As it was read; version and `updatedAt` are compared. */
  readonly before: PaymentRecord
  /** The version is one higher. Of its operations, only the reason may differ. */
  readonly after: PaymentRecord
  /** All its events, with their new content. Dispatched events stay dispatched. */
  readonly events: ReadonlyArray<PaymentEvent>
}

/** A range of a tenant's payments, oldest first by id, to search for a phone number. */
export interface PhoneQuery {
  /** The phone number, in the spelling of the payments. */
  readonly phone: string
  /** Only payments after this one. */
  readonly after: PaymentId | null
  /** The number of payments to search. */
  readonly limit: number
}

export interface PhoneStretch {
  readonly found: ReadonlyArray<PaymentId>
  /** The last payment of the range, and when it was created (ms UTC). `null`: no more payments. */
  readonly last: { readonly id: PaymentId; readonly createdAt: number } | null
}

export interface ErasureStore {
  /** By sequence. */
  readonly eventsOf: (id: PaymentId) => Effect.Effect<ReadonlyArray<PaymentEvent>, StoreUnavailable>
  /**
   * Writes the payment and its events, and deletes the stored responses of its idempotency keys and the evidence that
   * operators wrote. The keys stay bound. `false`: the payment was changed concurrently, and nothing was written.
   */
  readonly erase: (commit: EraseCommit) => Effect.Effect<boolean, StoreUnavailable>
  /** Deletes the stored responses of the payment's idempotency keys, which stay bound. */
  readonly forgetAnswers: (id: PaymentId) => Effect.Effect<void, StoreUnavailable>
  /** Phone numbers have no index: a call searches a bounded number of payments. */
  readonly withPhone: (tenant: Tenant, query: PhoneQuery) => Effect.Effect<PhoneStretch, StoreUnavailable>
  /** After many erasures: removes copies of former contents that the database keeps outside of its tables, if possible. */
  readonly cutBack: () => Effect.Effect<void, StoreUnavailable>
}

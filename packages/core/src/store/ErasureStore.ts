/** The operations of a store that erase a customer. */
import type { PaymentId } from "../domain/Ids.ts"
import type { PaymentRecord, Tenant } from "../domain/Payment.ts"
import type { PaymentEvent } from "../domain/PaymentEvent.ts"
import type { StoreEffect } from "./StoreUnavailable.ts"

/** A payment without its personal data. It is committed together with the erasure of all copies of these data. */
export interface EraseCommit {
  /** The payment as it was read; its version and `updatedAt` are compared with the stored payment. */
  readonly before: PaymentRecord
  /** The erased payment. Its version is one higher. In its operations, only `reason` may differ. */
  readonly after: PaymentRecord
  /** All events of the payment, with their erased content. Dispatched events stay dispatched. */
  readonly events: ReadonlyArray<PaymentEvent>
}

/** A range of a tenant's payments, oldest first by id, in which a phone number is searched. */
export interface PhoneQuery {
  /** The phone number, spelled as in the payments. */
  readonly phone: string
  /** Only payments after this payment are searched. */
  readonly after: PaymentId | null
  /** The number of payments to search. */
  readonly limit: number
}

export interface PhoneStretch {
  readonly found: ReadonlyArray<PaymentId>
  /** The last payment of the range, and the time of its creation (ms UTC). `null`: no more payments follow. */
  readonly last: { readonly id: PaymentId; readonly createdAt: number } | null
}

export interface ErasureStore {
  /** The events of a payment, in the order of their sequence numbers. */
  readonly eventsOf: (id: PaymentId) => StoreEffect<ReadonlyArray<PaymentEvent>>
  /**
   * Writes the payment and its events, and deletes the stored responses of its idempotency keys and the evidence that
   * operators wrote. The idempotency keys stay bound to the payment. `false`: the payment was changed concurrently, and
   * nothing was written.
   */
  readonly erase: (commit: EraseCommit) => StoreEffect<boolean>
  /** Deletes the stored responses of the payment's idempotency keys. The keys stay bound to the payment. */
  readonly forgetAnswers: (id: PaymentId) => StoreEffect<void>
  /** Finds payments by phone number. Phone numbers have no index, so a call searches a bounded number of payments. */
  readonly withPhone: (tenant: Tenant, query: PhoneQuery) => StoreEffect<PhoneStretch>
  /**
   * Removes copies of former contents that the database keeps outside of its tables, if possible. Called after many
   * erasures.
   */
  readonly cutBack: () => StoreEffect<void>
}

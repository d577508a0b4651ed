/** The merchants' orders in a payment store, see `heldOrder`. */
import type { PaymentId } from "../domain/Ids.ts"
import type { Tenant } from "../domain/Payment.ts"
import type { StoreEffect } from "./StoreUnavailable.ts"

export interface OrderStore {
  /** The open or paid payment that holds the order. */
  readonly holder: (tenant: Tenant, order: string) => StoreEffect<PaymentId | null>
  /**
   * Finds paid payments that repeat an order. Returns no payments if the database has no index on `metadata.order_id`.
   */
  readonly repeated: (query: RepeatedOrdersQuery) => StoreEffect<RepeatedOrders>
}

/**
 * Searches the first `limit` payments of any account after `after` and before `before` for paid payments that repeat an
 * order. A payment repeats an order if an earlier paid payment of the same tenant, made within a day, has the same
 * `metadata.order_id`, amount and customer (e-mail address, or phone number if no address is known), and at most one of
 * both payments has an `order`.
 */
export interface RepeatedOrdersQuery {
  readonly after: PaymentId
  readonly before: PaymentId
  readonly limit: number
}

/**
 * The maximum time between the creation of two payments that repeat an order, ms. Payments further apart are different
 * purchases.
 */
export const repeatsWithin = 86_400_000

export interface RepeatedOrders {
  readonly payments: ReadonlyArray<PaymentId>
  /** The last examined payment, if other payments may follow; otherwise `null`. */
  readonly next: PaymentId | null
}

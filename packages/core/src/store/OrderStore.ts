/** The merchants' orders in the store of payments, see `heldOrder`. */
import type { Effect } from "effect"
import type { PaymentId } from "../domain/Ids.ts"
import type { Tenant } from "../domain/Payment.ts"
import type { StoreUnavailable } from "./StoreUnavailable.ts"

export interface OrderStore {
  /** The open or paid payment that has the order. */
  readonly holder: (tenant: Tenant, order: string) => Effect.Effect<PaymentId | null, StoreUnavailable>
  /** Paid payments that repeat an order. Returns none if the database has no index of `metadata.order_id`. */
  readonly repeated: (query: RepeatedOrdersQuery) => Effect.Effect<RepeatedOrders, StoreUnavailable>
}

/**
 * Searches the `limit` payments of any account after `after` and before `before` for paid payments that repeat an order: an
 * earlier paid payment of the tenant, made within a day, has the same `metadata.order_id`, amount and customer (e-mail address,
 * or phone number if no address is known), and not both have an `order`.
 */
export interface RepeatedOrdersQuery {
  readonly after: PaymentId
  readonly before: PaymentId
  readonly limit: number
}

export interface RepeatedOrders {
  readonly payments: ReadonlyArray<PaymentId>
  /** The last examined payment, if others may follow. */
  readonly next: PaymentId | null
}

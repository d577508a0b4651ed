import { listing } from "./Listing.ts"
import type { Listing } from "./Listing.ts"
import { idOf } from "./options.ts"
import type { CallOptions, PostOptions } from "./options.ts"
import type { Transport } from "./transport.ts"
import type { CreateRefund, Page, Refund } from "./wire.ts"

/** Every call fails with `PaymuxError`. */
export interface Refunds {
  /** Of a payment. Without an amount: all that is left. Look at `status` and `failure` of what is answered. */
  readonly create: (payment: string, refund?: CreateRefund, options?: PostOptions) => Promise<Refund>
  readonly get: (id: string, options?: CallOptions) => Promise<Refund>
  /** The same as `get`. */
  readonly retrieve: (id: string, options?: CallOptions) => Promise<Refund>
  /** Those of a payment, newest first. */
  readonly list: (payment: string, options?: CallOptions) => Listing<Refund>
}

export const refunds = ({ get, post }: Transport): Refunds => {
  const retrieve: Refunds["get"] = async (id, options = {}) => get(`/refunds/${idOf(id)}`, options)
  return {
    create: async (payment, refund = {}, options = {}) => post(`/payments/${idOf(payment)}/refunds`, refund, options),
    get: retrieve,
    retrieve,
    // It has one page and takes no cursor.
    list: (payment, options = {}) =>
      listing(async () => get<Page<Refund>>(`/payments/${idOf(payment)}/refunds`, options))
  }
}

import { listing } from "./Listing.ts"
import type { Listing } from "./Listing.ts"
import { idOf } from "./options.ts"
import type { CallOptions, PostOptions } from "./options.ts"
import { query } from "./query.ts"
import type { Transport } from "./transport.ts"
import type { CapturePayment, CreatePayment, ListPayments, Page, Payment } from "./wire.ts"

/** Amounts are whole numbers of the currency's smallest unit. Every call fails with `PaymuxError`. */
export interface Payments {
  /** A declined payment is no error: it exists, its `status` is `failed`, and `failure` says why. */
  readonly create: (payment: CreatePayment, options?: PostOptions) => Promise<Payment>
  readonly get: (id: string, options?: CallOptions) => Promise<Payment>
  /** The same as `get`. */
  readonly retrieve: (id: string, options?: CallOptions) => Promise<Payment>
  /** Newest first. `limit` is the size of a page, 20 where it is absent. */
  readonly list: (parameters?: ListPayments, options?: CallOptions) => Listing<Payment>
  /** Without an amount: all that is authorized. */
  readonly capture: (id: string, capture?: CapturePayment, options?: PostOptions) => Promise<Payment>
  readonly cancel: (id: string, options?: PostOptions) => Promise<Payment>
}

export const payments = ({ get, post }: Transport): Payments => {
  const retrieve: Payments["get"] = async (id, options = {}) => get(`/payments/${idOf(id)}`, options)
  return {
    create: (payment, options = {}) => post("/payments", payment, options),
    get: retrieve,
    retrieve,
    list: (parameters = {}, options = {}) => {
      const backwards = parameters.ending_before !== undefined
      const read = async (cursor: string | null) => {
        const next = cursor === null ? {} : { [backwards ? "ending_before" : "starting_after"]: cursor }
        return get<Page<Payment>>(`/payments${listQuery({ ...parameters, ...next })}`, options)
      }
      return listing(read, { backwards })
    },
    capture: async (id, capture = {}, options = {}) => post(`/payments/${idOf(id)}/capture`, capture, options),
    cancel: async (id, options = {}) => post(`/payments/${idOf(id)}/cancel`, {}, options)
  }
}

const listQuery = ({ metadata = {}, ...parameters }: ListPayments): string =>
  query([
    ...Object.entries(parameters),
    ...Object.entries(metadata).map(([key, value]) => [`metadata[${key}]`, value] as const)
  ])

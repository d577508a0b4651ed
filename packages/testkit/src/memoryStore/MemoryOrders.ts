/** The merchants' orders in memory: the reference for the SQL of other stores. */
import type { Payment, PaymentRecord } from "@paymux/core"
import { normalEmail, repeatsWithin } from "@paymux/core/store"
import type { OrderStore, RepeatedOrders, RepeatedOrdersQuery } from "@paymux/core/store"
import { Effect } from "effect"
import { joined } from "./MemoryTables.ts"
import type { Tables } from "./MemoryTables.ts"

export const memoryOrders = ({ orders, records }: Tables): OrderStore => ({
  holder: ({ account, livemode }, order) => Effect.sync(() => orders.get(joined(account, livemode, order)) ?? null),
  repeated: (query) => Effect.sync(() => repeatedOf([...records.values()], query))
})

const repeatedOf = (
  records: ReadonlyArray<PaymentRecord>,
  { after, before, limit }: RepeatedOrdersQuery
): RepeatedOrders => {
  const payments = records.map(({ payment }) => payment).toSorted((a, b) => (a.id < b.id ? -1 : 1))
  const looked = payments.filter(({ id }) => id > after && id < before).slice(0, limit)
  const isRepeated = (payment: Payment) => payments.some((other) => other.id < payment.id && isRepeat(payment, other))
  return {
    payments: looked.filter(isRepeated).map(({ id }) => id),
    next: looked.length < limit ? null : (looked.at(-1)?.id ?? null)
  }
}

const isRepeat = (payment: Payment, other: Payment): boolean =>
  isPaid(payment) &&
  isPaid(other) &&
  payment.account === other.account &&
  payment.livemode === other.livemode &&
  (payment.order === null || other.order === null) &&
  orderNumber(payment) !== undefined &&
  orderNumber(payment) === orderNumber(other) &&
  payment.amount.minorUnits === other.amount.minorUnits &&
  payment.amount.currency === other.amount.currency &&
  customerOf(payment) === customerOf(other) &&
  Math.abs(payment.createdAt - other.createdAt) <= repeatsWithin

const isPaid = ({ state }: Payment): boolean => state.status === "succeeded"

const orderNumber = ({ metadata }: Payment): string | undefined =>
  Object.hasOwn(metadata, "order_id") ? metadata["order_id"] : undefined

const customerOf = ({ customer: { email, phone } }: Payment): string | null =>
  email === null ? phone : normalEmail(email)

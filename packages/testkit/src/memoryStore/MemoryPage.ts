/** One page of a list of records in memory: the reference for the SQL of other stores. */
import type { Payment, PaymentRecord, Tenant } from "@paymux/core"
import { normalEmail } from "@paymux/core/store"
import type { ListQuery, Page } from "@paymux/core/store"

export const pageOf = (records: ReadonlyArray<PaymentRecord>, tenant: Tenant, query: ListQuery): Page => {
  const towardsNewer = query.position?.side === "before"
  const nearestFirst = records
    .filter(({ payment }) => isOf(tenant, payment) && isBeyond(query, payment))
    .filter((record) => matches(query, record))
    .sort((a, b) => (a.payment.id < b.payment.id === towardsNewer ? -1 : 1))
  const page = nearestFirst.slice(0, query.limit)
  return {
    records: towardsNewer ? page.toReversed() : page,
    hasMore: nearestFirst.length > query.limit,
    stoppedAt: null
  }
}

export const isOf = (tenant: Tenant, payment: Payment): boolean =>
  payment.account === tenant.account && payment.livemode === tenant.livemode

const isBeyond = ({ position }: ListQuery, payment: Payment): boolean => {
  if (position === null) return true
  return position.side === "after" ? payment.id < position.id : payment.id > position.id
}

const matches = (query: ListQuery, { operations, payment }: PaymentRecord): boolean =>
  isAnyOf(query.status, payment.state.status) &&
  isAnyOf(query.rail, payment.method.rail) &&
  isAnyOf(query.currency, payment.amount.currency) &&
  isAnyOf(query.provider, payment.provider) &&
  isAnyOf(query.customerEmail.map(normalEmail), emailOf(payment)) &&
  (query.providerReference.length === 0 ||
    operations.some(({ reference }) => reference !== null && query.providerReference.includes(reference))) &&
  isAnyOf(query.failureCode, payment.state.status === "failed" ? payment.state.failure.code : undefined) &&
  isAnyOf(query.cardFingerprint, fingerprintOf(payment)) &&
  isAnyOf(query.order, payment.order ?? undefined) &&
  (query.amountMin === null || payment.amount.minorUnits >= query.amountMin) &&
  (query.amountMax === null || payment.amount.minorUnits <= query.amountMax) &&
  (query.createdAfter === null || payment.createdAt > query.createdAfter) &&
  (query.createdBefore === null || payment.createdAt < query.createdBefore) &&
  (!query.inReview || payment.reviews.length > 0) &&
  Object.entries(query.metadata).every(([key, values]) => isAnyOf(values, ownValue(payment.metadata, key)))

const emailOf = ({ customer: { email } }: Payment): string | undefined =>
  email === null ? undefined : normalEmail(email)

/** Whether a value passes a filter. A filter without values passes all payments. */
const isAnyOf = (values: ReadonlyArray<string>, value: string | undefined): boolean =>
  values.length === 0 || (value !== undefined && values.includes(value))

const fingerprintOf = ({ method }: Payment): string | undefined =>
  method.rail === "card" ? (method.fingerprint ?? undefined) : undefined

const ownValue = (metadata: Payment["metadata"], key: string): string | undefined =>
  Object.hasOwn(metadata, key) ? metadata[key] : undefined

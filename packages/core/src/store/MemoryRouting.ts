/** What routing reads back, over records in memory: the reference that the SQL of other stores is held to. */
import { isInFlight } from "../domain/Attempt.ts"
import type { Attempt } from "../domain/Attempt.ts"
import type { Payment, PaymentRecord, Tenant } from "../domain/Payment.ts"
import { issuer } from "../domain/PaymentMethod.ts"
import { isOf } from "./MemoryPage.ts"
import type { AttemptCount, AttemptCountQuery, RoutedPayment, RoutedQuery } from "./PaymentStore.ts"

/** Those that ended, by when; or those whose outcome is unknown, by when they were started. */
export const countAttempts = (
  records: Iterable<PaymentRecord>,
  timeOf: (attempt: Attempt) => number | null,
  query: AttemptCountQuery
): ReadonlyArray<AttemptCount> => {
  const counts = new Map<string, AttemptCount>()
  for (const { attempts, payment } of records) {
    for (const attempt of attempts) {
      const one = counted(payment, attempt, timeOf(attempt), query)
      if (one === null) continue
      const key = JSON.stringify(Object.values(one))
      const known = counts.get(key)
      counts.set(key, known === undefined ? one : { ...known, count: known.count + 1 })
    }
  }
  return [...counts.values()]
}

export const endOf = ({ endedAt, status }: Attempt): number | null => (isInFlight(status) ? null : endedAt)
export const startOfUnknown = ({ startedAt, status }: Attempt): number | null =>
  status === "unknown" ? startedAt : null

/** The group that an attempt is in, as the first of it. */
const counted = (
  { amount, method }: Payment,
  { code, provider, seq, status }: Attempt,
  time: number | null,
  { before = Infinity, since, slotMs }: AttemptCountQuery
): AttemptCount | null =>
  seq !== 1 || time === null || time < since || time >= before
    ? null
    : {
        slot: time - (time % slotMs),
        provider,
        rail: method.rail,
        currency: amount.currency,
        network: method.rail === "card" ? method.network : null,
        country: method.rail === "card" ? method.country : null,
        issuer: issuer(method),
        status,
        code,
        count: 1
      }

export const routedOf = (
  records: Iterable<PaymentRecord>,
  tenant: Tenant,
  { after, createdBefore, createdFrom, limit }: RoutedQuery
): ReadonlyArray<RoutedPayment> =>
  [...records]
    .filter(
      ({ payment }) =>
        isOf(tenant, payment) &&
        (after === null || payment.id > after) &&
        payment.createdAt >= createdFrom &&
        payment.createdAt < createdBefore
    )
    .sort((a, b) => (a.payment.id < b.payment.id ? -1 : 1))
    .slice(0, limit)
    .map(({ attempts, payment }) => ({ payment, attempts }))

/** What routing reads back, over records in memory: the reference that the SQL of other stores is held to. */
import { isInFlight } from "../domain/Attempt.ts"
import type { Attempt } from "../domain/Attempt.ts"
import type { Payment, PaymentRecord, Tenant } from "../domain/Payment.ts"
import { issuer } from "../domain/PaymentMethod.ts"
import { isOf } from "./MemoryPage.ts"
import type { AttemptCount, AttemptCountQuery, RoutedPayment, RoutedQuery } from "./PaymentStore.ts"

export const countAttempts = (
  records: Iterable<PaymentRecord>,
  query: AttemptCountQuery
): ReadonlyArray<AttemptCount> => {
  const counts = new Map<string, AttemptCount>()
  for (const { attempts, payment } of records) {
    for (const attempt of attempts) {
      const one = counted(payment, attempt, query)
      if (one === null) continue
      const key = JSON.stringify(Object.values(one))
      const known = counts.get(key)
      counts.set(key, known === undefined ? one : { ...known, count: known.count + 1 })
    }
  }
  return [...counts.values()]
}

/** The group that an attempt is in, as the first of it. */
const counted = (
  { amount, method }: Payment,
  { code, endedAt, provider, seq, status }: Attempt,
  { before = Infinity, since, slotMs }: AttemptCountQuery
): AttemptCount | null =>
  seq !== 1 || endedAt === null || endedAt < since || endedAt >= before || isInFlight(status)
    ? null
    : {
        slot: endedAt - (endedAt % slotMs),
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

/** The queries that routing makes for past payments and attempts, in memory: the reference for the SQL of other stores. */
import { flow } from "@paymux/core"
import type { Payment, PaymentRecord, Tenant } from "@paymux/core"
import { isInFlight, issuer, longestOpen, roundedDuration } from "@paymux/core/store"
import type { Attempt, AttemptCount, AttemptCountQuery, RoutedPayment, RoutedQuery } from "@paymux/core/store"
import { isOf } from "./MemoryPage.ts"

/** The counted facts of an attempt. */
type Counted = Pick<AttemptCount, "code" | "durationMs" | "status">

export const countEndedAttempts = (
  records: Iterable<PaymentRecord>,
  query: AttemptCountQuery
): ReadonlyArray<AttemptCount> =>
  count(records, query, ({ code, endedAt, startedAt, status }) =>
    endedAt === null || isInFlight(status) || !isWithin(query, endedAt)
      ? null
      : { status, code, durationMs: roundedDuration(startedAt, endedAt) }
  )

export const countOpenAttempts = (
  records: Iterable<PaymentRecord>,
  query: AttemptCountQuery
): ReadonlyArray<AttemptCount> =>
  count(records, query, ({ code, endedAt, startedAt, status }) => {
    if (!isWithin(query, startedAt)) return null
    if (isInFlight(status)) return { status, code, durationMs: null }
    const { before } = query
    const wasOpen = before !== undefined && endedAt !== null && endedAt >= before && endedAt < before + longestOpen
    return wasOpen ? { status: "pending", code: null, durationMs: null } : null
  })

const isWithin = ({ before = Infinity, since }: AttemptCountQuery, time: number): boolean =>
  time >= since && time < before

const count = (
  records: Iterable<PaymentRecord>,
  query: AttemptCountQuery,
  countedAs: (attempt: Attempt) => Counted | null
): ReadonlyArray<AttemptCount> => {
  const counts = new Map<string, AttemptCount>()
  for (const { attempts, payment } of records) {
    const first = attempts.find(({ seq }) => seq === 1)
    const counted = first === undefined ? null : countedAs(first)
    if (first === undefined || counted === null) continue
    const one = group(payment, first, counted, query)
    const key = JSON.stringify(Object.values(one))
    const known = counts.get(key)
    counts.set(key, known === undefined ? one : { ...known, count: known.count + 1 })
  }
  return [...counts.values()]
}

/** The group of an attempt, with a count of one. */
const group = (
  { account, amount, metadata, method, routing }: Payment,
  { provider, startedAt }: Attempt,
  { code, durationMs, status }: Counted,
  { by, slotMs }: AttemptCountQuery
): AttemptCount => ({
  slot: startedAt - (startedAt % slotMs),
  durationMs,
  provider,
  rail: method.rail,
  flow: flow(method),
  currency: amount.currency,
  network: method.rail === "upi" ? null : method.network,
  country: method.rail === "card" ? method.country : null,
  funding: method.rail === "card" ? method.funding : null,
  issuer: issuer(method),
  account: by.account ? account : null,
  rule: by.rule ? routing.rule : null,
  amountDigits: by.amount ? String(amount.minorUnits).length : null,
  metadata: Object.fromEntries(
    by.metadata.flatMap((key) => {
      const value = Object.hasOwn(metadata, key) ? metadata[key] : undefined
      return value === undefined ? [] : [[key, value]]
    })
  ),
  status,
  code,
  count: 1
})

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

/** The earlier declines of a card, from records in memory: the reference for the SQL of other stores. */
import type { Payment, PaymentRecord, Tenant } from "@paymux/core"
import type { CardDecline, CardDeclineQuery, FailureCode } from "@paymux/core/store"
import { isOf } from "./MemoryPage.ts"

export const cardDeclinesOf = (
  records: Iterable<PaymentRecord>,
  tenant: Tenant,
  { fingerprint, limit, since }: CardDeclineQuery
): ReadonlyArray<CardDecline> => {
  const declines: Array<CardDecline> = []
  for (const { attempts, payment } of records) {
    if (!isOf(tenant, payment) || payment.method.rail !== "card" || payment.method.fingerprint !== fingerprint) continue
    for (const { code, endedAt, status } of attempts) {
      if (status !== "declined" || code === null || endedAt === null || endedAt < since) continue
      declines.push({ code, isFinal: isFinal(payment, code), endedAt })
    }
  }
  return declines.sort((a, b) => b.endedAt - a.endedAt).slice(0, limit)
}

const isFinal = ({ state }: Payment, code: FailureCode): boolean =>
  state.status === "failed" && !state.failure.retryable && state.failure.code === code

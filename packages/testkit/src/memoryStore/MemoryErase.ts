/** Erasure and retention of rows in memory: the reference for the SQL of other stores. */
import type { PaymentId, PaymentRecord, Tenant } from "@paymux/core"
import { erasedWords, firstPaymentId } from "@paymux/core/store"
import type {
  EraseCommit,
  ErasureStore,
  EventId,
  EvidenceRow,
  KeptKey,
  PaymentEvent,
  PhoneQuery,
  PhoneStretch,
  PrunedAnswers,
  PruneQuery
} from "@paymux/core/store"
import { Effect } from "effect"
import { isOf } from "./MemoryPage.ts"
import { isSameVersion } from "./MemoryTables.ts"

interface Tables {
  readonly records: Map<PaymentId, PaymentRecord>
  readonly events: Map<EventId, PaymentEvent>
  readonly undispatched: Map<EventId, PaymentEvent>
  readonly keys: Map<string, KeptKey>
  readonly evidence: Array<EvidenceRow>
}

export const memoryErasure = (tables: Tables): ErasureStore => ({
  eventsOf: (id) =>
    Effect.sync(() =>
      [...tables.events.values()]
        .filter(({ paymentId }) => paymentId === id)
        .sort((one, other) => one.sequence - other.sequence)
    ),
  erase: (commit) => Effect.sync(() => erase(tables, commit)),
  forgetAnswers: (id) => Effect.sync(() => forgetAnswers(tables, id)),
  withPhone: (tenant, query) => Effect.sync(() => withPhone(tables.records.values(), tenant, query)),
  cutBack: () => Effect.void
})

const erase = (tables: Tables, { after, before, events }: EraseCommit): boolean => {
  const stored = tables.records.get(before.payment.id)
  if (stored === undefined || !isSameVersion(stored, before)) return false
  const { id } = after.payment
  const operations = stored.operations.map((operation) => ({ ...operation, reason: null }))
  tables.records.set(id, { ...stored, payment: after.payment, operations })
  for (const event of events) {
    tables.events.set(event.id, event)
    if (tables.undispatched.has(event.id)) tables.undispatched.set(event.id, event)
  }
  tables.evidence.forEach((row, index) => {
    if (row.paymentId === id && row.source === "operator") tables.evidence[index] = { ...row, document: erasedWords }
  })
  forgetAnswers(tables, id)
  return true
}

const forgetAnswers = ({ keys }: Tables, id: PaymentId): void => {
  for (const [place, kept] of keys) if (kept.paymentId === id) keys.set(place, { ...kept, answer: null })
}

const withPhone = (
  records: Iterable<PaymentRecord>,
  tenant: Tenant,
  { after, limit, phone }: PhoneQuery
): PhoneStretch => {
  const looked = [...records]
    .map(({ payment }) => payment)
    .filter((payment) => isOf(tenant, payment) && (after === null || payment.id > after))
    .sort((one, other) => (one.id < other.id ? -1 : 1))
    .slice(0, limit)
  const last = looked.at(-1)
  return {
    found: looked.filter(({ customer }) => customer.phone === phone).map(({ id }) => id),
    last: last === undefined ? null : { id: last.id, createdAt: last.createdAt }
  }
}

export const pruneAnswers = (
  keys: Map<string, KeptKey>,
  { after, before, limit }: PruneQuery & { readonly after: PaymentId | null }
): PrunedAnswers => {
  const bound = firstPaymentId(before)
  const looked = [...keys]
    .filter(
      ([, { answer, paymentId }]) => answer !== null && paymentId < bound && (after === null || paymentId > after)
    )
    .sort(([, one], [, other]) =>
      one.paymentId === other.paymentId ? one.createdAt - other.createdAt : one.paymentId < other.paymentId ? -1 : 1
    )
    .slice(0, limit)
  const due = looked.filter(([, { createdAt }]) => createdAt < before)
  for (const [place, kept] of due) keys.set(place, { ...kept, answer: null })
  return { pruned: due.length, next: looked.length < limit ? null : (looked.at(-1)?.[1].paymentId ?? null) }
}

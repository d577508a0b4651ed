/** The backlog of the in-memory store. */
import type { EventId, PaymentId } from "../domain/Ids.ts"
import type { PaymentRecord } from "../domain/Payment.ts"
import type { PaymentEvent } from "../domain/PaymentEvent.ts"
import type { InboxEntries } from "./MemoryInbox.ts"
import type { Backlog, OpenOperations } from "./PaymentStore.ts"

interface Waiting {
  readonly records: ReadonlyMap<PaymentId, PaymentRecord>
  readonly undispatched: ReadonlyMap<EventId, PaymentEvent>
  readonly inbox: Readonly<InboxEntries>
}

export const backlogOf = ({ inbox, records, undispatched }: Waiting, now: number): Backlog => {
  const payments = [...records.values()]
  const entries = [...inbox.values()]
  const [event] = undispatched.values()
  const unknown = payments.flatMap(({ attempts }) => attempts).filter(({ status }) => status === "unknown")
  return {
    eventSince: event?.createdAt ?? null,
    operationDueSince: oldestDue(
      payments.flatMap(({ operations }) => operations.map(({ nextCheckAt }) => nextCheckAt)),
      now
    ),
    inboxDueSince: oldestDue(
      entries.map(({ nextTryAt, status }) => (status === "waiting" ? nextTryAt : null)),
      now
    ),
    unknownAttempts: unknown.length,
    unknownSince: oldest(unknown.map(({ startedAt }) => startedAt)),
    inReview: payments.filter(({ payment }) => payment.reviews.length > 0).length,
    parkedInbox: entries.filter(({ status }) => status === "parked").length
  }
}

const oldestDue = (times: ReadonlyArray<number | null>, now: number): number | null =>
  oldest(times.filter((time) => time !== null && time <= now))

const oldest = (times: ReadonlyArray<number | null>): number | null => {
  let first: number | null = null
  for (const time of times) if (time !== null && (first === null || time < first)) first = time
  return first
}

/** Counts the open operations of a provider instance, for stores. */

/** The maximum number of operations that are reported. A store counts one more operation, to know whether more exist. */
export const mostCounted = 1000

/** `total` and `live`: the counts of the store, at most `mostCounted + 1`. */
export const openOperationsOf = (provider: string, total: number, live: number): OpenOperations => {
  const isMore = total > mostCounted
  // An operation beyond the maximum is not reported, so its mode does not matter.
  const shownLive = Math.min(live, mostCounted)
  return { provider, live: shownLive, test: Math.min(total, mostCounted) - shownLive, isMore }
}

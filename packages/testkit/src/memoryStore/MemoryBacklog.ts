/** The backlog of the in-memory store. */
import type { PaymentId, PaymentRecord } from "@paymux/core"
import type { Backlog, EventId, PaymentEvent } from "@paymux/core/store"
import type { InboxEntries } from "./MemoryInbox.ts"

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

/** The sequence of events in memory: the reference for the SQL of other stores. */
import type { Tenant } from "@paymux/core"
import { resumeMargin, timeOfEventId } from "@paymux/core/store"
import type { EventId, EventsAfter, EventsQuery, PaymentEvent } from "@paymux/core/store"

/** A page of the sequence. `events`: all events in the order of their commits. */
export const eventsAfter = (
  events: ReadonlyMap<EventId, PaymentEvent>,
  { account, livemode }: Tenant,
  { after, limit, paymentId, types }: EventsQuery
): EventsAfter => {
  const all = [...events.values()]
  const isOwn = (event: PaymentEvent) => event.account === account && event.livemode === livemode
  if (after !== null && !events.has(after)) {
    const before = timeOfEventId(after) - resumeMargin
    const older = all.filter((event) => isOwn(event) && event.createdAt < before)
    const newest = older.toSorted((one, other) => one.createdAt - other.createdAt).at(-1)
    return { _tag: "EventNotStored", resumeAfter: newest?.id ?? null }
  }
  const following = all.slice(all.findIndex(({ id }) => id === after) + 1)
  const found = following.filter(
    (event) =>
      isOwn(event) &&
      (paymentId === null || event.paymentId === paymentId) &&
      (types.length === 0 || types.includes(event.type))
  )
  const page = found.slice(0, limit)
  const hasMore = found.length > limit
  return { _tag: "EventsPage", events: page, last: (hasMore ? page : following).at(-1)?.id ?? after, hasMore }
}

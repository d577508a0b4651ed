/**
 * The sequence of all events, for a client that pages through them. The sequence only grows at its end: an event is
 * added once no other event can be inserted before it. So a client that continues after the last event of a page misses
 * no event.
 */
import type { EventId, PaymentId } from "../domain/Ids.ts"
import type { EventType, PaymentEvent } from "../domain/PaymentEvent.ts"

export interface EventsQuery {
  /** The page begins after this event, of any account. `null`: the page begins at the oldest event. */
  readonly after: EventId | null
  /** The event types to return. Empty: events of all types. */
  readonly types: ReadonlyArray<EventType>
  readonly paymentId: PaymentId | null
  /** The maximum number of events on the page: 1 or more. */
  readonly limit: number
}

export type EventsAfter = EventsPage | EventNotStored

export interface EventsPage {
  readonly _tag: "EventsPage"
  /** The tenant's events. The events of one payment are in the order of their `sequence`. */
  readonly events: ReadonlyArray<PaymentEvent>
  /**
   * The last event that the page examined, of any account: the `after` of the next page. `null`: the store has no
   * events.
   */
  readonly last: EventId | null
  /** Whether more events may follow. The page may be empty even then, since it examines a limited number of events. */
  readonly hasMore: boolean
}

/**
 * Error: the event of `after` is not stored. It was deleted, was lost when the database was restored to an earlier
 * time, or has never existed.
 */
export interface EventNotStored {
  readonly _tag: "EventNotStored"
  /**
   * The tenant's newest event that is older than the missing event by `resumeMargin`: all stored events that the client
   * may not have read follow this event. `null`: begin at the oldest event.
   */
  readonly resumeAfter: EventId | null
}

/**
 * The maximum difference in ms between the time of an event and its place in the sequence, due to clocks and slow
 * commits.
 */
export const resumeMargin = 3_600_000

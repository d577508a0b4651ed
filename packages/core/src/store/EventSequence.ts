/**
 * The events in one sequence, for a reader that asks for what follows an event. The sequence only grows at its end: an event
 * is in it once no other can take a place before it, so a reader that continues where a page ended misses none.
 */
import type { EventId, PaymentId } from "../domain/Ids.ts"
import type { EventType, PaymentEvent } from "../domain/PaymentEvent.ts"

export interface EventsQuery {
  /** Where the page begins: after this event, of any account. `null`: at the oldest event. */
  readonly after: EventId | null
  /** Empty: all types. */
  readonly types: ReadonlyArray<EventType>
  readonly paymentId: PaymentId | null
  /** 1 or more. */
  readonly limit: number
}

export type EventsAfter = EventsPage | EventNotStored

export interface EventsPage {
  readonly _tag: "EventsPage"
  /** Of the tenant; those of one payment in the order of their `sequence`. */
  readonly events: ReadonlyArray<PaymentEvent>
  /** The event up to which the page looked, of any account: the `after` of the next page. `null`: the store has no events. */
  readonly last: EventId | null
  /** There may be more by now. A page may be empty nevertheless: it looks at a limited number of events. */
  readonly hasMore: boolean
}

/** The event was deleted, or the database went back to a moment before it, or it has never existed. */
export interface EventNotStored {
  readonly _tag: "EventNotStored"
  /**
   * The tenant's newest event that is older than the missing one by `resumeMargin`: all stored events that the reader may
   * not have seen follow it. `null`: begin at the oldest event.
   */
  readonly resumeAfter: EventId | null
}

/** ms. An event's time and its place differ by less: the clocks of servers, and the wait for a commit. */
export const resumeMargin = 3_600_000

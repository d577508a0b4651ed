/** A delivery, from its row's birth to how a try left it. */
import type { Tenant } from "@paymux/core"
import type { EventId } from "@paymux/core/store"

/**
 * `dead`: every try failed. `canceled`: its endpoint was removed or disabled. Both are kept, and can be sent again by
 * an operator.
 */
export type DeliveryStatus = "pending" | "delivered" | "dead" | "canceled"

export interface NewDelivery extends Tenant {
  readonly eventId: EventId
  readonly endpointId: string
  /** Of the event; ms UTC. */
  readonly happenedAt: number
  /** `canceled`: its endpoint is disabled, and may be enabled again. */
  readonly status: "pending" | "canceled"
  /** It waits for those of the same line that have a lower place. `null`: it waits for none. */
  readonly order: { readonly line: string; readonly place: number } | null
}

/** A delivery that this worker holds. */
export interface ClaimedDelivery {
  readonly id: number
  readonly eventId: EventId
  readonly endpointId: string
  /** Tries that ended so far. */
  readonly attempts: number
  /** Those of them that were made before it was last sent again, and with it the schedule began anew. */
  readonly attemptsBefore: number
  readonly owner: string
  /** ms UTC; when the lease lapses. */
  readonly until: number
}

export interface DeliveryClaim {
  readonly endpointId: string
  readonly owner: string
  /** ms UTC; the lease is `[now, until)`. */
  readonly now: number
  readonly until: number
  readonly limit: number
}

/** `first`: of those that were not tried yet, or not since they were last sent again; `further`: of those that failed. */
export type LineTries = "first" | "further"

export interface LineClaim extends DeliveryClaim {
  readonly tries: LineTries
}

/** How a try left its delivery. */
export interface Settlement {
  readonly status: DeliveryStatus
  readonly attempts: number
  /** ms UTC: of the next try, or of its end. */
  readonly deliverAt: number
  readonly lastAt: number
  /** The HTTP status, if there was one. */
  readonly lastStatus: number | null
  /** A short code, never text of the receiver. */
  readonly lastError: string | null
  /** The first of what the receiver answered; see `excerptOf`. */
  readonly lastAnswer: string | null
}

/** Deliveries one after the other, as they were written. */
export interface PruneStretch {
  /** Those that come after this one; 0: from the first on. */
  readonly after: number
  /** How many are looked at. */
  readonly limit: number
  /** ms UTC; what ended earlier is removed. */
  readonly endedBefore: number
}

export interface Pruned {
  readonly removed: number
  /** Where to go on; `null`: the rest is younger. */
  readonly next: number | null
}

/** An endpoint that has something due. */
export interface DueEndpoint {
  readonly id: string
  /** Its last try failed. */
  readonly failing: boolean
}

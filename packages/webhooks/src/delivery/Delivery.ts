/** A delivery, from insertion to the result of its attempts. */
import type { Tenant } from "@paymux/core"
import type { EventId } from "@paymux/core/store"

/**
 * `dead`: all attempts failed. `canceled`: the endpoint was removed or disabled. Both are kept, and an operator can resend
 * them.
 */
export type DeliveryStatus = "pending" | "delivered" | "dead" | "canceled"

export interface NewDelivery extends Tenant {
  readonly eventId: EventId
  readonly endpointId: string
  /** When the event happened, ms UTC. */
  readonly happenedAt: number
  /** `canceled`: the endpoint is disabled and may be enabled again. */
  readonly status: "pending" | "canceled"
  /** Waits for deliveries with the same `line` and a lower `place`. `null`: delivered in any order. */
  readonly order: { readonly line: string; readonly place: number } | null
}

/** A delivery that this worker has claimed. */
export interface ClaimedDelivery {
  readonly id: number
  readonly eventId: EventId
  readonly endpointId: string
  /** Attempts that have ended. */
  readonly attempts: number
  /** How many of `attempts` were made before the last resend, which restarts the retry schedule. */
  readonly attemptsBefore: number
  readonly owner: string
  /** When the lease expires, ms UTC. */
  readonly until: number
  /** Its ordering key; `null`: delivered in any order. */
  readonly line: string | null
}

/** The deliveries that a worker claims at one time. */
export interface DeliveryClaim {
  /** `limit`: the most deliveries to this endpoint. */
  readonly endpoints: ReadonlyArray<{ readonly id: string; readonly limit: number }>
  readonly owner: string
  /** ms UTC; the lease is `[now, until)`. */
  readonly now: number
  readonly until: number
  /** Deliveries that this worker is sending. After the clock was set forward, their leases look expired. */
  readonly except?: ReadonlyArray<number>
}

/** A claim of a delivery, identified by its end. */
export interface HeldClaim {
  readonly id: number
  /** ms UTC */
  readonly until: number
}

/** `first`: deliveries not attempted since they were added or resent; `further`: deliveries that have failed. */
export type OrderedTries = "first" | "further"

export interface OrderedClaim extends Omit<DeliveryClaim, "endpoints"> {
  readonly endpointId: string
  readonly limit: number
  readonly tries: OrderedTries
}

/** The state of a delivery after an attempt. */
export interface Settlement {
  readonly status: DeliveryStatus
  readonly attempts: number
  /** When the next attempt is due, or when the delivery ended; ms UTC. */
  readonly deliverAt: number
  readonly lastAt: number
  /** How long the attempt took in ms; `null`: no attempt was made. */
  readonly duration: number | null
  /** The HTTP status, if there was one. */
  readonly lastStatus: number | null
  /** A short code, never text from the receiver. */
  readonly lastError: string | null
  /** The beginning of the receiver's response body; see `excerptOf`. */
  readonly lastAnswer: string | null
}

/** A delivery after an attempt, not stored yet. */
export interface EndedDelivery {
  readonly delivery: ClaimedDelivery
  readonly settlement: Settlement
}

/** A range of deliveries in insertion order. */
export interface PruneRange {
  /** Start after this id; 0: from the first. */
  readonly after: number
  /** Number of rows to examine. */
  readonly limit: number
  /** Deliveries that ended before this time are deleted, ms UTC. */
  readonly endedBefore: number
}

export interface Pruned {
  readonly removed: number
  /** The `after` of the next range; `null`: all remaining deliveries are newer. */
  readonly next: number | null
}

/** An endpoint with a due delivery. */
export interface DueEndpoint {
  readonly id: string
  /** Whether its last attempt failed. */
  readonly failing: boolean
}

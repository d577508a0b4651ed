/** The data types of a delivery, from its insertion to the result of its attempts. */
import type { Tenant } from "@paymux/core"
import type { EventId } from "@paymux/core/store"

/**
 * The status of a delivery. `dead`: all attempts failed. `canceled`: the endpoint was removed or disabled. Both kinds
 * are kept, and an operator can resend them.
 */
export type DeliveryStatus = "pending" | "delivered" | "dead" | "canceled"

export interface NewDelivery extends Tenant {
  readonly eventId: EventId
  readonly endpointId: string
  /** The time when the event happened, ms UTC. */
  readonly happenedAt: number
  /** The initial status: `canceled` if the endpoint is disabled; it may be enabled again. */
  readonly status: "pending" | "canceled"
  /**
   * The order of delivery: this one waits for deliveries with the same `line` (ordering key) and a lower `place`.
   * `null` if the order does not matter.
   */
  readonly order: { readonly line: string; readonly place: number } | null
}

/** A delivery that this worker has claimed. */
export interface ClaimedDelivery {
  readonly id: number
  readonly eventId: EventId
  readonly endpointId: string
  /** The number of attempts that have ended. */
  readonly attempts: number
  /** The number of `attempts` made before the last resend, which restarts the retry schedule. */
  readonly attemptsBefore: number
  readonly owner: string
  /** The time when the lease expires, ms UTC. */
  readonly until: number
  /** The ordering key of the delivery; `null` if it can be delivered in any order. */
  readonly line: string | null
}

/** A request for the deliveries that a worker claims at one time. */
export interface DeliveryClaim {
  /** The endpoints, each with the maximum number of deliveries to claim for it. */
  readonly endpoints: ReadonlyArray<{ readonly id: string; readonly limit: number }>
  readonly owner: string
  /** The current time, ms UTC. The lease is from `now` until `until`. */
  readonly now: number
  readonly until: number
  /**
   * The ids of deliveries that this worker is still sending. They are excluded, since their leases look expired if the
   * clock was set forward.
   */
  readonly except?: ReadonlyArray<number>
}

/** A worker's claim of a delivery. Its end time distinguishes it from later claims of the same delivery. */
export interface HeldClaim {
  readonly id: number
  /** The end time of the claim, ms UTC. */
  readonly until: number
}

/** The kind of an ordered delivery. `first`: not attempted since it was added or resent; `further`: it has failed. */
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
  /** The time when the next attempt is due, or when the delivery ended, ms UTC. */
  readonly deliverAt: number
  readonly lastAt: number
  /** The duration of the attempt in ms; `null` if no attempt was made. */
  readonly duration: number | null
  /** The HTTP status of the response; `null` without a response. */
  readonly lastStatus: number | null
  /** The error code of the attempt, never text from the receiver. */
  readonly lastError: string | null
  /** The excerpt of the receiver's response body, see `excerptOf`. */
  readonly lastAnswer: string | null
}

/** The result of a delivery attempt that is not stored yet. */
export interface EndedDelivery {
  readonly delivery: ClaimedDelivery
  readonly settlement: Settlement
}

/** A range of deliveries to examine for deletion, in the order of their ids. */
export interface PruneRange {
  /** The id after which the range starts; 0 to start from the first delivery. */
  readonly after: number
  /** The number of rows to examine in the range. */
  readonly limit: number
  /** The retention limit, ms UTC: deliveries that ended earlier are deleted. */
  readonly endedBefore: number
}

export interface Pruned {
  readonly removed: number
  /** The `after` of the next range; `null` if all remaining deliveries are newer. */
  readonly next: number | null
}

/** An endpoint with a due delivery. */
export interface DueEndpoint {
  readonly id: string
  /** Whether the last attempt to the endpoint failed. */
  readonly failing: boolean
}

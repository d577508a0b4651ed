/** A webhook endpoint, and the decoder of its database row. */
import type { Tenant } from "@paymux/core"

export interface WebhookEndpoint extends Tenant {
  /** The id of the endpoint, `we_…`. */
  readonly id: string
  /** The URL of the receiver. `process:` is no URL to send to: it represents the program that embeds Paymux. */
  readonly url: string
  /** The event types that the endpoint receives; `null` for all types. */
  readonly events: ReadonlyArray<string> | null
  /** The time when the endpoint was added, ms UTC. */
  readonly createdAt: number
  /**
   * The time since which every attempt has failed, ms UTC; `null` if the last attempt succeeded or no attempt was made.
   */
  readonly failingSince: number | null
  /** The time when the endpoint was disabled, ms UTC. It receives no events from then on. */
  readonly disabledAt: number | null
  readonly disabledReason: DisabledReason | null
}

/**
 * The reason why an endpoint was disabled. `gone`: it answered 410. `failing`: every attempt failed for days.
 * `operator`: on request.
 */
export type DisabledReason = "gone" | "failing" | "operator"

export const processUrl = "process:"

export interface EndpointRow {
  readonly id: string
  readonly account: string
  /** The mode of the endpoint; SQLite stores 0 or 1. */
  readonly livemode: boolean | number
  readonly url: string
  readonly events: string | null
  readonly secret: string
  /** The creation time, ms UTC. PostgreSQL returns a bigint as text. */
  readonly created_at: number | string
  readonly failing_since: number | string | null
  readonly disabled_at: number | string | null
  readonly disabled_reason: DisabledReason | null
}

export const readEndpoint = (row: EndpointRow): WebhookEndpoint => ({
  id: row.id,
  account: row.account,
  livemode: Boolean(row.livemode),
  url: row.url,
  // Cast at a type boundary: only `WebhookEndpoints` writes this column, from such a list.
  events: row.events === null ? null : (JSON.parse(row.events) as ReadonlyArray<string>),
  createdAt: Number(row.created_at),
  failingSince: row.failing_since === null ? null : Number(row.failing_since),
  disabledAt: row.disabled_at === null ? null : Number(row.disabled_at),
  disabledReason: row.disabled_reason
})

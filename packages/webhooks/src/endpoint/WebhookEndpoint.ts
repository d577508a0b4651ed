/** An endpoint, and how its row is decoded. */
import type { Tenant } from "@paymux/core"

export interface WebhookEndpoint extends Tenant {
  /** `we_…` */
  readonly id: string
  /** `process:` is not an address: it represents the program that embeds Paymux. */
  readonly url: string
  /** Event types it receives; `null`: all. */
  readonly events: ReadonlyArray<string> | null
  /** ms UTC */
  readonly createdAt: number
  /** Every attempt since this time has failed, ms UTC. `null`: the last attempt succeeded, or there was none. */
  readonly failingSince: number | null
  /** When it was disabled, ms UTC; it receives nothing from then on. */
  readonly disabledAt: number | null
  readonly disabledReason: DisabledReason | null
}

/** `gone`: it answered 410. `failing`: every attempt failed for days. `operator`: someone disabled it. */
export type DisabledReason = "gone" | "failing" | "operator"

export const processUrl = "process:"

export interface EndpointRow {
  readonly id: string
  readonly account: string
  /** 0 or 1 on SQLite. */
  readonly livemode: boolean | number
  readonly url: string
  readonly events: string | null
  readonly secret: string
  /** PostgreSQL returns a bigint as text. */
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
  // Boundary: only `WebhookEndpoints` writes this column, from such a list.
  events: row.events === null ? null : (JSON.parse(row.events) as ReadonlyArray<string>),
  createdAt: Number(row.created_at),
  failingSince: row.failing_since === null ? null : Number(row.failing_since),
  disabledAt: row.disabled_at === null ? null : Number(row.disabled_at),
  disabledReason: row.disabled_reason
})

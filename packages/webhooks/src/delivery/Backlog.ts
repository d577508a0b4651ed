/** Measures the delivery backlog over all accounts and modes, for monitoring. */
import type { StoreUnavailable } from "@paymux/core/store"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { mapSqlError } from "../mapSqlError.ts"
import { processUrl } from "../endpoint/WebhookEndpoint.ts"
import { patience } from "./ConcurrencyLimiter.ts"
import { defaultTimeout, leaseBeyondTimeout } from "./Worker.ts"

export interface DeliveryBacklog {
  /**
   * The due time of the longest-overdue delivery, ms UTC; `null` if no delivery is due. Deliveries that wait because
   * their endpoint is failing or slow do not count, since this server does not cause the delay.
   */
  readonly dueSince: number | null
  /**
   * The number of HTTP endpoints by state. `failing`: the last attempt failed; `slow`: an attempt has been running for
   * two seconds, and no delivery is overdue for longer than the lease (exclusive claim) of an attempt; `disabled`: the
   * endpoint receives no deliveries; `enabled`: all others.
   *
   * An endpoint that hangs is `failing` once an attempt has reached its time limit. So an overdue delivery to an
   * `enabled` endpoint is delayed by this server, or the endpoint responds too slowly for its number of events.
   */
  readonly endpoints: {
    readonly enabled: number
    readonly failing: number
    readonly slow: number
    readonly disabled: number
  }
}

interface BacklogRow {
  readonly state: "disabled" | "enabled" | "failing" | "process" | "slow"
  /** The number of endpoints. PostgreSQL returns a bigint as text or as a number. */
  readonly count: number | string
  readonly since: number | string | null
}

/** Computes the backlog at `now` (ms UTC). Reads all endpoints, which are few, and the first due deliveries of each. */
export const deliveryBacklog: (now: number) => Effect.Effect<DeliveryBacklog, StoreUnavailable, SqlClient.SqlClient> =
  Effect.fnUntraced(function* (now) {
    const sql = yield* SqlClient.SqlClient
    const due = sql`FROM webhook_deliveries
      WHERE endpoint_id = webhook_endpoints.id AND status = 'pending' AND deliver_at <= ${now} ORDER BY deliver_at, id`
    const first = sql`(SELECT deliver_at ${due} LIMIT 1)`
    // The earliest end of a lease, among the leases for the endpoint's oldest due deliveries, which are claimed first.
    const firstClaim = sql`(SELECT min(claimed_until) FROM (SELECT claimed_until ${due} LIMIT ${mostClaims}) AS oldest
      WHERE claimed_until > ${now})`
    const rows = yield* mapSqlError(sql<BacklogRow>`
      SELECT state, count(*) AS count, min(since) AS since FROM (
        SELECT CASE
            WHEN disabled_at IS NOT NULL THEN 'disabled'
            WHEN url = ${processUrl} THEN 'process'
            WHEN failing_since IS NOT NULL THEN 'failing'
            WHEN ${firstClaim} < ${now + lease - patience} AND ${first} >= ${now - lease} THEN 'slow'
            ELSE 'enabled' END AS state,
          ${first} AS since
        FROM webhook_endpoints) AS endpoints
      GROUP BY state`)
    const count = (state: BacklogRow["state"]) => Number(rows.find((row) => row.state === state)?.count ?? 0)
    const since = rows.flatMap((row) =>
      row.since !== null && (row.state === "enabled" || row.state === "process") ? [Number(row.since)] : []
    )
    return {
      dueSince: since.length === 0 ? null : Math.min(...since),
      endpoints: {
        enabled: count("enabled"),
        failing: count("failing"),
        slow: count("slow"),
        disabled: count("disabled")
      }
    }
  })

/** The duration of the lease for an HTTP attempt, ms. */
const lease = defaultTimeout + leaseBeyondTimeout
/** The maximum number of deliveries of an endpoint that a process claims at a time. */
const mostClaims = 64

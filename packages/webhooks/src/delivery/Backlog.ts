/** The delivery backlog over all accounts and modes, for monitoring. */
import type { StoreUnavailable } from "@paymux/core/store"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { mapSqlError } from "../mapSqlError.ts"
import { processUrl } from "../endpoint/WebhookEndpoint.ts"

export interface DeliveryBacklog {
  /** When the longest-overdue delivery became due, ms UTC. `null`: nothing is due. */
  readonly dueSince: number | null
  /** Number of HTTP endpoints. `failing`: the last attempt failed; `disabled`: nothing is sent there. */
  readonly endpoints: { readonly enabled: number; readonly failing: number; readonly disabled: number }
}

interface BacklogRow {
  /** PostgreSQL returns a bigint as text or as a number. */
  readonly since: number | string | null
  readonly enabled: number | string | null
  readonly failing: number | string | null
  readonly disabled: number | string | null
}

/** As of `now` (ms UTC). Reads all endpoints, which are few, and the first due delivery of each. */
export const deliveryBacklog: (now: number) => Effect.Effect<DeliveryBacklog, StoreUnavailable, SqlClient.SqlClient> =
  Effect.fnUntraced(function* (now) {
    const sql = yield* SqlClient.SqlClient
    const [row] = yield* mapSqlError(sql<BacklogRow>`
      SELECT min(since) AS since,
        sum(CASE WHEN url <> ${processUrl} AND disabled_at IS NULL AND failing_since IS NULL THEN 1 ELSE 0 END) AS enabled,
        sum(CASE WHEN url <> ${processUrl} AND disabled_at IS NULL AND failing_since IS NOT NULL THEN 1 ELSE 0 END) AS failing,
        sum(CASE WHEN url <> ${processUrl} AND disabled_at IS NOT NULL THEN 1 ELSE 0 END) AS disabled
      FROM (
        SELECT url, disabled_at, failing_since, CASE WHEN disabled_at IS NULL THEN (
          SELECT deliver_at FROM webhook_deliveries
          WHERE endpoint_id = webhook_endpoints.id AND status = 'pending' AND deliver_at <= ${now}
          ORDER BY deliver_at, id LIMIT 1) END AS since
        FROM webhook_endpoints) AS endpoints`)
    return {
      dueSince: row === undefined || row.since === null ? null : Number(row.since),
      endpoints: {
        enabled: Number(row?.enabled ?? 0),
        failing: Number(row?.failing ?? 0),
        disabled: Number(row?.disabled ?? 0)
      }
    }
  })

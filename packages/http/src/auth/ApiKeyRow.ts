/** Reads and writes rows of API keys and their public form, with the SQL that differs between SQLite and PostgreSQL. */
import type { Tenant } from "@paymux/core"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Principal } from "../request/RequestNote.ts"

/** The public form of a key, without the text of the key. Times are ms UTC. */
export interface ApiKeyRecord extends Principal {
  readonly name: string
  /** The key for display: `pmx_test_…wxyz`. */
  readonly display: string
  readonly createdAt: number
  readonly revokedAt: number | null
  /** The time from which the rotated API key is rejected. `null`: the key is valid until it is revoked. */
  readonly expiresAt: number | null
  /**
   * The time of the key's last accepted request, up to a minute late. `null`: never used, or not used since these times
   * are recorded.
   */
  readonly lastUsedAt: number | null
}

export interface Row {
  readonly id: string
  readonly account: string
  readonly livemode: boolean | number
  readonly name: string
  readonly hash: string
  readonly last4: string
  readonly created_at: number
  readonly revoked_at: number | null
  readonly expires_at: number | null
  readonly last_used_at: number | null
}

export const recordOf = (row: Row): ApiKeyRecord => {
  const livemode = Boolean(row.livemode)
  return {
    keyId: row.id,
    account: row.account,
    livemode,
    name: row.name,
    display: `pmx_${livemode ? "live" : "test"}_…${row.last4}`,
    createdAt: row.created_at,
    revokedAt: row.revoked_at,
    expiresAt: row.expires_at,
    lastUsedAt: row.last_used_at
  }
}

export const dialect = (sql: SqlClient) => {
  const asMs = (column: string): string =>
    sql.onDialectOrElse({
      pg: () => `(extract(epoch FROM ${column}) * 1000)::float8 AS ${column}`,
      orElse: () => column
    })
  const fromMs = (ms: number) =>
    sql.onDialectOrElse({
      pg: () => sql`to_timestamp(${ms}::float8 / 1000)`,
      orElse: () => sql`${ms}`
    })
  return {
    columns: sql.literal(
      `id, account, livemode, name, hash, last4, ${["created_at", "revoked_at", "expires_at", "last_used_at"].map(asMs).join(", ")}`
    ),
    fromMs,
    /** The SQL condition for API keys that are accepted at this time. */
    isActive: (now: number) => sql`revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ${fromMs(now)})`,
    /** The SQL condition for API keys of the tenant; `undefined`: any key. */
    belongsTo: (tenant: Tenant | undefined) =>
      tenant === undefined ? sql`TRUE` : sql`account = ${tenant.account} AND livemode = ${tenant.livemode}`,
    /** Serializes the creation of API keys of this account until the transaction ends. SQLite has one writer anyway. */
    lockAccount: (account: string) =>
      sql.onDialectOrElse({
        pg: () => Effect.asVoid(sql`SELECT pg_advisory_xact_lock(hashtextextended(${account}, 0))`),
        orElse: () => Effect.void
      })
  }
}

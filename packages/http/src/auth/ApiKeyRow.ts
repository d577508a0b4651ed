/** A key as it is kept, and as it may be shown; what SQLite and PostgreSQL write differently. */
import type { Tenant } from "@paymux/core"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import type { Principal } from "../request/RequestNote.ts"

/** A key as it may be shown: never its text. Times are ms UTC. */
export interface ApiKeyRecord extends Principal {
  readonly name: string
  /** `pmx_test_…wxyz` */
  readonly display: string
  readonly createdAt: number
  readonly revokedAt: number | null
  /** From then on it is refused: it was rotated. `null`: it holds until it is revoked. */
  readonly expiresAt: number | null
  /** Of its last accepted request, up to a minute late. `null`: it was never used, or not since this was recorded. */
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

export const dialect = (sql: SqlClient.SqlClient) => {
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
    /** Of a key that is accepted at this time. */
    holds: (now: number) => sql`revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ${fromMs(now)})`,
    /** `undefined`: of whomever. */
    isOf: (tenant: Tenant | undefined) =>
      tenant === undefined ? sql`TRUE` : sql`account = ${tenant.account} AND livemode = ${tenant.livemode}`,
    /** Within a transaction: no other makes a key of this account before it ends. SQLite has one writer anyway. */
    lockAccount: (account: string) =>
      sql.onDialectOrElse({
        pg: () => Effect.asVoid(sql`SELECT pg_advisory_xact_lock(hashtextextended(${account}, 0))`),
        orElse: () => Effect.void
      })
  }
}

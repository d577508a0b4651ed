/** The synchronous standbys that commits wait for, as the primary sees them. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"

export interface SynchronousStandbys {
  /** The number of standbys for which each commit waits. */
  readonly required: number
  /**
   * The number of connected standbys. A role without `pg_monitor` does not see which standbys are synchronous: then all are
   * counted.
   */
  readonly connected: number
  /** Whether fewer standbys are connected than commits wait for: then commits stall. */
  readonly missing: boolean
  /** The lag of the standby that is farthest behind, in bytes. */
  readonly lagBytes: number
  readonly lagSeconds: number
}

/** Reads the synchronous standbys; `null`: the database is SQLite, which has no standbys. */
export const synchronousStandbys: Effect.Effect<SynchronousStandbys | null, SqlError, SqlClient.SqlClient> = Effect.gen(
  function* () {
    const sql = yield* SqlClient.SqlClient
    return yield* sql.onDialectOrElse({ pg: () => read(sql), orElse: () => Effect.succeed(null) })
  }
)

const read = (sql: SqlClient.SqlClient) =>
  Effect.map(
    sql<StandbyRow>`SELECT current_setting('synchronous_standby_names') AS names,
      count(*)::integer AS connected,
      coalesce(max(pg_wal_lsn_diff(pg_current_wal_lsn(), flush_lsn)), 0)::float8 AS "lagBytes",
      coalesce(max(extract(epoch FROM flush_lag)), 0)::float8 AS "lagSeconds"
      FROM pg_stat_replication WHERE sync_state IS NULL OR sync_state IN ('sync', 'quorum')`,
    ([row]) => (row === undefined ? null : standbysOf(row))
  )

/** @internal Exported for the test of `standbysOf`. */
export interface StandbyRow extends Omit<SynchronousStandbys, "required" | "missing"> {
  /** The value of the setting `synchronous_standby_names`. */
  readonly names: string
}

/** @internal Exported for its own test. */
export const standbysOf = ({ names, ...row }: StandbyRow): SynchronousStandbys => {
  const required = requiredBy(names)
  return { ...row, required, missing: row.connected < required }
}

/** Parses the setting: `FIRST 2 (a, b, c)`, `ANY 2 (*)`, `2 (a, b)`; a list without a number requires one standby. */
const requiredBy = (names: string): number => {
  if (names.trim() === "") return 0
  const [, count] = /^\s*(?:(?:FIRST|ANY)\s+)?(\d+)\s*\(/i.exec(names) ?? []
  return count === undefined ? 1 : Number(count)
}

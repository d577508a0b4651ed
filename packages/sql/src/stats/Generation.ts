/**
 * A generation: a set of sums, and the position up to which it has counted the events. The active generation is read,
 * others are being built.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { numeral, parsed, reading } from "../rows/ReadRow.ts"
import type { Row } from "../rows/ReadRow.ts"
import type { FeedCursor } from "./EventFeed.ts"

export interface Generation {
  readonly generation: number
  readonly cursor: FeedCursor
  /**
   * The version, which every change of the sums increments: a change is written only if the version is the one that was
   * read.
   */
  readonly version: number
  /** The earliest time that is still counted, ms UTC; sums of earlier times were deleted. */
  readonly keptFrom: number
  /** Whether another process is currently counting events for this generation, so that this process does not. */
  readonly isHeld: boolean
}

/**
 * The time, ms, after a step of a counting process during which other processes do not count, so that none repeats its
 * work.
 */
const holdMs = 5_000

/**
 * Reads a generation. `which`: its number, or the active one. `holder`: the name of this process. `null`: not found.
 */
export const readGeneration = Effect.fnUntraced(function* (which: number | "active", holder: string) {
  const sql = yield* SqlClient.SqlClient
  const [row] =
    yield* sql<Row>`SELECT generation, position, gaps, version, kept_from, held_by, held_until, ${now(sql)} AS now
    FROM statistics_generations WHERE ${which === "active" ? sql`active = 1` : sql`generation = ${which}`}`
  if (row === undefined) return null
  const leftMs = numeral(row, "held_until") - numeral(row, "now")
  return {
    ...readStored(row),
    // A longer hold is ignored: it was set before the clock was set back.
    isHeld: row["held_by"] !== null && row["held_by"] !== holder && leftMs > 0 && leftMs <= holdMs
  }
})

const readStored = reading<Omit<Generation, "isHeld">>({
  generation: numeral,
  cursor: reading<FeedCursor>({ position: numeral, gaps: parsed }),
  version: numeral,
  keptFrom: numeral
})

/**
 * Stores the position of the generation. `false`: another process changed the generation since it was read, and nothing was
 * written.
 */
export const changeGeneration = Effect.fnUntraced(function* (
  { generation, version }: Pick<Generation, "generation" | "version">,
  { cursor, keptFrom }: Pick<Generation, "cursor" | "keptFrom">,
  holder: string
) {
  const sql = yield* SqlClient.SqlClient
  const changed = yield* sql`UPDATE statistics_generations
    SET position = ${cursor.position}, gaps = ${JSON.stringify(cursor.gaps)}, kept_from = ${keptFrom},
      version = version + 1, held_by = ${holder}, held_until = ${now(sql)} + ${holdMs}, touched_at = ${now(sql)}
    WHERE generation = ${generation} AND version = ${version} RETURNING generation`
  return changed.length > 0
})

/** The SQL for the current time, ms UTC, by the clock that all processes share. */
export const now = (sql: SqlClient.SqlClient) =>
  sql.literal(
    sql.onDialectOrElse({
      pg: () => "(extract(epoch FROM clock_timestamp()) * 1000)::bigint",
      orElse: () => "CAST(unixepoch('subsec') * 1000 AS INTEGER)"
    })
  )

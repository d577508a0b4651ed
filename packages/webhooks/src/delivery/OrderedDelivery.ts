/**
 * Ordered deliveries: the events of a payment are sent one after the other, each after the previous one has succeeded.
 *
 * If a listener is broken for a long time, many payments have a failed delivery with others waiting behind it. Scanning
 * past all of those to find one that can be sent would take too long, so each claim examines only the oldest few rows.
 * If all of them wait for other deliveries, they are postponed until shortly after these, and become due once these
 * succeed.
 */
import type { StoreUnavailable } from "@paymux/core/store"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { claimedBy, claimWhere, isFree } from "./claims.ts"
import type { ClaimedDelivery, OrderedClaim } from "./Delivery.ts"
import { mapSqlError } from "../mapSqlError.ts"
import { lockInOrder, skipLocked } from "../rowLocks.ts"

export const make = (sql: SqlClient.SqlClient) => {
  // A subquery for the earlier deliveries with the same ordering key. Its ORDER BY makes the planner use the index on
  // `line` even before statistics exist.
  const earlier = (condition: string) =>
    sql.literal(`FROM webhook_deliveries AS earlier
    WHERE earlier.endpoint_id = webhook_deliveries.endpoint_id AND earlier.line = webhook_deliveries.line
      AND earlier.place < webhook_deliveries.place AND earlier.status = 'pending' AND earlier.line IS NOT NULL
      AND ${condition} ORDER BY earlier.place`)
  const isFirst = sql`(SELECT 1 ${earlier("TRUE")} LIMIT 1) IS NULL`
  const waitsForLater = sql`(SELECT 1 ${earlier(
    "(earlier.attempts > earlier.tries_before OR earlier.deliver_at > webhook_deliveries.deliver_at)"
  )} LIMIT 1) IS NOT NULL`
  // The conditions for ordered deliveries without and with failed attempts. Each has its own index, so that many rows
  // of one kind do not slow down the other.
  const notTried = sql.literal("line IS NOT NULL AND attempts = tries_before")
  const failed = sql.literal("line IS NOT NULL AND attempts > tries_before")

  const oldest = ({ endpointId, now }: OrderedClaim, after: Examined) =>
    mapSqlError(sql<{ id: number | string; deliver_at: number | string }>`
      SELECT id, deliver_at FROM webhook_deliveries WHERE endpoint_id = ${endpointId} AND ${notTried}
        AND ${isFree(sql, now)} AND (deliver_at, id) > (${after.deliverAt}, ${after.id})
      ORDER BY deliver_at, id LIMIT ${examined}`).pipe(
      Effect.map((rows) => rows.map((row): Examined => ({ id: Number(row.id), deliverAt: Number(row.deliver_at) })))
    )

  /** Postpones ordered deliveries that wait for a failed delivery, or for one that is due later. */
  const putOff = ({ now }: OrderedClaim, ids: ReadonlyArray<number>) =>
    mapSqlError(
      sql`
        UPDATE webhook_deliveries SET deliver_at = COALESCE((
          SELECT max(CASE WHEN attempts = tries_before THEN deliver_at
            WHEN deliver_at > ${now} THEN deliver_at + ${aLittle} ELSE ${now + aLittle} END)
          FROM (SELECT attempts, tries_before, deliver_at ${earlier("TRUE")}) AS before), deliver_at)
        WHERE id IN (
          SELECT id FROM webhook_deliveries WHERE ${sql.in("id", ids)} AND ${waitsForLater}
          ORDER BY id ${skipLocked(sql)})`.unprepared
    )

  const claimInTurns = Effect.fnUntraced(function* (
    claim: OrderedClaim,
    claimed: Array<ClaimedDelivery>
  ): Effect.fn.Return<void, StoreUnavailable> {
    let after: Examined | undefined = { deliverAt: Number.MIN_SAFE_INTEGER, id: 0 }
    for (let turn = 0; turn < turns && after !== undefined; turn++) {
      const rows: ReadonlyArray<Examined> = yield* oldest(claim, after)
      if (rows.length === 0) break
      const ids = rows.map(({ id }) => id)
      const rest = { ...claim, limit: claim.limit - claimed.length }
      const claiming = claimWhere(sql, rest, sql`${sql.in("id", ids)} AND ${isFirst}`).unprepared
      claimed.push(...(yield* claimedBy(claim, claiming)))
      if (claimed.length >= claim.limit || ids.length < examined) break
      yield* putOff(claim, ids)
      // Continues after the examined rows: some of them were not postponed, because the delivery they wait for is in
      // flight.
      after = rows.at(-1)
      // Yields, so that other fibers can run.
      yield* Effect.yieldNow
    }
  })

  const claimFirst = (claim: OrderedClaim) =>
    Effect.suspend(() => {
      const claimed: Array<ClaimedDelivery> = []
      return claimInTurns(claim, claimed).pipe(
        // On an error, returns the deliveries that were claimed before it: if they were not sent, they would wait until
        // their claims expire.
        Effect.catch((error) =>
          claimed.length === 0
            ? Effect.fail(error)
            : Effect.logWarning("Further webhook deliveries could not be claimed; the next round tries again", error)
        ),
        Effect.as(claimed)
      )
    })

  const claimFurther = (claim: OrderedClaim) =>
    claimedBy(claim, claimWhere(sql, claim, sql`endpoint_id = ${claim.endpointId} AND ${failed} AND ${isFirst}`))

  return {
    claim: (claim: OrderedClaim) => (claim.tries === "first" ? claimFirst(claim) : claimFurther(claim)),
    /** Makes the deliveries that wait for the given one due at `now`. The ORDER BY selects the index on `line`. */
    release: ({ endpointId, line }: ClaimedDelivery, now: number) => {
      const behind = sql`SELECT id FROM webhook_deliveries WHERE endpoint_id = ${endpointId} AND line = ${line}
        AND status = 'pending' AND ${notTried} ORDER BY place`
      const isBehind = sql.onDialectOrElse({
        pg: () => sql`id = ANY (ARRAY(
          SELECT id FROM webhook_deliveries WHERE id = ANY (ARRAY(${behind})) ${lockInOrder(sql)}))`,
        orElse: () => sql`id IN (${behind})`
      })
      return sql`UPDATE webhook_deliveries SET deliver_at = ${now}
        WHERE status = 'pending' AND deliver_at > ${now} AND ${isBehind}`
    }
  }
}

/** The position of the last examined delivery, in the order of the query `oldest`. */
interface Examined {
  readonly deliverAt: number
  readonly id: number
}

/** The number of rows that one round of a claim examines: a few ms on SQLite. */
const examined = 500
/** The maximum number of rounds per claim: HTTP deliveries and a shutdown wait for the claim to end. */
const turns = 20
/** The delay, ms, after a failed delivery before those behind it are examined again. */
const aLittle = 60_000

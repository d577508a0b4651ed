/**
 * Deliveries that stand in line: of a payment, the next waits until the one before was taken.
 *
 * A listener that is broken for long leaves a payment in line for each event that it failed, and behind each of them
 * others. Nobody may walk past all of those to find what can be told: a look examines the oldest few. Where they are all
 * behind others, they are put off until a little after what they wait for, and released once that was taken.
 */
import type { StoreUnavailable } from "@paymux/core/store"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { claimedBy, claimWhere, isFree, skipLocked } from "./claims.ts"
import type { ClaimedDelivery, LineClaim } from "./Delivery.ts"
import { stored } from "./stored.ts"

export const make = (sql: SqlClient.SqlClient) => {
  // The order names the index of lines to a planner that has counted nothing yet, and would take another.
  const earlier = (condition: string) =>
    sql.literal(`FROM webhook_deliveries AS earlier
    WHERE earlier.endpoint_id = webhook_deliveries.endpoint_id AND earlier.line = webhook_deliveries.line
      AND earlier.place < webhook_deliveries.place AND earlier.status = 'pending' AND earlier.line IS NOT NULL
      AND ${condition} ORDER BY earlier.place`)
  const isFirst = sql`(SELECT 1 ${earlier("TRUE")} LIMIT 1) IS NULL`
  const waitsForLater = sql`(SELECT 1 ${earlier(
    "(earlier.attempts > earlier.tries_before OR earlier.deliver_at > webhook_deliveries.deliver_at)"
  )} LIMIT 1) IS NOT NULL`
  // Each with an index of its own, however many of the other wait.
  const notTried = sql.literal("line IS NOT NULL AND attempts = tries_before")
  const failed = sql.literal("line IS NOT NULL AND attempts > tries_before")

  const oldest = ({ endpointId, now }: LineClaim, after: Examined) =>
    stored(sql<{ id: number | string; deliver_at: number | string }>`
      SELECT id, deliver_at FROM webhook_deliveries WHERE endpoint_id = ${endpointId} AND ${notTried}
        AND ${isFree(sql, now)} AND (deliver_at, id) > (${after.deliverAt}, ${after.id})
      ORDER BY deliver_at, id LIMIT ${examined}`).pipe(
      Effect.map((rows) => rows.map((row): Examined => ({ id: Number(row.id), deliverAt: Number(row.deliver_at) })))
    )

  /** Those that wait for one that failed, or for one that comes after them. */
  const putOff = ({ now }: LineClaim, ids: ReadonlyArray<number>) =>
    stored(
      sql`
        UPDATE webhook_deliveries SET deliver_at = COALESCE((
          SELECT max(CASE WHEN attempts = tries_before THEN deliver_at
            WHEN deliver_at > ${now} THEN deliver_at + ${aLittle} ELSE ${now + aLittle} END)
          FROM (SELECT attempts, tries_before, deliver_at ${earlier("TRUE")}) AS before), deliver_at)
        WHERE id IN (
          SELECT id FROM webhook_deliveries WHERE ${sql.in("id", ids)} AND ${waitsForLater}
          ORDER BY id ${skipLocked(sql)})`.unprepared
    )

  const claimFirst = Effect.fnUntraced(function* (
    claim: LineClaim
  ): Effect.fn.Return<ReadonlyArray<ClaimedDelivery>, StoreUnavailable> {
    const claimed: Array<ClaimedDelivery> = []
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
      // Also past those that stay, because what they wait for is being told at this moment.
      after = rows.at(-1)
      // In between, others of this process have their turn.
      yield* Effect.yieldNow
    }
    return claimed
  })

  const claimFurther = (claim: LineClaim) =>
    claimedBy(claim, claimWhere(sql, claim, sql`endpoint_id = ${claim.endpointId} AND ${failed} AND ${isFirst}`))

  return {
    claim: (claim: LineClaim) => (claim.tries === "first" ? claimFirst(claim) : claimFurther(claim)),
    /** What waits behind it is due at `now`. As above, the order names the index: else each looks at all that is put off. */
    release: ({ endpointId, id }: ClaimedDelivery, now: number) =>
      stored(sql`
        UPDATE webhook_deliveries SET deliver_at = ${now} WHERE deliver_at > ${now} AND id IN (
          SELECT id FROM webhook_deliveries
          WHERE endpoint_id = ${endpointId} AND line = (SELECT line FROM webhook_deliveries AS taken WHERE taken.id = ${id})
            AND status = 'pending' AND ${notTried} ORDER BY place)`)
  }
}

/** Where a look has come to, in the order of `oldest`. */
interface Examined {
  readonly deliverAt: number
  readonly id: number
}

/** How many of the oldest are looked at in one go: some ms on SQLite. */
const examined = 500
/** How often, in one look: what goes over the network waits for its end, and so does whoever stops the program. */
const turns = 20
/** ms */
const aLittle = 60_000

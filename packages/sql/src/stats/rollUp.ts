/**
 * Counts the next events: reads them, and adds what they change to the sums in one transaction with the cursor. Any number
 * of processes may do it at once: the one whose transaction comes second finds another version of the cursor and writes
 * nothing.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { makeDeltaSums } from "./Deltas.ts"
import type { DeltaSums } from "./Deltas.ts"
import { readPage } from "./EventFeed.ts"
import type { FeedEvent } from "./EventFeed.ts"
import { paymentFacts, refundFacts } from "./facts.ts"
import { readFormer } from "./formerFacts.ts"
import type { Former } from "./formerFacts.ts"
import { changeGeneration, readGeneration } from "./Generation.ts"
import { writeDeltas } from "./writeDeltas.ts"

/** `done`: nothing is left for now. `more`: call it again. `left`: another process does it, or did. */
export type RolledUp = "done" | "more" | "left"

/** Events of one page: they are read and taken apart without a pause, in a few ms. */
const mostEvents = 200
/** Of the first page of a transaction: what its events change is not known before. */
const firstEvents = 50
const fewestEvents = 20
/** Pages of one transaction: a flush of the disk is shared by many events. */
const mostPages = 6
/**
 * Rows of sums that one transaction changes, about: on SQLite nothing else runs while they are written, and a transaction
 * that is held open over turns of the event loop would keep every payment waiting until its end.
 */
const mostRows = 300

export const rollUp = Effect.fnUntraced(function* (
  which: number | "active",
  holder: string
): Effect.fn.Return<RolledUp, SqlError, SqlClient.SqlClient> {
  const read = yield* readGeneration(which, holder)
  if (read === null || read.isHeld) return "left"
  const sums = makeDeltaSums(read.keptFrom)
  let { cursor } = read
  let isLast = false
  let events = 0
  let limit = firstEvents
  for (let pages = 0; pages < mostPages && limit > 0 && !isLast; pages++) {
    const page = yield* readPage(cursor, limit)
    addEvents(sums, page.events, yield* readFormer(page.events))
    cursor = page.cursor
    isLast = page.isLast
    events += page.events.length
    limit = nextLimit(events, sums.rows())
    if (!isLast) yield* Effect.yieldNow
  }
  const isMoved = cursor.position !== read.cursor.position || cursor.gaps.length + read.cursor.gaps.length > 0
  if (!isMoved) return "done"
  const sql = yield* SqlClient.SqlClient
  const write = Effect.gen(function* () {
    if (!(yield* changeGeneration(read, { cursor, keptFrom: read.keptFrom }, holder))) return false
    yield* writeDeltas(read.generation, sums.deltas())
    return true
  })
  if (!(yield* sql.withTransaction(write))) return "left"
  return isLast ? "done" : "more"
})

/** As many as fit into the transaction if they are like those before; none if that is not worth a page. */
const nextLimit = (events: number, rows: number): number => {
  const fitting = Math.min(mostEvents, Math.floor((events * (mostRows - rows)) / Math.max(1, rows)))
  return fitting < fewestEvents ? 0 : fitting
}

const addEvents = (sums: DeltaSums, events: ReadonlyArray<FeedEvent>, former: ReadonlyMap<number, Former>): void => {
  for (const { account, livemode, payment, position, refund } of events) {
    const before = former.get(position)
    const facts = paymentFacts(payment)
    sums.add(account, livemode, refundFacts(refund, facts), 1)
    sums.add(account, livemode, refundFacts(before?.refund ?? null, facts), -1)
    // An operator may delete old events: without the event before, the payment stays counted as it was.
    if (before !== undefined && before.payment === null) continue
    sums.add(account, livemode, facts, 1)
    sums.add(account, livemode, paymentFacts(before?.payment ?? null), -1)
  }
}

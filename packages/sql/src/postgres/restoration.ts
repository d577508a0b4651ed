/**
 * The mark of a restored database on PostgreSQL, and how a process detects the restore: the timeline that the database has stored
 * is no longer the timeline on which the database runs.
 *
 * The first commit of every payment compares the two, so nothing is sent before the change is noticed, by whichever process.
 */
import { markedAs } from "@paymux/core/store"
import type { Restoration, RestorationStore, RestoredMark } from "@paymux/core/store"
import { DateTime, Effect } from "effect"
import type { StatementRunner } from "../dialect/Fragments.ts"
import { numeral, numeralOrNull, text, textOrNull } from "../rows/ReadRow.ts"
import { markAssignments, readRestoration, replaceMark } from "../store/restoration.ts"
import { selectNewest } from "../store/selectNewest.ts"
import type { Run } from "./statementRunner.ts"

/** The version of the mark, as long as the current timeline is the stored one; else `NULL`. */
export const currentVersion = "(SELECT version FROM restoration WHERE timeline = paymux_timeline())"

const selectState = `SELECT restoration.*, paymux_timeline() AS current,
  floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now,
  floor(extract(epoch FROM pg_last_xact_replay_timestamp()) * 1000)::bigint AS replayed FROM restoration`

export const restoration = (runner: StatementRunner): RestorationStore => {
  const { read: run } = runner
  const read: RestorationStore["read"] = Effect.gen(function* () {
    while (true) {
      const [row = {}] = yield* run(() => selectState)
      const found = readRestoration(row)
      const [stored, current] = [textOrNull(row, "timeline"), text(row, "current")]
      if (stored === current) return found
      const [newest] = yield* run(() => selectNewest)
      const now = numeral(row, "now")
      // The time of the last replay is not known after a restart of the promoted server.
      const wentBackTo = numeralOrNull(row, "replayed") ?? (newest === undefined ? now : numeral(newest, "created_at"))
      const isLoss = mayHaveLost(stored, current, now - wentBackTo)
      const mark = isLoss ? markedAs(found.mark, { wentBackTo, acceptedDoubles: [], until: null }, now) : null
      if (!(yield* isNoted(run, found, stored, current, mark)) || mark === null) continue
      yield* Effect.logWarning(
        `The database is on another timeline (${current}, was ${stored}): commits from ${iso(wentBackTo)} on may be lost. Until ${iso(mark.until)}, requests with unknown idempotency keys are looked up at the providers first. Correct it with "paymux database restored".`
      )
    }
  })
  return {
    read,
    replace: replaceMark(runner)
  }
}

/**
 * Whether commits may be missing on the current timeline. If each commit waited for a standby, the promoted standby has all
 * commits; but a restore goes back by more time than a failover takes.
 *
 * @internal Exported for its own test.
 */
export const mayHaveLost = (stored: string | null, current: string, wentBackMs: number): boolean => {
  if (stored === null || stored === "unknown" || current === "unknown") return false
  const [before = "", synchronous] = stored.split(" ")
  return !current.startsWith(before) && (synchronous === undefined || wentBackMs > longestFailover)
}

/** The maximum duration of a failover, ms. */
const longestFailover = 15 * 60_000

const isNoted = (
  run: Run,
  { version }: Restoration,
  stored: string | null,
  current: string,
  mark: RestoredMark | null
) =>
  Effect.map(
    run((statement) => {
      const { bind } = statement
      const marked = mark === null ? "" : `, ${markAssignments(statement, mark)}`
      return `UPDATE restoration SET timeline = ${bind(current)}${marked}
          WHERE version = ${bind(version)} AND timeline IS NOT DISTINCT FROM ${bind(stored)} RETURNING 1 AS done`
    }),
    (rows) => rows.length === 1
  )

const iso = (time: number): string => DateTime.formatIso(DateTime.makeUnsafe(time))

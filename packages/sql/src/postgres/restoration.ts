/**
 * Detects on PostgreSQL that the database was restored, and stores the mark of the restore. After a restore, the
 * timeline on which the database runs is no longer the timeline that it has stored.
 *
 * The first commit of every payment, in every process, compares the two timelines. So no request is sent to a provider
 * before the change is noticed.
 */
import { markedAs } from "@paymux/core/store"
import type { Restoration, RestorationStore, RestoredMark } from "@paymux/core/store"
import { DateTime, Effect } from "effect"
import type { StatementRunner } from "../dialect/Fragments.ts"
import { numeral, numeralOrNull, text, textOrNull } from "../rows/ReadRow.ts"
import { markAssignments, readRestoration, replaceMark } from "../store/restoration.ts"
import { selectNewest } from "../store/selectNewest.ts"
import type { Run } from "./statementRunner.ts"

/** The SQL for the version of the restoration mark; `NULL`: the current timeline is not the stored one. */
export const currentVersion = "(SELECT version FROM restoration WHERE timeline = paymux_timeline())"

const selectState = `SELECT restoration.*, paymux_timeline() AS current,
  floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now,
  floor(extract(epoch FROM pg_last_xact_replay_timestamp()) * 1000)::bigint AS replayed FROM restoration`

export const restoration = (runner: StatementRunner): RestorationStore => {
  const { read: run, write } = runner
  const read: RestorationStore["read"] = Effect.gen(function* () {
    while (true) {
      const [row = {}] = yield* run(() => selectState)
      const found = readRestoration(row)
      const [stored, current] = [textOrNull(row, "timeline"), text(row, "current")]
      if (stored === current) return found
      const [newest] = yield* run(() => selectNewest)
      const now = numeral(row, "now")
      // If the promoted server was restarted, the time of its last replay is unknown, and the newest payment's creation
      // time is used.
      const wentBackTo = numeralOrNull(row, "replayed") ?? (newest === undefined ? now : numeral(newest, "created_at"))
      const isLoss = mayHaveLost(stored, current, now - wentBackTo)
      const mark = isLoss ? markedAs(found.mark, { wentBackTo, acceptedDoubles: [], until: null }, now) : null
      if (!(yield* isNoted(write, found, stored, current, mark)) || mark === null) continue
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
 * Whether commits may be missing on the current timeline. If each commit waited for a standby, a promoted standby has
 * all commits, so a failover loses none. A restore goes back by more time than a failover takes, so it may lose
 * commits.
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

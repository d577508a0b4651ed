/**
 * Makes work due whose time was set by a clock that was ahead: see `DueCorrection`. Both databases take these texts.
 *
 * When the next check of an operation was set: with the last change of its payment, or when it was rescheduled, which leaves
 * about that time in `claimed_until`. It scans all operations whose check lies in the future.
 */
import { clockTolerance } from "@paymux/core/store"
import type { DueCorrection } from "@paymux/core/store"
import { claimableAt, isOpen } from "./migrations/due.ts"
import { statementOf } from "./postgres/Fragments.ts"
import type { PgStatement } from "./postgres/Fragments.ts"

/**
 * What `claimed_until` becomes when an operation is rescheduled to `next`: the end of the claim, which is some seconds after its
 * begin, but never a time that delays the next check. Without `claimed_by` it claims nothing.
 */
export const rescheduledAt = (next: string): string =>
  `CASE WHEN claimed_until > ${next} THEN ${next} ELSE claimed_until END`

/** The texts of the parameters. */
type Operations = { readonly [name in "now" | "check" | "send" | "claim" | "limit"]: string }

const operations = (
  { check, claim, limit, now, send }: Operations,
  { lock }: { readonly lock: string }
): string => `UPDATE operations SET claimed_by = NULL, claimed_until = ${now},
    next_check_at = CASE WHEN status = 'sending' THEN ${now} + ${send} ELSE ${now} END
  WHERE id IN (SELECT id FROM operations WHERE ${isOpen} AND ${claimableAt} > ${now} AND (
    next_check_at > ${now} + CASE WHEN status = 'sending' THEN ${send} ELSE ${check} END + ${clockTolerance}
    OR claimed_by IS NOT NULL AND claimed_until > ${now} + ${claim} + ${clockTolerance}
    OR claimed_by IS NULL AND ${now} + ${clockTolerance} <
      coalesce(claimed_until, (SELECT updated_at FROM payments WHERE payments.id = operations.payment_id)))
    LIMIT ${limit} ${lock})`

type Reports = { readonly [name in "now" | "claim" | "delays" | "longest" | "limit"]: string }

const reports = (
  { claim, delays, limit, longest, now }: Reports,
  { least, lock }: { readonly least: string; readonly lock: string }
): string => {
  const delay = `CAST(${delays} ->> CAST(${least}(tries, ${longest}) AS integer) AS bigint)`
  return `UPDATE provider_inbox SET next_try_at = ${now}, claimed_by = NULL, claimed_until = NULL
  WHERE position IN (SELECT position FROM provider_inbox WHERE status = 'waiting' AND (
    next_try_at > ${now} + ${delay} + ${clockTolerance}
    OR claimed_until > ${now} + ${claim} + ${clockTolerance})
    LIMIT ${limit} ${lock})`
}

export const correctionsOnPostgres = (correction: DueCorrection): ReadonlyArray<PgStatement> => [
  statementOf(({ bind }) => {
    const { check, claim, limit, now, send } = correction
    return counted(
      operations(
        {
          now: bind(now, "bigint"),
          check: bind(check, "bigint"),
          send: bind(send, "bigint"),
          claim: bind(claim, "bigint"),
          limit: bind(limit, "bigint")
        },
        skipLocked
      )
    )
  }),
  statementOf(({ bind }) => {
    const { claim, limit, matchDelays, now } = correction
    return counted(
      reports(
        {
          now: bind(now, "bigint"),
          claim: bind(claim, "bigint"),
          delays: `${bind(JSON.stringify(matchDelays), "text")}::json`,
          longest: bind(matchDelays.length - 1, "bigint"),
          limit: bind(limit, "bigint")
        },
        { least: "least", lock: skipLocked.lock }
      )
    )
  })
]

const counted = (update: string): string =>
  `WITH corrected AS (${update} RETURNING 1) SELECT count(*) AS corrected FROM corrected`

/** What another process corrects at this moment is skipped, so that processes do not wait for each other. */
const skipLocked = { lock: "FOR UPDATE SKIP LOCKED" }

export const correctionsOnSqlite = [
  {
    sql: operations({ now: ":now", check: ":check", send: ":send", claim: ":claim", limit: ":limit" }, { lock: "" }),
    parameters: ({ check, claim, limit, now, send }: DueCorrection) => ({ check, claim, limit, now, send })
  },
  {
    sql: reports(
      { now: ":now", claim: ":claim", delays: ":delays", longest: ":longest", limit: ":limit" },
      { least: "min", lock: "" }
    ),
    parameters: ({ claim, limit, matchDelays, now }: DueCorrection) => ({
      claim,
      limit,
      now,
      delays: JSON.stringify(matchDelays),
      longest: matchDelays.length - 1
    })
  }
]

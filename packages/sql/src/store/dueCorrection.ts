/**
 * Makes work due again if a clock that was ahead has scheduled it too late: see `DueCorrection`.
 *
 * The next check of an operation is scheduled when its payment changes, or when the operation is rescheduled;
 * rescheduling leaves about that time in `claimed_until`. The correction scans all operations whose check lies in the
 * future.
 */
import { clockTolerance } from "@paymux/core/store"
import type { DueCorrection } from "@paymux/core/store"
import type { StatementText } from "../dialect/Fragments.ts"
import { claimableAt, isOpen } from "../migrations/due.ts"

/**
 * The `claimed_until` of an operation that is rescheduled to `next`: the end of its last claim, some seconds after the
 * claim began, but not later than `next`, so that it does not delay the next check. Without `claimed_by`, this value
 * claims nothing.
 */
export const rescheduledAt = (next: string): string =>
  `CASE WHEN claimed_until > ${next} THEN ${next} ELSE claimed_until END`

/**
 * The statements that correct due times. Each returns a row for each correction. Rows that another process corrects at the moment
 * are skipped.
 */
export const corrections = (correction: DueCorrection): ReadonlyArray<StatementText> => [
  ({ bind, sql }) => {
    const now = bind(correction.now)
    const send = bind(correction.send)
    return `UPDATE operations SET claimed_by = NULL, claimed_until = ${now},
        next_check_at = CASE WHEN status = 'sending' THEN ${now} + ${send} ELSE ${now} END
      WHERE id IN (SELECT id FROM operations WHERE ${isOpen} AND ${claimableAt} > ${now} AND (
        next_check_at > ${now} + ${clockTolerance}
          + CASE WHEN status = 'sending' THEN ${send} ELSE ${bind(correction.check)} END
        OR claimed_by IS NOT NULL AND claimed_until > ${now} + ${bind(correction.claim)} + ${clockTolerance}
        OR claimed_by IS NULL AND ${now} + ${clockTolerance} <
          coalesce(claimed_until, (SELECT updated_at FROM payments WHERE payments.id = operations.payment_id)))
        LIMIT ${bind(correction.limit)} ${sql.lock("FOR UPDATE SKIP LOCKED")}) RETURNING 1`
  },
  ({ bind, sql }) => {
    const now = bind(correction.now)
    const delays = correction.matchDelays.map((delay) => bind(delay))
    // `matchDelays` lists the delay after each try. After the last listed try, every further try has the last delay.
    const cases = delays.slice(0, -1).map((delay, tries) => `WHEN ${tries} THEN ${delay}`)
    const delay = cases.length === 0 ? delays[0] : `CASE tries ${cases.join(" ")} ELSE ${delays.at(-1)} END`
    return `UPDATE provider_inbox SET next_try_at = ${now}, claimed_by = NULL, claimed_until = NULL
      WHERE position IN (SELECT position FROM provider_inbox WHERE status = 'waiting' AND (
        next_try_at > ${now} + ${delay} + ${clockTolerance}
        OR claimed_until > ${now} + ${bind(correction.claim)} + ${clockTolerance})
        LIMIT ${bind(correction.limit)} ${sql.lock("FOR UPDATE SKIP LOCKED")}) RETURNING 1`
  }
]

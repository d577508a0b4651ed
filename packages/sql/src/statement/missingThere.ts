/**
 * Finds operations that succeeded here and are missing in the provider's statement. It scans the operations in ranges:
 * first by id, which contains the time of the request; then operations with derived ids, which do not contain it, by an
 * index on that time. An operation is missing only if it was requested in a period that was read without a gap, and
 * ended long enough before the end of that period. If payments are booked in parts, a payment may lack a part.
 */
import type { OperationId, PaymentId } from "@paymux/core"
import { differenceEvidence, enteredOf, indexed, isBooked } from "@paymux/core/engine"
import type { BookedParts, Difference, DifferenceKind } from "@paymux/core/engine"
import { firstPaymentId } from "@paymux/core/store"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import type { Fragment } from "effect/sql/Statement"
import { derivedByTime, firstDerived, isDerived } from "../migrations/derivedOperations.ts"
import { flag, numeral, reading, text, textOrNull, word } from "../rows/ReadRow.ts"
import type { Row } from "../rows/ReadRow.ts"
import { isOneOf, ofInstance } from "./conditions.ts"
import { advanceRun, coveredSince } from "./runRows.ts"
import { withKinds } from "./StatementRun.ts"
import type { StatementRules, StatementRun } from "./StatementRun.ts"
import { keepEvidence, writeDifferences } from "./writeDifferences.ts"

/**
 * The longest time from an operation's request to its success, ms: slower operations are not searched for in the
 * statement.
 */
const longestOpen = 7 * 24 * 60 * 60_000

/**
 * The largest tolerated difference between the clocks of two servers, ms. Within it, `ended_at` may precede
 * `created_at`.
 */
const clocksApart = 60_000

/** The number of operations that one step searches for. */
const stretch = 2_000

/**
 * Compares the next operations of a run with the statement. The booking of an operation may be dated up to
 * `bookedWithin` after its success or, by another clock, as long before its success.
 */
export const compareStretch = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  run: StatementRun,
  { bookedWithin, paymentsInParts }: StatementRules,
  now: number
) {
  const from = run.since - bookedWithin
  const covered = yield* coveredSince(sql, run, from - longestOpen)
  const until = run.until - bookedWithin
  const requested = Math.max(covered, from - longestOpen)
  const walk = walkOf(sql, run.cursor, requested, until + clocksApart)
  const [last] = yield* sql<{ readonly place: string | number }>`SELECT ${walk.place} AS place FROM ${walk.operations}
    WHERE ${walk.isAhead} ORDER BY ${walk.place} LIMIT 1 OFFSET ${stretch - 1}`
  const within = last === undefined ? walk.isAhead : sql`${walk.isAhead} AND ${walk.place} <= ${last.place}`
  const missing =
    from < until
      ? yield* missingWithin(sql, run, { operations: walk.operations, within, covered, from, until, paymentsInParts })
      : []
  yield* writeDifferences(sql, run, missing, now)
  const nothing = indexed({ operations: [], former: [], bookings: new Map() })
  yield* keepEvidence(
    sql,
    run,
    missing.flatMap((each) => differenceEvidence(each, nothing) ?? []),
    now
  )
  const counts = {
    ...run.counts,
    differences: withKinds(
      run.counts.differences,
      missing.map(({ kind }) => kind)
    )
  }
  return yield* advanceRun(
    sql,
    run,
    last === undefined && walk.next === null
      ? { cursor: null, state: "complete", counts }
      : { cursor: last === undefined ? walk.next : walk.cursorAt(last.place), state: "comparing", counts },
    now
  )
})

/** An ordered scan of `operations` (`o`), resumed after a cursor. */
interface Walk {
  readonly operations: Fragment
  readonly place: Fragment
  readonly cursorAt: (place: string | number) => string
  readonly isAhead: Fragment
  /** The cursor at the end of this scan; `null`: this scan is the last. */
  readonly next: string | null
}

/**
 * The cursor of the first scan is an id; that of the second one is `op_4` and a time in ms UTC, which an earlier version reads as
 * the beginning of the derived ids. A cursor with a derived id is from an earlier version: the second scan starts from its
 * beginning.
 */
const walkOf = (sql: SqlClient.SqlClient, cursor: string | null, requested: number, until: number): Walk => {
  if (cursor === null || cursor < firstDerived) {
    return {
      operations: sql`operations AS o`,
      place: sql`o.id`,
      cursorAt: String,
      isAhead: sql`o.id > ${cursor ?? operationIdAt(requested)} AND o.id < ${operationIdAt(until)}`,
      next: cursorAtTime(requested - 1)
    }
  }
  const [, time = requested - 1] = /^op_4 (\d+)$/.exec(cursor) ?? []
  return {
    operations: sql.onDialectOrElse({
      pg: () => sql`operations AS o`,
      orElse: () => sql`operations AS o INDEXED BY ${sql.literal(derivedByTime)}`
    }),
    place: sql`o.created_at`,
    cursorAt: cursorAtTime,
    isAhead: sql`${sql.literal(isDerived("o."))} AND o.created_at < ${until} AND o.created_at > ${Number(time)}`,
    next: null
  }
}

const cursorAtTime = (time: string | number): string => `${firstDerived} ${time}`

/** A text that sorts before the id of every operation made at `time` or later, unless the id is derived. */
const operationIdAt = (time: number): string => `op_${firstPaymentId(Math.max(0, time)).slice("pay_".length)}`

interface Stretch {
  readonly operations: Fragment
  readonly within: Fragment
  /**
   * The earliest request time of the compared operations, ms UTC. The booking of an earlier operation may be older than
   * the statement.
   */
  readonly covered: number
  /** The earliest success time of the operations, ms UTC. */
  readonly from: number
  readonly until: number
  readonly paymentsInParts: boolean
}

/**
 * Finds the missing operations among the next ones. They are searched for in lists of ids, so that a step costs the
 * same beside any number of movements. A known difference is not reported again: the operation is booked, or an
 * operator has to review the difference.
 */
const missingWithin = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  { livemode, provider }: StatementRun,
  { covered, from, operations, paymentsInParts, until, within }: Stretch
) {
  // A part that was read while the payment was open becomes a difference if the payment has ended without it.
  const isJudged = paymentsInParts
    ? sql`(o.status = 'succeeded' OR (o.kind = 'create' AND o.status IN ('declined', 'not_executed', 'expired', 'canceled')))`
    : sql`o.status = 'succeeded'`
  const rows = yield* sql<Row>`SELECT o.id, o.payment_id, o.attempt_seq, o.kind, o.status, o.minor_units,
      o.reference, p.currency
    FROM ${operations} JOIN payments p ON p.id = o.payment_id
    WHERE ${within} AND ${yield* ofInstance(sql, "o.provider", provider)} AND ${isJudged}
      AND o.kind IN ('create', 'capture', 'refund') AND o.minor_units > 0
      AND o.created_at >= ${covered} AND o.ended_at >= ${from} AND o.ended_at < ${until} AND p.livemode = ${livemode}
    ORDER BY o.id`
  const candidates = rows.map(readCandidate)
  const ids = candidates.map(({ id }) => id)
  const reported = yield* sql<Row>`SELECT operation_id FROM statement_differences
    WHERE ${isOneOf(sql, "operation_id", ids)} AND resolved_at IS NULL AND kind <> 'unknown_refund'`
  const isReported = new Set(reported.map((row) => text(row, "operation_id")))
  const booked = yield* bookedOf(sql, ids)
  const open = candidates.filter(({ id }) => !isReported.has(id) && (paymentsInParts || !booked.has(id)))
  const left = paymentsInParts ? yield* withoutWhole(sql, open, booked) : open
  if (left.length === 0) return []
  const siblings = yield* siblingsOf(
    sql,
    left.map(({ id }) => id)
  )
  return left.flatMap((candidate) => {
    const { hasCapture = false, isTwin = false } = siblings.get(candidate.id) ?? {}
    // A create operation that only authorized funds is not missing if its captures are in the statement.
    return hasCapture ? [] : [differenceOf(candidate, isTwin, booked.get(candidate.id) ?? null)]
  })
})

const bookedOf = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, ids: ReadonlyArray<string>) {
  const rows = yield* sql<Row>`SELECT operation_id, sum(minor_units) AS minor_units, count(*) AS movements
    FROM statement_movements
    WHERE ${isOneOf(sql, "operation_id", ids)} AND type IN ('payment', 'capture', 'refund') GROUP BY operation_id`
  return new Map(rows.map((row) => [text(row, "operation_id"), readBooked(row)]))
})

/** PostgreSQL returns the sum of a bigint as text. */
const readBooked = reading<BookedParts>({ minorUnits: (row) => Number(row["minor_units"]), movements: numeral })

/**
 * Finds the operations that are booked only in part: the books have a part of their amount that the statement does not
 * have.
 */
const withoutWhole = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  candidates: ReadonlyArray<Candidate>,
  booked: ReadonlyMap<string, BookedParts>
) {
  const inParts = candidates.filter(({ id, kind }) => kind === "create" && booked.has(id))
  const rows = yield* sql<Row>`SELECT payment_id, attempt_seq, currency, reference, minor_units FROM entries
    WHERE kind = 'captured' AND ${isOneOf(
      sql,
      "payment_id",
      inParts.map(({ paymentId }) => paymentId)
    )}`
  const ofAttempt = Map.groupBy(rows.map(readEntered), attemptOf)
  return candidates.filter((candidate) => {
    const parts = booked.get(candidate.id)
    if (candidate.status !== "succeeded") return parts !== undefined
    if (parts === undefined || candidate.kind !== "create") return parts === undefined
    const own = (ofAttempt.get(attemptOf(candidate)) ?? []).filter(({ currency }) => currency === candidate.currency)
    return !isBooked(enteredOf({ ...candidate, entered: own }), parts)
  })
})

const attemptOf = ({ attemptSeq, paymentId }: Entered): string => `${paymentId} ${attemptSeq}`

/**
 * Finds for each operation whether a capture, or another operation under the same reference, is booked in its place.
 */
const siblingsOf = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, ids: ReadonlyArray<string>) {
  const rows = yield* sql<Row>`SELECT o.id,
      EXISTS (SELECT 1 FROM operations c WHERE o.kind = 'create' AND c.payment_id = o.payment_id
        AND c.attempt_seq = o.attempt_seq AND c.kind = 'capture' AND c.status = 'succeeded') AS has_capture,
      EXISTS (SELECT 1 FROM operations twin JOIN statement_movements m ON m.operation_id = twin.id
        WHERE twin.reference = o.reference AND twin.provider = o.provider AND twin.kind = o.kind AND twin.id <> o.id
          AND o.kind <> 'capture' AND NOT EXISTS (SELECT 1 FROM operations made
            WHERE made.payment_id = o.payment_id AND made.kind = 'create' AND made.id <> o.id
              AND made.reference = o.reference)) AS is_twin
    FROM operations o WHERE ${isOneOf(sql, "o.id", ids)}`
  return new Map(rows.map((row) => [text(row, "id"), readSiblings(row)]))
})

const differenceOf = (candidate: Candidate, isTwin: boolean, booked: BookedParts | null): Difference => ({
  kind:
    booked === null ? absenceOf(candidate, isTwin) : candidate.status === "succeeded" ? "other_amount" : "other_status",
  movement: null,
  operationId: candidate.id,
  paymentId: candidate.paymentId,
  expected: { minorUnits: candidate.minorUnits, currency: candidate.currency },
  found: booked === null ? null : { minorUnits: booked.minorUnits, currency: candidate.currency }
})

const absenceOf = ({ kind }: Candidate, isTwin: boolean): DifferenceKind =>
  isTwin ? "duplicate_here" : kind === "refund" ? "refund_not_booked" : "missing_there"

const enteredFields = {
  paymentId: word<PaymentId>,
  attemptSeq: numeral,
  minorUnits: numeral,
  currency: text,
  reference: textOrNull
} as const
/** Reads an amount in the books. */
const readEntered = reading(enteredFields)
type Entered = ReturnType<typeof readEntered>

/** Reads an operation that may be missing in the statement. */
const readCandidate = reading({ ...enteredFields, id: word<OperationId>, kind: text, status: text })
type Candidate = ReturnType<typeof readCandidate>

const readSiblings = reading({ hasCapture: flag, isTwin: flag })

/**
 * Looks for what succeeded here and is not in the statement, in stretches of operation ids. Only what ended within the time
 * that was read without a gap, and long enough before its end, is missing.
 */
import type { OperationId, PaymentId } from "@paymux/core"
import { differenceEvidence, indexed } from "@paymux/core/engine"
import type { Difference } from "@paymux/core/engine"
import { firstPaymentId } from "@paymux/core/store"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { advanceRun, coveredSince } from "./runRows.ts"
import type { RunLost } from "./StatementRefused.ts"
import { withKinds } from "./StatementRun.ts"
import type { StatementRun } from "./StatementRun.ts"
import { keepEvidence, writeDifferences } from "./writeDifferences.ts"

/** ms: an operation that took longer from its request to its success is not looked for. */
const longestOpen = 7 * 24 * 60 * 60_000

/** Operations that are looked for in one statement. */
const stretch = 2_000

/** `bookedWithin`: in ms, how long after its success an operation may be booked, or before it by another clock. */
export const compareStretch = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  run: StatementRun,
  bookedWithin: number,
  now: number
): Effect.fn.Return<StatementRun, SqlError | RunLost> {
  const from = Math.max((yield* coveredSince(sql, run)) + bookedWithin, run.since - bookedWithin)
  const until = run.until - bookedWithin
  const after = run.cursor ?? operationIdAt(from - longestOpen)
  const end = operationIdAt(until)
  const [last] = yield* sql<{ readonly id: string }>`SELECT id FROM operations WHERE id > ${after} AND id < ${end}
    ORDER BY id LIMIT 1 OFFSET ${stretch - 1}`
  const missing = from < until ? yield* missingBetween(sql, run, { after, last: last?.id ?? end, from, until }) : []
  yield* writeDifferences(sql, run, run.id, missing, now)
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
    { cursor: last?.id ?? null, state: last === undefined ? "complete" : "comparing", counts },
    now
  )
})

/** Sorts before the id of every operation that is made then or later. */
const operationIdAt = (time: number): string => `op_${firstPaymentId(Math.max(0, time)).slice("pay_".length)}`

interface Stretch {
  readonly after: string
  readonly last: string
  /** ms UTC: when they succeeded. */
  readonly from: number
  readonly until: number
}

/**
 * A create that only held funds is booked by its captures. A difference that is known already is not reported again: its
 * operation is booked, or an operator has to look at it.
 */
const missingBetween = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  { livemode, provider }: StatementRun,
  { after, from, last, until }: Stretch
): Effect.fn.Return<ReadonlyArray<Difference>, SqlError> {
  const rows = yield* sql<MissingRow>`SELECT o.id, o.payment_id, o.kind, o.minor_units, p.currency,
      EXISTS (SELECT 1 FROM operations twin JOIN statement_movements m ON m.operation_id = twin.id
        WHERE twin.reference = o.reference AND twin.provider = o.provider AND twin.kind = o.kind AND twin.id <> o.id
          AND o.kind <> 'capture' AND NOT EXISTS (SELECT 1 FROM operations made
            WHERE made.payment_id = o.payment_id AND made.kind = 'create' AND made.id <> o.id
              AND made.reference = o.reference)) AS is_twin
    FROM operations o JOIN payments p ON p.id = o.payment_id
    WHERE o.id > ${after} AND o.id <= ${last} AND o.provider = ${provider} AND o.status = 'succeeded'
      AND o.kind IN ('create', 'capture', 'refund') AND o.minor_units > 0
      AND o.ended_at >= ${from} AND o.ended_at < ${until} AND p.livemode = ${livemode}
      AND NOT EXISTS (SELECT 1 FROM statement_movements m
        WHERE m.operation_id = o.id AND m.provider = o.provider AND m.type IN ('payment', 'capture', 'refund'))
      AND NOT EXISTS (SELECT 1 FROM operations c WHERE o.kind = 'create' AND c.payment_id = o.payment_id
        AND c.attempt_seq = o.attempt_seq AND c.kind = 'capture' AND c.status = 'succeeded')
      AND NOT EXISTS (SELECT 1 FROM statement_differences d
        WHERE d.operation_id = o.id AND d.resolved_at IS NULL AND d.provider = o.provider)
    ORDER BY o.id`
  return rows.map((row) => ({
    kind: kindOf(row),
    movement: null,
    operationId: row.id,
    paymentId: row.payment_id,
    expected: { minorUnits: Number(row.minor_units), currency: row.currency },
    found: null
  }))
})

const kindOf = ({ is_twin, kind }: MissingRow): Difference["kind"] => {
  if (is_twin) return "duplicate_here"
  return kind === "refund" ? "refund_not_booked" : "missing_there"
}

interface MissingRow {
  readonly id: OperationId
  readonly payment_id: PaymentId
  readonly kind: string
  readonly minor_units: number | string
  readonly currency: string
  /** SQLite returns 0 or 1. */
  readonly is_twin: number | boolean
}

/**
 * Stores a page of a statement: movements, differences, their reports, and the progress of the run, in one transaction.
 */
import type { StatementMovement, StatementPage } from "@paymux/core/statement"
import { differenceEvidence, foundEvidence, indexed, matchPage } from "@paymux/core/engine"
import type { Difference, MatchedPage, MatchRules } from "@paymux/core/engine"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { insertRows, statementsOn } from "../dialect/givenRows.ts"
import type { Row } from "../rows/ReadRow.ts"
import { isOneOf, ofInstance } from "./conditions.ts"
import { completedColumns, movementColumns, readMovement } from "./movementRows.ts"
import { ourOperations, withEntered } from "./ourOperations.ts"
import { advanceRun } from "./runRows.ts"
import type { StatementRun } from "./StatementRun.ts"
import { withPage } from "./StatementRun.ts"
import { keepEvidence, writeDifferences } from "./writeDifferences.ts"

export const enterPage = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  run: StatementRun,
  { movements, next }: StatementPage,
  { now, rules }: { readonly now: number; readonly rules: MatchRules }
) {
  const { matched, ours } = yield* matchedPage(sql, run, movements, rules)
  yield* insertMovements(sql, run, matched)
  yield* completeMovements(sql, run, matched.completed)
  const differences = [...matched.fresh.flatMap((each) => each.differences), ...matched.changed]
  yield* writeDifferences(sql, run, differences, now)
  const reported = differences.flatMap((each) => differenceEvidence(each, ours) ?? [])
  const found = yield* resolveMissing(sql, matched, now)
  yield* keepEvidence(sql, run, [...reported, ...found], now)
  return yield* advanceRun(
    sql,
    run,
    {
      cursor: next,
      state: next === null ? "comparing" : "reading",
      counts: withPage(run.counts, matched)
    },
    now
  )
})

/**
 * Matches a page with our operations. Reads the amounts of the books only if a movement has another amount than the
 * requested one.
 */
const matchedPage = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  run: StatementRun,
  movements: ReadonlyArray<StatementMovement>,
  rules: MatchRules
) {
  const rows = yield* sql<Row>`SELECT * FROM statement_movements
    WHERE ${yield* ofInstance(sql, "provider", run.provider)} AND ${isOneOf(
      sql,
      "id",
      movements.map(({ id }) => id)
    )}`
  const known = new Map(rows.map(readMovement).map((movement) => [movement.id, movement]))
  const named = yield* ourOperations(sql, run, movements)
  const ours = indexed(named, rules)
  const matched = matchPage(movements, known, ours)
  const doubted = matched.fresh.flatMap(({ differences, operation }) => {
    // If payments are booked in parts, all amounts in the books are needed to decide whether the last part is booked.
    if (rules.paymentsInParts && operation?.status === "succeeded") return [operation.paymentId]
    return differences.flatMap(({ kind, paymentId }) =>
      kind === "other_amount" && paymentId !== null ? [paymentId] : []
    )
  })
  if (doubted.length === 0) return { matched, ours }
  const entered = indexed(yield* withEntered(sql, named, doubted), rules)
  return { matched: matchPage(movements, known, entered), ours: entered }
})

/** Inserts new movements, and updates stored movements that were foreign and now belong to one of our operations. */
const insertMovements = (sql: SqlClient.SqlClient, { id, provider }: StatementRun, { fresh }: MatchedPage) =>
  insertRows(
    sql,
    "statement_movements",
    movementColumns(provider, id),
    fresh,
    `ON CONFLICT (provider, id) DO UPDATE SET
      result = excluded.result, operation_id = excluded.operation_id, payment_id = excluded.payment_id`
  )

const completeMovements = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  { provider }: StatementRun,
  completed: ReadonlyArray<StatementMovement>
) {
  const isThere = yield* ofInstance(sql, "statement_movements.provider", provider)
  yield* Effect.all(
    statementsOn(
      sql,
      completedColumns,
      completed,
      (given) => sql`${given} UPDATE statement_movements
        SET payout = given.payout, fee = given.fee, fee_currency = given.fee_currency, net = given.net,
          net_currency = given.net_currency
        FROM given WHERE ${isThere} AND statement_movements.id = given.id`
    ),
    { discard: true }
  )
})

/** Resolves differences about movements that were missing in an earlier statement and are in this one. */
const resolveMissing = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, { fresh }: MatchedPage, now: number) {
  const booking = new Map(
    fresh.flatMap(({ booked, movement, operation }) =>
      operation === null || booked === null ? [] : [[operation.id, { booked, movement }] as const]
    )
  )
  if (booking.size === 0) return []
  const resolved = yield* sql<{ readonly operation_id: Difference["operationId"] }>`UPDATE statement_differences
    SET resolved_at = ${now}
    WHERE ${isOneOf(sql, "operation_id", booking.keys())} AND resolved_at IS NULL AND movement IS NULL
    RETURNING operation_id`
  return resolved.flatMap(({ operation_id }) => {
    const found = operation_id === null ? undefined : booking.get(operation_id)
    return operation_id === null || found === undefined
      ? []
      : [foundEvidence(found.movement, operation_id, found.booked)]
  })
})

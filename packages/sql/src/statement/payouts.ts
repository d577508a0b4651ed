/** The parts of a payout: the transfer to the bank, and the sums of the movements that name the payout. */
import type { MovementType, StatementMovement } from "@paymux/core/statement"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { numeral, reading, text, word } from "../rows/ReadRow.ts"
import type { Row } from "../rows/ReadRow.ts"
import { movementsOfPayout, readListedMovement, selectMovements } from "./statementLists.ts"
import type { ListedMovement } from "./statementLists.ts"

export interface StatementPayout {
  /** The provider's id of the payout. */
  readonly id: string
  readonly provider: string
  /**
   * The transfers to the bank, and transfers that the bank returned: newest first, at most 20. Empty: the statement has
   * no transfer.
   */
  readonly transfers: ReadonlyArray<ListedMovement>
  /** The sums of the payout's other movements, by type, direction and currency. */
  readonly parts: ReadonlyArray<PayoutPart>
  /** The sums of the parts' net amounts, by currency. */
  readonly nets: ReadonlyArray<PayoutSum>
  /** The number of parts without a net amount in the statement: `nets` excludes them. */
  readonly withoutNet: number
}

export interface PayoutPart {
  readonly type: MovementType
  readonly direction: StatementMovement["direction"]
  readonly currency: string
  readonly count: number
  /** The amount before fees in minor units, as text: the sum may exceed 2^53. */
  readonly amount: string
}

export interface PayoutSum {
  readonly currency: string
  /** The signed amount in minor units, as text: the sum may exceed 2^53. */
  readonly amount: string
}

const mostTransfers = 20

export const readPayout = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, provider: string, payout: string) {
  const [transfersOf, partsOf, netsOf] = payoutStatements(sql, provider, payout)
  const transfers = yield* transfersOf.unprepared
  const parts = yield* partsOf.unprepared
  const nets = yield* netsOf.unprepared
  if (transfers.length === 0 && parts.length === 0) return null
  return {
    id: payout,
    provider,
    transfers: transfers.map(readListedMovement),
    parts: parts.map(readPart),
    nets: nets.filter((row) => row["currency"] !== null).map(readSum),
    withoutNet: nets.reduce((sum, row) => (row["currency"] === null ? sum + numeral(row, "count") : sum), 0)
  }
})

/**
 * The SQL for the transfers of a payout, its parts, and their net amounts.
 *
 * @internal Exported for the test of its query plan.
 */
export const payoutStatements = (sql: SqlClient.SqlClient, provider: string, payout: string) => {
  const from = movementsOfPayout(sql)
  const named = [sql`provider = ${provider}`, sql`payout = ${payout}`]
  const isPart = sql.and([...named, sql`type <> 'payout'`])
  return [
    selectMovements(sql, from, [...named, sql`type = 'payout'`], mostTransfers),
    sql<Row>`SELECT type, direction, currency, count(*) AS count, CAST(sum(minor_units) AS text) AS amount
      FROM ${from} WHERE ${isPart} GROUP BY type, direction, currency ORDER BY type, direction, currency`,
    sql<Row>`SELECT net_currency AS currency, count(*) AS count,
        CAST(sum(CASE WHEN ${isTaken(sql)} THEN -net ELSE net END) AS text) AS amount
      FROM ${from} WHERE ${isPart} GROUP BY net_currency ORDER BY net_currency`
  ] as const
}

/**
 * Whether the movement reduced the balance. The net amount is stored without a sign. Its direction is reversed by a fee above
 * the amount of money that came in, and by a returned fee above the amount of money that went out.
 */
const isTaken = (sql: SqlClient.SqlClient) =>
  sql`CASE WHEN fee_currency = currency AND net_currency = currency
    THEN (direction = 'in' AND fee - minor_units = net) OR (direction = 'out' AND -fee - minor_units <> net)
    ELSE direction = 'out' END`

const readPart = reading<PayoutPart>({ type: word, direction: word, currency: text, count: numeral, amount: text })
const readSum = reading<PayoutSum>({ currency: text, amount: text })

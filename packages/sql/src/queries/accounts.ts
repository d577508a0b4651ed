/**
 * The accounts whose payments a database holds. The query jumps through indexes that begin with the account, from one account to
 * the next: its cost grows with the number of accounts, not of payments.
 */
import type { Tenant } from "@paymux/core"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { numeralOrNull, reading, text } from "../rows/ReadRow.ts"
import type { Row } from "../rows/ReadRow.ts"

/** An account and mode with payments. */
export interface PaymentAccount extends Tenant {
  /** The creation time of the newest payment, ms UTC. */
  readonly newestPaymentAt: number
}

const readNewest = reading({ account: text, test: numeralOrNull, live: numeralOrNull })

/** The accounts with payments, in the order of their names, test before live. */
export const accountsWithPayments: Effect.Effect<
  ReadonlyArray<PaymentAccount>,
  SqlError,
  SqlClient.SqlClient
> = Effect.gen(function* () {
  const rows = yield* accountsStatement(yield* SqlClient.SqlClient)
  return rows
    .map(readNewest)
    .flatMap(({ account, live, test }) => [
      ...(test === null ? [] : [{ account, livemode: false, newestPaymentAt: test }]),
      ...(live === null ? [] : [{ account, livemode: true, newestPaymentAt: live }])
    ])
})

/** @internal Exported for the test of its query plan. */
export const accountsStatement = (sql: SqlClient.SqlClient) => {
  const newest = (livemode: boolean) => sql`(
    SELECT p.created_at FROM payments p WHERE p.account = a.account AND p.livemode = ${livemode}
    ORDER BY p.id DESC LIMIT 1)`
  return sql<Row>`
    WITH RECURSIVE accounts (account) AS (
      SELECT (SELECT p.account FROM payments p ORDER BY p.account LIMIT 1)
      UNION ALL
      SELECT (SELECT p.account FROM payments p WHERE p.account > a.account ORDER BY p.account LIMIT 1)
      FROM accounts a WHERE a.account IS NOT NULL
    )
    SELECT a.account, ${newest(false)} AS test, ${newest(true)} AS live
    FROM accounts a WHERE a.account IS NOT NULL ORDER BY a.account`
}

/** The open work of an account and mode: each count scans an index of only these payments, up to a limit. */
import type { Tenant } from "@paymux/core"
import type { StoreUnavailable } from "@paymux/core/store"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { hasNotSucceeded } from "../migrations/kinds.ts"
import { unavailable } from "../dialect/unavailable.ts"
import { numeral, reading } from "../rows/ReadRow.ts"
import type { Row } from "../rows/ReadRow.ts"

export interface OpenWork {
  /** The number of pending payments, at most 10,000. */
  readonly pending: number
  /** The number of payments with an open review, at most 10,000. */
  readonly inReview: number
}

const most = 10_000

export const openWork = Effect.fnUntraced(function* ({
  account,
  livemode
}: Tenant): Effect.fn.Return<OpenWork, StoreUnavailable, SqlClient.SqlClient> {
  const sql = yield* SqlClient.SqlClient
  const [row = {}] = yield* unavailable(
    sql<Row>`SELECT
      (SELECT count(*) FROM (SELECT 1 FROM payments WHERE account = ${account} AND livemode = ${livemode}
        AND status = 'pending' AND ${sql.literal(hasNotSucceeded)} LIMIT ${most}) AS some_pending) AS pending,
      (SELECT count(*) FROM (SELECT 1 FROM payments WHERE account = ${account} AND livemode = ${livemode}
        AND reviews IS NOT NULL LIMIT ${most}) AS some_in_review) AS in_review`
  )
  return readOpenWork(row)
})

const readOpenWork = reading<OpenWork>({ pending: numeral, inReview: numeral })

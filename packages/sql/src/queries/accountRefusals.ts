/** Payment methods that the accounts at providers are not enabled for, by the stored attempts of all processes. */
import { flow } from "@paymux/core"
import type { Flow, PaymentMethod, Rail, Tenant } from "@paymux/core"
import type { StoreUnavailable } from "@paymux/core/store"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { unavailable } from "../dialect/unavailable.ts"
import { inColumn, numeral, parsed, reading, text, textOrNull, word } from "../rows/ReadRow.ts"
import type { Row } from "../rows/ReadRow.ts"
import { isAccountRefusal } from "../migrations/accountRefusals.ts"

/** A kind of payment that a provider refuses to its account, or for lack of a detail. */
export interface AccountRefusal {
  /** The provider instance. */
  readonly provider: string
  readonly rail: Rail
  /** The payment flow, as the merchant requested it. */
  readonly flow: Flow
  readonly currency: string
  readonly code: "account_not_enabled" | "details_required"
  /** The vendor's code; `null`: it was not stored. */
  readonly vendorCode: string | null
  /** How many of the latest 1,000 refusals of all kinds by the provider are of this kind. */
  readonly count: number
  /** ms UTC; when it was last refused. */
  readonly lastAt: number
}

/** How many refusals are read for one provider. */
export const mostAccountRefusals = 1_000

/**
 * The refusals of one provider instance, the latest kinds first. `since`: ms UTC. Each provider has a limit of its own: a
 * provider that refuses every payment does not hide the others.
 */
export const accountRefusals = Effect.fnUntraced(function* (
  { account, livemode }: Tenant,
  provider: string,
  since: number
): Effect.fn.Return<ReadonlyArray<AccountRefusal>, StoreUnavailable, SqlClient.SqlClient> {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* unavailable(
    sql<Row>`SELECT attempts.provider, attempts.code, attempts.vendor_code, attempts.ended_at,
        payments.currency, payments.rail, payments.method
      FROM (SELECT * FROM attempts WHERE ${sql.literal(isAccountRefusal)} AND provider = ${provider} AND ended_at >= ${since}
        ORDER BY ended_at DESC LIMIT ${mostAccountRefusals}) AS attempts
      JOIN payments ON payments.id = attempts.payment_id
      WHERE payments.account = ${account} AND payments.livemode = ${livemode}
      ORDER BY attempts.ended_at DESC`
  )
  return [...Map.groupBy(rows.map(readRefusal), nameOf).values()].flatMap((alike) => {
    const [latest] = alike
    return latest === undefined ? [] : [{ ...latest, count: alike.length }]
  })
})

const readRefusal = reading<Omit<AccountRefusal, "count">>({
  provider: text,
  rail: word,
  flow: (row) => flow(parsed<PaymentMethod>(row, "method")),
  currency: text,
  code: word,
  vendorCode: textOrNull,
  lastAt: inColumn("ended_at", numeral)
})

const nameOf = ({ code, currency, flow, provider, rail, vendorCode }: Omit<AccountRefusal, "count">): string =>
  JSON.stringify([provider, rail, flow, currency, code, vendorCode])

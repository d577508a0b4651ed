/**
 * Payment methods that a provider refused because they are not enabled for our account, from the stored attempts of all
 * processes.
 */
import { flow } from "@paymux/core"
import type { Flow, PaymentMethod, Rail, Tenant } from "@paymux/core"
import type { StoreUnavailable } from "@paymux/core/store"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { unavailable } from "../dialect/unavailable.ts"
import { inColumn, numeral, parsed, reading, text, textOrNull, word } from "../rows/ReadRow.ts"
import type { Row } from "../rows/ReadRow.ts"
import { isAccountRefusal } from "../migrations/accountRefusals.ts"

/**
 * The refusals of one kind of payment by a provider, because the kind is not enabled for our account, or because the
 * payment lacks a detail.
 */
export interface AccountRefusal {
  /** The id of the provider instance. */
  readonly provider: string
  readonly rail: Rail
  /** The payment flow, as the merchant requested it. */
  readonly flow: Flow
  readonly currency: string
  readonly code: "account_not_enabled" | "details_required"
  /** The vendor's code; `null`: it was not stored. */
  readonly vendorCode: string | null
  /** The number of refusals of this kind among the provider's latest 1,000 refusals. */
  readonly count: number
  /** The time of the latest refusal, ms UTC. */
  readonly lastAt: number
}

/** The maximum number of refusals that are read for one provider. */
export const mostAccountRefusals = 1_000

/**
 * Reads the refusals of one provider instance since `since` (ms UTC), the latest kinds first. The limit applies to each
 * provider, so that a provider that refuses every payment does not hide the others.
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

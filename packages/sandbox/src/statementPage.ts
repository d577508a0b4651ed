/** The statement of a simulated provider: the captures and refunds of its ledger, with fees. */
import type { Money, ProviderError } from "@paymux/core"
import type { StatementMovement, StatementPage, StatementQuery } from "@paymux/core/statement"
import { invalidRequest, rateLimited } from "@paymux/core"
import { Effect } from "effect"
import type { BookedMovement, SandboxLedger } from "./SandboxLedger.ts"

const pageSize = 1000

export const statementPage = (
  ledger: SandboxLedger["Service"],
  provider: string,
  query: StatementQuery
): Effect.Effect<StatementPage, ProviderError> => {
  const { cursor, since, until } = query
  const after = cursor === null ? null : placeOf(cursor, query)
  if (after === "other") return Effect.fail(invalidRequest("cursor"))
  return ledger.booked(provider, { since, until, after, limit: pageSize }).pipe(
    Effect.map((booked): StatementPage => {
      const last = booked.at(-1)
      const next = last === undefined || booked.length < pageSize ? null : cursorOf(last, query)
      return { movements: booked.map(movementOf), next }
    }),
    // Returns a rate limit error, so that the caller reads the page again later.
    Effect.mapError(() => rateLimited(null))
  )
}

type Place = Pick<BookedMovement, "at" | "key">

const cursorOf = ({ at, key }: Place, { since, until }: StatementQuery): string => `${since} ${until} ${at} ${key}`

/** The position of a cursor; `other`: the cursor does not belong to this query. */
const placeOf = (cursor: string, query: StatementQuery): Place | "other" => {
  const [, , at = "", ...key] = cursor.split(" ")
  const place = { at: Number(at), key: key.join(" ") }
  return place.key !== "" && cursor === cursorOf(place, query) ? place : "other"
}

const movementOf = (booked: BookedMovement): StatementMovement => {
  const { at, charge, currency, key, kind, minorUnits, operationId } = booked
  const amount = { minorUnits, currency }
  const fee = kind === "capture" ? feeOf(amount) : null
  const reference = operationId === null ? null : `sbx_${operationId.replace(/^op_/, "")}`
  return {
    id: `sbx_txn_${key}`,
    type: kind === "refund" ? "refund" : reference === charge ? "payment" : "capture",
    operation: operationId,
    reference,
    original: charge,
    amount,
    direction: kind === "refund" ? "out" : "in",
    fee,
    net: { minorUnits: minorUnits - (fee?.minorUnits ?? 0), currency },
    payout: null,
    bookedAt: at
  }
}

/** The fee: 2 %, rounded down. */
const feeOf = ({ currency, minorUnits }: Money.Money): Money.Money => ({
  minorUnits: Math.floor(minorUnits / 50),
  currency
})

/** The statement of a simulated provider: every capture and refund of its book, with a fee. */
import type { Money, ProviderError } from "@paymux/core"
import type { StatementMovement, StatementPage, StatementQuery } from "@paymux/core/statement"
import { rateLimited } from "@paymux/core"
import { Effect } from "effect"
import type { BookedMovement, SandboxLedger } from "./SandboxLedger.ts"

const pageSize = 1000

export const statementPage = (
  ledger: SandboxLedger["Service"],
  provider: string,
  { cursor, since, until }: StatementQuery
): Effect.Effect<StatementPage, ProviderError> =>
  ledger.booked(provider, { since, until, after: cursor === null ? null : placeOf(cursor), limit: pageSize }).pipe(
    Effect.map((booked): StatementPage => {
      const last = booked.at(-1)
      const next = last === undefined || booked.length < pageSize ? null : `${last.at} ${last.key}`
      return { movements: booked.map(movementOf), next }
    }),
    // Read again later, as from a provider that does not answer now.
    Effect.mapError(() => rateLimited(null))
  )

const placeOf = (cursor: string) => {
  const [at = "", ...key] = cursor.split(" ")
  return { at: Number(at), key: key.join(" ") }
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

/** 2 %, rounded down. */
const feeOf = ({ currency, minorUnits }: Money.Money): Money.Money => ({
  minorUnits: Math.floor(minorUnits / 50),
  currency
})

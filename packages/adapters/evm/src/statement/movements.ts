/** A confirmed transfer as movements of a statement. Pure. */
import type { StatementMovement } from "@paymux/core/statement"
import { accountId } from "../deposits/addresses.ts"
import type { Deposit } from "../deposits/Deposit.ts"
import type { Transfer } from "../nodes/wire.ts"
import { minorOf } from "../tokens.ts"
import type { Coin } from "../tokens.ts"

/** What is known of a transfer. */
export interface Known {
  /** Of its recipient; `null`: the address is none of ours. */
  readonly deposit: Deposit | null
  /** It was sent by the wallet of refunds. */
  readonly isFromWallet: boolean
  /** Of its token; `null`: it is none that payments are made in. */
  readonly coin: Coin | null
  readonly chainId: number
  /** ms UTC, of its block. */
  readonly time: number
}

/** A refund to one of our own addresses is both. What is less than a minor unit is no movement. */
export const movementsOf = (transfer: Transfer, known: Known): ReadonlyArray<StatementMovement> => {
  const { chainId, coin, deposit, isFromWallet, time } = known
  const minorUnits = coin === null ? 0 : minorOf(transfer.units, coin)
  if (coin === null || minorUnits === 0) return []
  const movement = {
    id: `${chainId}:${transfer.tx}:${transfer.index}`,
    operation: null,
    reference: null,
    original: null,
    amount: { minorUnits, currency: coin.currency },
    fee: null,
    net: null,
    payout: null,
    bookedAt: time
  }
  const isPayment = deposit?.coin.contract === transfer.token
  return [
    ...(deposit === null
      ? []
      : [
          {
            ...movement,
            // Another token than the payment is made in counts for nothing.
            type: isPayment ? ("payment" as const) : ("adjustment" as const),
            operation: isPayment ? deposit.operation : null,
            reference: accountId(deposit),
            direction: "in" as const
          }
        ]),
    ...(isFromWallet
      ? [
          {
            ...movement,
            id: `${movement.id}:out`,
            type: "refund" as const,
            reference: transfer.tx,
            direction: "out" as const
          }
        ]
      : [])
  ]
}

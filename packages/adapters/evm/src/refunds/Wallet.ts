/**
 * The wallet that refunds come from, as it is written down: which nonce is next, and what was signed and is not final.
 * A transaction is written here before it is broadcast, and whatever happens then, it is this one that is broadcast
 * again: two refunds cannot come of one.
 *
 * - `wallet/<chain id>`: the next nonce and the open refunds.
 * - `refund/<operation>`: how a refund ended. It is written before the open one is taken out of the wallet.
 */
import type { ProviderState } from "@paymux/core"
import { Currency } from "@paymux/core"
import { Effect, Schema } from "effect"
import { documents, HexText } from "../deposits/DepositStore.ts"

const SignedJson = Schema.Struct({
  nonce: Schema.Int,
  raw: HexText,
  hash: HexText,
  token: HexText,
  to: HexText,
  units: Schema.BigIntFromString,
  /** The final block when it was signed: it is in none before. */
  since: Schema.Int,
  /** What it gives back, in minor units, and of which currency. */
  minor: Schema.Int,
  currency: Schema.String.pipe(Schema.refine(Currency.isCurrency))
})
/** A refund that was signed, and is not final. */
export type Signed = typeof SignedJson.Type

const WalletJson = Schema.fromJsonString(
  Schema.Struct({
    v: Schema.Literal(1),
    /** Grows with every write: who signed by an older state does not write. */
    revision: Schema.Int,
    next: Schema.NullOr(Schema.Int),
    open: Schema.Record(Schema.String, SignedJson)
  })
)
export type Wallet = Omit<typeof WalletJson.Type, "v">

const EndJson = Schema.fromJsonString(
  Schema.Struct({
    v: Schema.Literal(1),
    /** `void`: it was looked for, not found, and is not to be sent any more. */
    end: Schema.Literals(["succeeded", "failed", "void"]),
    hash: Schema.NullOr(HexText)
  })
)
export type End = Omit<typeof EndJson.Type, "v">

const empty: Wallet = { revision: 0, next: null, open: {} }

export const makeWallets = (state: ProviderState) => {
  const wallets = documents(state, WalletJson)
  const ends = documents(state, EndJson)
  const walletKey = (chainId: number) => `wallet/${chainId}`
  const endKey = (operation: string) => `refund/${operation}`

  const get = (chainId: number): Effect.Effect<Wallet> =>
    Effect.map(wallets.get(walletKey(chainId)), (found) => found ?? empty)

  return {
    get,
    endOf: (operation: string): Effect.Effect<End | null> => ends.get(endKey(operation)),
    /** Writes only where the wallet is still as it was when `signed` was made; answers whether it did. */
    open: (chainId: number, operation: string, signed: Signed, revision: number) =>
      Effect.map(
        wallets.update(walletKey(chainId), (current) => {
          const wallet = current ?? empty
          return wallet.revision === revision
            ? { v: 1, revision: revision + 1, next: signed.nonce + 1, open: { ...wallet.open, [operation]: signed } }
            : null
        }),
        (after) => after?.open[operation]?.hash === signed.hash
      ),
    /** What was signed in the last moment has an end after all, also where it was given up. */
    close: Effect.fnUntraced(function* (chainId: number, operation: string, end: End) {
      yield* ends.update(endKey(operation), (current) =>
        current === null || current.end === "void" ? { v: 1, ...end } : null
      )
      yield* wallets.update(walletKey(chainId), (current) => {
        if (current === null) return null
        const { [operation]: closed, ...open } = current.open
        return closed === undefined ? null : { ...current, revision: current.revision + 1, open }
      })
    }),
    /**
     * It will not be sent any more: also not by a process that was about to, since the wallet that it read is another one
     * by then. One that was written just before stands, and comes to its end.
     */
    refuse: Effect.fnUntraced(function* (chainId: number, operation: string) {
      yield* ends.add(endKey(operation), { v: 1, end: "void", hash: null })
      yield* wallets.update(walletKey(chainId), (current) => ({
        v: 1,
        ...(current ?? empty),
        revision: (current?.revision ?? 0) + 1
      }))
    })
  }
}

export type Wallets = ReturnType<typeof makeWallets>

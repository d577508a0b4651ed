/** Transfers of the tokens that matter, by ranges of blocks that the nodes take. */
import type { Address } from "viem"
import type { Hit } from "../deposits/Deposit.ts"
import { calls } from "./Node.ts"
import type { Call, NodeFailed } from "./Node.ts"
import type { Chain } from "../options.ts"
import { topicOf, transferTopic } from "./wire.ts"
import type { Transfer } from "./wire.ts"

/** Every contract whose transfers are looked at. */
const contractsOf = ({ tokens, wrongTokens }: Pick<Chain, "tokens" | "wrongTokens">): ReadonlyArray<Address> => [
  ...tokens.map(({ contract }) => contract),
  ...wrongTokens
]

/** Transfers in the blocks `from` to `to`, both inclusive; to everybody, or to one address. */
export const transfersCall = (
  chain: Pick<Chain, "tokens" | "wrongTokens">,
  { from, to }: { readonly from: number; readonly to: number },
  recipient: Address | null = null
): Call =>
  calls.transfers(
    contractsOf(chain),
    [transferTopic, null, ...(recipient === null ? [] : [topicOf(recipient)])],
    from,
    to
  )

/** What was asked for: a node may answer more than that, or something else. */
export const within =
  (chain: Pick<Chain, "tokens" | "wrongTokens">, { from, to }: { readonly from: number; readonly to: number }) =>
  ({ block, token }: Hit): boolean =>
    block >= from && block <= to && contractsOf(chain).includes(token)

/** By recipient, in lower case. */
export const byRecipient = (transfers: ReadonlyArray<Transfer>): ReadonlyMap<Address, ReadonlyArray<Transfer>> =>
  Map.groupBy(transfers, ({ to }) => to)

/** How many blocks are asked for at a time: halved where a node finds it too many, and doubled again after a while. */
export interface Range {
  readonly size: () => number
  readonly succeeded: () => void
  /** Fewer, for a reason that no node reported. */
  readonly less: () => void
  /** Whether it is worth asking again at once, for less. */
  readonly failed: (failure: NodeFailed) => boolean
}

/** After so many successes more is tried again; after so many errors of no known meaning, less. */
const patience = { calm: 5, strange: 3 } as const

export const makeRange = (most: number): Range => {
  let size = most
  let calm = 0
  let strange = 0
  return {
    size: () => size,
    succeeded: () => {
      strange = 0
      calm += 1
      if (calm < patience.calm) return
      calm = 0
      size = Math.min(most, size * 2)
    },
    less: () => {
      calm = 0
      size = Math.max(1, Math.floor(size / 2))
    },
    failed: ({ fault }) => {
      calm = 0
      strange = fault === "refused" ? strange + 1 : strange
      const isTooLarge = fault === "too_large" || strange >= patience.strange
      if (!isTooLarge || size === 1) return false
      strange = 0
      size = Math.max(1, Math.floor(size / 2))
      return true
    }
  }
}

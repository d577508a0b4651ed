/**
 * Transfers in final blocks. What one node reports is verified at others, by the receipt of each transfer, until `quorum` of
 * them confirm it.
 */
import { Effect } from "effect"
import { transfersCall, within } from "./logs.ts"
import type { Node, NodeFailed } from "./Node.ts"
import type { Nodes } from "./Nodes.ts"
import { reportsOf, verifyReports } from "./verification.ts"
import { readTransfers } from "./wire.ts"
import type { Transfer } from "./wire.ts"
import type { Chain } from "../options.ts"

interface Needs {
  readonly chain: Pick<Chain, "tokens" | "wrongTokens">
  readonly nodes: Nodes
  /** Those of the reported transfers that are asked for: the others are not verified. */
  readonly select: (transfers: ReadonlyArray<Transfer>) => Effect.Effect<ReadonlyArray<Transfer>>
  /** What was seen before it was final: a node that hides it now does not lose it. */
  readonly before: ReadonlyArray<Transfer>
  /** What earlier looks at the same blocks confirmed. */
  readonly confirmed: Set<string>
}

/** In the blocks `from` to `to`, both inclusive. `null`: the nodes do not agree on one of them. */
export const confirmedTransfers = Effect.fnUntraced(function* (
  { before, chain, confirmed, nodes, select }: Needs,
  blocks: { readonly from: number; readonly to: number },
  trusted: ReadonlyArray<Node>
): Effect.fn.Return<ReadonlyArray<Transfer> | null, NodeFailed> {
  const asked = yield* nodes.enough(transfersCall(chain, blocks), readTransfers, trusted)
  const isWithin = within(chain, blocks)
  const reported = asked.flatMap(({ node, value }) => value.filter(isWithin).map((transfer) => ({ node, transfer })))
  const selected = new Set(yield* select(reported.map(({ transfer }) => transfer)))
  const reports = reportsOf([
    ...reported.filter(({ transfer }) => selected.has(transfer)),
    ...before.filter(isWithin).map((transfer) => ({ node: null, transfer }))
  ])
  const verificationOf = yield* verifyReports(nodes, trusted, reports, confirmed)
  if (reports.some((report) => verificationOf(report) === "undecided")) return null
  const sure = reports.filter((report) => verificationOf(report) === "confirmed")
  yield* Effect.forEach(asked, ({ node }) => {
    const hidden = sure.find((report) => !report.reported.includes(node))
    return hidden === undefined
      ? Effect.void
      : nodes.doubt(node, `has no log of transfer ${hidden.transfer.index} of ${hidden.transfer.tx}, which is final`)
  })
  return sure.map(({ transfer }) => transfer)
})

/** Reads what has become final: money counts only by this pass. */
import { Effect, Result } from "effect"
import type { Address } from "viem"
import { withFinal } from "./Cursor.ts"
import type { Cursor } from "./Cursor.ts"
import type { Hit } from "./Deposit.ts"
import { finalMark, markAt, stillHas } from "../nodes/finality.ts"
import type { Mark } from "../nodes/finality.ts"
import { confirmedTransfers } from "../nodes/confirmed.ts"
import { byRecipient } from "../nodes/logs.ts"
import type { Range } from "../nodes/logs.ts"
import type { Node, NodeFailed } from "../nodes/Node.ts"
import type { Nodes } from "../nodes/Nodes.ts"
import type { Chain } from "../options.ts"
import type { Transfer } from "../nodes/wire.ts"

export interface FinalNews {
  readonly cursor: Cursor
  /** Confirmed, by the address that they came to. */
  readonly hits: ReadonlyMap<Address, ReadonlyArray<Hit>>
  /** There is more to look at, without waiting. */
  readonly behind: boolean
  /** The highest block that is final, whether it was looked at or not; `null`: not known now. */
  readonly final: number | null
}

interface Needs {
  readonly chain: Chain
  readonly nodes: Nodes
  readonly range: Range
  /** Those of these addresses that were issued. */
  readonly ours: (addresses: ReadonlyArray<Address>) => Effect.Effect<ReadonlySet<Address>>
  /** What was seen up to this block before it was final: a node that hides it now does not lose it. */
  readonly seen: (upTo: number) => Effect.Effect<ReadonlyArray<Transfer>>
  /** What earlier looks at the same blocks confirmed. */
  readonly confirmed: Set<string>
}

export const finalPass = Effect.fnUntraced(function* (
  { chain, confirmed, nodes, ours, range, seen }: Needs,
  cursor: Cursor
): Effect.fn.Return<FinalNews, NodeFailed> {
  const above = cursor.final.number
  const size = range.size()
  const mark = yield* finalMark(nodes, { depth: chain.depth, above, upTo: above + size })
  const nothing: FinalNews = { cursor, hits: new Map(), behind: false, final: null }
  if (mark === null) return nothing
  const known = yield* stillHas(nodes, mark.nodes, cursor.final)
  if (known === null) return nothing
  if (!known) {
    const lower = yield* back(chain, nodes, mark.nodes, cursor.final)
    return lower === null ? nothing : { ...nothing, cursor: lower, behind: true }
  }
  const blocks = { from: above + 1, to: mark.number }
  const select = (transfers: ReadonlyArray<Transfer>) =>
    Effect.map(ours([...byRecipient(transfers).keys()]), (issued) => transfers.filter(({ to }) => issued.has(to)))
  const found = yield* Effect.result(
    confirmedTransfers({ chain, confirmed, nodes, select, before: yield* seen(mark.number) }, blocks, mark.nodes)
  )
  if (Result.isFailure(found)) {
    return range.failed(found.failure) ? { ...nothing, behind: true } : yield* found.failure
  }
  range.succeeded()
  // Nothing is passed over before it is known what it is.
  if (found.success === null) {
    range.less()
    return nothing
  }
  confirmed.clear()
  return {
    cursor: withFinal(cursor, { number: mark.number, hash: mark.hash }),
    hits: byRecipient(found.success),
    behind: mark.number < mark.final,
    final: mark.final
  }
})

/**
 * A block that counted as final is gone: the depth was too small, or the chain failed. It is looked at again from far
 * below. What was credited stays so; a transaction that is in another block now is known again by its name.
 */
const back = Effect.fnUntraced(function* (
  { depth, network }: Chain,
  nodes: Nodes,
  asked: ReadonlyArray<Node>,
  { number }: Mark
) {
  const lower = Math.max(0, number - 1024 - 4 * (depth ?? 0))
  const mark = yield* markAt(nodes, asked, lower)
  if (mark === null) return null
  yield* Effect.logError(
    `Block ${number} of ${network} counted as final and is gone. Blocks from ${lower} on are looked at again, and what was ` +
      `credited stays credited: an operator has to look, and to configure more depth`
  )
  return { final: mark, trail: [] } satisfies Cursor
})

/**
 * Reads what is not final yet, at one node: it reports money that is on its way, and retracts it when the chain
 * does. Nothing counts by it, so one node is enough.
 */
import { Effect, Result } from "effect"
import type { Address } from "viem"
import { backTo, headOf, withHead } from "./Cursor.ts"
import type { Cursor } from "./Cursor.ts"
import type { Hit } from "./Deposit.ts"
import type { Mark } from "../nodes/finality.ts"
import { byRecipient, transfersCall, within } from "../nodes/logs.ts"
import type { Range } from "../nodes/logs.ts"
import { calls } from "../nodes/Node.ts"
import type { Node, NodeFailed } from "../nodes/Node.ts"
import type { Nodes } from "../nodes/Nodes.ts"
import type { Chain } from "../options.ts"
import { readBlock, readCount, readTransfers } from "../nodes/wire.ts"

export interface HeadNews {
  readonly cursor: Cursor
  /** By the address that they came to. */
  readonly hits: ReadonlyMap<Address, ReadonlyArray<Hit>>
  /** There is more to look at, without waiting. */
  readonly behind: boolean
  /** What was seen above this block is gone; `null`: nothing is. */
  readonly gone: number | null
}

/**
 * Behind one URL there may be several nodes, some of them behind: a chain counts as shorter than before only where it
 * was in several looks, one after the other.
 */
export interface Shorter {
  looks: number
}

const looksToBeShorter = 3

interface Needs {
  readonly shorter: Shorter
  readonly chain: Chain
  readonly nodes: Nodes
  readonly range: Range
  readonly ours: (addresses: ReadonlyArray<Address>) => Effect.Effect<ReadonlySet<Address>>
}

/** `final`: the highest block that is final, below which there is nothing to see. */
export const headPass = Effect.fnUntraced(function* (
  { chain, nodes, ours, range, shorter }: Needs,
  cursor: Cursor,
  final: number | null
): Effect.fn.Return<HeadNews, NodeFailed> {
  const nothing: HeadNews = { cursor, hits: new Map(), behind: false, gone: null }
  const isShort = yield* Effect.cached(isShorter(nodes, headOf(cursor).number, shorter))
  const refusing = new Map<Node, NodeFailed>()
  while (true) {
    const place = yield* ancestor(nodes, cursor, isShort, refusing)
    if (place === null) {
      const failures = [...refusing.values()]
      const failure = failures.find(({ fault }) => fault === "too_large") ?? failures[0]
      // What is gone is taken back only with what came in its place.
      if (failure === undefined) return nothing
      return range.failed(failure) ? { ...nothing, behind: true } : yield* failure
    }
    const looked = yield* Effect.result(lookAt({ chain, nodes, ours, range }, cursor, final, place))
    if (Result.isSuccess(looked)) return looked.success
    refusing.set(place.node, looked.failure)
  }
})

const lookAt = Effect.fnUntraced(function* (
  { chain, nodes, ours, range }: Omit<Needs, "shorter">,
  cursor: Cursor,
  final: number | null,
  { head, mark, node }: Place
): Effect.fn.Return<HeadNews, NodeFailed> {
  const known = mark.number === headOf(cursor).number
  const since = known ? cursor : backTo(cursor, mark)
  const start = Math.max(mark.number, final ?? 0)
  const blocks = { from: start + 1, to: Math.min(head.number, start + range.size()) }
  const gone = known ? null : mark.number
  const nothing: HeadNews = { cursor, hits: new Map(), behind: false, gone: null }
  if (blocks.from > blocks.to) return { ...nothing, cursor: since, gone }
  const reported = yield* nodes.ask(node, transfersCall(chain, blocks), readTransfers)
  const last = blocks.to === head.number ? head : yield* nodes.ask(node, calls.block(blocks.to), readBlock)
  if (last === null) return nothing
  range.succeeded()
  const hits = byRecipient(reported.filter(within(chain, blocks)))
  const issued = yield* ours([...hits.keys()])
  return {
    cursor: withHead(since, { number: last.number, hash: last.hash }),
    hits: new Map([...hits].filter(([address]) => issued.has(address))),
    behind: blocks.to < head.number,
    gone
  }
})

interface Place {
  readonly node: Node
  readonly head: Mark
  /** The newest block of ours that this node has, too. */
  readonly mark: Mark
}

/**
 * At the first node that is on our chain and has something new, else at one that has nothing new: a node that is stuck
 * hides nothing. `null`: all have only fallen behind, or are left out.
 */
const ancestor = Effect.fnUntraced(function* (
  nodes: Nodes,
  cursor: Cursor,
  isShort: Effect.Effect<boolean>,
  without: ReadonlyMap<Node, NodeFailed>
): Effect.fn.Return<Place | null, NodeFailed> {
  const before = headOf(cursor)
  let failure: NodeFailed | null = nodes.noAnswer(calls.block("latest"))
  let same: Place | null = null
  for (const node of yield* nodes.present) {
    if (without.has(node)) continue
    const found = yield* Effect.result(placeAt(nodes, node, cursor, isShort))
    if (Result.isFailure(found)) {
      failure = failure === null ? null : found.failure
      continue
    }
    if (found.success === "elsewhere") {
      yield* nodes.doubt(node, `does not have block ${cursor.final.number} as the others have it: it is not asked`)
      continue
    }
    failure = null
    if (found.success === "behind") continue
    const { head, mark } = found.success
    if (head.number > before.number || mark.number < before.number) return found.success
    same ??= found.success
  }
  return failure === null || without.size > 0 ? same : yield* failure
})

const placeAt = Effect.fnUntraced(function* (
  nodes: Nodes,
  node: Node,
  cursor: Cursor,
  isShort: Effect.Effect<boolean>
) {
  const head = yield* nodes.ask(node, calls.block("latest"), readBlock)
  if (head === null) return "behind" as const
  if (head.number < headOf(cursor).number && !(yield* isShort)) return "behind" as const
  for (const mark of [...cursor.trail, cursor.final]) {
    if (mark.number > head.number) continue
    const same = mark.number === head.number ? head : yield* nodes.ask(node, calls.block(mark.number), readBlock)
    // It has higher ones and not this one: another node answered, which is behind.
    if (same === null) return "behind" as const
    if (same.hash === mark.hash) return { node, head: { number: head.number, hash: head.hash }, mark } satisfies Place
  }
  return head.number < cursor.final.number ? ("behind" as const) : ("elsewhere" as const)
})

/** Whether no node has a block so high, they are enough to say so, and it was so in several looks. */
const isShorter = Effect.fnUntraced(function* (nodes: Nodes, than: number, shorter: Shorter) {
  const heads = yield* nodes.all(calls.blockNumber, readCount)
  const is = heads.length >= nodes.quorum && heads.every(({ value }) => value < than)
  shorter.looks = is ? shorter.looks + 1 : 0
  return shorter.looks >= looksToBeShorter
})

/** Whether something came to an address, by what enough nodes say at this moment. */
import { Ids } from "@paymux/core"
import type { OperationId } from "@paymux/core"
import { Effect, Result } from "effect"
import { encodeFunctionData, erc20Abi } from "viem"
import type { Cursor } from "./Cursor.ts"
import { exceedsKnown, isEmpty, see } from "./Deposit.ts"
import type { Deposit, Hit } from "./Deposit.ts"
import { makeRange, transfersCall, within } from "../nodes/logs.ts"
import type { Range } from "../nodes/logs.ts"
import { calls } from "../nodes/Node.ts"
import type { Node, NodeFailed } from "../nodes/Node.ts"
import type { Nodes } from "../nodes/Nodes.ts"
import type { Scanned } from "./scanner.ts"
import { reportsOf, verifyReports } from "../nodes/verification.ts"
import { readCount, readQuantity, readTransfers } from "../nodes/wire.ts"
import type { Transfer } from "../nodes/wire.ts"

interface NodeHits {
  readonly node: Node
  /** Its newest block. */
  readonly head: number
  readonly hits: ReadonlyArray<Transfer>
  /** Base units of the coin in that block; `null`: not asked for, or not answered. */
  readonly balance: bigint | null
}

export interface Look {
  readonly hits: ReadonlyArray<Hit>
  /** Whether enough nodes report a balance that the known transfers do not explain. */
  readonly unseen: boolean
}

/** ms, for one node: who is slower has not answered. */
const patience = 3_000

/**
 * Looks at all blocks above those that the scanner has credited already. What too few nodes tell is checked by its
 * receipt: one that lies keeps nothing open, and where it stays undecided there is no answer.
 */
export const closable = Effect.fnUntraced(function* (
  { chain, nodes }: Scanned,
  cursor: Cursor,
  deposit: Deposit
): Effect.fn.Return<Look, NodeFailed> {
  const { address } = deposit
  const asked = yield* Effect.forEach(
    yield* nodes.present,
    (node) =>
      Effect.result(
        Effect.timeoutOrElse(hitsAt(node, cursor.final.number, makeRange(chain.maxRange)), {
          duration: patience,
          orElse: () => Effect.fail(nodes.noAnswer(calls.blockNumber))
        })
      ),
    { concurrency: "unbounded" }
  )
  const answers = asked.flatMap((each) => (Result.isSuccess(each) ? [each.success] : []))
  if (answers.length < nodes.quorum) return yield* nodes.noAnswer(calls.blockNumber)
  const reports = reportsOf(answers.flatMap(({ hits, node }) => hits.map((transfer) => ({ node, transfer }))))
  const hits = reports.filter(({ reported }) => reported.length >= nodes.quorum).map(({ transfer }) => transfer)
  for (const report of reports.filter(({ reported }) => reported.length < nodes.quorum)) {
    // Only a node that has its block can say that it is not there.
    const able = answers.filter(({ head }) => head >= report.transfer.block).map(({ node }) => node)
    const verification = (yield* verifyReports(nodes, able, [report], new Set()))(report)
    if (verification === "undecided") return yield* nodes.noAnswer(calls.blockNumber)
    if (verification === "confirmed") hits.push(report.transfer)
  }
  return { hits, unseen: yield* holdsUnseen(see(deposit, hits), answers, nodes) }

  function hitsAt(node: Node, above: number, range: Range): Effect.Effect<NodeHits, NodeFailed> {
    return Effect.gen(function* () {
      const head = yield* nodes.ask(node, calls.blockNumber, readCount)
      // It does not know the blocks that are asked about.
      if (head < above) return yield* nodes.noAnswer(calls.blockNumber)
      const [hits, balance] = yield* Effect.all([hitsUpTo(node, head, above, range), balanceAt(node, head)], {
        concurrency: "unbounded"
      })
      return { node, head, hits, balance }
    })
  }

  function hitsUpTo(
    node: Node,
    head: number,
    above: number,
    range: Range
  ): Effect.Effect<ReadonlyArray<Transfer>, NodeFailed> {
    return Effect.gen(function* () {
      const found: Array<Transfer> = []
      let from = above + 1
      while (from <= head) {
        const blocks = { from, to: Math.min(head, from + range.size() - 1) }
        const reported = yield* Effect.result(nodes.ask(node, transfersCall(chain, blocks, address), readTransfers))
        if (Result.isFailure(reported)) {
          if (!range.failed(reported.failure)) return yield* reported.failure
          continue
        }
        range.succeeded()
        found.push(...reported.success.filter((hit) => hit.to === address.toLowerCase() && within(chain, blocks)(hit)))
        from = blocks.to + 1
      }
      return found
    })
  }

  /** In the block that the node reported as its newest: one that does not have it fails instead of reporting less. */
  function balanceAt(node: Node, head: number): Effect.Effect<bigint | null> {
    if (!mayHoldUnknown(deposit)) return Effect.succeed(null)
    const call = balanceCall(deposit, head)
    return Effect.map(
      Effect.result(nodes.ask(node, call, readQuantity)),
      Result.getOrElse(() => null)
    )
  }
})

const balanceCall = ({ address, coin }: Deposit, at: number | "latest") =>
  calls.call(coin.contract, encodeFunctionData({ abi: erc20Abi, functionName: "balanceOf", args: [address] }), at)

/**
 * Only an address of a repeated request may have been paid before it was issued here: to the payer of a request whose payment
 * the database has lost. The scanner does not know these transfers.
 */
const mayHoldUnknown = ({ operation }: Deposit): boolean =>
  // Boundary: the engine gave the id of the operation that the address was issued for.
  Ids.isDerived(operation as OperationId)

/** As many nodes as have to agree must report the same: a node that is behind, or lies, closes nothing. */
const holdsUnseen = (
  deposit: Deposit,
  answers: ReadonlyArray<NodeHits>,
  nodes: Nodes
): Effect.Effect<boolean, NodeFailed> => {
  if (!mayHoldUnknown(deposit) || !isEmpty(deposit)) return Effect.succeed(false)
  const unseen = answers.flatMap(({ balance }) => (balance === null ? [] : [exceedsKnown(deposit, balance)]))
  if (unseen.filter((each) => !each).length >= nodes.quorum) return Effect.succeed(false)
  if (unseen.filter(Boolean).length >= nodes.quorum) return Effect.succeed(true)
  return Effect.fail(nodes.noAnswer(balanceCall(deposit, "latest")))
}

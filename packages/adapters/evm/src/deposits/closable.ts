/** Whether something came to an address, by what enough nodes say at this moment. */
import { Effect, Result } from "effect"
import { encodeFunctionData, erc20Abi } from "viem"
import type { Address } from "viem"
import type { Cursors } from "./Cursor.ts"
import type { Hit } from "./Deposit.ts"
import { makeRange, transfersCall, within } from "../nodes/logs.ts"
import type { Range } from "../nodes/logs.ts"
import { calls } from "../nodes/Node.ts"
import type { Node, NodeFailed } from "../nodes/Node.ts"
import { noAnswer } from "../nodes/Nodes.ts"
import type { Scanned } from "./scanner.ts"
import { reportsOf, verifyReports } from "../nodes/verification.ts"
import { readCount, readQuantity, readTransfers } from "../nodes/wire.ts"
import type { Transfer } from "../nodes/wire.ts"
import type { Coin } from "../tokens.ts"

interface NodeHits {
  readonly node: Node
  /** Its newest block. */
  readonly head: number
  readonly hits: ReadonlyArray<Transfer>
}

/** ms, for one node: who is slower has not answered. */
const patience = 3_000

/**
 * Looks at all blocks above those that the scanner has credited already. What too few nodes tell is checked by its
 * receipt: one that lies keeps nothing open, and where it stays undecided there is no answer.
 */
export const closable = Effect.fnUntraced(function* (
  { cursors, place: { chain, nodes } }: { readonly cursors: Cursors; readonly place: Scanned },
  address: Address
): Effect.fn.Return<{ readonly hits: ReadonlyArray<Hit> }, NodeFailed> {
  const cursor = yield* cursors.get(chain.chainId)
  if (cursor === null) return yield* noAnswer(calls.blockNumber)
  const asked = yield* Effect.forEach(
    yield* nodes.present,
    (node) =>
      Effect.result(
        Effect.timeoutOrElse(hitsAt(node, cursor.final.number, makeRange(chain.maxRange)), {
          duration: patience,
          orElse: () => Effect.fail(noAnswer(calls.blockNumber))
        })
      ),
    { concurrency: "unbounded" }
  )
  const answers = asked.flatMap((each) => (Result.isSuccess(each) ? [each.success] : []))
  if (answers.length < nodes.quorum) return yield* noAnswer(calls.blockNumber)
  const reports = reportsOf(answers.flatMap(({ hits, node }) => hits.map((transfer) => ({ node, transfer }))))
  const hits = reports.filter(({ reported }) => reported.length >= nodes.quorum).map(({ transfer }) => transfer)
  for (const report of reports.filter(({ reported }) => reported.length < nodes.quorum)) {
    // Only a node that has its block can say that it is not there.
    const able = answers.filter(({ head }) => head >= report.transfer.block).map(({ node }) => node)
    const verification = (yield* verifyReports(nodes, able, [report], new Set()))(report)
    if (verification === "undecided") return yield* noAnswer(calls.blockNumber)
    if (verification === "confirmed") hits.push(report.transfer)
  }
  return { hits }

  function hitsAt(node: Node, above: number, range: Range): Effect.Effect<NodeHits, NodeFailed> {
    return Effect.gen(function* () {
      const head = yield* nodes.ask(node, calls.blockNumber, readCount)
      // It does not know the blocks that are asked about.
      if (head < above) return yield* noAnswer(calls.blockNumber)
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
      return { node, head, hits: found }
    })
  }
})

/**
 * What enough nodes report as the balance, in base units. The scanner does not know the coins that came before the address
 * was issued here: to the payer of a request whose payment the database has lost.
 */
export const balanceOf = (
  { nodes }: Scanned,
  address: Address,
  { contract }: Coin
): Effect.Effect<bigint, NodeFailed> => {
  const asked = encodeFunctionData({ abi: erc20Abi, functionName: "balanceOf", args: [address] })
  return nodes.atLeast(calls.call(contract, asked), readQuantity)
}

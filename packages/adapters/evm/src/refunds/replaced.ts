/**
 * Whether a refund is in a block after all, though no node has a receipt of it: a node finds receipts by an index that
 * may be behind, or pruned, and logs without it. A refund that is given up for nothing may be paid twice.
 */
import { Effect, Result } from "effect"
import type { Address } from "viem"
import { makeRange } from "../nodes/logs.ts"
import { calls } from "../nodes/Node.ts"
import type { Node, NodeFailed } from "../nodes/Node.ts"
import type { Scanned } from "../deposits/scanner.ts"
import type { Signed } from "./Wallet.ts"
import { readTransfers, topicOf, transferTopic } from "../nodes/wire.ts"

/** By the logs from the block in which it was signed up to `upTo`. `null`: too few nodes say. */
export const isInLogs = Effect.fnUntraced(function* (
  { chain, nodes }: Scanned,
  wallet: Address,
  signed: Signed,
  upTo: number
) {
  const asked = yield* Effect.forEach(yield* nodes.present, (node) => Effect.result(hasIt(node)), {
    concurrency: "unbounded"
  })
  const answers = asked.flatMap((each) => (Result.isSuccess(each) ? [each.success] : []))
  if (answers.includes(true)) return true
  return answers.length >= nodes.quorum ? false : null

  function hasIt(node: Node): Effect.Effect<boolean, NodeFailed> {
    return Effect.gen(function* () {
      const range = makeRange(chain.maxRange)
      const topics = [transferTopic, topicOf(wallet), topicOf(signed.to)]
      let from = signed.since
      while (from <= upTo) {
        const to = Math.min(upTo, from + range.size() - 1)
        const reported = yield* Effect.result(
          nodes.ask(node, calls.transfers([signed.token], topics, from, to), readTransfers)
        )
        if (Result.isFailure(reported)) {
          if (!range.failed(reported.failure)) return yield* reported.failure
          continue
        }
        range.succeeded()
        if (reported.success.some(({ tx }) => tx === signed.hash)) return true
        from = to + 1
      }
      return false
    })
  }
})

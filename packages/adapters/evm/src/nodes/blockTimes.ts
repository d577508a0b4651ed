/** When blocks were made, by what enough nodes agree on. Times are ms UTC. */
import { Effect } from "effect"
import { calls } from "./Node.ts"
import type { NodeFailed } from "./Node.ts"
import type { Nodes } from "./Nodes.ts"
import { readBlock } from "./wire.ts"

export const timeOf = Effect.fnUntraced(function* (nodes: Nodes, number: number): Effect.fn.Return<number, NodeFailed> {
  const call = calls.block(number)
  const answers = yield* nodes.all(call, readBlock)
  const blocks = answers.flatMap(({ value }) => (value?.number === number ? [value] : []))
  const alike = Map.groupBy(blocks, ({ hash, time }) => `${hash} ${time}`)
  const agreed = [...alike.values()].find(({ length }) => length >= nodes.quorum)
  return agreed?.[0]?.time ?? (yield* nodes.noAnswer(call))
})

/**
 * The first block up to `final` that was made at `time` or later; one above `final`: none was. It is looked for from the newest
 * on: a node may have given up old blocks.
 */
export const firstBlockAt = Effect.fnUntraced(function* (
  nodes: Nodes,
  time: number,
  final: number
): Effect.fn.Return<number, NodeFailed> {
  let [first, after] = [final, final + 1]
  for (let step = 1; first >= 0 && (yield* timeOf(nodes, first)) >= time; step *= 2) {
    after = first
    first -= step
  }
  first = Math.max(0, first)
  while (first < after) {
    const middle = Math.floor((first + after) / 2)
    if ((yield* timeOf(nodes, middle)) >= time) after = middle
    else first = middle + 1
  }
  return first
})

/** Up to which block a chain is final, by what its nodes agree on. */
import { Effect } from "effect"
import type { Hex } from "viem"
import { calls } from "./Node.ts"
import type { Node } from "./Node.ts"
import type { Answer, Nodes } from "./Nodes.ts"
import { readBlock, readCount } from "./wire.ts"

/** A block by which a place in the chain is known. */
export interface Mark {
  readonly number: number
  readonly hash: Hex
}

interface FinalMark extends Mark {
  /** The nodes that agree on it: those that are trusted about what lies below. */
  readonly nodes: ReadonlyArray<Node>
  /** The highest block that enough nodes call final; above `number` where that was limited. */
  readonly final: number
}

interface Wanted {
  /** Blocks below the newest; `null`: what the nodes call finalized. */
  readonly depth: number | null
  /** Only a block above this one is looked for. */
  readonly above: number
  /** And none above this one. */
  readonly upTo: number
}

/**
 * The highest block that `quorum` nodes have as final, under one hash. `null`: none above `above`, or no agreement.
 * Each round leaves out the highest reported number, so that a node that claims too much, or is on a fork of its own,
 * causes no delay.
 */
export const finalMark = Effect.fnUntraced(function* (nodes: Nodes, { above, depth, upTo }: Wanted) {
  const reported = yield* finalNumbers(nodes, depth)
  const numbers = reported.map(({ value }) => value.number).sort((a, b) => b - a)
  const supported = numbers.slice(nodes.quorum - 1)
  const [final] = supported
  if (final === undefined) return yield* nodes.noAnswer(calls.block("finalized"))
  for (const number of new Set(supported.map((each) => Math.min(each, upTo)))) {
    if (number <= above) break
    const able = reported.filter(({ value }) => value.number >= number)
    const marks = yield* marksAt(nodes, able, number)
    const agreed = agreement(marks, nodes.quorum)
    if (agreed === null) {
      if (marks.length >= nodes.quorum) {
        yield* Effect.forEach(marks, ({ node }) => nodes.doubt(node, `has a block ${number} that too few others have`))
      }
      continue
    }
    yield* Effect.forEach(
      marks.filter(({ node }) => !agreed.nodes.includes(node)),
      ({ node }) => nodes.doubt(node, `has another block ${number} than the others: it is not trusted`)
    )
    return { ...agreed, final } satisfies FinalMark
  }
  return null
})

interface Reported {
  readonly number: number
  /** `null`: it was not reported with the number. */
  readonly hash: Hex | null
}

const finalNumbers = (nodes: Nodes, depth: number | null): Effect.Effect<ReadonlyArray<Answer<Reported>>> =>
  depth === null
    ? Effect.map(nodes.all(calls.block("finalized"), readBlock), (answers) =>
        answers.flatMap(({ node, value }) => (value === null ? [] : [{ node, value }]))
      )
    : Effect.map(nodes.all(calls.blockNumber, readCount), (answers) =>
        answers.map(({ node, value }) => ({ node, value: { number: Math.max(0, value - depth), hash: null } }))
      )

const marksAt = Effect.fnUntraced(function* (nodes: Nodes, able: ReadonlyArray<Answer<Reported>>, number: number) {
  const known = able.flatMap(({ node, value }) =>
    value.number === number && value.hash !== null ? [{ node, hash: value.hash }] : []
  )
  const others = able.map(({ node }) => node).filter((node) => !known.some((each) => each.node === node))
  const asked = others.length === 0 ? [] : yield* nodes.all(calls.block(number), readBlock, others)
  const found = asked.flatMap(({ node, value }) => (value?.number === number ? [{ node, hash: value.hash }] : []))
  return [...known, ...found].map(({ hash, node }) => ({ node, hash, number }))
})

/** The hash that the most nodes have, where they are enough. */
const agreement = (marks: ReadonlyArray<Mark & { readonly node: Node }>, quorum: number) => {
  const byHash = Map.groupBy(marks, ({ hash }) => hash)
  const [most] = [...byHash.values()].sort((a, b) => b.length - a.length)
  const [first] = most ?? []
  return most === undefined || first === undefined || most.length < quorum
    ? null
    : { number: first.number, hash: first.hash, nodes: most.map(({ node }) => node) }
}

/** The block at `number`, where enough of these nodes agree on it. */
export const markAt = Effect.fnUntraced(function* (nodes: Nodes, asked: ReadonlyArray<Node>, number: number) {
  const able = asked.map((node) => ({ node, value: { number, hash: null } }))
  const agreed = agreement(yield* marksAt(nodes, able, number), nodes.quorum)
  return agreed === null ? null : ({ number, hash: agreed.hash } satisfies Mark)
})

/**
 * Whether the chain below still has `mark`, by what enough of these nodes say. `null`: they do not agree, or too few
 * answer.
 */
export const stillHas = Effect.fnUntraced(function* (nodes: Nodes, asked: ReadonlyArray<Node>, mark: Mark) {
  const answers = yield* nodes.all(calls.block(mark.number), readBlock, asked)
  const same = answers.filter(({ value }) => value?.hash === mark.hash).length
  const other = answers.filter(({ value }) => value !== null && value.hash !== mark.hash).length
  if (same >= nodes.quorum) return true
  return other >= nodes.quorum ? false : null
})

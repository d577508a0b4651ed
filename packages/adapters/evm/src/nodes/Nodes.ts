/**
 * The nodes of one chain: which are asked, and which are trusted. Several nodes are asked for what decides about money, and
 * an answer counts if `quorum` of them agree.
 */
import { Clock, Deferred, Effect, Result } from "effect"
import type { Redacted } from "effect"
import { calls, isTrouble, makeNode, NodeFailed } from "./Node.ts"
import type { Call, Node } from "./Node.ts"
import type { Chain } from "../options.ts"
import { readCount } from "./wire.ts"
import type { Reader } from "./wire.ts"

/** What one node answered. */
export interface Answer<A> {
  readonly node: Node
  readonly value: A
}

export interface Nodes {
  readonly quorum: number
  /**
   * The nodes that may be asked now. One that failed is left out for a while, as long as there are others enough, and one
   * that found too much what it was asked for comes last.
   */
  readonly present: Effect.Effect<ReadonlyArray<Node>>
  /** All that answer, of `asked` or of those present. Once enough have answered, the others have half a second. */
  readonly all: <A>(call: Call, read: Reader<A>, asked?: ReadonlyArray<Node>) => Effect.Effect<ReadonlyArray<Answer<A>>>
  /** As many answers as have to agree; more nodes are asked only where one of the first fails. */
  readonly enough: <A>(
    call: Call,
    read: Reader<A>,
    asked: ReadonlyArray<Node>
  ) => Effect.Effect<ReadonlyArray<Answer<A>>, NodeFailed>
  /** The largest number that so many nodes say or surpass: one that lies cannot raise it. `reverted`: as many say so. */
  readonly atLeast: <A extends number | bigint>(call: Call, read: Reader<A>) => Effect.Effect<A, NodeFailed>
  readonly ask: <A>(node: Node, call: Call, read: Reader<A>) => Effect.Effect<A, NodeFailed>
  /** Too few answered, or agreed: for the operator also which of them refuse their credentials now. */
  readonly noAnswer: (call: Call) => NodeFailed
  /** It contradicts the others. Logged for the operator, and not again for ten minutes. */
  readonly doubt: (node: Node, why: string) => Effect.Effect<void>
}

interface Health {
  checked: boolean
  failures: number
  /** It refuses its credentials. */
  denied: NodeFailed | null
  /** It found too much what it was asked for: others are asked before it. ms UTC */
  lastUntil: number
  /** ms UTC */
  awayUntil: number
  /** ms UTC */
  doubtedUntil: number
}

/** ms: the first absence after a failure, and the longest; how long the slow are waited for; between two reports. */
const times = { away: 1_000, longest: 30_000, slow: 500, report: 600_000 } as const

export const makeNodes = ({
  chainId,
  network,
  quorum,
  rpcUrls
}: Pick<Chain, "chainId" | "network" | "quorum" | "rpcUrls">): Nodes =>
  nodesOf(
    rpcUrls.map((url: Redacted.Redacted, place) => makeNode(`node ${place + 1} of ${network}`, url)),
    { chainId, quorum }
  )

const nodesOf = (
  every: ReadonlyArray<Node>,
  { chainId, quorum }: { readonly chainId: number; readonly quorum: number }
): Nodes => {
  const healthy = (): Health => ({
    checked: false,
    failures: 0,
    denied: null,
    awayUntil: 0,
    doubtedUntil: 0,
    lastUntil: 0
  })
  const health = new Map<Node, Health>(every.map((node) => [node, healthy()]))
  const healthOf = (node: Node): Health => health.get(node) ?? healthy()

  const failed = Effect.fnUntraced(function* (node: Node, failure: NodeFailed) {
    const its = healthOf(node)
    const now = yield* Clock.currentTimeMillis
    if (failure.fault === "too_large") its.lastUntil = now + times.longest
    if (!isTrouble(failure)) return
    its.awayUntil = now + Math.min(times.away * 2 ** Math.min(its.failures, 10), times.longest)
    its.failures += 1
    const isDenied = failure.fault === "denied"
    if (its.failures === 1 || (isDenied && its.denied === null)) yield* Effect.logWarning(failure.message)
    its.denied = isDenied ? failure : null
  })

  /** A node of another chain would credit what is worth nothing: it is asked once which chain it is of. */
  const check = Effect.fnUntraced(function* (node: Node) {
    const its = healthOf(node)
    if (its.checked) return
    const reported = yield* node.ask(calls.chainId, readCount)
    if (reported !== chainId) {
      yield* doubt(node, `is of chain ${reported} and not of ${chainId}: it is not used`)
      return yield* new NodeFailed({
        node: node.name,
        method: calls.chainId.method,
        fault: "other_chain",
        code: reported
      })
    }
    its.checked = true
  })

  const ask = <A>(node: Node, call: Call, read: Reader<A>): Effect.Effect<A, NodeFailed> =>
    Effect.andThen(check(node), node.ask(call, read)).pipe(
      Effect.tap(() =>
        Effect.sync(() => {
          const its = healthOf(node)
          its.failures = 0
          its.denied = null
        })
      ),
      Effect.tapError((failure) => failed(node, failure))
    )

  const noAnswer = ({ method }: Call): NodeFailed => {
    const denied = every.flatMap((node) => healthOf(node).denied ?? [])
    const [first] = denied
    if (first === undefined) return new NodeFailed({ node: "too few nodes", method, fault: "away", code: null })
    const names = denied.map(({ node }) => node).join(", ")
    const node = `too few nodes answered ${method}: ${names}`
    return new NodeFailed({ node, method, fault: first.fault, code: first.code })
  }

  const present = Effect.map(Clock.currentTimeMillis, (now) => {
    const isLast = (node: Node) => healthOf(node).lastUntil > now
    const inTurn = [...every.filter((node) => !isLast(node)), ...every.filter(isLast)]
    const ready = inTurn.filter((node) => healthOf(node).awayUntil <= now)
    return ready.length >= quorum ? ready : inTurn
  })

  const reported = Effect.fnUntraced(function* <A>(call: Call, read: Reader<A>, asked?: ReadonlyArray<Node>) {
    const nodes = asked ?? (yield* present)
    const answers: Array<Answer<A>> = []
    const failures: Array<NodeFailed> = []
    const missing = new Set(nodes)
    const sufficient = yield* Deferred.make<void>()
    const each = (node: Node) =>
      Effect.gen(function* () {
        const result = yield* Effect.result(ask(node, call, read))
        missing.delete(node)
        if (Result.isSuccess(result)) answers.push({ node, value: result.success })
        else failures.push(result.failure)
        if (answers.length >= quorum) yield* Deferred.succeed(sufficient, undefined)
      })
    yield* Effect.raceFirst(
      Effect.forEach(nodes, each, { concurrency: "unbounded", discard: true }),
      Effect.andThen(Deferred.await(sufficient), Effect.sleep(times.slow))
    )
    for (const node of missing) {
      yield* failed(node, new NodeFailed({ node: node.name, method: call.method, fault: "away", code: null }))
    }
    // In the order in which they were asked, so that the same nodes are asked first for what follows.
    return { answers: nodes.flatMap((node) => answers.filter((answer) => answer.node === node)), failures }
  })

  const all = <A>(call: Call, read: Reader<A>, asked?: ReadonlyArray<Node>) =>
    Effect.map(reported(call, read, asked), ({ answers }) => answers)

  const enough = Effect.fnUntraced(function* <A>(call: Call, read: Reader<A>, asked: ReadonlyArray<Node>) {
    let answers: ReadonlyArray<Answer<A>> = []
    let failure = noAnswer(call)
    let left = asked
    while (answers.length < quorum && left.length > 0) {
      const missing = quorum - answers.length
      const results = yield* Effect.forEach(
        left.slice(0, missing),
        (node) => Effect.map(Effect.result(ask(node, call, read)), (result) => ({ node, result })),
        { concurrency: "unbounded" }
      )
      left = left.slice(missing)
      for (const { node, result } of results) {
        if (Result.isSuccess(result)) answers = [...answers, { node, value: result.success }]
        // Less can be asked for then: it is what may help. But one that never takes it is left to the others.
        else if (failure.fault !== "too_large") failure = result.failure
      }
    }
    return answers.length < quorum ? yield* failure : answers
  })

  const atLeast = Effect.fnUntraced(function* <A extends number | bigint>(call: Call, read: Reader<A>) {
    const { answers, failures } = yield* reported(call, read)
    const values = answers.map(({ value }) => value).sort((a, b) => (a < b ? 1 : a > b ? -1 : 0))
    const reverts = failures.filter(({ fault }) => fault === "reverted")
    const [revert] = reverts
    if (revert !== undefined && reverts.length >= quorum) return yield* revert
    return values[quorum - 1] ?? (yield* noAnswer(call))
  })

  const doubt = Effect.fnUntraced(function* (node: Node, why: string) {
    const its = healthOf(node)
    const now = yield* Clock.currentTimeMillis
    if (its.doubtedUntil > now) return
    its.doubtedUntil = now + times.report
    yield* Effect.logError(`${node.name} ${why}`)
  })

  return { quorum, present, all, enough, atLeast, ask, noAnswer, doubt }
}

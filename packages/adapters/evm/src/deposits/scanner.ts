/**
 * Scans one chain, again and again, for all payments at once: its cost grows with blocks and with transfers,
 * not with the payments that wait.
 *
 * A pass ends with its cursor. Before that, transfers are written into their addresses, then reported, then marked as reported: a
 * crash anywhere leaves the cursor where it was, and a second pass over the same blocks changes nothing that is done.
 */
import type { Evidence, OperationId, ProviderContext } from "@paymux/core"
import { Cause, Clock, Effect, Result } from "effect"
import type { Address } from "viem"
import { accountId } from "./addresses.ts"
import { headOf } from "./Cursor.ts"
import type { Cursor, Cursors } from "./Cursor.ts"
import { credit, decide, forget, see, tell, watchOf } from "./Deposit.ts"
import type { Deposit, Hit, Reported, Watch, Word } from "./Deposit.ts"
import type { DepositStore } from "./DepositStore.ts"
import { finalMark } from "../nodes/finality.ts"
import { finalPass } from "./FinalPass.ts"
import { headPass } from "./HeadPass.ts"
import type { Shorter } from "./HeadPass.ts"
import { makeRange } from "../nodes/logs.ts"
import type { NodeFailed } from "../nodes/Node.ts"
import { calls } from "../nodes/Node.ts"
import type { Nodes } from "../nodes/Nodes.ts"
import type { Chain } from "../options.ts"

export interface Scanned {
  readonly chain: Chain
  readonly nodes: Nodes
}

interface Needs {
  readonly context: Pick<ProviderContext, "emit">
  readonly store: DepositStore
  readonly cursors: Cursors
}

/** Where a chain is looked at for the first time: at what is final now, by what its nodes agree on. */
export const beginAt = Effect.fnUntraced(function* (cursors: Cursors, { chain, nodes }: Scanned) {
  const known = yield* cursors.get(chain.chainId)
  if (known !== null) return known
  const mark = yield* finalMark(nodes, { depth: chain.depth, above: -1, upTo: Number.MAX_SAFE_INTEGER })
  if (mark === null) return yield* nodes.noAnswer(calls.block("finalized"))
  yield* cursors.begin(chain.chainId, mark)
  return (yield* cursors.get(chain.chainId)) ?? { final: mark, trail: [] }
})

type Hits = ReadonlyMap<Address, ReadonlyArray<Hit>>

interface News {
  readonly final: Hits
  readonly head: Hits
  /** What was seen above this block is gone. */
  readonly gone: number | null
  readonly cursor: Cursor
}

const none: Hits = new Map()

/** One pass may fail while the other goes on. */
const either = <A extends { readonly behind: boolean }>(
  result: Result.Result<A, NodeFailed>
): readonly [A | null, boolean, NodeFailed | null] =>
  Result.isSuccess(result) ? [result.success, result.success.behind, null] : [null, false, result.failure]

/** What has to be looked at before anything new is written: the rest of what an earlier look began. */
const now0: Watch = { block: null, due: 0 }

export const makeScanner = ({ context, cursors, store }: Needs, { chain, nodes }: Scanned) => {
  const { chainId, network, pollEvery } = chain
  const ranges = { final: makeRange(chain.maxRange), head: makeRange(chain.maxRange) }

  /** One look-up for each recipient, and none for each payment that waits. */
  const ours = (addresses: ReadonlyArray<Address>) =>
    Effect.forEach(
      addresses,
      (address) => Effect.map(store.deposit(chainId, address), (deposit) => (deposit === null ? [] : [address])),
      { concurrency: 16 }
    ).pipe(Effect.map((found) => new Set(found.flat())))

  const shorter: Shorter = { looks: 0 }
  const confirmed = new Set<string>()
  const needs = (range: keyof typeof ranges) => ({ chain, confirmed, nodes, ours, range: ranges[range], seen, shorter })

  const seen = Effect.fnUntraced(function* (upTo: number) {
    const now = yield* Clock.currentTimeMillis
    const watched = Object.entries(yield* store.watches(chainId)).flatMap(([address, { block, due }]) =>
      (block !== null && block <= upTo) || (due !== null && due <= now) ? [address] : []
    )
    const deposits = yield* Effect.forEach(watched, (address) => store.deposit(chainId, address), { concurrency: 16 })
    return deposits.flatMap((deposit) =>
      deposit === null ? [] : deposit.seen.map((hit) => ({ ...hit, to: lower(deposit.address) }))
    )
  })

  const poll = Effect.gen(function* () {
    const begun = yield* beginAt(cursors, { chain, nodes })
    const [final, behindFinal, failedFinal] = either(yield* Effect.result(finalPass(needs("final"), begun)))
    const after = final?.cursor ?? begun
    const [head, behindHead, failedHead] = either(
      yield* Effect.result(headPass(needs("head"), after, final?.final ?? null))
    )
    const cursor = head?.cursor ?? after
    yield* settle({ final: final?.hits ?? none, head: head?.hits ?? none, gone: head?.gone ?? null, cursor })
    if (!isSame(begun, cursor)) yield* cursors.write(chainId, cursor)
    const failure = failedFinal ?? failedHead
    return failure === null ? behindFinal || behindHead : yield* failure
  })

  const settle = Effect.fnUntraced(function* (news: News) {
    const watches = yield* store.watches(chainId)
    const now = yield* Clock.currentTimeMillis
    const isDue = ({ block, due }: Watch) =>
      news.gone !== null || (block !== null && block <= news.cursor.final.number) || (due !== null && due <= now)
    const due = Object.entries(watches).flatMap(([address, watch]) => (isDue(watch) ? [address] : []))
    const touched = new Set<string>([...due, ...news.final.keys(), ...news.head.keys()])
    if (touched.size === 0) return
    const begun = new Map([...touched].map((address) => [address, now0]))
    // The process that takes over after a crash finds by this what was written and not reported.
    yield* store.setWatches(chainId, begun, watches)
    const left = yield* Effect.forEach(
      touched,
      (address) => Effect.map(settleOne(address, news), (watch) => [address, watch] as const),
      { concurrency: 8 }
    )
    yield* store.setWatches(chainId, new Map(left), Object.fromEntries(begun))
  })

  const settleOne = Effect.fnUntraced(function* (address: string, { cursor, final, gone, head }: News) {
    // What an earlier pass credited and did not report is reported alone, before more is added to it.
    yield* reportOrRetry(address)
    // Boundary: keys of these maps are addresses in lower case, as recipients are read.
    const key = address as Address
    yield* store.updateDeposit(chainId, address, (deposit) => {
      const standing = gone === null ? deposit : forget(deposit, gone)
      const credited = credit(standing, final.get(key) ?? [])
      return decide(see(credited, head.get(key) ?? []), cursor.final.number)
    })
    return yield* reportOrRetry(address)
  })

  /** What cannot be reported is credited all the same, and tried again: it does not stop other payments. */
  const reportOrRetry = (address: string): Effect.Effect<Watch | null> =>
    Effect.map(reportAll(address), (deposit) => (deposit === null ? null : watchOf(deposit))).pipe(
      Effect.catchCause((cause) =>
        Cause.hasInterrupts(cause)
          ? Effect.failCause(cause)
          : Effect.logError(
              `A transfer to ${address} on ${network} could not be reported; it is tried again`,
              cause
            ).pipe(
              Effect.andThen(Clock.currentTimeMillis),
              Effect.map((now): Watch => ({ block: null, due: now + retryAfter }))
            )
      )
    )

  /** Reports first, and marks it then: a second report of the same changes nothing. */
  const reportAll = Effect.fnUntraced(function* (address: string) {
    while (true) {
      const deposit = yield* store.deposit(chainId, address)
      if (deposit === null) return null
      const now = yield* Clock.currentTimeMillis
      const { deposit: marked, words } = tell(deposit, now)
      if (words.length === 0) return deposit
      for (const word of words) yield* context.emit(evidence(deposit, word))
      const { reported } = marked
      // If another process reported in between, it is repeated.
      yield* store.updateDeposit(chainId, address, (current) =>
        isSameReport(current.reported, deposit.reported) ? { ...current, reported } : null
      )
    }
  })

  const look: Effect.Effect<void> = Effect.gen(function* () {
    let failing = false
    while (true) {
      const looked = yield* Effect.result(poll)
      if (Result.isSuccess(looked) && failing) yield* Effect.logInfo(`${network} is looked at again`)
      if (Result.isFailure(looked) && !failing) yield* Effect.logWarning(awayText(network, looked.failure))
      failing = Result.isFailure(looked)
      yield* Result.isSuccess(looked) && looked.success ? Effect.yieldNow : Effect.sleep(pollEvery)
    }
  })
  return { poll, run: Effect.andThen(look, Effect.never) }
}

/** ms */
const retryAfter = 60_000

const isSameReport = (a: Reported, b: Reported): boolean =>
  a.detected === b.detected && a.short === b.short && a.paid === b.paid && a.wrong === b.wrong

// Boundary: hexadecimal digits in lower case are the same template type.
const lower = (address: Address): Address => address.toLowerCase() as Address

const awayText = (network: string, { message }: NodeFailed): string =>
  `${network} cannot be looked at, and nothing is final there until it can: ${message}`

const isSame = (a: Cursor, b: Cursor): boolean =>
  a.final.number === b.final.number && a.final.hash === b.final.hash && headOf(a).hash === headOf(b).hash

/** Money beyond a payment that is paid has a name of its own: it is another payment to the same address. */
const evidence = (deposit: Deposit, { outcome, extra }: Word): Evidence => {
  const account = accountId(deposit)
  const latest = deposit.credited.at(-1)
  return {
    source: "observed",
    // Boundary: it was written down as it came from the engine.
    about: { operation: deposit.operation as OperationId },
    outcome: {
      ...outcome,
      reference: extra && latest !== undefined ? `${account}#${latest.tx}:${latest.index}` : account
    },

    eventId: null,
    occurredAt: null
  }
}

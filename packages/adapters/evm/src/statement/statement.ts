/**
 * The chain as a statement: transfers to our addresses, and those of the wallet that refunds. It is read from the nodes,
 * independently of what the scanner has credited.
 *
 * A page is one range of blocks of one chain, and the chains follow each other.
 */
import { invalidRequest, rateLimited } from "@paymux/core"
import type { ProviderError } from "@paymux/core"
import type { StatementMovement, StatementPage, StatementQuery } from "@paymux/core/statement"
import { Duration, Effect, Result } from "effect"
import type { Address } from "viem"
import { bookedWithin } from "../capabilities.ts"
import type { Deposit } from "../deposits/Deposit.ts"
import type { DepositStore } from "../deposits/DepositStore.ts"
import type { Scanned } from "../deposits/scanner.ts"
import { firstBlockAt, timeOf } from "../nodes/blockTimes.ts"
import { confirmedTransfers } from "../nodes/confirmed.ts"
import { finalMark } from "../nodes/finality.ts"
import { byRecipient, makeRange } from "../nodes/logs.ts"
import type { Range } from "../nodes/logs.ts"
import { calls } from "../nodes/Node.ts"
import type { NodeFailed } from "../nodes/Node.ts"
import { readCount } from "../nodes/wire.ts"
import type { Transfer } from "../nodes/wire.ts"
import type { Signer } from "../refunds/Signer.ts"
import { movementsOf } from "./movements.ts"
import type { Known } from "./movements.ts"
import { cursorOf, readCursor } from "./Place.ts"
import type { Place, StatementTime } from "./Place.ts"

interface Needs {
  readonly scanned: ReadonlyArray<Scanned>
  readonly signer: Signer | null
  readonly store: Pick<DepositStore, "deposit">
  /** Transfers of one page. Each is at most two movements. */
  readonly most?: number
}

/** A chain, and how many of its blocks are asked for at a time. */
interface Ranged extends Scanned {
  readonly range: Range
}

interface Confirmed {
  /** By address, in lower case. */
  readonly deposits: ReadonlyMap<Address, Deposit>
  readonly transfers: ReadonlyArray<Transfer>
  readonly next: Read["next"]
}

interface Read {
  readonly movements: ReadonlyArray<StatementMovement>
  /** `null`: the chain was read up to its last block of the time. */
  readonly next: Place | null
}

export const makeStatement = ({ most = 100, scanned, signer, store }: Needs) => {
  // Boundary: hexadecimal digits in lower case are the same template type.
  const wallet = (signer?.address.toLowerCase() ?? null) as Address | null
  const chains = scanned.map((each): Ranged => ({ ...each, range: makeRange(each.chain.maxRange) }))

  const statement = ({ cursor, since, until }: StatementQuery): Effect.Effect<StatementPage, ProviderError> =>
    Effect.gen(function* () {
      const time = { since, until }
      const place = cursor === null ? yield* placeFrom(0, time) : readCursor(cursor, time)
      if (place === null)
        return cursor === null ? nothing : yield* invalidRequest("the cursor is of no page of this time")
      const current = chains.findIndex(({ chain }) => chain.chainId === place.chainId)
      const chain = chains[current]
      if (chain === undefined) return yield* invalidRequest(`chain ${place.chainId} is not configured`)
      const { movements, next } = yield* read(chain, place)
      const following = next ?? (yield* placeFrom(current + 1, time))
      return { movements, next: following === null ? null : cursorOf(following, time) }
    }).pipe(Effect.catchTag("NodeFailed", () => Effect.fail(rateLimited(null))))

  /** The start of the first chain from `index` on that has blocks of the time. */
  const placeFrom = Effect.fnUntraced(function* (
    index: number,
    time: StatementTime
  ): Effect.fn.Return<Place | null, NodeFailed> {
    for (const each of scanned.slice(index)) {
      const bounds = yield* boundsOf(each, time)
      if (bounds.block <= bounds.last) return { chainId: each.chain.chainId, log: -1, ...bounds }
    }
    return null
  })

  const read = Effect.fnUntraced(function* (each: Ranged, place: Place): Effect.fn.Return<Read, NodeFailed> {
    const { chain, nodes } = each
    const { deposits, next, transfers } = yield* confirmedFrom(each, place)
    const known = (transfer: Transfer, time: number): Known => ({
      chainId: chain.chainId,
      coin: chain.tokens.find(({ contract }) => contract === transfer.token) ?? null,
      deposit: deposits.get(transfer.to) ?? null,
      isFromWallet: transfer.from === wallet,
      time
    })
    const movements = yield* Effect.forEach(
      Map.groupBy(transfers, ({ block }) => block),
      ([block, own]) =>
        Effect.map(timeOf(nodes, block), (time) => own.flatMap((each) => movementsOf(each, known(each, time)))),
      { concurrency: 4 }
    )
    return { movements: movements.flat(), next }
  })

  /** As many blocks from there on as the nodes return at a time, and of these as many transfers as a page has. */
  const confirmedFrom = Effect.fnUntraced(function* (
    { chain, nodes, range }: Ranged,
    place: Place
  ): Effect.fn.Return<Confirmed, NodeFailed> {
    const deposits = new Map<Address, Deposit>()
    const depositOf = (address: Address) =>
      Effect.map(store.deposit(chain.chainId, address), (found) => {
        if (found !== null) deposits.set(address, found)
      })
    /** The nodes report more than a page has: fewer blocks are asked for, and of one block all are verified. */
    let isTooMuch = false
    const select = Effect.fnUntraced(function* (transfers: ReadonlyArray<Transfer>) {
      const left = transfers.filter(({ block, index }) => block > place.block || index > place.log)
      yield* Effect.forEach(byRecipient(left).keys(), depositOf, { concurrency: 16, discard: true })
      const ours = left.filter(({ from, to }) => deposits.has(to) || from === wallet).toSorted(inOrder)
      // Several nodes report the same one.
      const places = ours.filter((each, n) => n === 0 || inOrder(each, ours[n - 1] ?? each) !== 0)
      isTooMuch = places.length > most && range.size() > 1
      return isTooMuch ? [] : ours
    })
    while (true) {
      const upTo = Math.min(place.last, place.block + range.size() - 1)
      const mark = yield* finalMark(nodes, { depth: chain.depth, above: place.block - 1, upTo })
      if (mark === null) return yield* nodes.noAnswer(calls.block("finalized"))
      const blocks = { from: place.block, to: mark.number }
      const needs = { chain, nodes, select, before: [], confirmed: new Set<string>() }
      const found = yield* Effect.result(confirmedTransfers(needs, blocks, mark.nodes))
      if (Result.isFailure(found)) {
        if (range.failed(found.failure)) continue
        return yield* found.failure
      }
      range.succeeded()
      if (found.success === null) {
        range.less()
        return yield* nodes.noAnswer(calls.block(mark.number))
      }
      if (isTooMuch) {
        range.less()
        continue
      }
      const page = found.success.toSorted(inOrder)
      const following = mark.number < place.last ? { ...place, block: mark.number + 1, log: -1 } : null
      return { deposits, transfers: page.slice(0, most), next: nextAfter(place, page, most) ?? following }
    }
  })

  return statement
}

const nothing: StatementPage = { movements: [], next: null }

const inOrder = (a: Transfer, b: Transfer): number => a.block - b.block || a.index - b.index

/** `null`: the page has all of them. */
const nextAfter = (place: Place, transfers: ReadonlyArray<Transfer>, most: number): Place | null => {
  const last = transfers.length > most ? transfers[most - 1] : undefined
  return last === undefined ? null : { ...place, block: last.block, log: last.index }
}

/** Blocks of the time that are final; `block` above `last`: none. */
const boundsOf = Effect.fnUntraced(function* (
  { chain, nodes }: Scanned,
  { since, until }: StatementTime
): Effect.fn.Return<Pick<Place, "block" | "last">, NodeFailed> {
  const mark = yield* finalMark(nodes, { depth: chain.depth, above: -1, upTo: Number.MAX_SAFE_INTEGER })
  if (mark === null) return yield* nodes.noAnswer(calls.block("finalized"))
  const end = yield* firstBlockAt(nodes, until, mark.number)
  // A chain, or its finality, may halt for longer than was declared, and give later blocks times of the halt: the statement would
  // then lack what the next one does not read again.
  if (end > mark.number) {
    const head = yield* nodes.atLeast(calls.blockNumber, readCount)
    const newest = yield* timeOf(nodes, head > mark.number ? mark.number + 1 : mark.number)
    if (newest < until - Duration.toMillis(bookedWithin)) return yield* nodes.noAnswer(calls.block("finalized"))
  }
  return { block: yield* firstBlockAt(nodes, since, mark.number), last: end - 1 }
})

/** Follows open refunds until they are final, reports their end, and broadcasts again what no block has. */
import { type Evidence, type OperationId, Outcome, type ProviderContext } from "@paymux/core"
import { Clock, Effect, Result } from "effect"
import type { Hex } from "viem"
import type { Cursors } from "../deposits/Cursor.ts"
import { calls } from "../nodes/Node.ts"
import { broadcast } from "./payout.ts"
import { isInLogs } from "./replaced.ts"
import type { Scanned } from "../deposits/scanner.ts"
import type { Signer } from "./Signer.ts"
import type { End, Signed, Wallets } from "./Wallet.ts"
import { readCount, readReceipt } from "../nodes/wire.ts"
import type { Receipt } from "../nodes/wire.ts"

interface Needs {
  readonly context: Pick<ProviderContext, "emit">
  readonly cursors: Cursors
  readonly signer: Signer
  readonly wallets: Wallets
}

/** How long no node may have a receipt before it counts as replaced. `time` in ms. */
const absence = { looks: 3, time: 600_000 } as const

/** ms between two broadcasts of the same transaction. */
const broadcastEvery = 30_000

export const makeRefundWatch = ({ context, cursors, signer, wallets }: Needs, place: Scanned) => {
  const { chain, nodes } = place
  /** The block of each transaction that is in one: looked at again when that is final. */
  const waiting = new Map<Hex, number>()
  /** ms UTC */
  const broadcastAt = new Map<Hex, number>()
  /** No node has a receipt, and the nonce is used: since when (ms UTC), in how many looks, and at which head. */
  const absent = new Map<Hex, { readonly since: number; looks: number; readonly head: number }>()
  /** What was logged for an operator. */
  const reported = new Set<Hex>()

  const poll = Effect.gen(function* () {
    const { open } = yield* wallets.get(chain.chainId)
    const all = Object.entries(open).sort(([, a], [, b]) => a.nonce - b.nonce)
    if (all.length === 0) return
    const cursor = yield* cursors.get(chain.chainId)
    const final = cursor?.final.number ?? 0
    const mined = yield* nodes.atLeast(calls.nonce(signer.address, "latest"), readCount)
    for (const [operation, signed] of all) {
      if (signed.nonce >= mined) yield* sendAgain(signed)
      else if ((waiting.get(signed.hash) ?? 0) <= final) yield* look(operation, signed, final)
    }
  })

  const sendAgain = Effect.fnUntraced(function* (signed: Signed) {
    const now = yield* Clock.currentTimeMillis
    waiting.delete(signed.hash)
    absent.delete(signed.hash)
    if ((broadcastAt.get(signed.hash) ?? 0) > now) return
    broadcastAt.set(signed.hash, now + broadcastEvery)
    yield* broadcast(place, signer, signed)
  })

  const look = Effect.fnUntraced(function* (operation: string, signed: Signed, final: number) {
    const asked = yield* nodes.all(calls.receipt(signed.hash), readReceipt)
    const answers = asked.flatMap(({ value }) => (value === null || value.tx === signed.hash ? [value] : []))
    const seen = agreed(answers, (receipt) => gives(receipt, signed), nodes.quorum)
    if (seen !== null) {
      if (seen.block > final) return void waiting.set(signed.hash, seen.block)
      if (!seen.succeeded) return yield* end(operation, signed, "failed")
      if (gives(seen, signed)) return yield* end(operation, signed, "succeeded")
      return yield* odd(signed, "is in a final block and its token did not move")
    }
    // Another transaction took its place, as it seems.
    if (answers.length < nodes.quorum || answers.some((value) => value !== null)) return void absent.delete(signed.hash)
    if (!(yield* isAbsentForLong(signed, final))) return
    const inLogs = yield* isInLogs(place, signer.address, signed, final)
    if (inLogs === null) return
    if (inLogs) return yield* odd(signed, "is in the logs of a node, and none has a receipt of it")
    yield* Effect.logError(
      `A refund on ${chain.network} was replaced by another transaction of ${signer.address}: no other program may send from it`
    )
    yield* end(operation, signed, "failed")
  })

  /** What is absent for a moment may only be late, and who gives it up for that may pay it twice. */
  const isAbsentForLong = Effect.fnUntraced(function* ({ hash }: Signed, final: number) {
    const now = yield* Clock.currentTimeMillis
    const before = absent.get(hash)
    if (before === undefined) {
      // The nonce is used up to here: where this block is final, so is that.
      const head = yield* nodes.atLeast(calls.blockNumber, readCount)
      absent.set(hash, { since: now, looks: 1, head })
      return false
    }
    before.looks += 1
    return before.looks >= absence.looks && now >= before.since + absence.time && final >= before.head
  })

  const gives = ({ transfers }: Receipt, { to, token, units }: Signed): boolean =>
    transfers.some(
      (each) =>
        each.token === token && each.from === signer.address.toLowerCase() && each.to === to && each.units === units
    )

  /** It stays open: it is not known whether it was paid. */
  const odd = Effect.fnUntraced(function* ({ hash }: Signed, what: string) {
    if (reported.has(hash)) return
    reported.add(hash)
    yield* Effect.logError(`The refund ${hash} on ${chain.network} ${what}: an operator has to look`)
  })

  const end = Effect.fnUntraced(function* (operation: string, { currency, hash, minor }: Signed, how: End["end"]) {
    const outcome: Outcome.Outcome =
      how === "succeeded"
        ? Outcome.refundSucceeded({ reference: hash, amount: { minorUnits: minor, currency } })
        : Outcome.refundFailed({ reference: hash })
    yield* context.emit(evidence(operation, outcome))
    yield* wallets.close(chain.chainId, operation, { end: how, hash })
    waiting.delete(hash)
    broadcastAt.delete(hash)
    absent.delete(hash)
    reported.delete(hash)
  })

  return Effect.forever(
    Effect.gen(function* () {
      const looked = yield* Effect.result(poll)
      if (Result.isFailure(looked)) yield* Effect.logDebug(`Refunds on ${chain.network}: ${looked.failure.message}`)
      yield* Effect.sleep(chain.pollEvery)
    })
  )
}

/** The receipt that so many nodes have alike: all that its end depends on. */
const agreed = (
  answers: ReadonlyArray<Receipt | null>,
  gives: (receipt: Receipt) => boolean,
  quorum: number
): Receipt | null => {
  const receipts = answers.flatMap((value) => (value === null ? [] : [value]))
  const alike = Map.groupBy(receipts, (receipt) => {
    const { block, blockHash, succeeded, tx } = receipt
    return [tx, block, blockHash, succeeded, gives(receipt)].join(" ")
  })
  const most = [...alike.values()].find(({ length }) => length >= quorum)
  return most?.[0] ?? null
}

const evidence = (operation: string, outcome: Outcome.Outcome): Evidence => ({
  source: "observed",
  // Boundary: it was written down as it came from the engine.
  about: { operation: operation as OperationId },
  outcome,

  eventId: null,
  occurredAt: null
})

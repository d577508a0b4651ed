/**
 * Creating, closing and asking about a payment. A create issues an address and asks no node, once its chain is known;
 * an inquiry reads what the scanner wrote.
 */
import { invalidRequest, Outcome } from "@paymux/core"
import type { InquiryOutcome, NextAction, ProviderContext, ProviderError, ProviderOperation } from "@paymux/core"
import { Clock, Effect, Option, Result } from "effect"
import { accountId, drawnAsSvg, readAccountId, transferUri } from "./deposits/addresses.ts"
import type { AddressOf } from "./deposits/addresses.ts"
import { closable } from "./deposits/closable.ts"
import type { Cursors } from "./deposits/Cursor.ts"
import { isEmpty, issued, see, standing } from "./deposits/Deposit.ts"
import type { Deposit } from "./deposits/Deposit.ts"
import type { DepositStore } from "./deposits/DepositStore.ts"
import { beginAt } from "./deposits/scanner.ts"
import type { Scanned } from "./deposits/scanner.ts"
import type { NextPath, TakenPath } from "./deposits/paths.ts"
import { nodesAway } from "./nodes/nodesAway.ts"
import { decimalText, minorOf, unitsOf } from "./tokens.ts"
import type { Coin } from "./tokens.ts"

interface Needs {
  readonly addressOf: AddressOf
  readonly checkpoint: ProviderContext["checkpoint"]
  readonly cursors: Cursors
  readonly nextPath: NextPath
  /** ms */
  readonly payWithin: number
  readonly scanned: ReadonlyArray<Scanned>
  readonly store: DepositStore
}

/** ms; below the five seconds that the engine gives to one send, so that there is an answer. */
const patience = 4_000

export const makeOperations = ({ addressOf, checkpoint, cursors, nextPath, payWithin, scanned, store }: Needs) => {
  const create = Effect.fnUntraced(function* (
    operation: ProviderOperation
  ): Effect.fn.Return<Outcome.SendOutcome, ProviderError> {
    const before = yield* depositOf(operation)
    const deposit = before ?? (yield* issue(operation))
    return "_tag" in deposit ? deposit : Outcome.ofInquiry(yield* reported(deposit))
  })

  /** `NotExecuted`: the chain is not known yet, and its nodes do not say where it stands. */
  const issue = Effect.fnUntraced(function* (
    operation: ProviderOperation
  ): Effect.fn.Return<Deposit | Outcome.NotExecuted, ProviderError> {
    const chosen = choose(scanned, operation)
    if (chosen === null) return yield* invalidRequest("no configured token is of this asset, network and currency")
    const begun = yield* beginAt(cursors, chosen.place).pipe(Effect.timeoutOption(patience), Effect.result)
    if (Result.isFailure(begun)) return nodesAway(begun.failure)
    if (Option.isNone(begun.success)) return nodesAway()
    const deposit = yield* reserve(operation, chosen.place.chain.chainId, chosen.coin)
    yield* checkpoint(operation, accountId(deposit))
    return deposit
  })

  /**
   * The operation's address is written before the address's own document: a process that sends the operation again, or at the
   * same time, uses the same address. An address that another operation has is skipped, and the next one is used.
   */
  const reserve = Effect.fnUntraced(function* (operation: ProviderOperation, chainId: number, coin: Coin) {
    const { amount, createdAt, id } = operation
    return yield* reservedFrom(null)

    /** `taken`: a path that is another operation's. */
    function reservedFrom(taken: TakenPath): Effect.Effect<Deposit> {
      return Effect.gen(function* () {
        const known = yield* store.issuedFor(id)
        if (known === null || known.path === taken) {
          const path = yield* nextPath(id, taken)
          yield* store.updateIssued(id, (current) =>
            current?.path === known?.path ? { v: 1, chainId, address: addressOf(path), path } : null
          )
          return yield* reservedFrom(taken)
        }
        const { address, path } = known
        const asked = unitsOf(amount.minorUnits, coin)
        const expiresAt = createdAt + payWithin
        yield* store.addDeposit(issued({ operation: id, chainId, address, path, coin, asked, createdAt, expiresAt }))
        const deposit = yield* store.deposit(known.chainId, address)
        return deposit?.operation === id ? deposit : yield* reservedFrom(path)
      })
    }
  })

  const depositOf = Effect.fnUntraced(function* (operation: Pick<ProviderOperation, "id">) {
    const known = yield* store.issuedFor(operation.id)
    if (known === null) return null
    const deposit = yield* store.deposit(known.chainId, known.address)
    return deposit?.operation === operation.id ? deposit : null
  })

  const inquireCreate = Effect.fnUntraced(function* (operation: ProviderOperation) {
    const deposit = yield* depositOf(operation)
    return deposit === null ? Outcome.notFound() : yield* reported(deposit)
  })

  const networkOf = ({ chainId }: Deposit) => scanned.find(({ chain }) => chain.chainId === chainId)?.chain.network

  const reported = Effect.fnUntraced(function* (deposit: Deposit): Effect.fn.Return<InquiryOutcome> {
    const now = yield* Clock.currentTimeMillis
    const reference = accountId(deposit)
    const stand = standing(deposit, now)
    switch (stand.kind) {
      case "arrived":
        return Outcome.succeeded({ reference, amount: { minorUnits: stand.minor, currency: deposit.coin.currency } })
      case "coming":
        return Outcome.pending({
          reference,
          awaitingFinality: true,
          nextAction: yield* nextAction(deposit, networkOf(deposit))
        })
      case "open":
        if (!deposit.closed)
          return Outcome.pending({ reference, nextAction: yield* nextAction(deposit, networkOf(deposit)) })
        return now >= deposit.expiresAt ? Outcome.expired({ reference }) : Outcome.canceled({ reference })
    }
  })

  /** Closes an unpaid address, by what the nodes report now: a scanner that has fallen behind closes nothing that is paid. */
  const cancel = Effect.fnUntraced(function* ({ original }: ProviderOperation) {
    const account = readAccountId(original?.reference ?? "")
    const place = scanned.find(({ chain }) => chain.chainId === account?.chainId)
    if (account === null || place === undefined) return Outcome.notExecuted({ reason: "adapter_fault" })
    const { address, chainId } = account
    // Read before the deposit, which then has all that is credited up to there.
    const cursor = yield* cursors.get(chainId)
    const before = yield* store.deposit(chainId, address)
    if (before === null) return Outcome.notExecuted({ reason: "adapter_fault" })
    if (cursor === null) return nodesAway()
    const looked = yield* closable(place, cursor, before).pipe(Effect.timeoutOption(patience), Effect.result)
    if (Result.isFailure(looked)) return nodesAway(looked.failure)
    if (Option.isNone(looked.success)) return nodesAway()
    const { hits, unseen } = looked.success.value
    if (unseen) return notClosed("balance_unseen")
    const now = yield* Clock.currentTimeMillis
    const found = yield* store.updateDeposit(chainId, address, (deposit) => {
      const after = see(deposit, hits)
      if (isEmpty(after)) return { ...after, closed: true }
      // The scanner then has to retract this answer, should the transfer disappear.
      const detected =
        after.reported.detected ?? (after.reported.short === null ? "seen when it was to be closed" : null)
      return { ...after, reported: { ...after.reported, detected } }
    })
    if (found === null) return Outcome.notExecuted({ reason: "adapter_fault" })
    if (isEmpty(found)) return Outcome.succeeded()
    yield* store.watchNow(chainId, address, now)
    return notClosed("transfer_seen")
  })

  const inquireCancel = Effect.fnUntraced(function* ({ original }: ProviderOperation) {
    const account = readAccountId(original?.reference ?? "")
    const deposit = account === null ? null : yield* store.deposit(account.chainId, account.address)
    return deposit?.closed === true ? Outcome.succeeded() : Outcome.notFound()
  })

  return { cancel, create, inquireCancel, inquireCreate }
}

const notClosed = (vendorCode: string) => Outcome.declined({ code: "not_permitted", retry: "never", vendorCode })

/** The asset and network that were asked for; else the first coin of the payment's currency. */
const choose = (scanned: ReadonlyArray<Scanned>, { amount, method }: ProviderOperation) => {
  if (method.rail !== "stablecoin") return null
  for (const place of scanned) {
    if (method.network !== null && method.network !== place.chain.network) continue
    const coin = place.chain.tokens.find(
      ({ asset, currency }) => currency === amount.currency && asset === (method.asset ?? asset)
    )
    if (coin !== undefined) return { place, coin }
  }
  return null
}

const nextAction = (deposit: Deposit, network: string | undefined): Effect.Effect<NextAction> => {
  const { address, asked, coin, expiresAt } = deposit
  const uri = transferUri(deposit, coin, asked)
  const amount = decimalText(minorOf(asked, coin), coin.currency)
  return Effect.map(drawnAsSvg(uri), (image) => ({
    type: "stablecoin_transfer",
    address,
    uri,
    amount,
    asset: coin.asset,
    ...(network !== undefined && { network }),
    image,
    expiresAt
  }))
}

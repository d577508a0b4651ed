/**
 * Refunds: a transfer from the signer's wallet, signed once, written down, and broadcast until it is final.
 *
 * `refundWatch` reports an end; an inquiry reads what it wrote. The wallet is read before the end is: an end is
 * written before the wallet forgets it, so that a refund is always seen in one of them.
 */
import { invalidRequest, Outcome, rateLimited } from "@paymux/core"
import type { InquiryOutcome, ProviderError, ProviderOperation } from "@paymux/core"
import { Clock, Effect, Option, Result } from "effect"
import { zeroAddress } from "viem"
import type { Address } from "viem"
import { getAddress, isAddress } from "viem/utils"
import { readAccountId } from "../deposits/addresses.ts"
import type { Cursors } from "../deposits/Cursor.ts"
import type { Deposit } from "../deposits/Deposit.ts"
import type { DepositStore } from "../deposits/DepositStore.ts"
import { nodesAway } from "../nodes/nodesAway.ts"
import { broadcast, prepare, sign } from "./payout.ts"
import type { Prepared } from "./payout.ts"
import type { Scanned } from "../deposits/scanner.ts"
import type { Signer } from "./Signer.ts"
import { unitsOf } from "../tokens.ts"
import type { End, Signed, Wallets } from "./Wallet.ts"

interface Needs {
  readonly cursors: Cursors
  readonly scanned: ReadonlyArray<Scanned>
  readonly signer: Signer
  readonly store: DepositStore
  readonly wallets: Wallets
}

/** More at a time do not fit into what nodes keep for one sender, nor into one document. */
const mostOpen = 200

/** ms: of an operation that is older, and was never signed, none will be; as `notFoundIsFinalAfter` declares. */
const notFoundIsFinalAfter = 60_000

/** ms; below the five seconds that the engine gives to one send. */
const patience = 4_000

export const makeRefunds = ({ cursors, scanned, signer, store, wallets }: Needs) => {
  const refund = Effect.fnUntraced(function* (
    operation: ProviderOperation
  ): Effect.fn.Return<Outcome.SendOutcome, ProviderError> {
    const found = yield* depositOf(operation)
    if (found === null) return Outcome.notExecuted({ reason: "adapter_fault", vendorCode: "unknown_address" })
    const { deposit, place } = found
    const begun = yield* sentBefore(place, operation.id)
    if (begun !== null) return begun
    const to = yield* recipientOf(operation, deposit, signer.address)
    if (to === null) return Outcome.declined({ code: "unsupported", retry: "never", vendorCode: "no_single_sender" })
    const units = unitsOf(operation.amount.minorUnits, deposit.coin)
    const prepared = yield* prepare(place.nodes, signer, { token: deposit.coin.contract, to, units }).pipe(
      Effect.timeoutOption(patience),
      Effect.result
    )
    if (Result.isFailure(prepared)) {
      return prepared.failure.fault === "reverted"
        ? Outcome.declined({ code: "not_permitted", retry: "same_later", vendorCode: "reverted" })
        : nodesAway(prepared.failure)
    }
    return Option.isNone(prepared.success) ? nodesAway() : yield* send(place, operation, prepared.success.value)
  })

  const send = Effect.fnUntraced(function* (
    place: Scanned,
    { amount, id }: ProviderOperation,
    prepared: Prepared
  ): Effect.fn.Return<Outcome.SendOutcome, ProviderError> {
    const { chainId, network } = place.chain
    while (true) {
      const wallet = yield* wallets.get(chainId)
      const begun = yield* known(place, id)
      if (begun !== null) return begun
      const open = Object.values(wallet.open)
      if (open.length >= mostOpen) return yield* rateLimited(place.chain.pollEvery)
      // What is in a block has left the balance already.
      const promised = open
        .filter(({ nonce, token }) => nonce >= prepared.mined && token === prepared.token)
        .reduce((sum, { units }) => sum + units, 0n)
      if (prepared.balance - promised < prepared.units) {
        return Outcome.declined({ code: "insufficient_funds", retry: "same_later", vendorCode: "wallet_balance" })
      }
      if (!prepared.hasGas) {
        yield* Effect.logError(`The wallet ${signer.address} cannot pay for gas on ${network}: a refund was not sent`)
        return Outcome.notExecuted({ reason: "adapter_fault", vendorCode: "wallet_gas" })
      }
      const nonce = Math.max(wallet.next ?? prepared.pending, prepared.mined)
      const made = yield* Effect.result(sign(signer, chainId, nonce, prepared))
      if (Result.isFailure(made)) {
        yield* Effect.logError(`The signer did not sign a refund on ${network}: ${made.failure.detail}`)
        return Outcome.notExecuted({ reason: "adapter_fault", vendorCode: "not_signed" })
      }
      const signed: Signed = {
        ...made.success,
        nonce,
        token: lower(prepared.token),
        to: lower(prepared.to),
        units: prepared.units,
        since: (yield* cursors.get(chainId))?.final.number ?? 0,
        minor: amount.minorUnits,
        currency: amount.currency
      }
      if (!(yield* wallets.open(chainId, id, signed, wallet.revision))) continue
      yield* broadcast(place, signer, signed)
      return Outcome.pending({ reference: signed.hash })
    }
  })

  /** What an earlier send signed is sent once more, and nothing else. */
  const sentBefore = Effect.fnUntraced(function* (place: Scanned, operation: string) {
    const begun = yield* known(place, operation)
    const { open } = yield* wallets.get(place.chain.chainId)
    const signed = open[operation]
    if (signed !== undefined) yield* broadcast(place, signer, signed)
    return begun
  })

  /** As it stands; what is open, `refundWatch` goes on to broadcast. `null`: it was never signed. */
  const known = Effect.fnUntraced(function* ({ chain }: Scanned, operation: string) {
    const { open } = yield* wallets.get(chain.chainId)
    const signed = open[operation]
    if (signed !== undefined) return Outcome.pending({ reference: signed.hash })
    const end = yield* wallets.endOf(operation)
    return end === null ? null : answerOf(end)
  })

  const inquire = Effect.fnUntraced(function* (operation: ProviderOperation): Effect.fn.Return<InquiryOutcome> {
    const found = yield* depositOf(operation)
    if (found === null) return Outcome.notFound()
    const begun = yield* known(found.place, operation.id)
    if (begun !== null) return begun._tag === "NotExecuted" ? Outcome.notFound() : begun
    const now = yield* Clock.currentTimeMillis
    if (now - operation.createdAt < notFoundIsFinalAfter) return Outcome.notFound()
    yield* wallets.refuse(found.place.chain.chainId, operation.id)
    // Another process that was about to send it may have been faster.
    const after = yield* known(found.place, operation.id)
    return after === null || after._tag === "NotExecuted" ? Outcome.notFound() : after
  })

  const depositOf = Effect.fnUntraced(function* ({ original }: ProviderOperation) {
    const account = readAccountId(original?.reference ?? "")
    const place = scanned.find(({ chain }) => chain.chainId === account?.chainId)
    if (account === null || place === undefined) return null
    const deposit = yield* store.deposit(account.chainId, account.address)
    return deposit === null ? null : { deposit, place }
  })

  return { inquire, refund }
}

// Boundary: hexadecimal digits in lower case are the same template type.
const lower = (address: Address): Address => address.toLowerCase() as Address

const answerOf = ({ end, hash }: End): Outcome.SendOutcome => {
  const reported = hash === null ? {} : { reference: hash }
  switch (end) {
    case "succeeded":
      return Outcome.succeeded(reported)
    case "failed":
      return Outcome.declined({ ...reported, code: "processing_error", retry: "same_later", vendorCode: "reverted" })
    case "void":
      return Outcome.notExecuted({ ...reported, reason: "adapter_fault", vendorCode: "given_up" })
  }
}

/** Where the payer wants it; else the one sender of all of it. `null`: not known. */
const recipientOf = (
  { metadata }: ProviderOperation,
  { address, coin, senders }: Deposit,
  wallet: Address
): Effect.Effect<Address | null, ProviderError> => {
  const wanted = Object.hasOwn(metadata, "refund_address") ? metadata["refund_address"] : undefined
  if (wanted !== undefined) {
    return isAddress(wanted) && isPayable(wanted)
      ? Effect.succeed(getAddress(wanted))
      : Effect.fail(invalidRequest("metadata.refund_address is no address that could be paid"))
  }
  const [sender, ...others] = senders
  return Effect.succeed(sender === undefined || others.length > 0 || !isPayable(sender) ? null : getAddress(sender))

  function isPayable(candidate: Address): boolean {
    return ![zeroAddress, address, coin.contract, wallet].some((each) => each.toLowerCase() === candidate.toLowerCase())
  }
}

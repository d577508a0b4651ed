/** One transfer out of the refund wallet: what it takes, its signature, and its way to the nodes. */
import { Data, Effect, Result } from "effect"
import { erc20Abi, recoverTransactionAddress } from "viem"
import type { Address, Hex } from "viem"
import { encodeFunctionData, keccak256, parseTransaction } from "viem/utils"
import { calls } from "../nodes/Node.ts"
import type { NodeFailed } from "../nodes/Node.ts"
import type { Nodes } from "../nodes/Nodes.ts"
import type { Scanned } from "../deposits/scanner.ts"
import type { Signer, UnsignedTransaction } from "./Signer.ts"
import type { Signed } from "./Wallet.ts"
import { readBlock, readCount, readHash, readQuantity, unread } from "../nodes/wire.ts"
import type { Reader } from "../nodes/wire.ts"

export interface Payout {
  readonly token: Address
  readonly to: Address
  readonly units: bigint
}

export interface Prepared extends Payout {
  readonly data: Hex
  readonly gas: bigint
  /** wei */
  readonly maxFeePerGas: bigint
  readonly maxPriorityFeePerGas: bigint
  /** Base units of the token, and whether there is enough for gas. */
  readonly balance: bigint
  readonly hasGas: boolean
  /** How many transactions of the wallet are in blocks, and how many with those that wait. */
  readonly mined: number
  readonly pending: number
}

/** wei; where a node does not say what is usual. */
const usualTip = 100_000_000n

/**
 * What one transfer may use. What is not used is not paid, and what is signed with less, or with more than a block takes,
 * is stuck: a lower estimate is not trusted, and neither is a higher one.
 */
const [leastGas, mostGas] = [100_000n, 5_000_000n]

/** What the nodes say of it. Each number is one that enough of them say or surpass. */
export const prepare = Effect.fnUntraced(function* (
  nodes: Nodes,
  { address }: Signer,
  { to, token, units }: Payout
): Effect.fn.Return<Prepared, NodeFailed> {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args: [to, units] })
  const asked = encodeFunctionData({ abi: erc20Abi, functionName: "balanceOf", args: [address] })
  const [balance, wei, baseFee, tip, mined, pending] = yield* Effect.all(
    [
      nodes.atLeast(calls.call(token, asked, "latest"), readQuantity),
      nodes.atLeast(calls.balance(address), readQuantity),
      nodes.atLeast(calls.block("latest"), readBaseFee),
      Effect.catch(nodes.atLeast(calls.tip, readQuantity), () => Effect.succeed(usualTip)),
      nodes.atLeast(calls.nonce(address, "latest"), readCount),
      nodes.atLeast(calls.nonce(address, "pending"), readCount)
    ],
    { concurrency: "unbounded" }
  )
  // Three times the base fee of now: what is signed cannot be changed, and it pays only what its block costs.
  const maxFeePerGas = baseFee * 3n + tip
  const fees = { maxFeePerGas, maxPriorityFeePerGas: tip }
  const known = { to, token, units, data, balance, mined, pending, ...fees }
  // Without the token, a trial of the transfer would fail for that.
  if (balance < units) return { ...known, gas: 0n, hasGas: true }
  const estimate = ((yield* nodes.atLeast(calls.gas(address, token, data), readQuantity)) * 13n) / 10n
  const gas = estimate < leastGas ? leastGas : estimate > mostGas ? mostGas : estimate
  return { ...known, gas, hasGas: wei >= gas * maxFeePerGas }
})

const readBaseFee: Reader<bigint> = (answer) => {
  const block = readBlock(answer)
  return block === unread || block === null ? unread : (block.baseFee ?? 0n)
}

/** Nothing was signed, or not what was asked for. */
class NotSigned extends Data.TaggedError("NotSigned")<{ readonly detail: string }> {}

/** A signer may be far away, and is not trusted: what it signed is read again. */
export const sign = Effect.fnUntraced(function* (
  signer: Signer,
  chainId: number,
  nonce: number,
  { data, gas, maxFeePerGas, maxPriorityFeePerGas, token }: Prepared
) {
  const wanted: UnsignedTransaction = {
    type: "eip1559",
    chainId,
    nonce,
    to: token,
    data,
    value: 0n,
    gas,
    maxFeePerGas,
    maxPriorityFeePerGas
  }
  const raw = yield* Effect.tryPromise({
    try: () => signer.signTransaction(wanted),
    // What it says is not repeated: it may show a key.
    catch: () => new NotSigned({ detail: "it failed" })
  })
  const isRight = yield* Effect.tryPromise({
    try: () => isWhatWasAsked(raw, wanted, signer.address),
    catch: () => new NotSigned({ detail: "its answer is no signed transaction" })
  })
  return isRight
    ? { raw: lower(raw), hash: keccak256(raw) }
    : yield* new NotSigned({ detail: "its answer is another transaction, or another wallet's" })
})

const isWhatWasAsked = async (raw: Hex, wanted: UnsignedTransaction, address: Address): Promise<boolean> => {
  const signed = parseTransaction(raw)
  // Boundary: the type that viem wants is what `parseTransaction` has just read.
  const from = await recoverTransactionAddress({
    serializedTransaction: raw as Parameters<typeof recoverTransactionAddress>[0]["serializedTransaction"]
  })
  return (
    from.toLowerCase() === address.toLowerCase() &&
    signed.chainId === wanted.chainId &&
    (signed.nonce ?? 0) === wanted.nonce &&
    signed.to?.toLowerCase() === wanted.to.toLowerCase() &&
    signed.data === wanted.data &&
    signed.gas === wanted.gas &&
    signed.maxFeePerGas === wanted.maxFeePerGas &&
    (signed.maxPriorityFeePerGas ?? 0n) === wanted.maxPriorityFeePerGas &&
    (signed.value ?? 0n) === 0n
  )
}

// Boundary: hexadecimal digits in lower case are the same template type.
const lower = (text: Hex): Hex => text.toLowerCase() as Hex

/** ms; who is slower may have got it all the same, and gets it again. */
const patience = 2_000

/** To every node that is there. What they say decides nothing: its receipt does. */
export const broadcast = Effect.fnUntraced(function* ({ chain, nodes }: Scanned, signer: Signer, { raw }: Signed) {
  const reported = yield* Effect.forEach(
    yield* nodes.present,
    (node) => Effect.result(Effect.timeoutOption(nodes.ask(node, calls.send(raw), readHash), patience)),
    { concurrency: "unbounded" }
  )
  if (reported.some((each) => Result.isFailure(each) && each.failure.fault === "no_gas")) {
    yield* Effect.logError(`The wallet ${signer.address} cannot pay for gas on ${chain.network}: a refund waits for it`)
  }
})

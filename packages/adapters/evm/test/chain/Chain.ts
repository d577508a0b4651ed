/** The chain of a test file: what a payer, a miner and a token's issuer do on it. Every verb is done when it returns. */
import { Context, Effect, Layer } from "effect"
import {
  createPublicClient,
  encodeDeployData,
  encodeFunctionData,
  getAddress,
  http,
  parseAbi,
  parseEventLogs
} from "viem"
import type { Address, Hex } from "viem"
import { mnemonicToAccount } from "viem/accounts"
import { foundry } from "viem/chains"
import { chainId, startAnvil } from "./anvil.ts"
import { compiled } from "./compiled.ts"

/** The accounts that anvil gives money to. */
const anvilWords = "test test test test test test test test test test test junk"
const account = (addressIndex: number) => mnemonicToAccount(anvilWords, { addressIndex })
type Payer = ReturnType<typeof account>

/** Who pays unless a test says otherwise. */
export const alice = account(1)
export const bob = account(2)
/** Who gives money back. */
export const cashier = account(8)
/** Who deploys, mints and owns. */
export const issuer = account(0)

export const tokenAbi = parseAbi([
  "event Transfer(address indexed from, address indexed to, uint256 value)",
  "function transfer(address to, uint256 value) returns (bool)",
  "function mint(address to, uint256 value)",
  "function balanceOf(address account) view returns (uint256)",
  "function setPaused(bool paused)",
  "function setBlacklisted(address account, bool refused)"
])
const batchAbi = parseAbi(["function pay(address token, address to, uint256[] values)"])

/** A transaction as it was signed: sent again, it is the same one. */
interface Sent {
  readonly hash: Hex
  readonly raw: Hex
}

export interface Token {
  readonly address: Address
  readonly decimals: number
}

interface Call {
  readonly to?: Address
  readonly data: Hex
  readonly from: Payer
  /** Takes the place of what was sent under it; default: the next one. */
  readonly nonce?: number
}

export class Chain extends Context.Service<Chain, Effect.Success<ReturnType<typeof make>>>()("@paymux/evm/test/Chain") {
  static readonly make = (blocksPerEpoch = 4) => make(blocksPerEpoch)
  static readonly layer = (blocksPerEpoch?: number) => Layer.effect(Chain, Chain.make(blocksPerEpoch))
}

const gwei = 1_000_000_000n

const make = Effect.fnUntraced(function* (blocksPerEpoch: number) {
  const blocksToFinality = 2 * blocksPerEpoch
  const { url } = yield* Effect.acquireRelease(
    Effect.promise(() => startAnvil(blocksPerEpoch)),
    ({ stop }) => Effect.sync(stop)
  )
  const contracts = yield* Effect.promise(() => compiled())
  const client = createPublicClient({ chain: foundry, transport: http(url), cacheTime: 0, pollingInterval: 1 })
  /** The methods that only anvil has. */
  const ask = async (method: string, params: ReadonlyArray<unknown>): Promise<unknown> => {
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params })
    })
    const { error, result }: { readonly error?: { readonly message: string }; readonly result?: unknown } = JSON.parse(
      await response.text()
    )
    if (error !== undefined) throw new Error(`${method}: ${error.message}`)
    return result
  }

  const signed = async ({ data, from, nonce, to }: Call): Promise<Hex> => {
    // What may replace another has to pay more than that.
    if (nonce !== undefined) price *= 2n
    const gasPrice = nonce === undefined ? gwei : price
    return from.signTransaction({
      type: "eip1559",
      chainId,
      nonce: nonce ?? (await client.getTransactionCount({ address: from.address, blockTag: "pending" })),
      gas: 3_000_000n,
      maxFeePerGas: 20n * gasPrice,
      maxPriorityFeePerGas: gasPrice,
      data,
      ...(to !== undefined && { to })
    })
  }
  let price = gwei

  const broadcast = async (raw: Hex): Promise<Sent> => ({
    raw,
    hash: await client.sendRawTransaction({ serializedTransaction: raw })
  })
  const send = async (call: Call) => broadcast(await signed(call))
  const mine = (blocks: number) =>
    blocks === 0 ? Promise.resolve(null) : ask("anvil_mine", [`0x${blocks.toString(16)}`])

  const deploy = async (contract: keyof typeof contracts, args: ReadonlyArray<unknown>): Promise<Address> => {
    const { abi, bytecode } = contracts[contract]
    const { hash } = await send({ from: issuer, data: encodeDeployData({ abi, bytecode, args }) })
    await mine(1)
    const { contractAddress } = await client.getTransactionReceipt({ hash })
    if (contractAddress === null || contractAddress === undefined) throw new Error(`${contract} was not deployed`)
    return getAddress(contractAddress)
  }

  const token = async (symbol: string, decimals: number, kind: "Token" | "StrictToken"): Promise<Token> => {
    const address = await deploy(kind, [symbol, decimals])
    for (const { address: to } of [alice, bob, issuer]) {
      const value = 1_000_000n * 10n ** BigInt(decimals)
      await send({
        from: issuer,
        to: address,
        data: encodeFunctionData({ abi: tokenAbi, functionName: "mint", args: [to, value] })
      })
    }
    await mine(1)
    return { address, decimals }
  }

  const transfer = (of: Token, to: Address, value: bigint, by: Partial<Call> = {}) =>
    send({
      from: alice,
      to: of.address,
      data: encodeFunctionData({ abi: tokenAbi, functionName: "transfer", args: [to, value] }),
      ...by
    })

  return {
    url,
    client,
    /** A stablecoin, of which alice, bob and the issuer have a million each. */
    token: (symbol: string, decimals: number, kind: "Token" | "StrictToken" = "Token") =>
      Effect.promise(() => token(symbol, decimals, kind)),
    /** The next block is made so many seconds later. */
    wait: (seconds: number) => Effect.promise(() => ask("evm_increaseTime", [seconds])),
    mine: (blocks = 1) => Effect.promise(() => mine(blocks)),
    /** A block is final under so many others. */
    blocksToFinality,
    /** Makes everything final that stands on the chain. */
    finalize: Effect.promise(() => mine(blocksToFinality + 1)),
    head: Effect.promise(() => client.getBlockNumber()),
    /** Sent, and not in a block yet; by alice, unless another sender is named. */
    transfer: (of: Token, to: Address, value: bigint, by?: Partial<Call>) =>
      Effect.promise(() => transfer(of, to, value, by)),
    /** Sent and in a block. */
    pay: (of: Token, to: Address, value: bigint, by?: Partial<Call>) =>
      Effect.promise(async () => {
        const sent = await transfer(of, to, value, by)
        await mine(1)
        return sent
      }),
    /** Several transfers in one transaction, in a block. */
    payInOne: (of: Token, to: Address, values: ReadonlyArray<bigint>) =>
      Effect.promise(async () => {
        const payer = await deploy("BatchPayer", [])
        await transfer(
          of,
          payer,
          values.reduce((sum, value) => sum + value, 0n)
        )
        await send({
          from: alice,
          to: payer,
          data: encodeFunctionData({ abi: batchAbi, functionName: "pay", args: [of.address, to, values] })
        })
        await mine(1)
      }),
    mint: (of: Token, to: Address, value: bigint) =>
      Effect.promise(async () => {
        await send({
          from: issuer,
          to: of.address,
          data: encodeFunctionData({ abi: tokenAbi, functionName: "mint", args: [to, value] })
        })
        await mine(1)
      }),
    blacklist: (of: Token, address: Address) =>
      Effect.promise(async () => {
        await send({
          from: issuer,
          to: of.address,
          data: encodeFunctionData({ abi: tokenAbi, functionName: "setBlacklisted", args: [address, true] })
        })
        await mine(1)
      }),
    nonceOf: ({ address }: Payer) => Effect.promise(() => client.getTransactionCount({ address, blockTag: "latest" })),
    /** The very same transaction once more. */
    resend: ({ raw }: Sent) => Effect.promise(() => broadcast(raw)),
    /** The last `depth` blocks are others now, empty, and what stood in them is nowhere. */
    reorg: (depth: number) =>
      Effect.promise(async () => {
        await ask("anvil_reorg", [depth, []])
        await ask("anvil_dropAllTransactions", [])
      }),
    /** What comes after it can be taken back: the chain is as short again as it was. */
    snapshot: Effect.promise(() => ask("evm_snapshot", [])),
    revert: (snapshot: unknown) =>
      Effect.promise(async () => {
        await ask("evm_revert", [snapshot])
        await ask("anvil_dropAllTransactions", [])
      }),
    /** How many transactions are sent and in no block. */
    waiting: Effect.promise(async () => {
      const status = await ask("txpool_status", [])
      return Number(Object(status).pending)
    }),
    dropWaiting: Effect.promise(() => ask("anvil_dropAllTransactions", [])),
    balanceOf: (of: Token, address: Address) =>
      Effect.promise(() =>
        client.readContract({ abi: tokenAbi, address: of.address, functionName: "balanceOf", args: [address] })
      ),
    /** Of a token from one address, in blocks: to whom, and how much. */
    transfersFrom: (of: Token, from: Address) =>
      Effect.promise(async () => {
        const logs = await client.getLogs({ address: of.address, fromBlock: 0n })
        return parseEventLogs({ abi: tokenAbi, eventName: "Transfer", logs })
          .filter(({ args }) => args.from === from)
          .map(({ args: { to, value }, transactionHash }) => ({ to, value, hash: transactionHash }))
      })
  }
})

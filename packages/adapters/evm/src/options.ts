/** The options of an instance, decoded strictly. A fault is reported by its path; no value is shown. */
import { Currency, ProviderOptionsInvalid } from "@paymux/core"
import type { ProviderMode } from "@paymux/core"
import { Duration, Option, Redacted, Schema } from "effect"
import type { Address } from "viem"
import { isAddress } from "viem/utils"
import { xpubProblem } from "./deposits/addresses.ts"
import { modeOf } from "./chains.ts"
import type { Signer } from "./refunds/Signer.ts"
import { par } from "./tokens.ts"
import type { Coin } from "./tokens.ts"

const Contract = Schema.String.check(Schema.isPattern(/^0x[0-9a-fA-F]{40}$/))
const Count = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1_000_000 }))
const Time = Schema.Union([Schema.String, Schema.Finite])

const TokenFields = Schema.Struct({
  asset: Schema.NonEmptyString,
  contract: Contract,
  decimals: Schema.Int.check(Schema.isBetween({ minimum: 2, maximum: 18 })),
  currency: Schema.NonEmptyString
})

const ChainFields = Schema.Struct({
  chainId: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })),
  rpcUrls: Schema.Array(Schema.RedactedFromValue(Schema.NonEmptyString)),
  tokens: Schema.Array(TokenFields),
  wrongTokens: Schema.optionalKey(Schema.Array(Contract)),
  finality: Schema.optionalKey(Schema.Union([Schema.Literal("finalized"), Schema.Struct({ depth: Count })])),
  quorum: Schema.optionalKey(Count),
  maxRange: Schema.optionalKey(Count),
  pollEvery: Schema.optionalKey(Time)
})

const isSigner = (value: unknown): value is Signer =>
  typeof value === "object" &&
  value !== null &&
  "address" in value &&
  typeof value.address === "string" &&
  isAddress(value.address) &&
  "signTransaction" in value &&
  typeof value.signTransaction === "function"

export const EvmOptionsSchema = Schema.Struct({
  xpub: Schema.RedactedFromValue(Schema.NonEmptyString),
  chains: Schema.Record(Schema.String, ChainFields),
  payWithin: Schema.optionalKey(Time),
  signer: Schema.optionalKey(Schema.declare(isSigner))
})
type Decoded = typeof EvmOptionsSchema.Type

/** A coin that is taken, by the contract that issues it. Whatever else calls itself by its name never counts. */
export interface Token {
  /** As payments ask for it: `USDC`, which is taken for USD, or `EURC`, for EUR. Others are refused. */
  readonly asset: string
  /** The contract's address on this chain, from the issuer's own list. */
  readonly contract: string
  /** Of the contract on this chain: 6 for USDC nearly everywhere, 18 on BNB Smart Chain. */
  readonly decimals: number
  /** ISO 4217: one coin is one unit of it. */
  readonly currency: string
}

/** One chain, under the name by which payments ask for it. */
export interface ChainOptions {
  /** EIP-155. */
  readonly chainId: number
  /** JSON-RPC over HTTP; better of several operators, who must agree. They may hold API keys, and are never shown. */
  readonly rpcUrls: ReadonlyArray<string>
  /** The coins taken on it. The first whose currency is the payment's is asked for where the payment names none. */
  readonly tokens: ReadonlyArray<Token>
  /** Contracts that payers confuse with those, such as bridged USDC: their transfers are reported, and do not count. */
  readonly wrongTokens?: ReadonlyArray<string>
  /** When money counts: what the nodes call `finalized` (the default), or so many blocks below the newest. */
  readonly finality?: "finalized" | { readonly depth: number }
  /** How many nodes have to say the same before money counts: more than half of `rpcUrls`, which is the default. */
  readonly quorum?: number
  /** The most blocks asked for in one query of logs. Default: 1000. What a node finds too much is halved. */
  readonly maxRange?: number
  /** How often the chain is looked at: ms or text. Default: 4 seconds. */
  readonly pollEvery?: string | number
}

/** The options of an instance. */
export interface EvmOptions {
  /** Extended public key of an account kept for this instance alone; addresses are at `branch/place` below it. */
  readonly xpub: string
  /** By the network's name in payments, such as `base`. All of them test chains, or none. */
  readonly chains: { readonly [network: string]: ChainOptions }
  /** How long a payer has: ms or text. Default: 30 minutes. What comes later is still seen. */
  readonly payWithin?: string | number
  /** Signs refunds. Without it they are not offered. */
  readonly signer?: Signer
}

/** A chain with every default in its place. */
export interface Chain {
  readonly network: string
  readonly chainId: number
  readonly rpcUrls: ReadonlyArray<Redacted.Redacted>
  readonly tokens: ReadonlyArray<Coin>
  /** In lower case. */
  readonly wrongTokens: ReadonlyArray<Address>
  /** Blocks below the newest; `null`: what the nodes call finalized. */
  readonly depth: number | null
  readonly quorum: number
  readonly maxRange: number
  /** ms */
  readonly pollEvery: number
}

export interface Settings {
  readonly xpub: Redacted.Redacted
  readonly chains: ReadonlyArray<Chain>
  /** ms */
  readonly payWithin: number
  readonly signer: Signer | null
  readonly mode: ProviderMode
}

/** Throws `ProviderOptionsInvalid`, which names every fault that the shapes alone do not show. */
export const settingsOf = (provider: string, options: Decoded): Settings => {
  const chains = Object.entries(options.chains)
  const mode = modeOf(chains.map(([, { chainId }]) => chainId))
  const xpub = xpubProblem(Redacted.value(options.xpub))
  const problems = [
    ...(xpub === null ? [] : [`xpub: ${xpub}`]),
    ...(chains.length === 0 ? ["chains: name at least one"] : []),
    ...(mode === null ? ["chains: some are test chains and some are not; give each kind an instance of its own"] : []),
    ...repeated(chains.map(([, { chainId }]) => String(chainId))).map((id) => `chains: chain id ${id} is there twice`),
    ...(millis(options.payWithin ?? "30 minutes") === null ? ["payWithin: is no time above 0"] : []),
    ...chains.flatMap(([network, chain], place) =>
      chainProblems(network, chain).map((each) => `chains.${isName(network) ? network : place}${each}`)
    )
  ]
  if (problems.length > 0 || mode === null) throw new ProviderOptionsInvalid({ provider, problems })
  return {
    xpub: options.xpub,
    chains: chains.map(([network, chain]) => chainOf(network, chain)),
    payWithin: millis(options.payWithin ?? "30 minutes") ?? 0,
    signer: options.signer ?? null,
    mode
  }
}

const chainOf = (network: string, chain: typeof ChainFields.Type): Chain => ({
  network,
  chainId: chain.chainId,
  rpcUrls: chain.rpcUrls,
  tokens: chain.tokens.flatMap(({ asset, contract, currency, decimals }) =>
    Currency.isCurrency(currency) ? [{ asset, contract: lowered(contract), currency, decimals }] : []
  ),
  wrongTokens: (chain.wrongTokens ?? []).map(lowered),
  depth: typeof chain.finality === "object" ? chain.finality.depth : null,
  quorum: chain.quorum ?? majority(chain.rpcUrls),
  maxRange: chain.maxRange ?? 1000,
  pollEvery: millis(chain.pollEvery ?? "4 seconds") ?? 4000
})

/** Each begins with its place below the chain. */
const chainProblems = (network: string, chain: typeof ChainFields.Type): ReadonlyArray<string> => {
  const { quorum = majority(chain.rpcUrls), rpcUrls, tokens, wrongTokens = [] } = chain
  const contracts = [...tokens.map(({ contract }) => contract), ...wrongTokens]
  return [
    ...(isName(network) ? [] : [": use lower-case letters, digits, _ and - for the name"]),
    ...rpcUrls.flatMap((url, place) => (isHttp(Redacted.value(url)) ? [] : [`.rpcUrls.${place}: is no http(s) URL`])),
    ...(repeated(rpcUrls.map(Redacted.value)).length > 0
      ? [".rpcUrls: one is there twice, and would agree with itself"]
      : []),
    ...(rpcUrls.length === 0 ? [".rpcUrls: name at least one"] : []),
    ...(tokens.length === 0 ? [".tokens: name at least one"] : []),
    ...(rpcUrls.length > 0 && quorum > rpcUrls.length ? [".quorum: is more than there are rpcUrls"] : []),
    ...(quorum < majority(rpcUrls) && quorum <= rpcUrls.length
      ? [".quorum: has to be more than half of rpcUrls, or two groups of nodes could each have their own truth"]
      : []),
    ...(millis(chain.pollEvery ?? 1) === null ? [".pollEvery: is no time above 0"] : []),
    ...tokens.flatMap(({ asset, currency }, place) =>
      Object.hasOwn(par, asset) && par[asset] === currency
        ? []
        : [`.tokens.${place}: only USDC for USD and EURC for EUR are taken at par`]
    ),
    ...repeated(tokens.map(({ asset }) => asset)).map((asset) => `.tokens: ${asset} is there twice`),
    ...contracts.filter((contract) => !isAddress(contract)).map(() => ": a contract's address has a wrong checksum"),
    ...repeated(contracts.map(lowered)).map((contract) => `: the contract ${contract} is there twice`)
  ]
}

/** What is no name may be a URL that was put into its place, with a key in it. */
const isName = (network: string): boolean => /^[a-z][a-z0-9_-]{0,63}$/.test(network)

const majority = (of: ReadonlyArray<unknown>): number => Math.floor(of.length / 2) + 1

const isHttp = (url: string): boolean => URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)

const repeated = (all: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...new Set(all.filter((each, place) => all.indexOf(each) !== place))
]

// Boundary: its pattern was checked when the options were decoded, and lower case keeps it.
const lowered = (contract: string): Address => contract.toLowerCase() as Address

/** `null`: no time, or none above 0. */
const millis = (input: unknown): number | null => {
  // Boundary: text and numbers that are no duration are refused by `fromInput` itself.
  const ms = Option.match(Duration.fromInput(input as Duration.Input), { onNone: () => 0, onSome: Duration.toMillis })
  return Number.isFinite(ms) && ms > 0 ? ms : null
}

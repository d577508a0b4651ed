/**
 * The stablecoins of the simulated providers, with their contracts on public *test* networks: a transfer to a simulated
 * address by mistake moves test money only.
 *
 * Sources: Circle's list of test network contracts (USDC); the Aave V3 market on Ethereum Sepolia (USDT, for which the
 * issuer has no test contract). Payment links: EIP-681.
 */

export interface Stablecoin {
  readonly asset: string
  readonly network: string
  readonly chainId: number
  readonly contract: string
  readonly decimals: number
}

const usdcOnBase: Stablecoin = {
  asset: "USDC",
  network: "base",
  chainId: 84532,
  contract: "0x036CbD53842c5426634e7929541eC2318f3dCF7e",
  decimals: 6
}

export const stablecoins: ReadonlyArray<Stablecoin> = [
  usdcOnBase,
  {
    asset: "USDC",
    network: "ethereum",
    chainId: 11155111,
    contract: "0x1c7D4B196Cb0C7B01d743Fbc6116a902379C7238",
    decimals: 6
  },
  {
    asset: "USDC",
    network: "polygon",
    chainId: 80002,
    contract: "0x41E94Eb019C0762f9Bfcf9Fb1E58725BfB0e7582",
    decimals: 6
  },
  {
    asset: "USDT",
    network: "ethereum",
    chainId: 11155111,
    contract: "0xaA8E23Fb1079EA71e0a56F48a2aA51851D8433D0",
    decimals: 6
  }
]

/** The first stablecoin with the requested asset and network, each of which is optional; by default USDC on Base. */
export const chooseStablecoin = (requested: {
  readonly asset: string | null
  readonly network: string | null
}): Stablecoin =>
  stablecoins.find(
    ({ asset, network }) => asset === (requested.asset ?? asset) && network === (requested.network ?? network)
  ) ?? usdcOnBase

/**
 * The link of a token transfer (EIP-681). One unit of any currency is one unit of the coin: the sandbox has no exchange
 * rates. `exponent` is the number of decimals of the currency, at most those of the coin.
 */
export const transferUri = (
  { chainId, contract, decimals }: Stablecoin,
  address: string,
  minorUnits: number,
  exponent: number
): string => {
  const baseUnits = BigInt(minorUnits) * 10n ** BigInt(decimals - exponent)
  return `ethereum:${contract}@${chainId}/transfer?address=${address}&uint256=${baseUnits}`
}

/** Which chains move real money. Chain ids: the registry at https://chainid.network. */
import type { ProviderMode } from "@paymux/core"

/** Public test networks, and the chains of local development nodes. */
const testChains: ReadonlySet<number> = new Set([
  // Local: Anvil and Hardhat, Ganache
  31337, 1337,
  // Ethereum Sepolia, Holesky, Hoodi
  11155111, 17000, 560048,
  // Base Sepolia, OP Sepolia, Arbitrum Sepolia
  84532, 11155420, 421614,
  // Polygon Amoy, Avalanche Fuji, BNB testnet
  80002, 43113, 97,
  // Linea Sepolia, Unichain Sepolia, World Chain Sepolia, Celo Sepolia, Sonic Blaze, ZKsync Sepolia
  59141, 1301, 4801, 11142220, 57054, 300
])

/** `null`: some are test chains and some are not. */
export const modeOf = (chainIds: ReadonlyArray<number>): ProviderMode | null => {
  const isTest = chainIds.map((chainId) => testChains.has(chainId))
  if (isTest.every(Boolean)) return "test"
  return isTest.some(Boolean) ? null : "live"
}

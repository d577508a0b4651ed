/**
 * Stablecoins on EVM chains for Paymux: an address for each payment, a scanner that sees what comes to it, and refunds
 * from a wallet of their own.
 *
 * The rooms: `options`, `chains`, `tokens` and `addresses` (what is configured, amounts, names), `Nodes`, `wire` and
 * `transfers` (JSON-RPC, and which nodes are trusted), `paths` (where an address is below the key), `Deposit`
 * and `DepositStore` (what is known of it), `HeadPass`, `FinalPass` and `scanner` (the chain), `operations` (create, cancel, inquire), `Wallet` and `refund`,
 * `Signer`.
 */
import { defineProvider } from "@paymux/core"
import type { Provider } from "@paymux/core"
import { Effect } from "effect"
import { capabilitiesOf } from "./capabilities.ts"
import { makeClient } from "./client.ts"
import { EvmOptionsSchema, settingsOf } from "./options.ts"
import type { EvmOptions } from "./options.ts"

export { localSigner } from "./refunds/Signer.ts"
export type { Signer, UnsignedTransaction } from "./refunds/Signer.ts"
export type { ChainOptions, EvmOptions, Token } from "./options.ts"

/**
 * An instance for some EVM chains. Wrong options throw `ProviderOptionsInvalid`, which shows no value of theirs.
 *
 * @example
 * ```ts
 * evm({
 *   xpub: "xpub6…",
 *   chains: {
 *     base: {
 *       chainId: 8453,
 *       rpcUrls: ["https://…", "https://…", "https://…"],
 *       tokens: [
 *         { asset: "USDC", contract: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913", decimals: 6, currency: "USD" }
 *       ]
 *     }
 *   }
 * })
 * ```
 */
export const evm = <const Named extends string = "evm">(
  options: EvmOptions & { readonly id?: Named }
): Provider<Named> => {
  const name: string = options.id ?? "evm"
  const factory = defineProvider({
    id: "evm",
    options: EvmOptionsSchema,
    mode: (decoded) => settingsOf(name, decoded).mode,
    capabilities: (decoded) => capabilitiesOf(settingsOf(name, decoded)),
    make: (decoded, context) => Effect.sync(() => makeClient(settingsOf(name, decoded), context))
  })
  return factory<Named>(options)
}

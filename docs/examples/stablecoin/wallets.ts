/** The accounts with money on this chain. anvil gives ether to accounts of these well-known words: never use them elsewhere. */
import { mnemonicToAccount } from "viem/accounts"

const words = "test test test test test test test test test test test junk"

/** Deploys the token. */
export const issuer = mnemonicToAccount(words, { addressIndex: 0 })
/** Pays the shop. */
export const customer = mnemonicToAccount(words, { addressIndex: 1 })
/** Signs refunds, and sends nothing else. */
export const cashier = mnemonicToAccount(words, { addressIndex: 2 })

export const chainPort = Number(process.env["CHAIN_PORT"] ?? 8545)
export const chainUrl = `http://127.0.0.1:${chainPort}`

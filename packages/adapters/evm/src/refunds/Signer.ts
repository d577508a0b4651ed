/**
 * Who signs refunds: a wallet of its own, funded with coins to give back and with what its chain takes for gas. Without
 * one, refunds are not offered. The key may be here (`localSigner`) or behind a service that signs: then write the two
 * fields yourself.
 */
import type { Address, Hex } from "viem"
import { privateKeyToAccount } from "viem/accounts"

/** A transfer as it is to be signed. Amounts of gas are in wei. */
export interface UnsignedTransaction {
  readonly type: "eip1559"
  readonly chainId: number
  readonly nonce: number
  readonly to: Address
  readonly data: Hex
  readonly value: bigint
  readonly gas: bigint
  readonly maxFeePerGas: bigint
  readonly maxPriorityFeePerGas: bigint
}

/** Signs for one address, on every chain that is configured. */
export interface Signer {
  /** The wallet that refunds come from. No other program may send from it. */
  readonly address: Address
  /** The whole signed transaction, serialized. It is not broadcast by the signer. A rejection: nothing was signed. */
  readonly signTransaction: (transaction: UnsignedTransaction) => Promise<Hex>
}

/**
 * A signer whose private key is in this process.
 *
 * @example
 * ```ts
 * evm({ …, signer: localSigner(process.env["REFUND_WALLET_KEY"]) })
 * ```
 */
export const localSigner = (privateKey: string | undefined): Signer => {
  const account = accountOf(privateKey)
  return { address: account.address, signTransaction: (transaction) => account.signTransaction(transaction) }
}

const accountOf = (privateKey: string | undefined) => {
  if (privateKey === undefined || !isPrivateKey(privateKey)) throw new Error(malformed)
  try {
    return privateKeyToAccount(privateKey)
  } catch {
    // What viem would say is not repeated: it may show the key.
    throw new Error(malformed)
  }
}

const isPrivateKey = (text: string): text is Hex => /^0x[0-9a-fA-F]{64}$/.test(text)

const malformed = "The signer's private key is not 0x and 64 hexadecimal digits"

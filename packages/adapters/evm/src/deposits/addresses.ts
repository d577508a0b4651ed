/**
 * Addresses: one for each payment, derived from an extended public key (BIP-32), named by CAIP-10 and asked for by
 * EIP-681. No private key is needed: it stays with the program that collects the money.
 */
import { Effect } from "effect"
import { ECDH } from "node:crypto"
import { toString as draw } from "qrcode"
import type { Address } from "viem"
import { HDKey } from "viem/accounts"
import { getAddress, isAddress, publicKeyToAddress } from "viem/utils"
import type { Coin } from "../tokens.ts"
import type { AddressPath } from "./paths.ts"

/** The address at a path below the extended key, with checksum (EIP-55). */
export type AddressOf = (path: AddressPath) => Address

/** What is wrong with `xpub`, without showing it; `null`: nothing. */
export const xpubProblem = (xpub: string): string | null => {
  if (/^[a-z]prv/i.test(xpub)) return "is a private key: give the extended public key (xpub) and keep the other away"
  const key = parsed(xpub)
  if (key === null) return "is no extended public key (xpub…)"
  return key.privateKey === null
    ? null
    : "is a private key: give the extended public key (xpub) and keep the other away"
}

const parsed = (xpub: string): HDKey | null => {
  try {
    return HDKey.fromExtendedKey(xpub)
  } catch {
    return null
  }
}

/** Throws where `xpubProblem` finds something. */
export const addressesOf = (xpub: string): AddressOf => {
  const account = HDKey.fromExtendedKey(xpub)
  return (path) => {
    const { publicKey } = account.derive(`m/${path}`)
    if (publicKey === null) throw new Error("An extended public key without a public key")
    const whole = ECDH.convertKey(publicKey, "secp256k1", undefined, "hex", "uncompressed")
    return publicKeyToAddress(`0x${whole}`)
  }
}

/** A chain and an address on it. */
export interface Account {
  readonly chainId: number
  readonly address: Address
}

/** CAIP-10: `eip155:8453:0x…`, the reference of a payment. */
export const accountId = ({ address, chainId }: Account): string => `eip155:${chainId}:${getAddress(address)}`

/** `null`: not a CAIP-10 account of an EVM chain. */
export const readAccountId = (text: string): Account | null => {
  const [, chainId, address] = /^eip155:(\d{1,15}):(0x[0-9a-fA-F]{40})$/.exec(text) ?? []
  return chainId === undefined || address === undefined || !isAddress(address)
    ? null
    : { chainId: Number(chainId), address: getAddress(address) }
}

/** EIP-681: a transfer of `units` of the coin to `address`, as a wallet reads it from a link or a QR code. */
export const transferUri = (
  { address, chainId }: Account,
  { contract }: Pick<Coin, "contract">,
  units: bigint
): string => `ethereum:${getAddress(contract)}@${chainId}/transfer?address=${getAddress(address)}&uint256=${units}`

/** A QR code of `text` as a `data:` address of an SVG; `null` where it cannot be drawn. */
export const drawnAsSvg = (text: string): Effect.Effect<string | null> =>
  Effect.tryPromise(() => draw(text, { type: "svg", errorCorrectionLevel: "M" })).pipe(
    Effect.map((svg) => `data:image/svg+xml;base64,${Buffer.from(svg, "utf8").toString("base64")}`),
    Effect.catch(() => Effect.succeed(null))
  )

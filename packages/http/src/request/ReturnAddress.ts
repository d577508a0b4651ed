/**
 * Return addresses, to which providers redirect the payer: an address of this server with a token of the operation.
 *
 * Anyone with the address can see the status of the payment, and nothing else.
 *
 * @example
 * ```ts
 * const address = returnAddress({ key: returnKey(secret), publicUrl: "https://pay.example.com" })
 * address(operation) // => "https://pay.example.com/return/op_…/3q2-…"
 * ```
 */
import type { OperationId } from "@paymux/core"
import { isOperationId } from "@paymux/core/wire"
import { Redacted } from "effect"
import { createHmac } from "node:crypto"
import { isSameText } from "./isSameText.ts"

/** The key of the return addresses of an installation. */
export type ReturnKey = Redacted.Redacted<Uint8Array>

/**
 * Providers compare the return address of a repeated request with that of the first one, so the key never changes: it is derived
 * from the first secret of an installation, even after secrets were rotated.
 */
export const returnKey = (secret: Redacted.Redacted): ReturnKey =>
  Redacted.make(createHmac("sha256", Redacted.value(secret)).update("paymux return address").digest())

export interface ReturnAddressOptions {
  /** The key that signs return addresses, see `returnKey`. */
  readonly key: ReturnKey
  /** The public address of this server, without a trailing slash. */
  readonly publicUrl: string
}

/** Computes return addresses, for `EngineOptions.returnAddress`. An operation always has the same address. */
export const returnAddress = ({ key, publicUrl }: ReturnAddressOptions): ((operation: OperationId) => string) => {
  const token = tokens(key)
  return (operation) => `${publicUrl}/return/${operation}/${token(operation)}`
}

/**
 * Decodes the operation from the parts of a return address; `null`: the token is invalid. The texts are compared, so
 * that no other encoding of the same bytes is accepted.
 */
export const returningOperation = (key: ReturnKey) => {
  const token = tokens(key)
  return (id: string, given: string): OperationId | null =>
    isOperationId(id) && isSameText(token(id), given) ? id : null
}

/**
 * The length of a token: 128 bits of HMAC-SHA256 as base64url, because providers limit the length of a return address.
 */
const tokens =
  (key: ReturnKey) =>
  (id: OperationId): string =>
    createHmac("sha256", Redacted.value(key)).update(id).digest().subarray(0, 16).toString("base64url")

/**
 * Return addresses: the URLs to which providers redirect the payer. Each is a URL of this server that contains an
 * operation id and a signed token.
 *
 * A person with the URL can see the status of the payment, and no other data.
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
 * Derives the key of return addresses from the first secret of an installation. The key never changes, even after
 * secrets are rotated, because providers compare the return address of a repeated request with that of the first one.
 */
export const returnKey = (secret: Redacted.Redacted): ReturnKey =>
  Redacted.make(createHmac("sha256", Redacted.value(secret)).update("paymux return address").digest())

export interface ReturnAddressOptions {
  /** The key that signs return addresses, see `returnKey`. */
  readonly key: ReturnKey
  /** The public address of this server, without a trailing slash. */
  readonly publicUrl: string
}

/**
 * Creates the function that computes the return address of an operation, for `EngineOptions.returnAddress`. The same
 * operation always gets the same address.
 */
export const returnAddress = ({ key, publicUrl }: ReturnAddressOptions): ((operation: OperationId) => string) => {
  const token = tokens(key)
  return (operation) => `${publicUrl}/return/${operation}/${token(operation)}`
}

/**
 * Creates the function that verifies the two path segments of a return address and returns the operation id. The result
 * is `null` if the token is invalid. Tokens are compared as text, so that another Base64 encoding of the same bytes is
 * rejected.
 */
export const returningOperation = (key: ReturnKey) => {
  const token = tokens(key)
  return (id: string, given: string): OperationId | null =>
    isOperationId(id) && isSameText(token(id), given) ? id : null
}

/**
 * Computes the token of an operation: the first 128 bits of an HMAC-SHA256, as base64url. It is this short because
 * providers limit the length of a return address.
 */
const tokens =
  (key: ReturnKey) =>
  (id: OperationId): string =>
    createHmac("sha256", Redacted.value(key)).update(id).digest().subarray(0, 16).toString("base64url")

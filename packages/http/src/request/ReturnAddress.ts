/**
 * Where providers send the shopper back to: our own address, with a token for this operation that cannot be forged.
 *
 * Anyone with the address sees the status of the payment in words, and nothing else.
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

/** The key of all return addresses of an installation. */
export type ReturnKey = Redacted.Redacted<Uint8Array>

/**
 * Providers compare the return address of a repeated request with that of the first one, so the key stays the same for good: it is
 * derived from the first secret of an installation, whatever secret follows.
 */
export const returnKey = (secret: Redacted.Redacted): ReturnKey =>
  Redacted.make(createHmac("sha256", Redacted.value(secret)).update("paymux return address").digest())

export interface ReturnAddressOptions {
  /** See `returnKey`. */
  readonly key: ReturnKey
  /** Where this server is reached from outside, without a trailing slash. */
  readonly publicUrl: string
}

/** For `EngineOptions.returnAddress`. The same operation has the same address always. */
export const returnAddress = ({ key, publicUrl }: ReturnAddressOptions): ((operation: OperationId) => string) => {
  const token = tokens(key)
  return (operation) => `${publicUrl}/return/${operation}/${token(operation)}`
}

/**
 * The operation that the parts of an address are of; `null`: the address was not made here. The text is compared, so that no
 * second spelling of the same bytes is taken.
 */
export const returningOperation = (key: ReturnKey) => {
  const token = tokens(key)
  return (id: string, given: string): OperationId | null =>
    isOperationId(id) && isSameText(token(id), given) ? id : null
}

/** 128 bits of HMAC-SHA256, as base64url: vendors bound the length of a return address. */
const tokens =
  (key: ReturnKey) =>
  (id: OperationId): string =>
    createHmac("sha256", Redacted.value(key)).update(id).digest().subarray(0, 16).toString("base64url")

/**
 * Where providers send the shopper back to: our own address, with a token for this operation that cannot be forged.
 *
 * Anyone with the address sees the status of the payment in words, and nothing else.
 *
 * @example
 * ```ts
 * const address = returnAddress({ secret, publicUrl: "https://pay.example.com" })
 * address(operation) // => "https://pay.example.com/return/op_…/3q2-…"
 * ```
 */
import type { OperationId } from "@paymux/core"
import { isOperationId } from "@paymux/core/wire"
import { Redacted } from "effect"
import { createHmac } from "node:crypto"
import { isSameText } from "../auth/isSameText.ts"

export interface ReturnAddressOptions {
  /** The secret of this installation; the key is derived from it. */
  readonly secret: Redacted.Redacted
  /** Where this server is reached from outside, without a trailing slash. */
  readonly publicUrl: string
}

/** For `EngineOptions.returnAddress`. The same operation has the same address always. */
export const returnAddress = ({ publicUrl, secret }: ReturnAddressOptions): ((operation: OperationId) => string) => {
  const token = tokens(secret)
  return (operation) => `${publicUrl}/return/${operation}/${token(operation)}`
}

/**
 * The operation that the parts of an address are of; `null`: the address was not made here. The text is compared, so that no
 * second spelling of the same bytes is taken.
 */
export const returningOperation = (secret: Redacted.Redacted) => {
  const token = tokens(secret)
  return (id: string, given: string): OperationId | null =>
    isOperationId(id) && isSameText(token(id), given) ? id : null
}

/** 128 bits of HMAC-SHA256, as base64url: vendors bound the length of a return address. */
const tokens = (secret: Redacted.Redacted) => {
  const key = createHmac("sha256", Redacted.value(secret)).update("paymux return address").digest()
  return (id: OperationId): string =>
    createHmac("sha256", key).update(id).digest().subarray(0, 16).toString("base64url")
}

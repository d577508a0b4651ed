/**
 * The address of a payment's page: `{publicUrl}/pay/{payment}/{token}`.
 *
 * The token is an HMAC of the payment's id, so it cannot be derived from the id, and nothing is stored. Anyone with the
 * address can open the page: it is a payment link, made to be sent to the payer.
 *
 * @example
 * ```ts
 * const hostedUrl = paymentLink({ secrets: [secret], publicUrl: "https://pay.example.com" })
 * hostedUrl(payment.id) // => "https://pay.example.com/pay/pay_…/3q2-…"
 * ```
 */
import type { PaymentId } from "@paymux/core"
import type { ServerSecrets } from "@paymux/core/wire"
import { isPaymentId } from "@paymux/core/wire"
import { Redacted } from "effect"
import { createHmac, timingSafeEqual } from "node:crypto"

export interface PaymentLinkOptions {
  /** The secrets of this installation. The key of the tokens is derived from the first one. */
  readonly secrets: ServerSecrets
  /** The public address of this server, without a trailing slash. */
  readonly publicUrl: string
}

export const paymentLink = ({ publicUrl, secrets: [first] }: PaymentLinkOptions): ((id: PaymentId) => string) => {
  const token = tokens(first)
  return (id) => `${publicUrl}/pay/${id}/${token(id)}`
}

/** Verifies the token of an address, and returns its payment; `null`: none of the secrets made the token for this id. */
export const linkedPayment = (secrets: ServerSecrets) => {
  const made = secrets.map(tokens)
  return (id: string, given: string): PaymentId | null => {
    if (!isPaymentId(id)) return null
    const received = Buffer.from(given)
    const isMadeBy = (token: (id: PaymentId) => string): boolean => {
      const expected = Buffer.from(token(id))
      return expected.length === received.length && timingSafeEqual(expected, received)
    }
    return made.some(isMadeBy) ? id : null
  }
}

/** 128 bits as base64url: 22 characters. The key differs from that of return addresses, so a token is valid for one of them only. */
const tokens = (secret: Redacted.Redacted) => {
  const key = createHmac("sha256", Redacted.value(secret)).update("paymux payment page").digest()
  // The link of a payment is needed several times during its creation, and in lists. An HMAC takes some microseconds.
  const made = new Map<PaymentId, string>()
  return (id: PaymentId): string => {
    const known = made.get(id)
    if (known !== undefined) return known
    const token = createHmac("sha256", key).update(id).digest().subarray(0, 16).toString("base64url")
    const [oldest] = made.keys()
    if (made.size >= mostKept && oldest !== undefined) made.delete(oldest)
    made.set(id, token)
    return token
  }
}

/** Maximum number of cached tokens: about 200 kB. */
const mostKept = 2000

/**
 * The payment method: the rail, and the known facts about the payer's instrument. It never contains a raw card number.
 */

/** All rails. A rail is a kind of payment network. */
export const rails = ["upi", "card", "stablecoin"] as const
/** A rail: the kind of payment network. */
export type Rail = (typeof rails)[number]

/**
 * The flow of a UPI payment. `intent`: a link opens the payer's UPI app. `qr`: the payer scans a code. `collect`: the
 * app of the UPI id `vpa` shows a request.
 */
export type UpiFlow = "intent" | "qr" | "collect"

/** A card token. A token belongs to one provider; some vendors use an object as the token. */
export type CardToken = string | { readonly [key: string]: unknown }

/** A payment by UPI in India. */
export interface Upi {
  readonly rail: "upi"
  /** The way in which the payer receives the request. */
  readonly flow: UpiFlow
  /** The payer's UPI id, such as `asha@upi`, in the collect flow; otherwise `null`. */
  readonly vpa: string | null
}

/** A card, with its tokens if it has any. An unknown field is `null`. */
export interface Card {
  readonly rail: "card"
  /**
   * A card token for any provider (if one provider is configured). `null` if there is no such token: the payer enters
   * the card on a hosted page.
   */
  readonly token: string | null
  /** Card tokens by provider instance. Failover between card providers requires one for each. */
  readonly tokens: { readonly [provider: string]: CardToken }
  /** The card network, such as `visa`. */
  readonly network: string | null
  /** The country of issue: an ISO 3166 code, such as `IN`. */
  readonly country: string | null
  /** The funding type: `credit`, `debit`, `prepaid` or `unknown`. */
  readonly funding: string | null
  /** The first six to eight digits of the card number (BIN). */
  readonly bin: string | null
  /** The merchant's identifier for the card, the same for all tokens of the card. */
  readonly fingerprint: string | null
}

/** A stablecoin transfer on a chain. */
export interface Stablecoin {
  readonly rail: "stablecoin"
  /** The coin, such as `USDC`; `null` lets the provider choose. */
  readonly asset: string | null
  /** The chain, such as `base`; `null` lets the provider choose. */
  readonly network: string | null
}

/** The payment method of the payer. */
export type PaymentMethod = Upi | Card | Stablecoin

/** The flow: the kind of steps that the payer takes. Providers declare their capabilities by flow. */
export type Flow = UpiFlow | "hosted" | "token" | "transfer"

/**
 * A UPI payment as a provider serves it. An intent may be served on the provider's own page, with the flow `hosted`.
 */
export type ServedUpi = Omit<Upi, "flow"> & { readonly flow: UpiFlow | "hosted" }

/** The payment method as a provider serves it. */
export type ServedMethod = ServedUpi | Card | Stablecoin

/** The flow of a payment method, by which providers declare their capabilities. */
export const flow = (method: ServedMethod): Flow => {
  switch (method.rail) {
    case "upi":
      return method.flow
    case "card":
      return hasToken(method) ? "token" : "hosted"
    case "stablecoin":
      return "transfer"
  }
}

const hasToken = ({ token, tokens }: Card): boolean => {
  if (token !== null) return true
  for (const provider in tokens) if (Object.hasOwn(tokens, provider)) return true
  return false
}

/** The issuer of the payment instrument, if known: the BIN of a card, the handle of a UPI id (`upi` of `asha@upi`). */
export const issuer = (method: PaymentMethod): string | null => {
  switch (method.rail) {
    case "card":
      return method.bin
    case "upi":
      return method.vpa === null ? null : upiHandle(method.vpa)
    case "stablecoin":
      return null
  }
}

/** Extracts the handle of a UPI id, such as `upi` of `asha@upi`; `null` if it has none. */
export const upiHandle = (vpa: string): string | null => {
  const at = vpa.indexOf("@")
  return at < 0 ? null : vpa.slice(at + 1)
}

/** The card token to use at `provider`: its own token or the general one; `null` if the card has neither. */
export const cardToken = (card: Card, provider: string): CardToken | null =>
  (Object.hasOwn(card.tokens, provider) ? card.tokens[provider] : null) ?? card.token

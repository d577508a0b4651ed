/** How the payer pays: the rail, and what is known of the instrument. No raw card number ever gets here. */

export const rails = ["upi", "card", "stablecoin"] as const
export type Rail = (typeof rails)[number]

export type UpiFlow = "intent" | "qr" | "collect"

/** A token belongs to one provider; some vendors want an object. */
export type CardToken = string | { readonly [key: string]: unknown }

export interface Upi {
  readonly rail: "upi"
  readonly flow: UpiFlow
  readonly vpa: string | null
}

export interface Card {
  readonly rail: "card"
  /** A token any provider may be given (one provider configured), or none: then a hosted page. */
  readonly token: string | null
  /** A token for each provider instance: what failover between card providers needs. */
  readonly tokens: { readonly [provider: string]: CardToken }
  readonly network: string | null
  readonly country: string | null
  readonly funding: string | null
  readonly bin: string | null
  readonly fingerprint: string | null
}

export interface Stablecoin {
  readonly rail: "stablecoin"
  /** Such as `USDC`; `null` lets the provider choose. */
  readonly asset: string | null
  /** Such as `base`; `null` lets the provider choose. */
  readonly network: string | null
}

export type PaymentMethod = Upi | Card | Stablecoin

/** What the payer is taken through: capabilities are declared per flow. */
export type Flow = UpiFlow | "hosted" | "token" | "transfer"

export const flow = (method: PaymentMethod): Flow => {
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

/** The credential of a card that `provider` can use, or `null`. */
export const cardToken = (card: Card, provider: string): CardToken | null =>
  (Object.hasOwn(card.tokens, provider) ? card.tokens[provider] : null) ?? card.token

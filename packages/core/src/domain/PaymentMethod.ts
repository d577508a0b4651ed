/** How the payer pays: the rail, and what is known of the instrument. No raw card number ever gets here. */

/** Every rail. */
export const rails = ["upi", "card", "stablecoin"] as const
/** The kind of payment network. */
export type Rail = (typeof rails)[number]

/** `intent`: a link opens the payer's UPI app. `qr`: the payer scans a code. `collect`: the app shows a request to its `vpa`. */
export type UpiFlow = "intent" | "qr" | "collect"

/** A token belongs to one provider; some vendors want an object. */
export type CardToken = string | { readonly [key: string]: unknown }

/** India's UPI. */
export interface Upi {
  readonly rail: "upi"
  /** How the payer is asked. */
  readonly flow: UpiFlow
  /** The payer's UPI id, such as `asha@upi`: in the collect flow, else `null`. */
  readonly vpa: string | null
}

/** A card, known by a token or not at all. What is not known of it is `null`. */
export interface Card {
  readonly rail: "card"
  /** A token any provider may be given (one provider configured), or none: then a hosted page. */
  readonly token: string | null
  /** A token for each provider instance: what failover between card providers needs. */
  readonly tokens: { readonly [provider: string]: CardToken }
  /** Such as `visa`. */
  readonly network: string | null
  /** Where it was issued: an ISO 3166 code, such as `IN`. */
  readonly country: string | null
  /** `credit`, `debit`, `prepaid` or `unknown`. */
  readonly funding: string | null
  /** The first six to eight digits. */
  readonly bin: string | null
  /** The merchant's word for the same card under every token. */
  readonly fingerprint: string | null
}

/** A transfer on a chain. */
export interface Stablecoin {
  readonly rail: "stablecoin"
  /** Such as `USDC`; `null` lets the provider choose. */
  readonly asset: string | null
  /** Such as `base`; `null` lets the provider choose. */
  readonly network: string | null
}

/** How the payer pays. */
export type PaymentMethod = Upi | Card | Stablecoin

/** The steps of the payer: capabilities are declared per flow. */
export type Flow = UpiFlow | "hosted" | "token" | "transfer"

/** UPI as a provider serves it: an intent may be served on a page of the provider, the flow `hosted`. */
export type ServedUpi = Omit<Upi, "flow"> & { readonly flow: UpiFlow | "hosted" }

/** The method as a provider serves it. */
export type ServedMethod = ServedUpi | Card | Stablecoin

/** The flow of a method: what its capabilities are declared by. */
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

/** Who issued the instrument, as far as the method shows it: the BIN of a card, the handle of a UPI id (`upi` of `asha@upi`). */
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

/** `upi` of `asha@upi`; `null`: it has no handle. */
export const upiHandle = (vpa: string): string | null => {
  const at = vpa.indexOf("@")
  return at < 0 ? null : vpa.slice(at + 1)
}

/** The credential of a card that `provider` can use, or `null`. */
export const cardToken = (card: Card, provider: string): CardToken | null =>
  (Object.hasOwn(card.tokens, provider) ? card.tokens[provider] : null) ?? card.token

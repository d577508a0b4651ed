/** The payment method: the rail, and the known facts of the instrument. It never contains a raw card number. */

/** All rails. */
export const rails = ["upi", "card", "stablecoin"] as const
/** The kind of payment network. */
export type Rail = (typeof rails)[number]

/** `intent`: a link opens the payer's UPI app. `qr`: the payer scans a code. `collect`: the app shows a request to its `vpa`. */
export type UpiFlow = "intent" | "qr" | "collect"

/** A token belongs to one provider; some vendors use an object. */
export type CardToken = string | { readonly [key: string]: unknown }

/** India's UPI. */
export interface Upi {
  readonly rail: "upi"
  /** The way in which the payer receives the request. */
  readonly flow: UpiFlow
  /** The payer's UPI id, such as `asha@upi`: in the collect flow, else `null`. */
  readonly vpa: string | null
}

/** A card, with its tokens if any. An unknown fact is `null`. */
export interface Card {
  readonly rail: "card"
  /** A token for any provider (with one configured provider). `null`: none, and the payer enters the card on a hosted page. */
  readonly token: string | null
  /** A token for each provider instance, as failover between card providers requires. */
  readonly tokens: { readonly [provider: string]: CardToken }
  /** Such as `visa`. */
  readonly network: string | null
  /** The country of issue: an ISO 3166 code, such as `IN`. */
  readonly country: string | null
  /** `credit`, `debit`, `prepaid` or `unknown`. */
  readonly funding: string | null
  /** The first six to eight digits. */
  readonly bin: string | null
  /** The merchant's name for the card, the same for all its tokens. */
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

/** The payer's steps: capabilities are declared by flow. */
export type Flow = UpiFlow | "hosted" | "token" | "transfer"

/** UPI as a provider serves it: a provider may serve an intent on its own page, with the flow `hosted`. */
export type ServedUpi = Omit<Upi, "flow"> & { readonly flow: UpiFlow | "hosted" }

/** The method as a provider serves it. */
export type ServedMethod = ServedUpi | Card | Stablecoin

/** The flow of a method, by which capabilities are declared. */
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

/** The issuer of the instrument, if the method shows it: the BIN of a card, the handle of a UPI id (`upi` of `asha@upi`). */
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

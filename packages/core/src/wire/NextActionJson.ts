/** The payer's next action in the public JSON of a payment. */
import { Schema } from "effect"
import type { NextAction } from "../domain/NextAction.ts"
import { described, isoOrNull, optional, textField, Time } from "./fields.ts"

const Expires = {
  expires_at: described(Schema.NullOr(Time), "RFC 3339, UTC. `null`: the provider sets no time.")
}
const Image = optional(Schema.String, "A QR code of it: the URL of an image, which may be a `data:` URL.")
const Uri = textField("A link that opens the payer's app or wallet.")
const actionType = <T extends string>(type: T) =>
  described(
    Schema.Literal(type),
    "`upi_intent`: open `uri` on the payer's phone. `upi_qr`: show `payload` as a QR code, or show `image`. `redirect`: redirect the payer to `url`. `stablecoin_transfer`: ask the payer to send `amount` to `address`. `wait`: the payer confirms elsewhere."
  )

export const NextActionJson = Schema.Union([
  Schema.Struct({ type: actionType("upi_intent"), uri: Uri, image: Image, ...Expires }),
  Schema.Struct({
    type: actionType("upi_qr"),
    payload: optional(Schema.String, "The text of the QR code."),
    image: Image,
    ...Expires
  }),
  Schema.Struct({
    type: actionType("redirect"),
    url: textField("A page of the provider. It returns the payer to this server, which redirects to `return_url`."),
    ...Expires
  }),
  Schema.Struct({
    type: actionType("stablecoin_transfer"),
    address: textField("Used for this payment only."),
    uri: Uri,
    amount: textField("A decimal string in units of the coin, such as `12.50`."),
    asset: optional(Schema.String, "The coin to send, such as `USDC`."),
    network: optional(Schema.String, "The chain to send it on, such as `base`."),
    image: Image,
    ...Expires
  }),
  Schema.Struct({ type: actionType("wait"), ...Expires })
])
export type NextActionJson = typeof NextActionJson.Type

/**
 * Converts a next action to its public JSON. `drawn`: the QR code image that the payment page renders; `null`: no page
 * is served.
 */
export const nextActionJson = (action: NextAction, drawn: string | null): NextActionJson => {
  const expires_at = isoOrNull(action.expiresAt)
  switch (action.type) {
    case "upi_intent":
      return { type: action.type, uri: action.uri, ...withImage(drawn), expires_at }
    case "upi_qr":
      return {
        type: action.type,
        ...(action.payload !== null && { payload: action.payload }),
        ...withImage(action.image ?? (action.payload === null ? null : drawn)),
        expires_at
      }
    case "redirect":
      return { type: action.type, url: action.url, expires_at }
    case "stablecoin_transfer":
      return {
        type: action.type,
        address: action.address,
        uri: action.uri,
        amount: action.amount,
        ...(action.asset !== undefined && { asset: action.asset }),
        ...(action.network !== undefined && { network: action.network }),
        ...withImage(action.image ?? drawn),
        expires_at
      }
    case "wait":
      return { type: action.type, expires_at }
  }
}

const withImage = (image: string | null) => image !== null && { image }

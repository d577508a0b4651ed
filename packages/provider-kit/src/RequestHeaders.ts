/**
 * Request headers whose secrets are `Redacted`: they are read only while the bytes of the request are made, and appear
 * in no error, span or inspection.
 */
import * as Redacted from "effect/Redacted"

/** Header values by name. Give every credential as `Redacted`. */
export type RequestHeaders = Readonly<Record<string, string | Redacted.Redacted<string>>>

/** `Authorization: Basic`, as Razorpay wants it. A user name with a colon would move the border to the password. */
export const basic = (user: string, password: Redacted.Redacted<string>): RequestHeaders => {
  if (user.includes(":")) throw new TypeError("a user name for HTTP Basic cannot contain a colon")
  const credentials = Buffer.from(`${user}:${Redacted.value(password)}`, "utf8").toString("base64")
  return { authorization: Redacted.make(`Basic ${credentials}`) }
}

/** `Authorization: Bearer`, as Stripe wants it. */
export const bearer = (token: Redacted.Redacted<string>): RequestHeaders => ({
  authorization: Redacted.make(`Bearer ${Redacted.value(token)}`)
})

/** The clear headers, lower-case, later ones winning; undefined where one is not an adapter's to set. */
export const reveal = (...layers: ReadonlyArray<RequestHeaders>): Record<string, string> | undefined => {
  const clear: Record<string, string> = {}
  for (const [name, value] of layers.flatMap((layer) => Object.entries(layer))) {
    const lowerCase = name.toLowerCase()
    if (ownedByTransport.has(lowerCase)) return undefined
    clear[lowerCase] = Redacted.isRedacted(value) ? Redacted.value(value) : value
  }
  return clear
}

// What frames the message or names its receiver: a second opinion on these is request smuggling.
const ownedByTransport = new Set([
  "accept-encoding",
  "connection",
  "content-length",
  "content-type",
  "expect",
  "host",
  "keep-alive",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade"
])

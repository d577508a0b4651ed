/**
 * Keys that stay the same while the secrets of an installation change, because providers and browsers keep what is made with them.
 * They are made once of the first secret, and stored encrypted by each secret that the servers use (decision 0099).
 */
import { cookieInstance } from "@paymux/dashboard"
import { returnKey } from "@paymux/http"
import type { ReturnKey } from "@paymux/http"
import { sealedText } from "@paymux/webhooks"
import { Redacted, Schema } from "effect"
import { hkdfSync } from "node:crypto"

export interface LastingKeys {
  /** Of the names that providers see (decision 0062). */
  readonly names: Redacted.Redacted<Uint8Array>
  /** Of the return addresses in requests to providers. */
  readonly returns: ReturnKey
  /** In the names of the dashboard's cookies. */
  readonly cookies: string
}

/** `installation`: the id of the database, so that two databases with one secret have different names. */
export const makeLastingKeys = (secret: Redacted.Redacted, installation: string): LastingKeys => ({
  names: Redacted.make(Buffer.from(hkdfSync("sha256", Redacted.value(secret), installation, "paymux names", 32))),
  returns: returnKey(secret),
  cookies: cookieInstance(secret)
})

export const wrapKeys = (keys: LastingKeys, secret: Redacted.Redacted, installation: string): string =>
  boxOf(secret).seal(installation, JSON.stringify(encode(keys)))

/** `null`: another secret encrypted them, or they are of another database. */
export const unwrapKeys = (wrapped: string, secret: Redacted.Redacted, installation: string): LastingKeys | null => {
  const text = boxOf(secret).open(installation, wrapped)
  if (text === null) return null
  const { cookies, names, returns } = decode(JSON.parse(text))
  return { names: keyOf(names), returns: keyOf(returns), cookies }
}

const boxOf = (secret: Redacted.Redacted) => sealedText([secret], "paymux lasting keys v1")

const Stored = Schema.Struct({ names: Schema.String, returns: Schema.String, cookies: Schema.String })
const decode = Schema.decodeUnknownSync(Stored)

const encode = ({ cookies, names, returns }: LastingKeys): typeof Stored.Type => ({
  names: textOf(names),
  returns: textOf(returns),
  cookies
})

const textOf = (key: Redacted.Redacted<Uint8Array>): string => Buffer.from(Redacted.value(key)).toString("base64url")

const keyOf = (text: string): Redacted.Redacted<Uint8Array> => Redacted.make(Buffer.from(text, "base64url"))

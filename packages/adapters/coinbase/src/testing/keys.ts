/** Keys of this run, as Coinbase hands them out, and its tokens read by hand: no library of the adapter's is used. */
import { createPublicKey, generateKeyPairSync, type KeyObject, verify } from "node:crypto"

/** 64 bytes in base64: the seed, then the public key. */
export const newEd25519 = (): string => {
  const { d = "", x = "" } = generateKeyPairSync("ed25519").privateKey.export({ format: "jwk" })
  return Buffer.concat([Buffer.from(d, "base64url"), Buffer.from(x, "base64url")]).toString("base64")
}

/** PEM, in the older form (`EC PRIVATE KEY`) or the newer. */
export const newP256 = (type: "sec1" | "pkcs8" = "sec1"): string =>
  generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ type, format: "pem" })

export interface Token {
  readonly header: { readonly [name: string]: unknown }
  readonly claims: { readonly [name: string]: unknown }
}

/** `null`: it is no token, or not signed with this key. */
export const readToken = (authorization: string | undefined, secret: string): Token | null => {
  const [head = "", body = "", signature = ""] = (authorization ?? "").replace(/^Bearer /, "").split(".")
  const signed = Buffer.from(`${head}.${body}`)
  const made = Buffer.from(signature, "base64url")
  const key = publicKeyOf(secret)
  const isRight =
    key.asymmetricKeyType === "ec"
      ? verify("sha256", signed, { key, dsaEncoding: "ieee-p1363" }, made)
      : verify(null, signed, key, made)
  return isRight ? { header: json(head), claims: json(body) } : null
}

/** The token is the key's, and for this request alone. */
export const isFor = (
  { claims, header }: Token,
  { id, method, url }: { readonly id: string; readonly method: string; readonly url: string }
): boolean => {
  const { aud, exp, iss, nbf, sub, uris } = claims
  return (
    header["kid"] === id &&
    header["typ"] === "JWT" &&
    /^[0-9a-f]{32}$/.test(String(header["nonce"])) &&
    iss === "cdp" &&
    sub === id &&
    JSON.stringify(aud) === '["cdp_service"]' &&
    JSON.stringify(uris) === JSON.stringify([`${method} ${url}`]) &&
    Number(exp) - Number(nbf) <= 120
  )
}

const publicKeyOf = (secret: string): KeyObject => {
  if (secret.includes("BEGIN")) return createPublicKey(secret)
  const x = Buffer.from(secret, "base64").subarray(32).toString("base64url")
  return createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" })
}

const json = (part: string) => JSON.parse(Buffer.from(part, "base64url").toString())

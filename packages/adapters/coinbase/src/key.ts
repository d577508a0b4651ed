/**
 * The CDP API key, and the token that each request carries: a JWT, signed with the key, for one method, host and path, and
 * for two minutes. The key itself is never sent.
 */
import { Clock, Effect, Redacted } from "effect"
import { SignJWT } from "jose"
import { createPrivateKey, createPublicKey, type KeyObject, randomBytes } from "node:crypto"

/**
 * A secret as Coinbase hands it out: a P-256 key as PEM (ES256), or 64 bytes in base64 that are an Ed25519 seed and its
 * public key. `null`: it is neither.
 */
export const readKey = (secret: string): KeyObject | null =>
  secret.includes("-----BEGIN") ? readPem(secret) : readEd25519(secret)

/** For one request: `path` as it is on the wire, without the query. */
export const tokenFor = Effect.fnUntraced(function* (
  { id, key }: { readonly id: string; readonly key: KeyObject },
  { host, method, path }: { readonly method: string; readonly host: string; readonly path: string }
): Effect.fn.Return<Redacted.Redacted> {
  const now = Math.floor((yield* Clock.currentTimeMillis) / 1000)
  const jwt = new SignJWT({ uris: [`${method} ${host}${path}`] })
    .setProtectedHeader({
      alg: key.asymmetricKeyType === "ec" ? "ES256" : "EdDSA",
      kid: id,
      typ: "JWT",
      // Not of Effect's Random: it must not be guessable, and nothing depends on its value.
      nonce: randomBytes(16).toString("hex")
    })
    .setIssuer("cdp")
    .setSubject(id)
    .setAudience(["cdp_service"])
    .setIssuedAt(now - early)
    .setNotBefore(now - early)
    .setExpirationTime(now - early + lifetime)
  // It was read and tried when the instance was configured: what fails here is a fault of ours.
  return Redacted.make(yield* Effect.promise(() => jwt.sign(key)))
})

/** s; the most that Coinbase takes. */
const lifetime = 120

/** s; by so much our clock may be ahead of Coinbase's. */
const early = 30

/** From an environment variable the line breaks often come as `\n`. */
const readPem = (secret: string): KeyObject | null => {
  const key = orNull(() => createPrivateKey(secret.replaceAll("\\n", "\n")))
  const isP256 = key?.asymmetricKeyType === "ec" && key.asymmetricKeyDetails?.namedCurve === "prime256v1"
  return isP256 || key?.asymmetricKeyType === "ed25519" ? key : null
}

const readEd25519 = (secret: string): KeyObject | null => {
  const bytes = Buffer.from(secret, "base64")
  if (bytes.length !== 64 || bytes.toString("base64") !== secret.trim()) return null
  const part = (from: number) => bytes.subarray(from, from + 32).toString("base64url")
  const key = orNull(() =>
    createPrivateKey({ key: { kty: "OKP", crv: "Ed25519", d: part(0), x: part(32) }, format: "jwk" })
  )
  // A seed with the public half of another key is a secret that was cut or mixed up.
  return key !== null && createPublicKey(key).export({ format: "jwk" }).x === part(32) ? key : null
}

/** What is thrown may quote the secret. */
const orNull = (read: () => KeyObject): KeyObject | null => {
  try {
    return read()
  } catch {
    return null
  }
}

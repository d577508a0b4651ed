/** By which a database knows a secret again. */
import { Redacted } from "effect"
import { createHash, hkdfSync } from "node:crypto"

/**
 * HKDF with a context of its own, so that the digest is of no use where the secret is the key of something else. No slow
 * function: a secret has 32 characters or more, and every command computes it.
 */
export const secretDigest = (secret: Redacted.Redacted): string =>
  Buffer.from(hkdfSync("sha256", Redacted.value(secret), "", "paymux secret digest", 32)).toString("hex")

/** As databases keep it that were made before. */
export const formerDigest = (secret: Redacted.Redacted): string =>
  createHash("sha256")
    .update(`paymux ${Redacted.value(secret)}`)
    .digest("hex")

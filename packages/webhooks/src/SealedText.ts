/**
 * Encrypts short secrets in the database: AES-256-GCM with a key derived (HKDF-SHA256) from the server's secret, one key for
 * each purpose. The row that a text belongs to is additional authenticated data, so a ciphertext copied to another row does
 * not decrypt.
 *
 * Format: `v1.` followed by base64 of nonce (12 bytes), ciphertext and tag (16 bytes).
 */
import { Redacted } from "effect"
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto"

export interface SealedText {
  readonly seal: (row: string, text: string) => string
  /** `null`: not sealed by this, or for another row. */
  readonly open: (row: string, sealed: string) => string | null
}

export const sealedText = (serverSecret: Redacted.Redacted, purpose: string): SealedText => {
  const key = Redacted.make(Buffer.from(hkdfSync("sha256", Redacted.value(serverSecret), "", purpose, 32)))
  return {
    // A nonce must never repeat with one key, so it does not come from `Random`, which may be seeded.
    seal: (row, text) => seal(Redacted.value(key), randomBytes(nonceLength), row, text),
    open: (row, sealed) => {
      try {
        return open(Redacted.value(key), row, sealed)
      } catch {
        return null
      }
    }
  }
}

const seal = (key: Uint8Array, nonce: Uint8Array, row: string, text: string): string => {
  const cipher = createCipheriv(algorithm, key, nonce).setAAD(Buffer.from(row, "utf8"))
  const ciphertext = Buffer.concat([cipher.update(text, "utf8"), cipher.final()])
  return version + Buffer.concat([nonce, ciphertext, cipher.getAuthTag()]).toString("base64")
}

const open = (key: Uint8Array, row: string, sealed: string): string => {
  if (!sealed.startsWith(version)) throw new Error("Unknown version")
  const bytes = Buffer.from(sealed.slice(version.length), "base64")
  const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, nonceLength), { authTagLength: tagLength })
    .setAAD(Buffer.from(row, "utf8"))
    .setAuthTag(bytes.subarray(-tagLength))
  return decipher.update(bytes.subarray(nonceLength, -tagLength), undefined, "utf8") + decipher.final("utf8")
}

const algorithm = "aes-256-gcm"
const version = "v1."
const nonceLength = 12
const tagLength = 16

/**
 * Encrypts short secrets before they are stored in the database, with AES-256-GCM. The key is derived (HKDF-SHA256)
 * from the server's secret, one for each purpose. With several secrets the first one encrypts, and each of them
 * decrypts. The id of the row is additional authenticated data, so a ciphertext that is copied to another row does not
 * decrypt.
 *
 * Format: `v1.` followed by base64 of nonce (12 bytes), ciphertext and tag (16 bytes).
 */
import type { ServerSecrets } from "@paymux/core/wire"
import { Redacted } from "effect"
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto"

export interface SealedText {
  readonly seal: (row: string, text: string) => string
  /** Decrypts a text; `null` if it was encrypted with another secret or for another row. */
  readonly open: (row: string, sealed: string) => string | null
  /**
   * Re-encrypts a text with the first secret, or returns it unchanged if that secret encrypted it. `null` if no secret
   * decrypts it.
   */
  readonly reseal: (row: string, sealed: string) => string | null
}

export const sealedText = ([first, ...others]: ServerSecrets, purpose: string): SealedText => {
  const keyOf = (secret: Redacted.Redacted) =>
    Redacted.make(Buffer.from(hkdfSync("sha256", Redacted.value(secret), "", purpose, 32)))
  const key = keyOf(first)
  const formerKeys = others.map(keyOf)
  const openBy = (by: Redacted.Redacted<Uint8Array>, row: string, sealed: string): string | null => {
    try {
      return open(Redacted.value(by), row, sealed)
    } catch {
      return null
    }
  }
  const openByFormer = (row: string, sealed: string): string | null => {
    for (const former of formerKeys) {
      const text = openBy(former, row, sealed)
      if (text !== null) return text
    }
    return null
  }
  // Draws the nonce from the system's random source instead of `Random`, which may be seeded: a nonce must never repeat
  // with one key.
  const sealByFirst = (row: string, text: string) => seal(Redacted.value(key), randomBytes(nonceLength), row, text)
  return {
    seal: sealByFirst,
    open: (row, sealed) => openBy(key, row, sealed) ?? openByFormer(row, sealed),
    reseal: (row, sealed) => {
      if (openBy(key, row, sealed) !== null) return sealed
      const text = openByFormer(row, sealed)
      return text === null ? null : sealByFirst(row, text)
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

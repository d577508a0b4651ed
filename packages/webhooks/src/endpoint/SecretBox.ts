/**
 * Encrypts endpoint secrets in the database: AES-256-GCM with a key derived (HKDF-SHA256) from the server's secret. The
 * row's id is additional authenticated data, so a ciphertext copied to another row does not decrypt.
 *
 * Format: `v1.` followed by base64 of nonce (12 bytes), ciphertext and tag (16 bytes).
 */
import { Effect, Redacted, Schema } from "effect"
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto"

/** The stored secret does not decrypt: the server's secret has changed, or the row was modified. */
export class EndpointSecretUnreadable extends Schema.TaggedError<EndpointSecretUnreadable>()(
  "EndpointSecretUnreadable",
  { endpointId: Schema.String }
) {
  override get message() {
    return (
      `The secret of webhook endpoint ${this.endpointId} cannot be decrypted: the server's secret is not the one it was ` +
      "stored under. Start with that one, or remove the endpoint and add it again"
    )
  }
}

export interface SecretBox {
  readonly seal: (endpointId: string, secret: Redacted.Redacted<string>) => Effect.Effect<string>
  readonly open: (
    endpointId: string,
    sealed: string
  ) => Effect.Effect<Redacted.Redacted<string>, EndpointSecretUnreadable>
}

export const make = (serverSecret: Redacted.Redacted<string>): SecretBox => {
  const key = Redacted.make(Buffer.from(hkdfSync("sha256", Redacted.value(serverSecret), "", purpose, 32)))
  return {
    seal: (endpointId, secret) =>
      // A nonce must never repeat with one key, so it does not come from `Random`, which may be seeded.
      Effect.sync(() => seal(Redacted.value(key), randomBytes(nonceLength), endpointId, Redacted.value(secret))),
    open: (endpointId, sealed) =>
      Effect.try({
        try: () => Redacted.make(open(Redacted.value(key), endpointId, sealed)),
        catch: () => new EndpointSecretUnreadable({ endpointId })
      })
  }
}

const seal = (key: Uint8Array, nonce: Uint8Array, endpointId: string, secret: string): string => {
  const cipher = createCipheriv(algorithm, key, nonce).setAAD(Buffer.from(endpointId, "utf8"))
  const ciphertext = Buffer.concat([cipher.update(secret, "utf8"), cipher.final()])
  return version + Buffer.concat([nonce, ciphertext, cipher.getAuthTag()]).toString("base64")
}

const open = (key: Uint8Array, endpointId: string, sealed: string): string => {
  if (!sealed.startsWith(version)) throw new Error("Unknown version")
  const bytes = Buffer.from(sealed.slice(version.length), "base64")
  const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, nonceLength), { authTagLength: tagLength })
    .setAAD(Buffer.from(endpointId, "utf8"))
    .setAuthTag(bytes.subarray(-tagLength))
  return decipher.update(bytes.subarray(nonceLength, -tagLength), undefined, "utf8") + decipher.final("utf8")
}

const algorithm = "aes-256-gcm"
const purpose = "paymux webhook endpoint secrets v1"
const version = "v1."
const nonceLength = 12
const tagLength = 16

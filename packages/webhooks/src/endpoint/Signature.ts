/**
 * Signs requests as Standard Webhooks specifies (https://www.standardwebhooks.com, symmetric scheme `v1`).
 *
 * A secret is `whsec_` followed by base64 of 24 to 64 bytes. The signed content is `<webhook-id>.<webhook-timestamp>.<body>`.
 * Any Standard Webhooks library verifies it.
 *
 * @example
 * ```ts
 * const headers = sign({ id: event.id, timestampSeconds, body, key: yield* readSecret(secret) })
 * ```
 */
import { Effect, Redacted, Schema } from "effect"
import { createHmac, randomBytes } from "node:crypto"

export interface SignatureHeaders {
  readonly "webhook-id": string
  readonly "webhook-timestamp": string
  readonly "webhook-signature": string
}

/** The text is not a `whsec_` secret of 24 to 64 bytes. The error does not contain it. */
export class WebhookSecretInvalid extends Schema.TaggedError<WebhookSecretInvalid>()("WebhookSecretInvalid", {}) {
  override get message() {
    return "A webhook secret is whsec_ followed by base64 of 24 to 64 bytes"
  }
}

/** A decoded secret: the key's bytes. */
export type SigningKey = Redacted.Redacted<Uint8Array>

export const sign = (webhook: {
  /** The event's id, the same for every attempt. */
  readonly id: string
  /** Unix seconds of this attempt: receivers reject timestamps older than a few minutes. */
  readonly timestampSeconds: number
  readonly body: string
  readonly key: SigningKey
  /** Former keys during a rotation: each adds a signature, and receivers accept any of them. */
  readonly formerKeys?: ReadonlyArray<SigningKey>
}): SignatureHeaders => {
  const timestamp = String(webhook.timestampSeconds)
  const signed = `${webhook.id}.${timestamp}.${webhook.body}`
  const signatures = [webhook.key, ...(webhook.formerKeys ?? [])].map(
    (key) => `v1,${createHmac("sha256", Redacted.value(key)).update(signed, "utf8").digest("base64")}`
  )
  return { "webhook-id": webhook.id, "webhook-timestamp": timestamp, "webhook-signature": signatures.join(" ") }
}

/** The base64 must be canonical, so that every library decodes the same bytes; padding is optional. */
export const readSecret = (secret: Redacted.Redacted<string>): Effect.Effect<SigningKey, WebhookSecretInvalid> =>
  Effect.suspend(() => {
    const text = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(Redacted.value(secret))?.[1] ?? ""
    const key = Buffer.from(text, "base64")
    const canonical = unpadded(key.toString("base64")) === unpadded(text)
    return canonical && key.byteLength >= 24 && key.byteLength <= 64
      ? Effect.succeed(Redacted.make<Uint8Array>(key))
      : Effect.fail(new WebhookSecretInvalid())
  })

const unpadded = (base64: string): string => base64.replace(/=+$/, "")

/** A new secret of 32 bytes, from the system's secure random source: `Random` may be seeded. */
export const generateSecret: Effect.Effect<Redacted.Redacted<string>> = Effect.sync(() =>
  Redacted.make(`whsec_${randomBytes(32).toString("base64")}`)
)

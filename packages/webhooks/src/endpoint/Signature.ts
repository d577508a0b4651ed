/**
 * Signs webhook requests as Standard Webhooks specifies (https://www.standardwebhooks.com, symmetric scheme `v1`).
 *
 * A secret is `whsec_` followed by base64 of 24 to 64 bytes. The signed content is
 * `<webhook-id>.<webhook-timestamp>.<body>`. Any Standard Webhooks library verifies it.
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

/** The error for text that is not a `whsec_` secret of 24 to 64 bytes. It does not contain the text. */
export class WebhookSecretInvalid extends Schema.TaggedError<WebhookSecretInvalid>()("WebhookSecretInvalid", {}) {
  override get message() {
    return "A webhook secret is whsec_ followed by base64 of 24 to 64 bytes"
  }
}

/** The signing key: the bytes of a decoded secret. */
export type SigningKey = Redacted.Redacted<Uint8Array>

export const sign = (webhook: {
  /** The id of the event, the same for every attempt. */
  readonly id: string
  /** The time of this attempt, Unix seconds. Receivers reject timestamps older than a few minutes. */
  readonly timestampSeconds: number
  readonly body: string
  readonly key: SigningKey
  /** The former keys during a secret rotation. Each adds a signature, and receivers accept any of them. */
  readonly formerKeys?: ReadonlyArray<SigningKey>
}): SignatureHeaders => {
  const timestamp = String(webhook.timestampSeconds)
  const signed = `${webhook.id}.${timestamp}.${webhook.body}`
  const signatures = [webhook.key, ...(webhook.formerKeys ?? [])].map(
    (key) => `v1,${createHmac("sha256", Redacted.value(key)).update(signed, "utf8").digest("base64")}`
  )
  return { "webhook-id": webhook.id, "webhook-timestamp": timestamp, "webhook-signature": signatures.join(" ") }
}

/**
 * Decodes a secret to its key. The base64 must be canonical, so that every library decodes the same bytes; padding is
 * optional.
 */
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

/** Generates a secret of 32 bytes from the system's secure random source, since `Random` may be seeded. */
export const generateSecret: Effect.Effect<Redacted.Redacted<string>> = Effect.sync(() =>
  Redacted.make(`whsec_${randomBytes(32).toString("base64")}`)
)

/**
 * Standard Webhooks (https://www.standardwebhooks.com, symmetric scheme `v1`): signing what we send, verifying what we get.
 *
 * The secret is `whsec_` and base64 of 24 to 64 bytes; what is signed is `<webhook-id>.<webhook-timestamp>.<raw body>`.
 * Several secrets give several signatures, so that a receiver can change its secret without losing a webhook.
 *
 * @example
 * ```ts
 * const headers = yield* StandardWebhooks.sign({ id: event.id, timestampSeconds, body, secrets: [current, previous] })
 * yield* StandardWebhooks.verify({ headers, body, secrets: [secret] })
 * ```
 */
import { WebhookRefused } from "@paymux/core"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as WebhookSignature from "./WebhookSignature.ts"

export interface SignatureHeaders {
  readonly "webhook-id": string
  readonly "webhook-timestamp": string
  readonly "webhook-signature": string
}

/** What cannot be signed: a secret out of shape, no secret at all, an id with other than `[A-Za-z0-9_-]`, a time that is no whole second. */
export class CannotSign extends Schema.TaggedError<CannotSign>()("CannotSign", {
  reason: Schema.Literals(["secret", "id", "timestamp"])
}) {}

export const sign = (webhook: {
  readonly id: string
  /** Whole seconds since 1970. */
  readonly timestampSeconds: number
  readonly body: Uint8Array
  readonly secrets: ReadonlyArray<Redacted.Redacted<string>>
}): Effect.Effect<SignatureHeaders, CannotSign> =>
  Effect.suspend(() => {
    const keys = webhook.secrets.map(readSecret)
    if (keys.length === 0 || !keys.every(Result.isSuccess)) return Effect.fail(new CannotSign({ reason: "secret" }))
    if (!idShape.test(webhook.id)) return Effect.fail(new CannotSign({ reason: "id" }))
    const timestamp = String(webhook.timestampSeconds)
    if (!Number.isSafeInteger(webhook.timestampSeconds) || !/^[1-9]\d{0,10}$/.test(timestamp)) {
      return Effect.fail(new CannotSign({ reason: "timestamp" }))
    }
    const signed = [webhook.id, ".", timestamp, ".", webhook.body]
    return Effect.succeed({
      "webhook-id": webhook.id,
      "webhook-timestamp": timestamp,
      "webhook-signature": keys
        .map((key) => `v1,${WebhookSignature.mac(Redacted.value(key.success), signed).toString("base64")}`)
        .join(" ")
    })
  })

/** Refused outside of 300 s before and after its receipt. Signatures of other versions (`v1a`) count for nothing. */
export const verify = Effect.fnUntraced(function* (webhook: {
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | undefined>> | SignatureHeaders
  readonly body: Uint8Array
  readonly secrets: ReadonlyArray<Redacted.Redacted<string>>
  /** ms UTC; absent: now. */
  readonly receivedAt?: number
}): Effect.fn.Return<void, WebhookRefused> {
  const id = webhook.headers["webhook-id"]
  const timestamp = webhook.headers["webhook-timestamp"]
  const header = webhook.headers["webhook-signature"]
  if (!id || !timestamp || !header) return yield* refuse("missing_signature")
  // A full stop in the id would let the border between id, time and body move.
  if (!idShape.test(id) || header.length > 4096) return yield* refuse("malformed")
  yield* WebhookSignature.readTimestamp(timestamp, "s")
  const signatures = header.split(" ").flatMap((entry) => (entry.startsWith("v1,") ? [entry.slice(3)] : []))
  const keys = webhook.secrets.map(readSecret).filter(Result.isSuccess)
  yield* WebhookSignature.checkAny(
    "base64",
    keys.map((key) => key.success),
    [id, ".", timestamp, ".", webhook.body],
    signatures
  )
  yield* WebhookSignature.fresh(timestamp, "s", webhook.receivedAt)
})

/** The key of a `whsec_…` secret. The prefix may be missing, as in other libraries; the base64 must be canonical. */
export const readSecret = (
  secret: Redacted.Redacted<string>
): Result.Result<Redacted.Redacted<Uint8Array>, CannotSign> => {
  const text = Redacted.value(secret).replace(/^whsec_/, "")
  const key = Buffer.from(text, "base64")
  const canonical = key.toString("base64").replace(/=+$/, "") === text.replace(/=+$/, "")
  return canonical && key.byteLength >= 24 && key.byteLength <= 64
    ? Result.succeed(Redacted.make<Uint8Array>(key))
    : Result.fail(new CannotSign({ reason: "secret" }))
}

const idShape = /^[\w-]{1,256}$/

const refuse = (reason: WebhookRefused["reason"]) => Effect.fail(new WebhookRefused({ reason }))

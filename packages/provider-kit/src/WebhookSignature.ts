/**
 * Verification of webhooks over the raw bytes, in constant time, against a list of secrets (rotation: vendors sign with
 * the old secret what they made before it changed).
 *
 * Every check is an effect that succeeds with nothing or fails with {@link WebhookRefused}. A secret that is empty
 * matches nothing: anybody can sign with it. An encoding that is not the canonical one (upper-case hex, loose base64)
 * is refused.
 *
 * What it will not do: parse a body, or remember what was delivered before. Where the vendor signs no time (Razorpay,
 * Adyen) a replay passes: dedupe by the event's id.
 */
import { WebhookRefused } from "@paymux/core"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { createHmac, timingSafeEqual } from "node:crypto"

/** A signing secret: text whose UTF-8 bytes are the key, or the key's bytes. */
export type Secret = Redacted.Redacted<string> | Redacted.Redacted<Uint8Array>

/** What was signed, in order; the parts are joined with nothing between. */
export type Signed = ReadonlyArray<string | Uint8Array>

export interface Hmac {
  readonly secrets: ReadonlyArray<Secret>
  readonly signed: Signed
  readonly signature: string | undefined
}

/** Lower-case hex of HMAC-SHA256. Razorpay: `signed: [rawBody]`. */
export const hmacSha256Hex = ({ secrets, signed, signature }: Hmac): Effect.Effect<void, WebhookRefused> =>
  checkAny("hex", secrets, signed, signature === undefined ? [] : [signature])

/** Base64 of HMAC-SHA256. Cashfree: `signed: [timestamp, rawBody]`; Adyen: `secrets` by {@link hexSecret}. */
export const hmacSha256Base64 = ({ secrets, signed, signature }: Hmac): Effect.Effect<void, WebhookRefused> =>
  checkAny("base64", secrets, signed, signature === undefined ? [] : [signature])

/**
 * `t=<unix s>,v1=<hex>[,v1=…]` over `<t>.<rawBody>`, 300 s (Stripe-Signature). Other schemes in the header, like `v0`, count for
 * nothing. `receivedAt`: as of when, in ms UTC; absent: now.
 */
export const stripeStyle = Effect.fnUntraced(function* (webhook: {
  readonly secrets: ReadonlyArray<Secret>
  readonly body: Uint8Array
  readonly header: string | undefined
  readonly receivedAt?: number
}): Effect.fn.Return<void, WebhookRefused> {
  const fields = yield* readFields(webhook.header)
  const times = fields.filter(([name]) => name === "t").map(([, value]) => value)
  const [time] = times
  if (time === undefined || times.length > 1) return yield* refuse("malformed")
  yield* readTimestamp(time, "s")
  const signatures = fields.filter(([name]) => name === "v1").map(([, value]) => value)
  yield* checkAny("hex", webhook.secrets, [time, ".", webhook.body], signatures)
  yield* fresh(time, "s", webhook.receivedAt)
})

/** The `name=value` fields of a signature header, in order. For schemes of the family that sign more (`X-Hook0-Signature`). */
export const readFields = (
  header: string | undefined
): Effect.Effect<ReadonlyArray<readonly [string, string]>, WebhookRefused> => {
  if (header === undefined || header === "") return refuse("missing_signature")
  if (header.length > maxHeaderLength) return refuse("malformed")
  const fields = header.split(",").map((field): readonly [string, string] => {
    const at = field.indexOf("=")
    return at === -1 ? ["", field] : [field.slice(0, at).trim(), field.slice(at + 1).trim()]
  })
  return fields.some(([name]) => name === "") ? refuse("malformed") : Effect.succeed(fields)
}

/**
 * Whether a signed time is within 300 s of the webhook's receipt (ms UTC; absent: now). Only whole, positive numbers are read: no
 * `1700000000abc`, `-1`, `1.5`, `1e9`.
 */
export const fresh = Effect.fnUntraced(function* (
  timestamp: string,
  unit: "s" | "ms",
  receivedAt?: number
): Effect.fn.Return<void, WebhookRefused> {
  const signedAt = yield* readTimestamp(timestamp, unit)
  const at = receivedAt ?? (yield* Clock.currentTimeMillis)
  if (Math.abs(at - signedAt) > toleranceMillis) return yield* refuse("stale")
})

/** Milliseconds since 1970 of a vendor's timestamp. */
export const readTimestamp = (timestamp: string, unit: "s" | "ms"): Effect.Effect<number, WebhookRefused> =>
  /^[1-9]\d{0,14}$/.test(timestamp) && (unit === "ms" || timestamp.length <= 11)
    ? Effect.succeed(unit === "ms" ? Number(timestamp) : Number(timestamp) * 1000)
    : refuse("malformed")

/** The key whose bytes are written as hex (Adyen); empty, and so matching nothing, where it is not hex. */
export const hexSecret = (secret: Redacted.Redacted<string>): Redacted.Redacted<Uint8Array> => {
  const text = Redacted.value(secret)
  return Redacted.make(/^([0-9a-f]{2})+$/i.test(text) ? Buffer.from(text, "hex") : new Uint8Array())
}

/** Succeeds where one of the signatures was made with one of the secrets. All pairs are compared, whatever the first ones say. */
export const checkAny = (
  encoding: "hex" | "base64",
  secrets: ReadonlyArray<Secret>,
  signed: Signed,
  signatures: ReadonlyArray<string>
): Effect.Effect<void, WebhookRefused> =>
  Effect.suspend(() => {
    if (signatures.every((signature) => signature === "")) return refuse("missing_signature")
    if (signatures.length > maxSignatures) return refuse("malformed")
    const shape = encoding === "hex" ? /^[0-9a-f]{64}$/ : /^[A-Za-z0-9+/]{43}=$/
    const candidates = signatures
      .filter((signature) => shape.test(signature))
      .map((text) => Buffer.from(text, "latin1"))
    if (candidates.length === 0) return refuse("malformed")
    let matches = 0
    for (const key of secrets.map(keyBytes).filter((bytes) => bytes.byteLength > 0)) {
      const expected = Buffer.from(mac(key, signed).toString(encoding), "latin1")
      for (const candidate of candidates) matches += timingSafeEqual(expected, candidate) ? 1 : 0
    }
    return matches > 0 ? Effect.void : refuse("bad_signature")
  })

/** HMAC-SHA256 of the parts, one after the other. */
export const mac = (key: Uint8Array, signed: Signed): Buffer => {
  const hmac = createHmac("sha256", key)
  for (const part of signed) {
    if (typeof part === "string") hmac.update(part, "utf8")
    else hmac.update(part)
  }
  return hmac.digest()
}

const keyBytes = (secret: Secret): Uint8Array => {
  const value: string | Uint8Array = Redacted.value<string | Uint8Array>(secret)
  return typeof value === "string" ? Buffer.from(value, "utf8") : value
}

const refuse = (reason: WebhookRefused["reason"]) => Effect.fail(new WebhookRefused({ reason }))

const toleranceMillis = 300_000
// Bounds what one unauthenticated request can make us compute.
const maxSignatures = 16
const maxHeaderLength = 4096

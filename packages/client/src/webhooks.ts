/**
 * Webhooks as Standard Webhooks describes them (https://www.standardwebhooks.com, symmetric scheme `v1`), by WebCrypto.
 *
 * @example
 * ```ts
 * import { webhooks } from "@paymux/client"
 *
 * const receive = async (request: Request, secret: string) => {
 *   const event = await webhooks.verify(await request.text(), request.headers, secret)
 *   return event.type === "payment.succeeded" ? event.data.payment.id : null
 * }
 * ```
 */
import { PaymuxUsageError, PaymuxWebhookError } from "./PaymuxError.ts"
import { now } from "./Runtime.ts"
import { signatureOf } from "./signature.ts"
import { headersOf } from "./webhookHeaders.ts"
import type { SignedHeaders, WebhookHeaders } from "./webhookHeaders.ts"
import type { WebhookEvent } from "./wire.ts"

/** As it was received: what was parsed and written again has other bytes. */
export type WebhookBody = string | Uint8Array | ArrayBuffer

export interface VerifyOptions {
  /** Seconds that the signature may be old, or ahead of the clock; default 300, at most 86 400. */
  readonly tolerance?: number
  /** Default: the present. For what was kept: when it was received. */
  readonly now?: Date
}

export interface Webhooks {
  /**
   * The event, where one of the secrets made one of its signatures, and lately. While a secret is rotated give both.
   *
   * Fails with `PaymuxWebhookError`: `webhook_headers_invalid`, `webhook_signature_invalid`, `webhook_stale`,
   * `webhook_body_invalid`, or `webhook_secret_invalid`, which is a fault of the configuration. An event may come twice:
   * go by `event.data.id`.
   */
  readonly verify: (
    body: WebhookBody,
    headers: WebhookHeaders,
    secrets: string | ReadonlyArray<string>,
    options?: VerifyOptions
  ) => Promise<WebhookEvent>
  /** The headers of a webhook, for tests of a receiver. `timestamp`: when it is signed; default the present. */
  readonly sign: (
    body: WebhookBody,
    secret: string,
    options: { readonly id: string; readonly timestamp?: Date }
  ) => Promise<SignedHeaders>
}

export const webhooks: Webhooks = {
  verify: async (body, headers, secrets, { now: at, tolerance = 300 } = {}) => {
    if (!(tolerance > 0 && tolerance <= 86_400)) {
      throw new PaymuxUsageError("tolerance must be a number of seconds, at most 86400")
    }
    const bytes = bytesOf(body)
    const signed = headersOf(headers)
    if (!(await isAuthentic(bytes, signed, [secrets].flat()))) {
      throw refusal("webhook_signature_invalid", "None of the signatures was made with one of the secrets.")
    }
    const age = (at?.getTime() ?? now()) / 1000 - Number(signed["webhook-timestamp"])
    if (!(Math.abs(age) <= tolerance)) {
      throw refusal("webhook_stale", "The webhook was signed too long ago, or ahead of this clock.")
    }
    return eventOf(bytes)
  },
  sign: async (body, secret, { id, timestamp }) => {
    const seconds = String(Math.floor((timestamp?.getTime() ?? now()) / 1000))
    const signature = await signatureOf(secret, id, seconds, bytesOf(body))
    return { "webhook-id": id, "webhook-timestamp": seconds, "webhook-signature": `v1,${signature}` }
  }
}

const refusal = (code: string, message: string) => new PaymuxWebhookError({ code, message })

/** Compares every secret with every signature, also after a match, so that the duration reveals nothing. */
const isAuthentic = async (
  body: Uint8Array,
  signed: SignedHeaders,
  secrets: ReadonlyArray<string>
): Promise<boolean> => {
  if (secrets.length === 0) throw refusal("webhook_secret_invalid", "There is no secret to verify with.")
  const given = signed["webhook-signature"]
    .split(" ")
    .flatMap((each) => (each.startsWith("v1,") ? [each.slice(3)] : []))
  const made = await Promise.all(
    secrets.map((secret) => signatureOf(secret, signed["webhook-id"], signed["webhook-timestamp"], body))
  )
  return made.flatMap((right) => given.map((each) => isEqual(each, right))).includes(true)
}

/** Takes as long wherever they differ. */
const isEqual = (given: string, right: string): boolean => {
  if (given.length !== right.length) return false
  let difference = 0
  for (let index = 0; index < right.length; index++) difference |= given.charCodeAt(index) ^ right.charCodeAt(index)
  return difference === 0
}

const bytesOf = (body: unknown): Uint8Array<ArrayBuffer> => {
  if (typeof body === "string") return new TextEncoder().encode(body)
  // A copy: the caller may write into theirs while this waits.
  if (body instanceof Uint8Array) return new Uint8Array(body)
  if (body instanceof ArrayBuffer) return new Uint8Array(body.slice(0))
  throw new PaymuxUsageError("body must be the raw body as text or bytes, not what was parsed from it")
}

const eventOf = (bytes: Uint8Array): WebhookEvent => {
  try {
    const event: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes))
    // Boundary: it is authentic, so it is what the server says it sends, or what a newer one does.
    if (typeof event === "object" && event !== null && !Array.isArray(event)) return event as WebhookEvent
  } catch {
    // reported below
  }
  throw refusal("webhook_body_invalid", "The webhook is authentic, but is no JSON object.")
}

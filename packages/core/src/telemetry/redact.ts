/**
 * Removes card numbers, secrets and the payer's contact data from every log line, span and problem, since an error may
 * quote any text.
 *
 * It prefers false positives: text that only looks like a secret is removed too. Our own ids are kept. The time is
 * linear in the length of any text.
 *
 * @example
 * ```ts
 * redactText("refused by asha@example.com with 4111 1111 1111 1111") // => "refused by [redacted] with [redacted]"
 * redact({ headers: { authorization: "Bearer abc" } }) // => { headers: { authorization: "[redacted]" } }
 * ```
 */
import { Predicate, Redacted } from "effect"
import { holdsCardNumber, isCardAsNumber, isCardField } from "../domain/RawCardData.ts"

const REDACTED = "[redacted]"

/** Removes secrets and personal data from `text`. */
export const redactText = (text: string): string => {
  const clean = cleaned(text)
  if (!clean.includes("%")) return clean
  // Percent-encoded text is redacted too.
  const plain = decoded(clean)
  const cleanPlain = cleaned(plain)
  return cleanPlain === plain ? clean : cleanPlain
}

const cleaned = (text: string): string => {
  let clean = text
  for (const [pattern, replacement] of patterns) clean = clean.replace(pattern, replacement)
  return clean.replace(digits, withoutCardNumber)
}

/** Decodes percent-encoded text if it is valid UTF-8. */
const decoded = (text: string): string =>
  text.replace(/(?:%[0-9A-Fa-f]{2})+/g, (encoded) => {
    try {
      return decodeURIComponent(encoded)
    } catch {
      return encoded
    }
  })

/**
 * Redacts any value, as plain JSON data: an error becomes its name, message and stack, and cyclic or very deep data a
 * short text. Values with names such as `authorization` or `email` are removed regardless of their content.
 */
export const redact = (value: unknown): unknown => redacted(value, [])

/**
 * The patterns of secrets and contact data. The boundaries of each pattern make it scan a run of characters only once.
 */
const patterns: ReadonlyArray<readonly [RegExp, string]> = [
  [/-----BEGIN [A-Z0-9 ]{1,40}-----[\s\S]*?(?:-----END [A-Z0-9 ]{1,40}-----|$)/g, REDACTED],
  [/(?<![a-z0-9+.-])([a-z][a-z0-9+.-]*:\/\/)[^\s/?#@"'<>]+@/gi, `$1${REDACTED}@`],
  [
    /\b((?:proxy-)?authorization|(?:set-)?cookie|x-api-key|api[-_]?key|password|secret)(["']?\s*[:=]\s*["']?)(?:(?:Bearer|Basic|Digest|Token)\s+)?(?!(?:Bearer|Basic|Digest|Token)\b)[^\s"',;<>]{6,}/gi,
    `$1$2${REDACTED}`
  ],
  [/\bBearer\s+[A-Za-z0-9._~+/=-]{8,}/gi, `Bearer ${REDACTED}`],
  [/\bBasic\s+(?=\S*[0-9A-Z=])[A-Za-z0-9+/]{8,}={0,2}/g, `Basic ${REDACTED}`],
  // Secret keys, by their prefixes: ours, Standard Webhooks, Stripe, Razorpay, Cashfree, Adyen, AWS; and JWTs.
  [
    /(?<![A-Za-z0-9])(pmx_(?:test|live)|whsec|[rsp]k_(?:test|live)|rzp_(?:test|live)|cfsk_[a-z_]{0,16}?)_[A-Za-z0-9+/=_-]{6,}/g,
    `$1_${REDACTED}`
  ],
  [/_secret_[A-Za-z0-9]{8,}/g, `_secret_${REDACTED}`],
  [
    /(?<![A-Za-z0-9+/])(?:AQE[A-Za-z0-9+/=-]{40,}|AKIA[0-9A-Z]{16}|eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*)/g,
    REDACTED
  ],
  [
    /([?&;](?:access_?token|api_?key|client_?secret|code|key|password|secret|sig|signature|token)=)[^&\s#"'<>]+/gi,
    `$1${REDACTED}`
  ],
  // Matches the URL of a shopper's return or payment page, which is a credential.
  [/(\/(?:return|pay)\/[^/\s"'<>]+\/)[^\s/?#"'<>]+/g, `$1${REDACTED}`],
  [/\b(cvv2?|cvc2?|cvn2?|cvd|security[ _-]?code)(\W{1,4}(?:is |was )?)\d{3,4}\b/gi, `$1$2${REDACTED}`],
  // Matches e-mail addresses, and UPI addresses, which end in a word; not a version such as `effect@4.1.0`.
  [
    /(?<![\p{L}\p{N}._%+'-])[\p{L}\p{N}._%+'-]+@(?:[\p{L}][\p{L}\p{N}-]*(?:\.[\p{L}\p{N}-]+)*|\d[\p{L}\p{N}-]*(?:\.[\p{L}\p{N}-]+)*\.\p{L}{2,})/gu,
    REDACTED
  ],
  // Matches phone numbers in the format E.164.
  [/(?<![\w+])\+\d(?:[ ().-]{0,2}\d){7,14}(?!\d)/g, REDACTED]
]

/**
 * Matches a run of digits: at least as many as the shortest card number, of any script or style, with any characters
 * except visible letters between.
 */
const digits =
  /[\p{Nd}\p{No}](?:(?:[^\p{L}\p{Nd}\p{No}]|(?=\p{L})\p{Default_Ignorable_Code_Point}){0,8}[\p{Nd}\p{No}]){11,}/gu

/**
 * Redacts a run of digits if it is a card number. The adjacent text is considered too, such as a word like
 * `mastercard`.
 */
const withoutCardNumber = (run: string, at: number, text: string): string => {
  const before = text.slice(Math.max(0, at - 12), at)
  const after = text.slice(at + run.length, at + run.length + 4)
  return holdsCardNumber(before + run + after) ? REDACTED : run
}

const MAX_DEPTH = 8
const MAX_MEMBERS = 100

const redacted = (value: unknown, around: ReadonlyArray<object>): unknown => {
  switch (typeof value) {
    case "string":
      return redactText(value)
    case "number":
      return isCardAsNumber(value) ? REDACTED : value
    case "bigint":
      return holdsCardNumber(String(value)) ? REDACTED : String(value)
    case "boolean":
    case "undefined":
      return value
    case "object":
      return value === null ? null : ofObject(value, around)
    default:
      return `[${typeof value}]`
  }
}

const ofObject = (value: object, around: ReadonlyArray<object>): unknown => {
  if (Redacted.isRedacted(value)) return REDACTED
  if (around.includes(value)) return "[circular]"
  if (around.length >= MAX_DEPTH) return "[too deep]"
  const inside = [...around, value]
  if (value instanceof Error) return ofError(value, inside)
  const plain = plainOf(value)
  if (plain !== value) return redacted(plain, inside)
  if (Array.isArray(value)) return value.slice(0, MAX_MEMBERS).map((member) => redacted(member, inside))
  if (value instanceof Map) return ofEntries([...value], inside)
  if (value instanceof Set) return redacted([...value], inside)
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`
  return ofEntries(Object.entries(value), inside)
}

const ofError = (error: Error, inside: ReadonlyArray<object>): unknown => ({
  name: error.name,
  message: redactText(error.message),
  ...(error.stack !== undefined && { stack: redactText(error.stack) }),
  ...(error.cause !== undefined && { cause: redacted(error.cause, inside) })
})

/** The JSON value of an object with `toJSON`, such as a time. */
const plainOf = (value: object): unknown => {
  if (!Predicate.hasProperty(value, "toJSON") || typeof value.toJSON !== "function") return value
  try {
    return value.toJSON()
  } catch {
    return "[unreadable]"
  }
}

const ofEntries = (entries: ReadonlyArray<readonly [unknown, unknown]>, inside: ReadonlyArray<object>) =>
  Object.fromEntries(
    entries.slice(0, MAX_MEMBERS).map(([key, member]) => {
      const name = String(key)
      return [redactText(name), isSensitive(name, member) ? REDACTED : redacted(member, inside)]
    })
  )

const isSensitive = (name: string, value: unknown): boolean =>
  value !== null &&
  value !== undefined &&
  (sensitive.test(name.toLowerCase().replace(/[^a-z0-9]/g, "")) || isCardField(name, value))

const sensitive =
  /(?:^(?:proxy)?authorization|cookie|password|passwd|passphrase|secrets?|tokens?|apikey|hmackeys?|privatekey|accesskey|seed|mnemonic|signature|credentials?|email|phone|vpa|upiid)$/

/**
 * The body of a request as the request log keeps it: its structure, with every text and number masked except a few fields
 * that name no person and no instrument. What is masked is `[text]` or `[number]`.
 *
 * An allow list, so that a field that is added later, or sent by mistake, is masked.
 *
 * @example
 * ```ts
 * maskedBody({ amount: 1200, currency: "EUR", customer: { email: "asha@example.com" } })
 * // => '{"amount":1200,"currency":"EUR","customer":{"email":"[text]"}}'
 * ```
 */
import { rails } from "@paymux/core"
import { redactText } from "@paymux/core/telemetry"

/** JSON of at most 4,000 characters. */
export const maskedBody = (body: unknown): string => {
  const masked = maskedValue(body, "open", 0)
  return masked.length <= longest ? masked : '"[too long]"'
}

const longest = 4_000
const deepest = 6
const mostMembers = 50

/** `open`: the fields of the allow list are shown here. They are not in metadata or about the customer. */
type Reach = "open" | "closed"

const maskedValue = (value: unknown, reach: Reach, depth: number): string => {
  switch (typeof value) {
    case "string":
      return '"[text]"'
    case "number":
      return '"[number]"'
    case "boolean":
      return value ? "true" : "false"
    case "object":
      if (value === null) return "null"
      if (depth >= deepest) return '"[too deep]"'
      return Array.isArray(value) ? maskedArray(value, depth) : maskedObject(value, reach, depth)
    default:
      return "null"
  }
}

const maskedArray = (array: ReadonlyArray<unknown>, depth: number): string =>
  `[${array
    .slice(0, mostMembers)
    .map((member) => maskedValue(member, "closed", depth + 1))
    .join(",")}]`

const maskedObject = (object: object, reach: Reach, depth: number): string => {
  let members = ""
  let count = 0
  for (const [name, value] of Object.entries(object)) {
    if (++count > mostMembers) break
    const shown = shownMember(name, value, reach, depth)
    members += `${members === "" ? "" : ","}${JSON.stringify(shownName(name))}:${shown}`
  }
  return `{${members}}`
}

const shownMember = (name: string, value: unknown, reach: Reach, depth: number): string => {
  // Its keys are the merchant's data, too.
  if (name === "metadata" && typeof value === "object" && value !== null)
    return `"[${Object.keys(value).length} entries]"`
  return reach === "open" && shownFields.get(name)?.(value) === true
    ? JSON.stringify(value)
    : maskedValue(value, reach === "open" && openObjects.has(name) ? "open" : "closed", depth + 1)
}

const openObjects: ReadonlySet<string> = new Set(["payment_method_details", "upi", "card", "stablecoin"])

const oneOf = (...words: ReadonlyArray<string>) => {
  const known: ReadonlySet<unknown> = new Set(words)
  return (value: unknown): boolean => known.has(value)
}

const matching = (pattern: RegExp) => (value: unknown) => typeof value === "string" && pattern.test(value)

/** What an integration gets wrong, by the form it must have. An amount has fewer digits than any card number. */
const shownFields: ReadonlyMap<string, (value: unknown) => boolean> = new Map([
  ["amount", (value: unknown) => typeof value === "number" && Math.abs(value) < 1e11],
  ["currency", matching(/^[A-Za-z]{3}$/)],
  ["payment_method", oneOf(...rails)],
  ["capture_method", oneOf("automatic", "manual")],
  ["flow", oneOf("intent", "qr", "collect")],
  ["funding", oneOf("credit", "debit", "prepaid", "unknown")],
  ["country", matching(/^[A-Za-z]{2}$/)],
  ["asset", oneOf("USDC", "USDT", "EURC", "DAI", "PYUSD")],
  ["outcome", oneOf("succeeded", "failed")]
])

/** Names are the integration's words. A value that stands in place of one is masked. */
export const shownName = (name: string): string => {
  const known = names.get(name)
  if (known !== undefined) return known
  const isName = /^[A-Za-z][A-Za-z0-9_.-]{0,39}$/.test(name) && !/\d{5}/.test(name) && redactText(name) === name
  const shown = isName ? name : "[name]"
  if (names.size < mostNames) names.set(name, shown)
  return shown
}

/** Looked at once: names are the same in every request of an integration. */
const names = new Map<string, string>()
const mostNames = 1_000

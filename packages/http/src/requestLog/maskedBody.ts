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

/** JSON of at most 4,000 characters, of at most 200 members. */
export const maskedBody = (body: unknown): string => {
  const masked = maskedValue(body, "open", 0, { left: mostVisited })
  return masked.length <= longest ? masked : '"[too long]"'
}

const longest = 4_000
const deepest = 6
const mostMembers = 50
const mostVisited = 200

/** How many more members of the body are looked at: the sender of a body must not decide how long it is masked. */
interface Visits {
  left: number
}

/** `open`: the fields of the allow list are shown here. They are not in metadata or about the customer. */
type Reach = "open" | "closed"

const maskedValue = (value: unknown, reach: Reach, depth: number, visits: Visits): string => {
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
      return Array.isArray(value) ? maskedArray(value, depth, visits) : maskedObject(value, reach, depth, visits)
    default:
      return "null"
  }
}

const maskedArray = (array: ReadonlyArray<unknown>, depth: number, visits: Visits): string => {
  const members: Array<string> = []
  for (const member of array.slice(0, mostMembers)) {
    if (visits.left-- <= 0) break
    members.push(maskedValue(member, "closed", depth + 1, visits))
  }
  return `[${members.join(",")}]`
}

const maskedObject = (object: object, reach: Reach, depth: number, visits: Visits): string => {
  const members: Array<string> = []
  for (const [name, value] of Object.entries(object).slice(0, mostMembers)) {
    if (visits.left-- <= 0) break
    members.push(`"${shownName(name)}":${shownMember(name, value, reach, depth, visits)}`)
  }
  return `{${members.join(",")}}`
}

const shownMember = (name: string, value: unknown, reach: Reach, depth: number, visits: Visits): string => {
  // Its keys are the merchant's data, too.
  if (name === "metadata" && typeof value === "object" && value !== null)
    return `"[${Object.keys(value).length} entries]"`
  return reach === "open" && shownFields.get(name)?.(value) === true
    ? JSON.stringify(value)
    : maskedValue(value, reach === "open" && openObjects.has(name) ? "open" : "closed", depth + 1, visits)
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

/** A name that is not a field of the API may be a value in the wrong place. The problem says which name was unknown. */
const shownName = (name: string): string => (documentedFields.has(name) ? name : "[name]")

/** The fields of the bodies of `/v1`. None of them needs an escape in JSON. */
export const documentedFields: ReadonlySet<string> = new Set([
  ...shownFields.keys(),
  ...openObjects,
  "description",
  "customer",
  "email",
  "phone",
  "name",
  "metadata",
  "return_url",
  "order",
  "order_replaces",
  "client",
  "ip",
  "user_agent",
  "referer",
  "accept_header",
  "language",
  "time_zone",
  "screen",
  "width",
  "height",
  "color_depth",
  "address",
  "line1",
  "line2",
  "city",
  "state",
  "postal_code",
  "vpa",
  "token",
  "tokens",
  "network",
  "bin",
  "fingerprint",
  "reason"
])

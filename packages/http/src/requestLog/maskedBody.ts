/**
 * Masking of bodies for the request log: the structure is kept, and all texts and numbers are replaced by `[text]` or
 * `[number]`, except a few fields that identify neither a person nor an instrument.
 *
 * It is an allow list, so that new fields, and fields sent by mistake, are masked.
 *
 * @example
 * ```ts
 * maskedBody({ amount: 1200, currency: "EUR", customer: { email: "asha@example.com" } })
 * // => '{"amount":1200,"currency":"EUR","customer":{"email":"[text]"}}'
 * ```
 */
import { rails } from "@paymux/core"

/** The masked body as JSON of at most 4,000 characters and 200 members. */
export const maskedBody = (body: unknown): string => {
  const masked = maskedValue(body, "open", 0, { left: maxVisits })
  return masked.length <= maxLength ? masked : '"[too long]"'
}

const maxLength = 4_000
const maxDepth = 6
const maxMembers = 50
const maxVisits = 200

/**
 * The number of members that masking may still visit. It limits the time for masking, which a client could otherwise
 * extend with a large body.
 */
interface Visits {
  left: number
}

/**
 * The masking mode of an object. With `open`, the fields of the allow list are shown. With `closed`, which is used in
 * metadata and in data of the customer, no value is shown.
 */
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
      if (depth >= maxDepth) return '"[too deep]"'
      return Array.isArray(value) ? maskedArray(value, depth, visits) : maskedObject(value, reach, depth, visits)
    default:
      return "null"
  }
}

const maskedArray = (array: ReadonlyArray<unknown>, depth: number, visits: Visits): string => {
  const members: Array<string> = []
  for (const member of array.slice(0, maxMembers)) {
    if (visits.left-- <= 0) break
    members.push(maskedValue(member, "closed", depth + 1, visits))
  }
  return `[${members.join(",")}]`
}

const maskedObject = (object: object, reach: Reach, depth: number, visits: Visits): string => {
  const members: Array<string> = []
  for (const [name, value] of Object.entries(object).slice(0, maxMembers)) {
    if (visits.left-- <= 0) break
    members.push(`"${shownName(name)}":${shownMember(name, value, reach, depth, visits)}`)
  }
  return `{${members.join(",")}}`
}

const shownMember = (name: string, value: unknown, reach: Reach, depth: number, visits: Visits): string => {
  // The names of metadata keys are masked too, because they are the merchant's data.
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

/**
 * The fields whose values are shown, each with a check of valid values. They are fields that integrations often get
 * wrong. An amount is shown only if it has fewer digits than any card number.
 */
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

/**
 * Masks a name that is not a field of the API, because it may be a misplaced value. An unknown field name can still be
 * found in the problem.
 */
const shownName = (name: string): string => (documentedFields.has(name) ? name : "[name]")

/** The names of all fields in bodies of `/v1`. No name requires escaping in JSON. */
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

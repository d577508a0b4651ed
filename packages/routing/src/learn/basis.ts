/** Describes the attempts behind an estimate as text: `128 visa cards, none from DE`. */
import type { Level, Part } from "./Segment.ts"
import type { Evidence } from "./Series.ts"

/** The number of attempts from which on a narrow segment is named alone; with fewer, the wider segment is named too. */
const ENOUGH = 20

/** Formats the description. `evidence` has the weighted attempt counts of each part of the path. */
export const basisOf = (path: ReadonlyArray<Part>, evidence: ReadonlyArray<Evidence>): string => {
  const counts = evidence.map(({ attempts }) => Math.round(attempts))
  const narrowest = counts.findLastIndex((count) => count >= ENOUGH)
  // If no segment has enough attempts, the text names the widest one, since it has the most.
  const at = Math.max(0, narrowest)
  const known = counts[at] ?? 0
  const next = path[at + 1]
  const rest = next === undefined || known === 0 ? "" : `, ${among(next, counts[at + 1] ?? 0)}`
  return `${known} ${named(path.slice(0, at + 1), known)}${rest}`
}

const among = (part: Part, count: number): string =>
  `${count === 0 ? "none" : count} ${detail[levelOf(part)](valueOf(part))}`

type Words = (value: string) => string

const levelOf = ({ level }: Part): keyof typeof detail =>
  level === "account" || level === "amount" || isFixed(level) ? level : "metadata"

const isFixed = (level: Level): level is Exclude<Level, `metadata.${string}`> => Object.hasOwn(detail, level)

const valueOf = ({ level, value }: Part): string =>
  level.startsWith("metadata.") ? level : value.slice(level.length + 1)

/**
 * The text for a narrower segment: `none from DE`, `3 debit`. It omits values that merchants choose freely, which may
 * contain commas.
 */
const detail = {
  flow: (flow) => `by ${flow}`,
  currency: (currency) => `in ${currency}`,
  network: (network) => network.replaceAll(/[^\w .-]/g, ""),
  country: (country) => `from ${country}`,
  funding: (funding) => funding,
  account: () => "of this account",
  amount: (digits) => `of ${digits} digits`,
  rule: () => "of this rule",
  metadata: (key) => `with this ${key}`,
  issuer: (issuer) => (/^\d+$/.test(issuer) ? `with BIN ${issuer}` : "of this bank")
} satisfies Record<Exclude<Level, `metadata.${string}`> | "metadata", Words>

/** Names the attempts of a segment: `visa debit cards from DE`. */
const named = (path: ReadonlyArray<Part>, count: number): string => {
  const before: Array<string> = []
  const after: Array<string> = []
  let noun = "attempts"
  for (const part of path) {
    const level = levelOf(part)
    if (level === "flow") noun = nounOf(valueOf(part), count)
    else if (level === "network" || level === "funding") before.push(detail[level](valueOf(part)))
    // Names the currency only if it is the last level, since nearly all payments of a provider have one currency.
    else if (level !== "currency" || path.at(-1) === part) after.push(detail[level](valueOf(part)))
  }
  return [...before, noun, ...after].join(" ")
}

const nounOf = (flow: string, count: number): string => {
  const [one, many] = nouns[flow] ?? ["attempt", "attempts"]
  return count === 1 ? one : many
}

const nouns: { readonly [flow: string]: readonly [string, string] } = {
  "card token": ["card", "cards"],
  "card hosted": ["card on a hosted page", "cards on a hosted page"],
  "upi intent": ["UPI intent", "UPI intents"],
  "upi collect": ["UPI collect request", "UPI collect requests"],
  "upi qr": ["UPI QR code", "UPI QR codes"],
  "stablecoin transfer": ["transfer", "transfers"]
}

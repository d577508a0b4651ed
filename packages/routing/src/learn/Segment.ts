/** The segment of a payment, by which success rates are distinguished: from its flow down to its issuer. */
import { flow } from "@paymux/core"
import type { Flow, NewPayment, Rail } from "@paymux/core"
import { issuer } from "@paymux/core/store"
import type { Facts } from "../Facts.ts"
import type { Lens, LensSegment } from "./Lens.ts"

/**
 * A group of payments that a provider is assumed to treat alike, described by facts. `null` is an unknown fact, which
 * the path skips.
 */
export interface Segment {
  readonly rail: Rail
  readonly flow: Flow
  readonly currency: string
  /** The network of a card, or the chain of a stablecoin. */
  readonly network: string | null
  readonly country: string | null
  readonly funding: string | null
  /** The issuer: the BIN of a card, or the handle of a UPI id. */
  readonly issuer: string | null
  readonly account: string | null
  /** The rule that decided the payments. */
  readonly rule: string | null
  /** The number of digits of the amount in minor units. */
  readonly amountDigits: number | null
  readonly metadata: { readonly [key: string]: string }
}

/** The segment of a payment that `rule` decides. */
export const segmentOf = (facts: Facts, rule: string): Segment => ({
  rail: facts.payment_method,
  flow: facts.flow,
  currency: facts.currency,
  network: facts["card.network"] ?? facts["stablecoin.network"],
  country: facts["card.country"],
  funding: facts["card.funding"],
  issuer: facts.issuer,
  account: facts.account,
  rule,
  amountDigits: digitsOf(facts.amount),
  metadata: facts.metadata
})

/** The segment of an existing payment that `rule` decided. */
export const segmentOfPayment = ({ amount, metadata, method }: NewPayment, account: string, rule: string): Segment => {
  const card = method.rail === "card" ? method : null
  return {
    rail: method.rail,
    flow: flow(method),
    currency: amount.currency,
    network: method.rail === "upi" ? null : method.network,
    country: card?.country ?? null,
    funding: card?.funding ?? null,
    issuer: issuer(method),
    account,
    rule,
    amountDigits: digitsOf(amount.minorUnits),
    metadata
  }
}

const digitsOf = (amount: number): number => String(amount).length

/** One level of a segment's path, from the widest (flow) to the narrowest (issuer). */
export type Level = "flow" | "currency" | "network" | "country" | "funding" | LensSegment | "issuer" | "rule"

export interface Part {
  readonly level: Level
  /** The value, prefixed with the name of its level, so that a network cannot be mistaken for a country. */
  readonly value: string
}

/** The attempts that are divided into segments for a payment: all attempts, or those of its account or rule. */
export const scopeOf = ({ learnFrom }: Lens, { account, rule }: Segment): string =>
  learnFrom === "all" ? "" : ((learnFrom === "account" ? account : rule) ?? "")

/** The path of a segment: its levels from the flow down to the issuer. Levels with an unknown value are skipped. */
export const pathOf = ({ segments }: Lens, segment: Segment): ReadonlyArray<Part> => {
  const path: Array<Part> = []
  const add = (level: Level, value: string | number | null | undefined) => {
    if (value !== null && value !== undefined) path.push({ level, value: `${level}=${value}` })
  }
  add("flow", `${segment.rail} ${segment.flow}`)
  add("currency", segment.currency)
  add("network", segment.network)
  add("country", segment.country)
  add("funding", segment.funding)
  for (const level of segments) add(level, valueOf(level, segment))
  add("issuer", segment.issuer)
  return path
}

const valueOf = (
  level: LensSegment,
  { account, amountDigits, metadata }: Pick<Segment, "account" | "amountDigits" | "metadata">
): string | number | null => {
  if (level === "account") return account
  if (level === "amount") return amountDigits
  const key = level.slice("metadata.".length)
  return Object.hasOwn(metadata, key) ? (metadata[key] ?? null) : null
}

/** The cache key for the path of a payment's segment. */
export const segmentKey = (lens: Lens, facts: Facts, rule: string): string => {
  const scope = lens.learnFrom === "all" ? "" : lens.learnFrom === "account" ? facts.account : rule
  const own = lens.segments.length === 0 && scope === "" ? "" : JSON.stringify([scope, ...ownOf(lens, facts)])
  // The values are joined by line breaks. A line break within a merchant's value would at worst let two rare segments
  // share an estimate.
  return `${facts.payment_method}\n${facts.flow}\n${facts.currency}\n${facts["card.network"] ?? facts["stablecoin.network"] ?? ""}\n${facts["card.country"] ?? ""}\n${facts["card.funding"] ?? ""}\n${own}\n${facts.issuer ?? ""}`
}

const ownOf = ({ segments }: Lens, { account, amount, metadata }: Facts): ReadonlyArray<string | number | null> => {
  const segment = { account, amountDigits: digitsOf(amount), metadata }
  return segments.map((level) => valueOf(level, segment))
}

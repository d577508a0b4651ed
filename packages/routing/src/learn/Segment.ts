/** By what success rates are distinguished: from all attempts of a flow to those of one issuer. */
import { flow } from "@paymux/core"
import type { Flow, NewPayment, Rail } from "@paymux/core"
import { issuer } from "@paymux/core/store"
import type { Facts } from "../Facts.ts"
import type { Lens, LensSegment } from "./Lens.ts"

/** Payments that are alike for a provider, as far as is known. `null`: not known, and left out. */
export interface Kind {
  readonly rail: Rail
  readonly flow: Flow
  readonly currency: string
  /** Of a card, or the chain of a stablecoin. */
  readonly network: string | null
  readonly country: string | null
  readonly funding: string | null
  /** The BIN of a card, or the handle of a UPI id. */
  readonly issuer: string | null
  readonly account: string | null
  /** The rule that decided. */
  readonly rule: string | null
  /** Of the amount in minor units. */
  readonly amountDigits: number | null
  readonly metadata: { readonly [key: string]: string }
}

/** Of a payment that is decided by `rule`. */
export const kindOf = (facts: Facts, rule: string): Kind => ({
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

/** Of a payment that was made, and decided by `rule`. */
export const kindOfPayment = ({ amount, metadata, method }: NewPayment, account: string, rule: string): Kind => {
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

/** A level of the path of a kind, from the widest to the narrowest. */
export type Level = "flow" | "currency" | "network" | "country" | "funding" | LensSegment | "issuer" | "rule"

export interface Part {
  readonly level: Level
  /** No two levels of one place in the path have values that are alike. */
  readonly value: string
}

/** The whole that the path is a part of: all attempts, or those of an account or a rule. */
export const scopeOf = ({ learnFrom }: Lens, { account, rule }: Kind): string =>
  learnFrom === "all" ? "" : ((learnFrom === "account" ? account : rule) ?? "")

/** From the flow to the issuer; what is not known of the payment is left out. */
export const pathOf = ({ segments }: Lens, kind: Kind): ReadonlyArray<Part> => {
  const path: Array<Part> = []
  const add = (level: Level, value: string | number | null | undefined) => {
    if (value !== null && value !== undefined) path.push({ level, value: `${level}=${value}` })
  }
  add("flow", `${kind.rail} ${kind.flow}`)
  add("currency", kind.currency)
  add("network", kind.network)
  add("country", kind.country)
  add("funding", kind.funding)
  for (const segment of segments) add(segment, valueOf(segment, kind))
  add("issuer", kind.issuer)
  return path
}

const valueOf = (
  segment: LensSegment,
  { account, amountDigits, metadata }: Pick<Kind, "account" | "amountDigits" | "metadata">
): string | number | null => {
  if (segment === "account") return account
  if (segment === "amount") return amountDigits
  const key = segment.slice("metadata.".length)
  return Object.hasOwn(metadata, key) ? (metadata[key] ?? null) : null
}

/** One text for each path: the same text is the same path. */
export const kindKey = (lens: Lens, facts: Facts, rule: string): string => {
  const scope = lens.learnFrom === "all" ? "" : lens.learnFrom === "account" ? facts.account : rule
  const own = lens.segments.length === 0 && scope === "" ? "" : JSON.stringify([scope, ...ownOf(lens, facts)])
  // No part but the last has a line break in it.
  return `${facts.payment_method}\n${facts.flow}\n${facts.currency}\n${facts["card.network"] ?? facts["stablecoin.network"] ?? ""}\n${facts["card.country"] ?? ""}\n${facts["card.funding"] ?? ""}\n${own}\n${facts.issuer ?? ""}`
}

const ownOf = ({ segments }: Lens, { account, amount, metadata }: Facts): ReadonlyArray<string | number | null> => {
  const kind = { account, amountDigits: digitsOf(amount), metadata }
  return segments.map((segment) => valueOf(segment, kind))
}

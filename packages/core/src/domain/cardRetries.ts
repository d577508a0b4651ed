/**
 * Limits on retries of a declined card: the card networks count retries over every provider, and fine a merchant who exceeds the limit.
 *
 * A card is identified by `card.fingerprint`, which the merchant sets to the same value under every token. Without it only
 * the payment itself is known, and nothing is counted. `card.network` selects the limit; without a network the strictest
 * limit applies. Pure.
 */
import { Duration, Option, Predicate } from "effect"
import type { FailureCode } from "./Decline.ts"
import type { Card, PaymentMethod } from "./PaymentMethod.ts"

/** A declined attempt. An attempt that succeeded late does not count. */
export interface CardDecline {
  readonly code: FailureCode
  /** The decline was final: its payment failed because of it, and is not retryable. */
  readonly isFinal: boolean
  /** ms UTC */
  readonly endedAt: number
}

/** The retry limit of a card network: a card with this many declines within this time is not tried again. */
export interface RetryLimit {
  readonly declines: number
  /** ms, or text such as `"30 days"`. A minute at least. */
  readonly within: Duration.Input
}

export interface CardRetrySettings {
  /**
   * By card network, as `card.network` names it. A network that is missing has no limit; `{}`: no limits. All limits apply to a
   * card without a network.
   */
  readonly limits: { readonly [network: string]: RetryLimit }
  /** A card with a final decline (`retryable: false`) is tried at no provider for this long. ms, or text. */
  readonly holdAfterHardDecline: Duration.Input
}

/**
 * The default limits. Visa fines more than 15 declined tries of one card in 30 days, Mastercard more than 35. Visa published 20
 * later; the lower number is safe under both.
 */
export const cardRetryDefaults: CardRetrySettings = {
  limits: {
    visa: { declines: 15, within: "30 days" },
    mastercard: { declines: 35, within: "30 days" }
  },
  holdAfterHardDecline: "30 days"
}

/** The most declines of one card that are read: a limit has to be lower. */
export const MOST_DECLINES = 100

/** The card whose declines are counted, and the part of its history to read. */
export interface CountedCard {
  readonly fingerprint: string
  readonly network: string | null
  /** Older declines do not count. */
  readonly withinMs: number
}

/** `null`: the card cannot be identified, or no limit applies. */
export const countedCard = (method: PaymentMethod, settings: CardRetrySettings): CountedCard | null => {
  // A blank fingerprint would be shared by many cards; requests that have one are rejected.
  if (method.rail !== "card" || method.fingerprint === null || method.fingerprint.trim() === "") return null
  const { fingerprint, network } = method
  const times = limitsOf(method, settings).map(({ within }) => millis(within))
  const longest = Math.max(millis(settings.holdAfterHardDecline), ...times)
  return longest === 0 ? null : { fingerprint, network, withinMs: longest }
}

/** Why a card is not tried, and for how long. */
export interface CardRefusal {
  /** `hard_decline`: an issuer's decline was final. `retry_limit`: the retry limit of its network is reached. */
  readonly reason: "hard_decline" | "retry_limit"
  readonly retryAfterMs: number
}

/** `declines`: of the card, the latest first. `null`: the card may be tried. */
export const cardRefusal = (
  { network }: Pick<Card, "network">,
  declines: ReadonlyArray<CardDecline>,
  settings: CardRetrySettings,
  now: number
): CardRefusal | null => {
  const hold = millis(settings.holdAfterHardDecline)
  const final = declines.find(({ endedAt, isFinal }) => isFinal && endedAt > now - hold)
  if (final !== undefined) return { reason: "hard_decline", retryAfterMs: final.endedAt + hold - now }
  const waits = limitsOf({ network }, settings).map((limit) => waitOf(limit, declines, now))
  const retryAfterMs = Math.max(0, ...waits)
  return retryAfterMs === 0 ? null : { reason: "retry_limit", retryAfterMs }
}

/** ms; 0: the limit is not reached. */
const waitOf = (limit: RetryLimit, declines: ReadonlyArray<CardDecline>, now: number): number => {
  const within = millis(limit.within)
  const counted = declines.filter(({ code, endedAt }) => endedAt > now - within && !uncounted.has(code))
  // It may be tried again when the oldest counted decline is too old to count.
  const oldest = counted[limit.declines - 1]
  return oldest === undefined ? 0 : oldest.endedAt + within - now
}

/** Declines that no issuer has seen: the payer left. */
const uncounted: ReadonlySet<CardDecline["code"]> = new Set(["customer_canceled", "customer_timeout"])

/** One sentence for each fault; empty: valid. A configuration file is not type-checked. */
export const cardRetryProblems = (changes: unknown): ReadonlyArray<string> => {
  if (!Predicate.isObject(changes)) return ["cardRetries must be an object of settings."]
  const { holdAfterHardDecline: hold, limits = {}, ...others }: { readonly [name: string]: unknown } = { ...changes }
  return [
    ...Object.keys(others).map((name) => `cardRetries has no setting "${name}".`),
    ...(hold === undefined || millisOf(hold) !== null ? [] : [`cardRetries.holdAfterHardDecline ${durationSentence}`]),
    ...(Predicate.isObject(limits)
      ? Object.entries(limits).flatMap(([network, limit]) => limitProblems(network, limit))
      : ["cardRetries.limits must be an object, by card network."])
  ]
}

const limitProblems = (network: string, limit: unknown): ReadonlyArray<string> => {
  const { declines, within, ...others }: { readonly [name: string]: unknown } = Predicate.isObject(limit)
    ? { ...limit }
    : {}
  return [
    ...Object.keys(others).map((name) => `cardRetries.limits.${network} has no setting "${name}".`),
    ...(/^[a-z][a-z_]{1,31}$/.test(network)
      ? []
      : [`cardRetries.limits: "${network}" must be a card network in small letters, such as visa.`]),
    ...(typeof declines === "number" && Number.isInteger(declines) && declines > 0 && declines <= MOST_DECLINES
      ? []
      : [`cardRetries.limits.${network}.declines must be a whole number from 1 to ${MOST_DECLINES}.`]),
    ...withinProblems(network, millisOf(within))
  ]
}

/** A plain `30` was meant as days: a limit with so short a time would never be reached. */
const withinProblems = (network: string, within: number | null): ReadonlyArray<string> => {
  if (within === null) return [`cardRetries.limits.${network}.within ${durationSentence}`]
  return within < 60_000 ? [`cardRetries.limits.${network}.within must be a minute at least (numbers are ms).`] : []
}

const durationSentence = 'must be a number of ms, or text such as "30 days".'

/** The limits that may apply to the card: its network's, or all without a network. */
const limitsOf = ({ network }: Pick<Card, "network">, { limits }: CardRetrySettings): ReadonlyArray<RetryLimit> => {
  if (network === null) return Object.values(limits)
  const own = Object.hasOwn(limits, network) ? limits[network] : undefined
  return own === undefined ? [] : [own]
}

/** The milliseconds of an unchecked input: text and numbers, as documented. `null`: not a time from 0 on. */
const millisOf = (input: unknown): number | null => {
  if (typeof input !== "number" && typeof input !== "string") return null
  // Boundary: `fromInput` returns none for an invalid text.
  const duration = Option.getOrNull(Duration.fromInput(input as Duration.Input))
  const ms = duration === null ? Number.NaN : Duration.toMillis(duration)
  return Number.isFinite(ms) && ms >= 0 ? ms : null
}

const millis = (input: Duration.Input): number => Duration.toMillis(Duration.fromInputUnsafe(input))

/**
 * Limits retries of declined cards: the card networks count retries over all providers, and fine a merchant who exceeds
 * the limit.
 *
 * A card is identified by `card.fingerprint`, which the merchant sets to the same value for every token of the card.
 * Without a fingerprint, earlier payments with the card cannot be found, and no declines are counted. `card.network`
 * selects the limit; without a network the strictest limit applies. Pure.
 */
import { Duration, Option, Predicate } from "effect"
import type { FailureCode } from "./Decline.ts"
import type { Card, PaymentMethod } from "./PaymentMethod.ts"

/** A declined attempt with a card. An attempt that later succeeded does not count. */
export interface CardDecline {
  readonly code: FailureCode
  /** Whether the decline was final: the payment failed because of this decline, and is not retryable. */
  readonly isFinal: boolean
  /** The end of the declined attempt, ms UTC. */
  readonly endedAt: number
}

/** The retry limit of a card network: a card with this many declines within this time is not tried again. */
export interface RetryLimit {
  readonly declines: number
  /** The period of the limit, in ms or as text such as `"30 days"`; at least a minute. */
  readonly within: Duration.Input
}

export interface CardRetrySettings {
  /**
   * The limits by card network, as in `card.network`. A network that is missing has no limit; `{}` means no limits at
   * all. All limits apply to a card without a network.
   */
  readonly limits: { readonly [network: string]: RetryLimit }
  /** The time for which a card with a final decline (`retryable: false`) is tried at no provider, in ms or as text. */
  readonly holdAfterHardDecline: Duration.Input
}

/**
 * The default limits. Visa fines more than 15 declined attempts of one card in 30 days, Mastercard more than 35. Visa
 * published a limit of 20 later; the lower number is safe under both publications.
 */
export const cardRetryDefaults: CardRetrySettings = {
  limits: {
    visa: { declines: 15, within: "30 days" },
    mastercard: { declines: 35, within: "30 days" }
  },
  holdAfterHardDecline: "30 days"
}

/** The maximum number of declines that are read for one card: a limit must not exceed it. */
export const MOST_DECLINES = 100

/** The card whose declines are counted, and the part of its history to read. */
export interface CountedCard {
  readonly fingerprint: string
  readonly network: string | null
  /** The period whose declines count, ms. Older ones do not. */
  readonly withinMs: number
}

/**
 * The card of a payment method whose declines are counted; `null` if the card cannot be identified, or no limit
 * applies.
 */
export const countedCard = (method: PaymentMethod, settings: CardRetrySettings): CountedCard | null => {
  // Ignores a blank fingerprint, which many cards would share. Requests with one are rejected.
  if (method.rail !== "card" || method.fingerprint === null || method.fingerprint.trim() === "") return null
  const { fingerprint, network } = method
  const times = limitsOf(method, settings).map(({ within }) => millis(within))
  const longest = Math.max(millis(settings.holdAfterHardDecline), ...times)
  return longest === 0 ? null : { fingerprint, network, withinMs: longest }
}

/** The reason why a card is not tried, and the time until it may be tried. */
export interface CardRefusal {
  /**
   * The reason for the refusal. `hard_decline`: an issuer's decline was final. `retry_limit`: the retry limit of the
   * card's network is reached.
   */
  readonly reason: "hard_decline" | "retry_limit"
  readonly retryAfterMs: number
}

/** The refusal of a card; `null` if it may be tried. `declines` are the card's declines, the latest first. */
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

/** The time, ms, until the limit allows another attempt; 0 if the limit is not reached. */
const waitOf = (limit: RetryLimit, declines: ReadonlyArray<CardDecline>, now: number): number => {
  const within = millis(limit.within)
  const counted = declines.filter(({ code, endedAt }) => endedAt > now - within && !uncounted.has(code))
  // The card may be tried again when the oldest of the latest `limit.declines` declines is too old to count.
  const oldest = counted[limit.declines - 1]
  return oldest === undefined ? 0 : oldest.endedAt + within - now
}

/** The codes of declines that no issuer made, because the payer left. They do not count. */
const uncounted: ReadonlySet<CardDecline["code"]> = new Set(["customer_canceled", "customer_timeout"])

/**
 * Returns the problems of the settings, one sentence each; empty if they are valid. Settings from a configuration file
 * are not type-checked.
 */
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

/** Rejects a plain `30`, which was meant as days: a limit with a period of 30 ms would never be reached. */
const withinProblems = (network: string, within: number | null): ReadonlyArray<string> => {
  if (within === null) return [`cardRetries.limits.${network}.within ${durationSentence}`]
  return within < 60_000 ? [`cardRetries.limits.${network}.within must be a minute at least (numbers are ms).`] : []
}

const durationSentence = 'must be a number of ms, or text such as "30 days".'

/** The limits that may apply to a card: the limit of its network, or all limits for a card without a network. */
const limitsOf = ({ network }: Pick<Card, "network">, { limits }: CardRetrySettings): ReadonlyArray<RetryLimit> => {
  if (network === null) return Object.values(limits)
  const own = Object.hasOwn(limits, network) ? limits[network] : undefined
  return own === undefined ? [] : [own]
}

/** Converts an unchecked setting (text or number, as documented) to ms; `null` if it is not a duration of 0 or more. */
const millisOf = (input: unknown): number | null => {
  if (typeof input !== "number" && typeof input !== "string") return null
  // Cast at a type boundary: `fromInput` returns `None` for an invalid text.
  const duration = Option.getOrNull(Duration.fromInput(input as Duration.Input))
  const ms = duration === null ? Number.NaN : Duration.toMillis(duration)
  return Number.isFinite(ms) && ms >= 0 ? ms : null
}

const millis = (input: Duration.Input): number => Duration.toMillis(Duration.fromInputUnsafe(input))

/**
 * How often a card that is declined may be tried: the card networks count, over every provider, and fine whoever goes on.
 *
 * A card is known by its `card.fingerprint`, the merchant's word for the same card under every token; without one only the
 * payment itself is known, and nothing is counted. Pure.
 */
import { Duration, Option, Predicate } from "effect"
import type { CardDecline } from "../store/PaymentStore.ts"
import type { Card, PaymentMethod } from "./PaymentMethod.ts"

/** A card of this network is not tried again after so many declines within this time. */
export interface RetryLimit {
  readonly declines: number
  /** ms, or text such as `"30 days"`. */
  readonly within: Duration.Input
}

export interface CardRetrySettings {
  /** By card network, as `card.network` names it. What is not named has no limit; `{}`: none has. */
  readonly limits: { readonly [network: string]: RetryLimit }
  /** A card that was declined for good (`retryable: false`) is tried at no provider for this long. ms, or text. */
  readonly holdAfterHardDecline: Duration.Input
}

/**
 * Visa fines what goes beyond 15 declined tries of one card in 30 days, Mastercard beyond 35. Visa published 20 later; the
 * lower number is safe under both.
 */
export const cardRetryDefaults: CardRetrySettings = {
  limits: {
    visa: { declines: 15, within: "30 days" },
    mastercard: { declines: 35, within: "30 days" }
  },
  holdAfterHardDecline: "30 days"
}

/** More declines of one card are not read: a limit has to be lower. */
export const MOST_DECLINES = 100

/** A card that is counted, and what is to be read of it. */
export interface CountedCard {
  readonly fingerprint: string
  readonly network: string | null
  /** ms UTC: older declines do not count any more. */
  readonly since: number
}

/** `null`: nothing is known that could be counted, or nothing is limited. */
export const countedCard = (method: PaymentMethod, settings: CardRetrySettings, now: number): CountedCard | null => {
  if (method.rail !== "card" || method.fingerprint === null) return null
  const { fingerprint, network } = method
  const longest = Math.max(millis(settings.holdAfterHardDecline), millis(limitOf(method, settings)?.within ?? 0))
  return longest === 0 ? null : { fingerprint, network, since: now - longest }
}

/** Why a card is not tried, and for how long. */
export interface CardRefusal {
  /** `hard_decline`: an issuer declined it for good. `retry_limit`: it was declined as often as its network allows. */
  readonly reason: "hard_decline" | "retry_limit"
  readonly retryAfterMs: number
}

/** `declines`: of the card, the latest first. `null`: it may be tried. */
export const cardRefusal = (
  { network }: Pick<Card, "network">,
  declines: ReadonlyArray<CardDecline>,
  settings: CardRetrySettings,
  now: number
): CardRefusal | null => {
  const hold = millis(settings.holdAfterHardDecline)
  const final = declines.find(({ endedAt, isFinal }) => isFinal && endedAt > now - hold)
  if (final !== undefined) return { reason: "hard_decline", retryAfterMs: final.endedAt + hold - now }
  const limit = limitOf({ network }, settings)
  if (limit === null) return null
  const within = millis(limit.within)
  const counted = declines.filter(({ endedAt }) => endedAt > now - within)
  // It may be tried again when this one is too old to count.
  const oldest = counted[limit.declines - 1]
  return oldest === undefined ? null : { reason: "retry_limit", retryAfterMs: oldest.endedAt + within - now }
}

/** Each fault as a sentence; none: they can be used. A configuration file is not type-checked. */
export const cardRetryProblems = (changes: unknown): ReadonlyArray<string> => {
  if (!Predicate.isObject(changes)) return ["cardRetries must be an object of settings."]
  const { holdAfterHardDecline: hold, limits = {}, ...others }: { readonly [name: string]: unknown } = { ...changes }
  return [
    ...Object.keys(others).map((name) => `cardRetries has no setting "${name}".`),
    ...(hold === undefined || isDuration(hold) ? [] : [`cardRetries.holdAfterHardDecline ${durationSentence}`]),
    ...(Predicate.isObject(limits)
      ? Object.entries(limits).flatMap(([network, limit]) => limitProblems(network, limit))
      : ["cardRetries.limits must be an object, by card network."])
  ]
}

const limitProblems = (network: string, limit: unknown): ReadonlyArray<string> => {
  const { declines, within }: { readonly [name: string]: unknown } = Predicate.isObject(limit) ? { ...limit } : {}
  return [
    ...(/^[a-z][a-z_]{1,31}$/.test(network)
      ? []
      : [`cardRetries.limits: "${network}" must be a card network in small letters, such as visa.`]),
    ...(typeof declines === "number" && Number.isInteger(declines) && declines > 0 && declines <= MOST_DECLINES
      ? []
      : [`cardRetries.limits.${network}.declines must be a whole number from 1 to ${MOST_DECLINES}.`]),
    ...(isDuration(within) ? [] : [`cardRetries.limits.${network}.within ${durationSentence}`])
  ]
}

const durationSentence = 'must be a number of ms, or text such as "30 days".'

const limitOf = ({ network }: Pick<Card, "network">, { limits }: CardRetrySettings): RetryLimit | null =>
  network !== null && Object.hasOwn(limits, network) ? (limits[network] ?? null) : null

/** Of what may be anything: text and numbers only, which is what is documented. */
const isDuration = (input: unknown): boolean => {
  if (typeof input === "number") return Number.isFinite(input) && input >= 0
  if (typeof input !== "string") return false
  // Boundary: any text is asked about.
  return Option.exists(Duration.fromInput(input as Duration.Input), (duration) => Duration.isFinite(duration))
}

const millis = (input: Duration.Input): number => Duration.toMillis(Duration.fromInputUnsafe(input))

/** The option `secret`: one secret, or several of which the first one encrypts and signs, while all of them are read. */
import type { ServerSecrets } from "@paymux/core/wire"
import { Redacted } from "effect"

export type SecretOption = string | ReadonlyArray<string>

/** `null`: none is given. */
export type GivenSecrets = ServerSecrets | null

/** Of the option `secret`, wherever it was given. */
export const secretProblems = (secret: unknown): ReadonlyArray<string> => {
  if (secret === undefined) return []
  if (!Array.isArray(secret)) return isLong(secret) ? [] : [`The secret must have ${lengthRule}.`]
  return [
    ...(secret.length === 0 ? ["The list of secrets is empty: give at least one."] : []),
    ...secret.flatMap((each, place) =>
      isLong(each) ? [] : [`Each secret must have ${lengthRule}: number ${place + 1} of the list has not.`]
    ),
    ...(new Set(secret).size === secret.length ? [] : ["The list of secrets repeats one: give each of them once."]),
    ...(secret.length > mostSecrets ? [`The list has ${secret.length} secrets: give at most ${mostSecrets}.`] : [])
  ]
}

const isLong = (secret: unknown): boolean => typeof secret === "string" && secret.length >= 32

const lengthRule = "at least 32 characters"

/** Each token that is not valid is compared with one for each secret. */
const mostSecrets = 5

/** The option must have passed `secretProblems`. */
export const secretsOf = (given: SecretOption | undefined): GivenSecrets => {
  const [first, ...others] = typeof given === "string" ? [given] : (given ?? [])
  return first === undefined ? null : [Redacted.make(first), ...others.map((other) => Redacted.make(other))]
}

/**
 * The value of PAYMUX_SECRET: a secret, or a JSON list of them. A secret may have any character, so no separator could tell a list from
 * one secret. `null`: it begins as a list and is none.
 */
export const readSecretText = (text: string): SecretOption | null => {
  if (!/^\s*\[\s*["\]]/.test(text)) return text
  try {
    const list: unknown = JSON.parse(text)
    return Array.isArray(list) && list.every((each) => typeof each === "string") ? list : null
  } catch {
    return null
  }
}

/** Whether the engine supports the contract version of a provider. Pure. */
import { Predicate } from "effect"
import { SPEC_VERSIONS } from "./Provider.ts"

/**
 * The error message for an unsupported contract version, with the package to update; `null`: the version is supported.
 * `version` can be any value: the adapter may be JavaScript, or built for another release.
 *
 * @example
 * ```ts
 * specVersionProblem("acme", 2) // => null
 * specVersionProblem("acme", "2") // => 'Provider "acme" has no valid version of the provider contract: …'
 * ```
 */
export const specVersionProblem = (
  provider: string,
  version: unknown,
  supported: ReadonlyArray<number> = SPEC_VERSIONS
): string | null => {
  if (!isVersion(version)) {
    return `Provider "${provider}" has no valid version of the provider contract: create it with defineProvider.`
  }
  if (supported.includes(version)) return null
  const made = `Provider "${provider}" was made for version ${version} of the provider contract`
  return version > Math.max(...supported)
    ? `${made}, which this engine does not support yet (it supports ${listed(supported)}): update paymux and @paymux/core.`
    : `${made}, which this engine no longer supports (it supports ${listed(supported)}): update the provider's package.`
}

const isVersion = (version: unknown): version is number =>
  Predicate.isNumber(version) && Number.isSafeInteger(version) && version >= 0

/** Formats a list of versions: `1`, `1 and 2`, `1, 2 and 3`. */
const listed = (versions: ReadonlyArray<number>): string =>
  [versions.slice(0, -1).join(", "), versions.at(-1)].filter((part) => part !== "").join(" and ")

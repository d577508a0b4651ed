/** Whether the engine takes a provider, by the version of the contract that it was made for. Pure. */
import { Predicate } from "effect"
import { SPEC_VERSIONS } from "./Provider.ts"

/**
 * `null`: it is taken. Else the one sentence that tells whoever starts the engine what to update. Anything may stand in
 * `version`: the adapter may be JavaScript, or of a time that this engine knows nothing of.
 *
 * @example
 * ```ts
 * specVersionProblem("acme", 1) // => null
 * specVersionProblem("acme", "1") // => 'Provider "acme" does not say which version …'
 * ```
 */
export const specVersionProblem = (
  provider: string,
  version: unknown,
  taken: ReadonlyArray<number> = SPEC_VERSIONS
): string | null => {
  if (!isVersion(version)) {
    return `Provider "${provider}" does not say which version of the provider contract it speaks: make it by defineProvider.`
  }
  if (taken.includes(version)) return null
  const made = `Provider "${provider}" was made for version ${version} of the provider contract`
  return version > Math.max(...taken)
    ? `${made}, which this engine does not know yet (it takes ${listed(taken)}): update paymux and @paymux/core.`
    : `${made}, which this engine no longer takes (it takes ${listed(taken)}): update the provider's package.`
}

const isVersion = (version: unknown): version is number =>
  Predicate.isNumber(version) && Number.isSafeInteger(version) && version >= 0

/** `1`, `1 and 2`, `1, 2 and 3`. */
const listed = (versions: ReadonlyArray<number>): string =>
  [versions.slice(0, -1).join(", "), versions.at(-1)].filter((part) => part !== "").join(" and ")

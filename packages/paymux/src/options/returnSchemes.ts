/** The option `returnSchemes`: schemes of apps that a `return_url` may have, by account. */
import { isForbiddenScheme } from "@paymux/core/wire"
import { accountNameRule, isAccountName } from "@paymux/http"
import { Predicate } from "effect"

export interface ReturnSchemesOption {
  readonly [account: string]: ReadonlyArray<string>
}

/** One sentence for each problem. */
export const returnSchemesProblems = (option: unknown): ReadonlyArray<string> => {
  if (option === undefined) return []
  if (!Predicate.isObject(option) || Array.isArray(option)) {
    return ['returnSchemes must be an object of lists by account, such as { default: ["myapp"] }.']
  }
  return Object.entries(option).flatMap(([account, schemes]) => [
    ...(isAccountName(account) ? [] : [`returnSchemes has an invalid account name: it ${accountNameRule}.`]),
    ...listProblems(`returnSchemes.${account}`, schemes)
  ])
}

const listProblems = (name: string, schemes: unknown): ReadonlyArray<string> => {
  if (!Array.isArray(schemes)) return [`${name} must be a list of schemes, such as ["myapp"].`]
  if (schemes.length === 0) return [`${name} is empty: list a scheme, such as "myapp", or leave out the account.`]
  return schemes.flatMap((scheme: unknown) => schemeProblem(name, scheme) ?? [])
}

const schemeProblem = (name: string, scheme: unknown): string | null => {
  if (typeof scheme !== "string" || !/^[a-z][a-z0-9+.-]{0,63}$/.test(scheme)) {
    return `${name} must have schemes of 1 to 64 lower-case letters, digits, "+", "." or "-", without the colon.`
  }
  if (scheme === "http" || scheme === "https") return `${name}: remove "${scheme}", which has rules of its own.`
  return isForbiddenScheme(scheme)
    ? `${name}: remove "${scheme}". A browser would run it or read a file, so no page may link to it.`
    : null
}

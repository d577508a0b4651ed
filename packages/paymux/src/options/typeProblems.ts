/** Options whose type is wrong, which a configuration file does not check. Their values are not looked at any closer. */
import { Predicate } from "effect"

/** By option: what can be looked at no closer. `undefined` is an option that is not there, `null` is none. */
export const typeProblems = (options: object): ReadonlyMap<string, string> => {
  const given: { readonly [name: string]: unknown } = { ...options }
  const wrong = (names: ReadonlyArray<string>, is: (value: unknown) => boolean, what: string) =>
    names
      .filter((name) => given[name] !== undefined && !is(given[name]))
      .map((name) => [name, `${name} must be ${what}.`] as const)
  return new Map([
    ...wrong(["account", "basePath", "database", "metricsToken", "publicUrl"], Predicate.isString, "text"),
    ...wrong(["secret"], isTextOrList, "text, or a list of texts"),
    ...wrong(["breaker"], Predicate.isObject, "an object of settings"),
    ...wrong(["providers"], isList, "a list of providers: providers: [acme({ … })]")
  ])
}

const isTextOrList = (value: unknown): boolean =>
  typeof value === "string" || (Array.isArray(value) && value.every(Predicate.isString))

/** What stands in it is looked at more closely by `providerProblems`. */
const isList = (value: unknown): boolean =>
  Array.isArray(value) && value.every((each) => Predicate.isObject(each) || Predicate.isFunction(each))

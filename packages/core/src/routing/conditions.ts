/** The conditions of a rule, sorted into those that are built and those that are only part of the language yet. */
import type { FactName, FactValue } from "./Facts.ts"
import type { When } from "./RoutingConfig.ts"

/** Holds where the fact is one of the values. */
export interface Condition {
  readonly name: FactName
  readonly values: ReadonlyArray<FactValue>
}

/** All of `when` that can be run: equality and any of a list. */
export const conditionsOf = (when: When): ReadonlyArray<Condition> =>
  entries(when).flatMap(([name, wanted]) => {
    const values = Array.isArray(wanted) ? wanted : [wanted]
    return isFactName(name) && values.every(isValue) ? [{ name, values }] : []
  })

/** The rest of `when`, each by its place and its name in words. */
export const notBuilt = (when: When): ReadonlyArray<{ readonly path: ReadonlyArray<string>; readonly what: string }> =>
  entries(when).flatMap(([name, wanted]) => {
    if (!isFactName(name)) return [{ path: [name], what: `\`${name}\`` }]
    if (typeof wanted !== "object" || wanted === null || Array.isArray(wanted)) return []
    return Object.keys(wanted).map((operator) => ({ path: [name, operator], what: `\`${operator}\` of \`${name}\`` }))
  })

/** The values a rule asks for one fact, or `null` where it does not say. */
export const valuesOf = (when: When, fact: FactName): ReadonlyArray<FactValue> | null =>
  conditionsOf(when).find(({ name }) => name === fact)?.values ?? null

const entries = (when: When): ReadonlyArray<readonly [string, unknown]> => Object.entries(when)

const notFacts: ReadonlyArray<string> = ["time", "all", "any", "not"]

/** Every other key that the Schema lets through is the name of a fact. */
const isFactName = (name: string): name is FactName => !notFacts.includes(name)

const isValue = (value: unknown): value is FactValue =>
  typeof value === "string" || typeof value === "number" || typeof value === "boolean"

/** The option `routing: { source: "database" }`. */
import type { RulesOrigin } from "@paymux/dashboard"

/** Rules in the database: `paymux.rules.publish`, the commands and the dashboard edit them. */
export interface DatabaseRouting {
  readonly source: "database"
  /** A YAML file that becomes version 1 of a database without rules. Default: providers in the order of the configuration. */
  readonly initial?: string
}

export const isDatabaseRouting = (routing: object): routing is DatabaseRouting => "source" in routing

export const rulesOrigin = (routing: object | string | undefined): RulesOrigin => {
  if (routing === undefined) return { kind: "default" }
  if (typeof routing === "string") return { kind: "file", file: routing }
  return { kind: isDatabaseRouting(routing) ? "database" : "options" }
}

/** `routing` has a `source`. */
export const databaseRoutingProblems = (routing: object): ReadonlyArray<string> => {
  const { initial, source, ...others }: { readonly [name: string]: unknown } = { ...routing }
  return [
    ...Object.keys(others).map((name) => `There is no option "routing.${name}" beside routing.source.`),
    ...(source === "database"
      ? []
      : ['routing.source must be "database". For rules in a file, pass its name as routing.']),
    ...(initial === undefined || (typeof initial === "string" && /^[^\n]+\.ya?ml$/i.test(initial))
      ? []
      : ["routing.initial must be the name of a file that ends in .yaml or .yml."])
  ]
}
